// The size of an allocation is the number of elements, not of bytes.
//
// kind: out-of-bounds
// says: error: write out of bounds: allocation 1 (100 bytes), element 25; its elements are 0 to 24
// says+   in kernel count
// says:       thread (25,0) of block (0,0) wrote it   @write
// says:       allocated here   @allocated
// says:       the kernel uses 100 elements of 4 bytes, and 100 bytes were allocated
// says:       cudaMalloc counts bytes, not elements: multiply the count by sizeof. If the buffer is
// says+ long enough, the index needs a guard.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__global__ void count(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = i; // <- write
}

template <bool RIGHT> void run() {
  enum { N = 100 };
  int *x;
  MUST(cudaMalloc(&x, RIGHT ? N * sizeof *x : N)); // <- allocated
  count<<<2, 64>>>(x, N);
  finish(x);
}
BOTH(run)
