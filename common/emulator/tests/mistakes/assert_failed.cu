// An assertion in a kernel fails.
//
// kind: assert
// says: error: assertion `i < limit' failed   in kernel checked
// says:       thread (20,0) of block (0,0) came here   @here
// says:       The condition in assert() was false.
// answers: cudaErrorAssert
#include "mistake.h"
#include <cassert>

__global__ void checked(int *out, int limit) {
  int i = threadIdx.x;
  assert(i < limit); // <- here
  out[i] = i;
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(32);
  checked<<<1, 32>>>(out, RIGHT ? 32 : 20);
  finish(out);
}
BOTH(run)
