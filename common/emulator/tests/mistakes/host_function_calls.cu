// A host function that a stream executes makes a CUDA call, which is forbidden.
//
// kind: error-ignored leak
// says: warning: cudaFree returned cudaErrorNotPermitted (operation not permitted), which was not
// says+ checked
// says:       called here   @freed
// says:       A function that a stream calls cannot call CUDA itself. Call it after the host has
// says+ waited for the stream.
// says: warning: allocation 1 (128 bytes) was never given to cudaFree
// says:       allocated here   @made
// says:       Every cudaMalloc needs a cudaFree.
#include "mistake.h"

__global__ void set(int *x) { x[threadIdx.x] = 1; }

template <bool RIGHT> void release(void *x) {
  if (!RIGHT)
    cudaFree(x); // <- freed
}

template <bool RIGHT> void run() {
  int *x = device_array<int>(32); // <- made
  cudaStream_t stream;
  MUST(cudaStreamCreate(&stream));
  set<<<1, 32, 0, stream>>>(x);
  MUST(cudaGetLastError());
  MUST(cudaLaunchHostFunc(stream, release<RIGHT>, x));
  answer(cudaStreamSynchronize(stream));
  if (RIGHT)
    MUST(cudaFree(x));
  MUST(cudaStreamDestroy(stream));
}
BOTH(run)
