// A thread reads left of the first element: a signed index is negative, an unsigned one is huge.
//
// kind: out-of-bounds
// says: error: read out of bounds: 4 bytes before allocation 1 (256 bytes): element -1   in kernel
// says+ difference
// says:       thread (0,0) of block (0,0) read it   @wrong
// says:       the pointer comes from argument 1 of the kernel
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

template <bool RIGHT> __global__ void difference(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] - (RIGHT && i == 0 ? 0 : in[i - 1]); // <- wrong
}

template <bool RIGHT> void run() {
  float *in = device_array<float>(64), *out = device_array<float>(64);
  difference<RIGHT><<<2, 32>>>(in, out, 64);
  finish(in, out);
}
BOTH(run)
