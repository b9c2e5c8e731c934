// Lanes of one warp exchange values through shared memory and rely on running in lockstep.
//
// kind: race-in-warp
// says: error: race on pair, word 0   in kernel exchange
// says:       thread (0,0) of block (0,0) wrote it   @first
// says:       thread (1,0) of block (0,0) read it   @second
// says:       Lanes of one warp need a __syncwarp() between a write and the access of another lane.
// says: error: race on word, word 0   in kernel shared_word
// says:       thread (0,0) of block (0,0) wrote it   @change
// says:       another lane of its warp read it   @read
// says:       Lanes of one warp need a __syncwarp() between a write and the access of another lane.
#include "mistake.h"

template <bool RIGHT> __global__ void exchange(float *out) {
  __shared__ float pair[32];
  int t = threadIdx.x;
  pair[t] = t; // <- first
  if (RIGHT)
    __syncwarp();
  out[t] = pair[t ^ 1]; // <- second
}

// All lanes read one word, and one of them then changes it.
template <bool RIGHT> __global__ void shared_word(float *out) {
  __shared__ float word;
  int t = threadIdx.x;
  if (t == 0)
    word = 1;
  __syncwarp();
  out[t] = word; // <- read
  if (RIGHT)
    __syncwarp();
  if (t == 0)
    word = 2; // <- change
}

template <bool RIGHT> void run() {
  float *out = device_array<float>(32);
  exchange<RIGHT><<<1, 32>>>(out);
  shared_word<RIGHT><<<1, 32>>>(out);
  finish(out);
}
BOTH(run)
