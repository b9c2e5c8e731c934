// Warps access shared memory without a barrier: one reads what another writes, one writes what
// another still reads, two write the same element.
//
// kind: race
// says: error: race on tile, word 0   in kernel read_too_early
// says:       thread (0,0) of block (0,0) wrote it   @early_write
// says:       thread (63,0) of block (0,0) read it   @early_read
// says:       No barrier separates the two accesses. All threads must have stored their values
// says+ before any thread reads them.
// says: error: race on tile, word 0   in kernel overwritten_too_early
// says:       thread (0,0) of block (0,0) wrote it   @late_write
// says:       thread (63,0) of block (0,0) read it   @late_read
// says:       No barrier separates the reads of the old values from the store of the new values. In
// says+ a loop, the store may be in the next iteration.
// says: error: race on tile, word 32   in kernel written_twice
// says:       thread (32,0) of block (0,0) wrote it   @one
// says:       thread (0,0) of block (0,0) wrote it   @other
// says:       No barrier separates the two accesses, so their order depends on which warp is
// says+ faster.
// log: "kind":"race","severity":"error","sentence":"race on tile, word 0","kernel":"read_too_early"
// log: "space":"shared","buffer":"tile","element":0
#include "mistake.h"

#define N 64

template <bool RIGHT> __global__ void read_too_early(float *out) {
  __shared__ float tile[N];
  int t = threadIdx.x;
  tile[t] = t; // <- early_write
  if (RIGHT)
    __syncthreads();
  out[t] = tile[N - 1 - t]; // <- early_read
}

template <bool RIGHT> __global__ void overwritten_too_early(float *out) {
  __shared__ float tile[N];
  int t = threadIdx.x;
  float sum = 0;
  for (int step = 0; step < 3; step++) {
    tile[t] = t + step; // <- late_write
    __syncthreads();
    sum += tile[N - 1 - t]; // <- late_read
    if (RIGHT)
      __syncthreads();
  }
  out[t] = sum;
}

template <bool RIGHT> __global__ void written_twice(float *out) {
  __shared__ float tile[N + 32];
  int t = threadIdx.x;
  tile[t] = t; // <- one
  if (RIGHT)
    __syncthreads();
  if (t < 32)
    tile[t + 32] = -t; // <- other
  __syncthreads();
  out[t] = tile[t];
}

template <bool RIGHT> void run() {
  float *out = device_array<float>(N);
  read_too_early<RIGHT><<<1, N>>>(out);
  overwritten_too_early<RIGHT><<<1, N>>>(out);
  written_twice<RIGHT><<<1, N>>>(out);
  finish(out);
}
BOTH(run)
