// The edge of a tile that no thread loads is read, used in a sum, and stored.
//
// kind: uninitialised
// says: error: read of shared memory that was never written: tile, element 65   in kernel blur
// says:       thread (63,0) of block (0,0) read it   @read
// says:       thread (63,0) of block (0,0) stored a result of it   @stored
// says:       Nothing was stored in this memory before it was read.
#include "mistake.h"

template <bool RIGHT> __global__ void blur(float *out, const float *in) {
  __shared__ float tile[64 + 2];
  int t = threadIdx.x;
  tile[t + 1] = in[t];
  if (t == 0) {
    tile[0] = in[0];
    if (RIGHT)
      tile[65] = in[63];
  }
  __syncthreads();
  float sum = tile[t] + tile[t + 1];
  sum += tile[t + 2]; // <- read
  out[t] = sum / 3;   // <- stored
}

template <bool RIGHT> void run() {
  float *in = device_array<float>(64), *out = device_array<float>(64);
  blur<RIGHT><<<1, 64>>>(out, in);
  finish(in, out);
}
BOTH(run)
