// Calls the runtime by the names that the linker gives to its functions, so that the transcript
// does not contain these calls.
// expect: not-repeated | an allocation lies elsewhere
#include "lab.h"
#define WITH_THE_HOST_SIDE
extern "C" cudaError_t __real_cudaMalloc(void **, size_t);
static void attack() {
  void *memory;
  __real_cudaMalloc(&memory, 1 << 20);
  cudaMalloc(&memory, 1 << 20);
}
