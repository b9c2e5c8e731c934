// An index below the first element of dynamic shared memory: the address wraps around.
//
// kind: out-of-bounds
// says: error: read out of bounds: 4 bytes before s: element -1   in kernel differences
// says:       thread (0,0) of block (0,0) read it   @left
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

template <bool RIGHT> __global__ void differences(int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = t * t;
  __syncthreads();
  out[t] = RIGHT && t == 0 ? s[t] : s[t] - s[t - 1]; // <- left
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(64);
  differences<RIGHT><<<1, 64, 64 * sizeof(int)>>>(out);
  finish(out);
}
BOTH(run)
