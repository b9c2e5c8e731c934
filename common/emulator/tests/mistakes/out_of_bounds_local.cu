// A thread's local array has one element too few.
//
// kind: out-of-bounds
// says: error: write out of bounds: the thread's local memory, element 8; its elements are 0 to 7
// says+   in kernel sort
// says:       thread (0,0) of block (0,0) wrote it   @write
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// says: error: read out of bounds: the thread's local memory, element 8; its elements are 0 to 7
// says+   in kernel sort
// says:       thread (0,0) of block (0,0) read it   @read
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

template <bool RIGHT> __global__ void sort(float *out, int last) {
  float own[8 + RIGHT];
  for (int i = 0; i <= last; i++)
    own[(i * 5 + threadIdx.x) % (last + 1)] = i;            // <- write
  out[threadIdx.x] = own[out[threadIdx.x] == 0 ? last : 0]; // <- read
}

template <bool RIGHT> void run() {
  float *out = device_array<float>(32);
  sort<RIGHT><<<1, 32>>>(out, 8);
  finish(out);
}
BOTH(run)
