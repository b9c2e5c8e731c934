/* The numbers that identify the calls of more/ in a transcript. They follow the numbers in
 * transcript/transcript.h. */
#ifndef MORE_TRANSCRIPT_H
#define MORE_TRANSCRIPT_H

#include "../transcript/transcript.h"

/* clang-format off */
/* Calls that are recorded with their own name. */
#define MORE_CALLS(CALL) \
  CALL(cudaMalloc3DArray) CALL(cudaFreeArray) CALL(cudaCreateTextureObject) \
  CALL(cudaDestroyTextureObject) CALL(cudaCreateSurfaceObject) CALL(cudaDestroySurfaceObject)
/* Calls that are recorded as other calls: a copy of an array as a copy of rows, a graph launch as
 * the work of all its nodes. Calls that begin, end or query a capture are not recorded. */
#define MORE_COMPOUNDS(CALL) \
  CALL(cudaMemcpy2DToArray) CALL(cudaMemcpy2DToArrayAsync) CALL(cudaMemcpy2DFromArray) \
  CALL(cudaMemcpy2DFromArrayAsync) CALL(cudaMemcpyToArray) CALL(cudaMemcpyFromArray) \
  CALL(cudaMallocArray) CALL(cudaMallocFromPoolAsync) CALL(cudaGraphLaunch) \
  CALL(cudaStreamBeginCapture) CALL(cudaStreamEndCapture) CALL(cudaStreamIsCapturing)
/* clang-format on */

enum {
  TRANSCRIPT_BEFORE_MORE = TRANSCRIPT_CALL_COUNT - 1,
#define MORE_NAME(name) TRANSCRIPT_##name,
  MORE_CALLS(MORE_NAME)
#undef MORE_NAME
};

/* The data of the record of a new array. `handle`: the handle in the recorded program. `memory`:
 * the address of the memory, which is the same in both programs. */
typedef struct TranscriptArray {
  uint64_t handle, memory, format[5], flags;
  struct cudaExtent extent;
} TranscriptArray;

/* The data of the record of a new texture or surface. If it refers to an array, `resource` contains
 * the handle of the array in the recorded program. */
typedef struct TranscriptView {
  /* The number of the object, which is the same in both programs. */
  uint64_t object;
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
} TranscriptView;

#endif
