/* Records the calls that more/ implements in a transcript (transcript/transcript.h): the calls for
 * arrays, pools, textures, surfaces and graphs. Most of them are recorded as calls that
 * transcript/record.c records too. A copy of an array is recorded as a copy of rows, and a graph
 * launch as the work of all its nodes. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../transcript/record.h"
#include "graphs.h"
#include "transcript.h"

/* ---- arrays, textures and pools -------------------------------------------------------------- */
/* Returns the device address of byte x in row y of an array; NULL if there is no array. */
static void *place(cudaArray_const_t array, size_t x, size_t y) {
  return array ? runtime_array_place(array, x, y, 0) : NULL;
}
static size_t pitch_of(cudaArray_const_t array) { return array ? runtime_array_pitch(array) : 0; }

#define TO_ARRAY(name, stream, waits, ...)                                                         \
  WRAP_AS(name,                                                                                    \
          (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,       \
           size_t rows, enum cudaMemcpyKind kind __VA_ARGS__),                                     \
          TO_ARRAY_VALUES_##waits,                                                                 \
          record_rows(place(to, x, y), pitch_of(to), from, pitch, width, rows, kind,               \
                      &(Planes){error, stream, waits}))
#define FROM_ARRAY(name, stream, waits, ...)                                                       \
  WRAP_AS(name,                                                                                    \
          (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,       \
           size_t rows, enum cudaMemcpyKind kind __VA_ARGS__),                                     \
          FROM_ARRAY_VALUES_##waits,                                                               \
          record_rows(to, pitch, place(from, x, y), pitch_of(from), width, rows, kind,             \
                      &(Planes){error, stream, waits}))
#define TO_ARRAY_VALUES_true (to, x, y, from, pitch, width, rows, kind)
#define TO_ARRAY_VALUES_false (to, x, y, from, pitch, width, rows, kind, stream)
#define FROM_ARRAY_VALUES_true (to, pitch, from, x, y, width, rows, kind)
#define FROM_ARRAY_VALUES_false (to, pitch, from, x, y, width, rows, kind, stream)
TO_ARRAY(cudaMemcpy2DToArray, 0, true)
TO_ARRAY(cudaMemcpy2DToArrayAsync, stream, false, , cudaStream_t stream)
FROM_ARRAY(cudaMemcpy2DFromArray, 0, true)
FROM_ARRAY(cudaMemcpy2DFromArrayAsync, stream, false, , cudaStream_t stream)
WRAP_AS(cudaMemcpyToArray,
        (cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
         enum cudaMemcpyKind kind),
        (to, x, y, from, bytes, kind),
        record_rows(place(to, x, y), bytes, from, bytes, bytes, 1, kind, &(Planes){error, 0, true}))
WRAP_AS(cudaMemcpyFromArray,
        (void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
         enum cudaMemcpyKind kind),
        (to, from, x, y, bytes, kind),
        record_rows(to, bytes, place(from, x, y), bytes, bytes, 1, kind, &(Planes){error, 0, true}))

