// Two groups of lanes call different warp functions, whose masks name the lanes of both groups.
// Each group waits for the other one.
//
// kind: deadlock
// says: error: lanes of a warp wait for lanes that never arrive   in kernel halves
// says:       thread (0,0) of block (0,0) waits here   @lower
// says:       thread (16,0) of block (0,0) waits here   @upper
// says:       the mask also names lanes 0xffff0000
// says:       Threads wait for other threads that cannot arrive.
// answers: cudaErrorLaunchTimeout
#include "mistake.h"

template <bool RIGHT> __global__ void halves(int *out) {
  int t = threadIdx.x;
  if (t < 16)
    out[t] = __shfl_down_sync(RIGHT ? 0x0000ffffu : 0xffffffffu, t, 1, 16); // <- lower
  else
    out[t] = __ballot_sync(RIGHT ? 0xffff0000u : 0xffffffffu, t % 3); // <- upper
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(32);
  halves<RIGHT><<<1, 32>>>(out);
  finish(out);
}
BOTH(run)
