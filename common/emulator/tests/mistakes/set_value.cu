// cudaMemset sets bytes, so it uses only the lowest byte of a larger number.
//
// kind: set-value
// says: warning: cudaMemset was given the value -10000, and sets every byte to 240
// says:       called here   @set
// says:       cudaMemset sets every byte to the lowest 8 bits of the value, whatever the type of
// says+ the elements. Other values need a kernel or a copy.
#include "mistake.h"

__global__ void add(float *x) { x[threadIdx.x] += 1; }

template <bool RIGHT> void run() {
  float *x;
  MUST(cudaMalloc(&x, 128));
  MUST(cudaMemset(x, RIGHT ? 0 : -10000, 128)); // <- set
  MUST(cudaMemset(x, -1, 4));
  MUST(cudaMemset(x, 255, 4));
  add<<<1, 32>>>(x);
  finish(x);
}
BOTH(run)