static void note_pool(cudaError_t error, void **out, size_t bytes, cudaStream_t stream) {
  uint64_t arguments[] = {error ? 0 : ADDRESS(*out), bytes, record_stream(stream)};
  record_note(TRANSCRIPT_cudaMallocAsync, error, arguments, 3, NULL, 0);
}
WRAP_AS(cudaMallocFromPoolAsync,
        (void **out, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
        (out, bytes, pool, stream), note_pool(error, out, bytes, stream))

static void note_array(cudaError_t error, const cudaArray_t *out,
                       const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                       unsigned flags) {
  TranscriptArray array;
  memset(&array, 0, sizeof array);
  array.handle = error ? 0 : ADDRESS(*out);
  array.memory = error ? 0 : (*out)->memory->address;
  for (int i = 0; format && i < 5; i++)
    array.format[i] = (uint32_t)(i == 0   ? format->x
                                 : i == 1 ? format->y
                                 : i == 2 ? format->z
                                 : i == 3 ? format->w
                                          : (int)format->f);
  array.extent = extent;
  array.flags = flags;
  record_note(TRANSCRIPT_cudaMalloc3DArray, error, NULL, 0, &array, sizeof array);
}
WRAP_AS(cudaMallocArray,
        (cudaArray_t * out, const struct cudaChannelFormatDesc *format, size_t width, size_t height,
         unsigned flags),
        (out, format, width, height, flags),
        note_array(error, out, format, (struct cudaExtent){width, height, 0}, flags))
WRAP_AS(cudaMalloc3DArray,
        (cudaArray_t * out, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
         unsigned flags),
        (out, format, extent, flags), note_array(error, out, format, extent, flags))

WRAP(cudaFreeArray, (cudaArray_t a), (a), ADDRESS(a), 1)

static void note_view(unsigned call, cudaError_t error, const unsigned long long *object,
                      const struct cudaResourceDesc *resource,
                      const struct cudaTextureDesc *texture) {
  TranscriptView view;
  memset(&view, 0, sizeof view);
  view.object = error ? 0 : *object;
  if (resource)
    view.resource = *resource;
  if (texture)
    view.texture = *texture;
  record_note(call, error, NULL, 0, &view, error ? 0 : sizeof view);
}
WRAP_AS(cudaCreateTextureObject,
        (cudaTextureObject_t * object, const struct cudaResourceDesc *resource,
         const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view),
        (object, resource, texture, view),
        note_view(TRANSCRIPT_cudaCreateTextureObject, error, object, resource, texture))
WRAP_AS(cudaCreateSurfaceObject,
        (cudaSurfaceObject_t * object, const struct cudaResourceDesc *resource), (object, resource),
        note_view(TRANSCRIPT_cudaCreateSurfaceObject, error, object, resource, NULL))
WRAP(cudaDestroyTextureObject, (cudaTextureObject_t a), (a), a, 1)
WRAP(cudaDestroySurfaceObject, (cudaSurfaceObject_t a), (a), a, 1)

/* ---- graphs ---------------------------------------------------------------------------------- */
/* Captures are not recorded. */
WRAP_AS(cudaStreamBeginCapture, (cudaStream_t a, enum cudaStreamCaptureMode b), (a, b), )
WRAP_AS(cudaStreamEndCapture, (cudaStream_t a, cudaGraph_t *b), (a, b), )
WRAP_AS(cudaStreamIsCapturing, (cudaStream_t a, enum cudaStreamCaptureStatus *b), (a, b), )

/* Records the work of a node as a call in the stream of the graph launch. The nodes of parallel
 * branches are recorded one after the other. */
static void note_node(cudaGraphNode_t node, void *data) {
  const Planes *planes = data;
  const KernelCall *k = &node->work.kernel;
  void **places;
  switch (node->type) {
  case cudaGraphNodeTypeKernel:
    places = runtime_argument_places(k);
    if (!places)
      _exit(2);
    record_launch(k->cooperative ? TRANSCRIPT_cudaLaunchCooperativeKernel
                                 : TRANSCRIPT_cudaLaunchKernel,
                  planes->error, k->kernel, k->grid, k->block, places, k->shared, planes->stream);
    free(places);
    break;
  case cudaGraphNodeTypeMemcpy:
    record_planes(&node->work.copy, *planes);
    break;
  case cudaGraphNodeTypeMemset:
    record_set(planes->error, &node->work.set, planes->stream);
    break;
  case cudaGraphNodeTypeHost:
    record_unknown("a graph with functions of the host");
    break;
  case cudaGraphNodeTypeMemFree:
    record_unknown("a graph that frees memory");
    break;
  default: /* events of the graph only order its nodes, which are recorded in order */
    break;
  }
}

static void note_graph(cudaError_t error, cudaGraphExec_t graph, cudaStream_t stream) {
  Planes planes = {error, stream, false};
  if (!capture_takes(stream))
    graph_each_work(graph, note_node, &planes);
}
WRAP_AS(cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t stream), (graph, stream),
        note_graph(error, graph, stream))
