// bar.sync gets a barrier number that is computed at run time and is too large.
//
// kind: deadlock
// says: error: barrier 16 does not exist: a block has 16, numbered from 0   in kernel pair_up
// says:       thread (0,0) of block (0,0) waits at the barrier   @here
// says:       The kernel uses a barrier number that does not exist.
// answers: cudaErrorLaunchTimeout
#include "mistake.h"

__global__ void pair_up(int *out, int number) {
  asm volatile("bar.sync %0, 64;" ::"r"(number) : "memory"); // <- here
  out[threadIdx.x] = number;
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(64);
  pair_up<<<1, 64>>>(out, RIGHT ? 15 : 16);
  finish(out);
}
BOTH(run)
