// A filter in constant memory has one element too few.
//
// kind: out-of-bounds
// says: error: read out of bounds: taps, element 5; its elements are 0 to 4   in kernel filter
// says:       thread (0,0) of block (0,0) read it   @wrong
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__constant__ float taps[5];

template <bool RIGHT> __global__ void filter(float *out, int n) {
  float sum = 0;
  for (int k = 0; RIGHT ? k < n : k <= n; k++)
    sum += taps[k]; // <- wrong
  out[threadIdx.x] = sum;
}

template <bool RIGHT> void run() {
  float host[5] = {1, 4, 6, 4, 1}, *out = device_array<float>(32);
  MUST(cudaMemcpyToSymbol(taps, host, sizeof host));
  filter<RIGHT><<<1, 32>>>(out, 5);
  finish(out);
}
BOTH(run)
