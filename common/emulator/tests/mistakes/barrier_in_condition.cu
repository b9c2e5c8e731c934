// A barrier is inside a condition that is not true for all threads of the block.
//
// kind: barrier-divergence
// says: error: threads of one block wait at different barriers   in kernel scan_step
// says:       thread (0,0) of block (0,0) waits at this barrier   @after
// says:       thread (1,0) of block (0,0) waits at this barrier   @barrier
// says:       Every thread of the block must reach the same __syncthreads(). Look at the
// says+ conditions, loops and early returns around the barrier.
#include "mistake.h"

template <bool RIGHT> __global__ void scan_step(float *out, int n) {
  int t = threadIdx.x;
  float left = 0;
  for (int distance = 1; distance < n; distance *= 2) {
    if (t >= distance)
      left = out[t - distance];
    if (RIGHT || t >= distance)
      __syncthreads(); // <- barrier
    if (t >= distance)
      out[t] += left;
    __syncthreads(); // <- after
  }
}

template <bool RIGHT> void run() {
  float *out = device_array<float>(64);
  scan_step<RIGHT><<<1, 64>>>(out, 64);
  finish(out);
}
BOTH(run)
