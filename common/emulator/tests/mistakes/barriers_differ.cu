// Both branches have a barrier, so every thread reaches one, but not the same one.
//
// kind: barrier-divergence
// says: error: threads of one block wait at different barriers   in kernel two_ways
// says:       thread (0,0) of block (0,0) waits at this barrier   @one
// says:       thread (32,0) of block (0,0) waits at this barrier   @other
// says:       Every thread of the block must reach the same __syncthreads(). Look at the
// says+ conditions, loops and early returns around the barrier.
#include "mistake.h"

template <bool RIGHT> __global__ void two_ways(float *out) {
  int t = threadIdx.x;
  if (RIGHT || t < 32) {
    out[t] = 1;
    __syncthreads(); // <- one
    out[t] *= 3;
  } else {
    atomicAdd(&out[t], 2);
    __syncthreads(); // <- other
    atomicExch(&out[t], 5);
  }
}

template <bool RIGHT> void run() {
  float *out = device_array<float>(64);
  two_ways<RIGHT><<<1, 64>>>(out);
  finish(out);
}
BOTH(run)
