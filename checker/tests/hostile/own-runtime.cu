// Defines functions of the runtime again: allocations that never fail, and copies on the host.
// expect: not-compiled | multiple definition of
#include "lab.h"
#include <stdlib.h>
#include <string.h>
#ifndef __CUDA_ARCH__
extern "C" cudaError_t cudaMalloc(void **p, size_t bytes) {
  return (*p = calloc(1, bytes)), cudaSuccess;
}
extern "C" cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  return memcpy(to, from, bytes), cudaSuccess;
}
extern "C" cudaError_t cudaGetLastError() { return cudaSuccess; }
#endif
static int attack() { return 0; }
