// One float more of constants than the 64 KB that a program may have: nvcc's assembler refuses such a file, and here the
// launch is refused. constants_as_many_as_fit.cu is its neighbour.
//
// expect: error: 65540 bytes of __constant__ variables, where a program may have 65536: nvcc refuses to build it   in kernel last
// expect: cudaErrorInvalidKernelImage
#include <cstdio>

enum { VALUES = 65536 / sizeof(float) + 1 };
__constant__ float table[VALUES];
__global__ void last(float *out) { *out = table[VALUES - 1]; }

int main() {
  float *out;
  cudaMalloc(&out, sizeof *out);
  last<<<1, 1>>>(out);
  puts(cudaGetErrorName(cudaGetLastError()));
  cudaFree(out);
}
