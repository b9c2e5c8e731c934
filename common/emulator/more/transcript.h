/* Numbers of the calls of more/ in a transcript. They follow those of transcript/transcript.h. */
#ifndef MORE_TRANSCRIPT_H
#define MORE_TRANSCRIPT_H

#include "../transcript/transcript.h"

/* clang-format off */
/* Calls with a record of their own. */
#define MORE_CALLS(CALL) \
  CALL(cudaMalloc3DArray) CALL(cudaFreeArray) CALL(cudaCreateTextureObject) \
  CALL(cudaDestroyTextureObject) CALL(cudaCreateSurfaceObject) CALL(cudaDestroySurfaceObject)
/* Recorded as copies of rows, or for a graph launch as the work of all its nodes. Calls that begin,
 * end or query a capture are not recorded. */
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

/* An array. The handle is that of the recorded program; its memory has the same address in both
 * programs. */
typedef struct TranscriptArray {
  uint64_t handle, memory, format[5], flags;
  struct cudaExtent extent;
} TranscriptArray;

/* A texture or a surface. If it refers to an array, `resource` has the array's handle in the
 * recorded program. */
typedef struct TranscriptView {
  /* the same in both programs */
  uint64_t object;
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
} TranscriptView;

#endif
