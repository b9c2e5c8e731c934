// An array in shared memory has one element too few: the last thread writes to the array behind it,
// or past the end of shared memory.
//
// kind: out-of-bounds
// says: error: write out of bounds: right, element 64; its elements are 0 to 63   in kernel shift
// says:       thread (63,0) of block (0,0) wrote it   @right
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

template <bool RIGHT> __global__ void shift(float *out) {
  __shared__ float left[64 + RIGHT], right[64 + RIGHT];
  int t = threadIdx.x;
  left[t + 1] = out[t];  // <- left
  right[t + 1] = out[t]; // <- right
  __syncthreads();
  if (t > 0)
    out[t] = left[t] + right[t];
}

template <bool RIGHT> void run() {
  float *out = device_array<float>(64);
  shift<RIGHT><<<1, 64>>>(out);
  finish(out);
}
BOTH(run)
