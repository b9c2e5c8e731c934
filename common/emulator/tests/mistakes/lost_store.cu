// Two tiles are declared as one extern __shared__ array and begin at the same byte.
//
// kind: lost-store
// says: warning: each thread stores a value in shared memory, and then another value in the same
// says+ place   in kernel product
// says:       stored here   @first
// says:       stored again here   @second
// says:       No thread can read the first value. All extern __shared__ arrays of a kernel begin at
// says+ the same byte, so each needs its own offset.
#include "mistake.h"

enum { TILE = 8 };

__device__ float *tile(int offset) {
  extern __shared__ float raw[];
  return raw + offset;
}

template <int BEHIND> __global__ void product(const float *a, const float *b, float *c) {
  float *as = tile(0), *bs = tile(BEHIND), sum = 0;
  int row = threadIdx.x / TILE, column = threadIdx.x % TILE;
  as[threadIdx.x] = a[threadIdx.x]; // <- first
  asm volatile("" : : : "memory");  // otherwise nvcc removes the first store
  bs[threadIdx.x] = b[threadIdx.x]; // <- second
  __syncthreads();
  for (int k = 0; k < TILE; k++)
    sum += as[row * TILE + k] * bs[k * TILE + column];
  c[threadIdx.x] = sum;
}

// No report: first a zero is overwritten, later a value from which the next one was computed.
__global__ void padded(const float *a, float *c, int n) {
  extern __shared__ float raw[];
  raw[threadIdx.x] = 0;
  if ((int)threadIdx.x < n)
    raw[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  float left = a[threadIdx.x];
  raw[threadIdx.x] = left;
  raw[threadIdx.x] = left + c[threadIdx.x];
  __syncthreads();
  c[threadIdx.x] = raw[TILE - threadIdx.x % TILE];
}

template <bool RIGHT> void run() {
  const int n = TILE * TILE;
  float *a = device_array<float>(n), *b = device_array<float>(n), *c = device_array<float>(n);
  if (RIGHT)
    padded<<<1, n, n * sizeof *a>>>(a, c, n / 2);
  product<RIGHT ? n : 0><<<1, n, 2 * n * sizeof *a>>>(a, b, c);
  finish(a, b, c);
}
BOTH(run)
