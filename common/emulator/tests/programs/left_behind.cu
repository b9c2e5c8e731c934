// What a program is told at its end: the error nobody looked at, and the buffers nobody freed.
// expect: cudaLaunchKernel returned cudaErrorInvalidValue
// expect: allocation 1 (40 bytes) was never given to cudaFree
// expect: ok
#include "check.h"

__global__ void empty() {}

int main() {
  int *device;
  cudaMalloc(&device, 40);
  empty<<<1, 2000>>>();
  return done();
}
