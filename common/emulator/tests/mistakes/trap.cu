// A kernel ends itself with __trap().
//
// kind: trap
// says: error: the kernel stopped itself: __trap()   in kernel checked
// says:       thread (20,0) of block (0,0) came here   @here
// says:       The kernel executed __trap(). Look at the condition that leads to this line.
// answers: cudaErrorLaunchFailure
#include "mistake.h"

__global__ void checked(int *out, int limit) {
  int i = threadIdx.x;
  if (i >= limit)
    __trap(); // <- here
  out[i] = i;
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(32);
  checked<<<1, 32>>>(out, RIGHT ? 32 : 20);
  finish(out);
}
BOTH(run)
