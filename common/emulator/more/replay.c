/* Replays the calls in a transcript that more/ implements: the calls for arrays, textures and
 * surfaces. transcript/replay.c replays all other calls. */
#include <string.h>

#include "../transcript/replay.h"
#include "transcript.h"

static Handles arrays;

static cudaArray_t array_here(uint64_t recorded) {
  void *here = replay_handle(&arrays, recorded);
  if (recorded && !here)
    replay_refuse("the transcript has an array that was never made");
  return here;
}

static void array_again(const Record *r) {
  TranscriptArray asked;
  cudaArray_t array = NULL;
  replay_need(r, 0);
  if (r->bytes != sizeof asked)
    replay_refuse("the transcript has an array of another kind");
  memcpy(&asked, r->data, sizeof asked);
  struct cudaChannelFormatDesc format = {(int)asked.format[0], (int)asked.format[1],
                                         (int)asked.format[2], (int)asked.format[3],
                                         (enum cudaChannelFormatKind)asked.format[4]};
  if (cudaMalloc3DArray(&array, &format, asked.extent, (unsigned)asked.flags))
    return;
  replay_same_address(cudaSuccess, asked.memory, (void *)(uintptr_t)array->memory->address);
  replay_add_handle(&arrays, asked.handle, array);
}

static void view_again(const Record *r) {
  TranscriptView asked;
  unsigned long long object = 0;
  cudaError_t error;
  const bool surface = (unsigned)r->call == TRANSCRIPT_cudaCreateSurfaceObject,
             failed = r->bytes == 0;
  replay_need(r, 0);
  if (!failed && r->bytes != sizeof asked)
    replay_refuse("the transcript has a texture of another kind");
  if (!failed) {
    memcpy(&asked, r->data, sizeof asked);
    if (asked.resource.resType == cudaResourceTypeArray)
      asked.resource.res.array.array = array_here((uintptr_t)asked.resource.res.array.array);
  }
  const struct cudaResourceDesc *resource = failed ? NULL : &asked.resource;
  error = surface ? cudaCreateSurfaceObject(&object, resource)
                  : cudaCreateTextureObject(&object, resource, &asked.texture, NULL);
  if (!error && object != asked.object)
    replay_refuse("a texture has another number: something else was made before");
}

bool replay_more(const Record *r) {
  switch ((unsigned)r->call) {
  case TRANSCRIPT_cudaMalloc3DArray:
    array_again(r);
    return true;
  case TRANSCRIPT_cudaFreeArray:
    replay_need(r, 1);
    cudaFreeArray(array_here(r->argument[0]));
    return true;
  case TRANSCRIPT_cudaCreateTextureObject:
  case TRANSCRIPT_cudaCreateSurfaceObject:
    view_again(r);
    return true;
  case TRANSCRIPT_cudaDestroyTextureObject:
    replay_need(r, 1);
    cudaDestroyTextureObject(r->argument[0]);
    return true;
  case TRANSCRIPT_cudaDestroySurfaceObject:
    replay_need(r, 1);
    cudaDestroySurfaceObject(r->argument[0]);
    return true;
  default:
    return false;
  }
}
