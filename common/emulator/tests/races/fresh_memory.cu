// Blocks read new memory that other blocks may or may not have written yet.
#include "race.h"

__global__ void shift(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  if (i + 1 < n)
    a[i] += a[i + 1];
}

__global__ void pass_on(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  b[i] = a[(i + 64) % (gridDim.x * blockDim.x)];
  if (b[i] > 100)
    b[i] = 0;
}

__global__ void never(int *a, int *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (a[i] > 3)
    atomicAdd(sum, 1);
}

int main() {
  int *a = device(64 * 40), *b = device(64 * 40), *c = device(64 * 40), *d = device(64 * 40),
      *sum = filled(1);
  shift<<<40, 64>>>(a, 64 * 40);
  pass_on<<<40, 64>>>(b, c);
  never<<<40, 64>>>(d, sum);
  return finish();
}
