// A function uses an argument that was read from uninitialised memory.
//
// kind: uninitialised
// says: error: read of global memory that was never written: allocation 1 (128 bytes), element 0
// says+   in kernel halve
// says:       thread (0,0) of block (0,0) read it   @read
// says:       thread (0,0) of block (0,0) stored a result of it   @used
// says:       Nothing was stored in this memory before it was read.
#include "mistake.h"

__device__ __noinline__ float half_of(float x) { return x / 2; }

template <bool RIGHT> __global__ void halve(float *data) {
  float x = RIGHT ? 1 : data[threadIdx.x]; // <- read
  data[threadIdx.x] = half_of(x);          // <- used
}

template <bool RIGHT> void run() {
  float *data;
  MUST(cudaMalloc(&data, 32 * sizeof *data));
  halve<RIGHT><<<1, 32>>>(data);
  finish(data);
}
BOTH(run)
