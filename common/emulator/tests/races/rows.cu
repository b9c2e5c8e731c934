// Consecutive blocks write rows that overlap: words, double words, bytes and float4, with lengths
// and offsets that are not powers of two.
#include "race.h"

template <typename T> __global__ void fill(T *to, int n, int step) {
  int i = blockIdx.x * step + threadIdx.x;
  if (i < n)
    to[i] = (T)(blockIdx.x + 1);
}

__global__ void alike(int *to, int step) { to[blockIdx.x * step + threadIdx.x] = 7; }

__global__ void quads(float4 *to) {
  to[blockIdx.x * 13 + threadIdx.x] = make_float4(blockIdx.x, 1, 2, 3);
}

int main() {
  int *words = filled(1 << 17);
  fill<<<40, 128>>>(words, 4000, 97);
  fill<<<40, 128>>>(words + (1 << 15) - 2000, 4000, 97); // around a boundary between workers
  fill<<<40, 128>>>((double *)words, 4000, 31);
  fill<<<40, 96>>>((unsigned char *)words, 4000, 95);
  alike<<<40, 128>>>(words, 127);
  quads<<<40, 32>>>((float4 *)words);
  return finish();
}
