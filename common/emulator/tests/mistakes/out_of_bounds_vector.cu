// The name and length of the vector are declared, so the report names the number of the element.
//
// kind: out-of-bounds
// says: error: read out of bounds: x, element 5; its elements are 0 to 4   in kernel negate
// says:       thread (5,0) of block (0,0) read it   @wrong
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "../../emulator.h"
#include "mistake.h"

template <bool RIGHT> __global__ void negate(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (RIGHT ? i < n : i <= n)
    x[i] = -x[i]; // <- wrong
}

template <bool RIGHT> void run() {
  float *x = device_array<float>(5);
  emulator_name(x, "x", 5, 1, sizeof *x);
  negate<RIGHT><<<1, 8>>>(x, 5);
  finish(x);
}
BOTH(run)
