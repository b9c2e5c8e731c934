// The runtime's own functions, by the names that the linker gives them: calls that no transcript has.
// expect: not-repeated | an allocation lies elsewhere
#include "lab.h"
#define WITH_THE_HOST_SIDE
extern "C" cudaError_t __real_cudaMalloc(void **, size_t);
static void attack() {
  void *memory;
  __real_cudaMalloc(&memory, 1 << 20);
  cudaMalloc(&memory, 1 << 20);
}
