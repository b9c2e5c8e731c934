// 64 KB of constants, the most that a program may have.
#include <cstdio>

enum { VALUES = 65536 / sizeof(float) };
__constant__ float table[VALUES];
__global__ void last(float *out) { *out = table[VALUES - 1]; }

int main() {
  static float values[VALUES];
  float *out, seen = 0;
  values[VALUES - 1] = 7;
  cudaMemcpyToSymbol(table, values, sizeof values);
  cudaMalloc(&out, sizeof *out);
  last<<<1, 1>>>(out);
  cudaMemcpy(&seen, out, sizeof seen, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return seen == 7 ? 0 : 1;
}
