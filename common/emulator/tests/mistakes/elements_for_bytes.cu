// The size of a copy is the number of elements, so it fills only a quarter of the buffer.
//
// kind: uninitialised
// says: error: read of global memory that was never written: allocation 1 (400 bytes), element 25
// says+   in kernel twice
// says:       thread (25,0) of block (0,0) read it   @wrong
// says:       thread (25,0) of block (0,0) stored a result of it   @wrong
// says:       only the first 100 of its 400 bytes were written
// says:       cudaMemcpy and cudaMemset count bytes, not elements. Multiply the count by sizeof.
#include "mistake.h"

__global__ void twice(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i]; // <- wrong
}

template <bool RIGHT> void run() {
  enum { N = 100 };
  float host[N] = {0}, *in, *out;
  MUST(cudaMalloc(&in, N * sizeof *in));
  MUST(cudaMalloc(&out, N * sizeof *out));
  MUST(cudaMemcpy(in, host, RIGHT ? N * sizeof *in : N, cudaMemcpyHostToDevice));
  twice<<<2, 64>>>(in, out, N);
  finish(in, out);
}
BOTH(run)
