// The last block has more threads than there are elements left, and the guard is missing.
//
// kind: out-of-bounds
// says: error: read out of bounds: allocation 1 (400 bytes), element 100; its elements are 0 to 99
// says+   in kernel scale
// says:       thread (4,0) of block (3,0) read it   @wrong
// says:       the pointer comes from argument 1 of the kernel
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
// log: "space":"global","buffer":"allocation 1 (400 bytes)","element":100,"times":56
#include "mistake.h"

template <bool RIGHT> __global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!RIGHT || i < n)
    data[i] *= 2; // <- wrong
}

template <bool RIGHT> void run() {
  float *data = device_array<float>(100);
  scale<RIGHT><<<4, 32>>>(data, 100);
  finish(data);
}
BOTH(run)
