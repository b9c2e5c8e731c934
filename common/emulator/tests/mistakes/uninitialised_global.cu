// A sum starts from uninitialised memory.
//
// kind: uninitialised
// says: error: read of global memory that was never written: allocation 2 (128 bytes), element 0
// says+   in kernel add
// says:       thread (0,0) of block (0,0) read it   @wrong
// says:       thread (0,0) of block (0,0) stored a result of it   @wrong
// says:       Nothing was stored in this memory before it was read.
#include "mistake.h"

template <bool RIGHT> __global__ void add(float *sum, const float *data) {
  int t = threadIdx.x;
  if (RIGHT)
    sum[t] = 0;
  sum[t] += data[t]; // <- wrong
}

template <bool RIGHT> void run() {
  float *data = device_array<float>(32), *sum;
  MUST(cudaMalloc(&sum, 32 * sizeof *sum));
  add<RIGHT><<<1, 32>>>(sum, data);
  finish(data, sum);
}
BOTH(run)
