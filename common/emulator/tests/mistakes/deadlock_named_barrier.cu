// Only one warp reaches a barrier for two warps.
//
// kind: deadlock
// says: error: barrier 1 waits for 64 threads, but 32 reach it   in kernel pair_up
// says:       thread (0,0) of block (0,0) waits at the barrier   @here
// says:       The count of a named barrier must be the number of all threads that reach the
// says+ barrier.
// answers: cudaErrorLaunchTimeout
#include "mistake.h"

template <bool RIGHT> __global__ void pair_up(int *out) {
  int t = threadIdx.x;
  if (t < (RIGHT ? 64 : 32))
    asm volatile("bar.sync 1, 64;" ::: "memory"); // <- here
  out[t] = t;
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(96);
  pair_up<RIGHT><<<1, 96>>>(out);
  finish(out);
}
BOTH(run)
