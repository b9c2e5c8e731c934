// Threads past the end of the data return early, and the others wait for them at a barrier.
//
// kind: barrier-divergence
// says: error: barrier that 24 of 64 threads never reach   in kernel reverse
// says:       thread (0,0) of block (0,0) waits at the barrier   @barrier
// says:       thread (40,0) of block (0,0) has already ended   @gone
// says:       Every thread of the block must reach the same __syncthreads(). Look at the
// says+ conditions, loops and early returns around the barrier.
#include "mistake.h"

template <bool RIGHT> __global__ void reverse(float *out, int n) {
  __shared__ float piece[64];
  int t = threadIdx.x;
  if (!RIGHT && t >= n) // <- gone
    return;
  if (t < n)
    piece[t] = out[t];
  __syncthreads(); // <- barrier
  if (t < n)
    out[t] = piece[n - 1 - t];
}

template <bool RIGHT> void run() {
  float *out = device_array<float>(64);
  reverse<RIGHT><<<1, 64>>>(out, 40);
  finish(out);
}
BOTH(run)
