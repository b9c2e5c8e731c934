// The launch does not set the size of dynamic shared memory, so there is none.
//
// kind: out-of-bounds
// says: error: write out of bounds: piece has 0 bytes   in kernel reverse
// says:       thread (0,0) of block (0,0) wrote it   @wrong
// says:       The launch provides no dynamic shared memory. Its size in bytes is the third value in
// says+ <<< >>>.
// says: error: read out of bounds: piece has 0 bytes   in kernel reverse
// says:       thread (0,0) of block (0,0) read it   @then
// says:       The launch provides no dynamic shared memory. Its size in bytes is the third value in
// says+ <<< >>>.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__global__ void reverse(float *data) {
  extern __shared__ float piece[];
  int t = threadIdx.x;
  piece[t] = data[t]; // <- wrong
  __syncthreads();
  data[t] = piece[blockDim.x - 1 - t]; // <- then
}

template <bool RIGHT> void run() {
  float *data = device_array<float>(64);
  reverse<<<1, 64, RIGHT ? 64 * sizeof *data : 0>>>(data);
  finish(data);
}
BOTH(run)
