/* The calls of more/ in a transcript: their numbers follow those of transcript/transcript.h. */
#ifndef MORE_TRANSCRIPT_H
#define MORE_TRANSCRIPT_H

#include "../transcript/transcript.h"

/* clang-format off */
/* With a record of their own. */
#define MORE_CALLS(CALL) \
  CALL(cudaMalloc3DArray) CALL(cudaFreeArray) CALL(cudaCreateTextureObject) \
  CALL(cudaDestroyTextureObject) CALL(cudaCreateSurfaceObject) CALL(cudaDestroySurfaceObject)
/* They come to a copy of rows, to an array or memory as above, and for a graph that is launched to all
 * that its nodes do. Streams that capture do nothing. */
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

/* An array, which is made by this call and known by its handle there. Its memory has the same
 * address in both programs. */
typedef struct TranscriptArray {
  uint64_t handle, memory, format[5], flags;
  struct cudaExtent extent;
} TranscriptArray;

/* A texture or a surface. If it looks at an array, its description has the array's handle there. */
typedef struct TranscriptView {
  uint64_t object; /* the same in both */
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
} TranscriptView;

#endif
