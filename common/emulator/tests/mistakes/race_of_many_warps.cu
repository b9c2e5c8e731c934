// What many warps read is stored anew before all have: one that is ahead has begun its next round, so that its own
// store and its own reads lie between the same two barriers, and the order of warps does not say which came first.
//
// kind: race
// says: error: race on tile, word 0   in kernel sums
// says:       thread (0,0,0) of block (0,0,0) wrote it   @write
// says:       thread (32,0,0) of block (0,0,0) read it   @read
// says:       no barrier lies between the two: it is missing behind the reads, before anyone stores the next values over what others still read
#include "mistake.h"

#define TILE 256
#define N (4 * TILE)

template <bool RIGHT> __global__ void sums(const float *in, float *out) {
  __shared__ float tile[TILE];
  float sum = 0;
  for (int first = 0; first < N; first += TILE) {
    tile[threadIdx.x] = in[first + threadIdx.x]; // <- write
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += tile[i]; // <- read
    if (RIGHT)
      __syncthreads();
  }
  out[threadIdx.x] = sum;
}

template <bool RIGHT> void run() {
  float *in = device_array<float>(N), *out = device_array<float>(TILE);
  sums<RIGHT><<<1, TILE>>>(in, out);
  finish(in, out);
}
BOTH(run)
