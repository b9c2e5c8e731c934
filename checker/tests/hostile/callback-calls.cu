// A host function in a stream makes CUDA calls, which the transcript does not contain.
// expect: not-repeated | an allocation lies elsewhere
#include "lab.h"
static float *hidden;
static void CUDART_CB work(void *) {
  cudaMalloc(&hidden, 4096);
  cudaMemset(hidden, 0, 4096);
}
#define WITH_THE_HOST_SIDE
static void attack() {
  float *more;
  cudaLaunchHostFunc(0, work, 0);
  cudaMalloc(&more, 4096);
}
