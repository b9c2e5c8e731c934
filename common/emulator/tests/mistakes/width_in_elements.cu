// The width of a 2-D copy is a number of elements, so only a quarter of each row is copied.
//
// kind: uninitialised
// says: error: read of global memory that was never written: allocation 1 (3072 bytes), element 10
// says+   in kernel twice
// says:       thread (10,0) of block (0,0) read it   @read
// says:       thread (10,0) of block (0,0) stored a result of it   @read
// says:       a 2-D copy wrote the first 40 bytes of each row, which is 10 elements
// says:       The width of a 2-D copy is in bytes, not in elements. Multiply it by sizeof.
#include "mistake.h"

__global__ void twice(float *x, size_t pitch) {
  float *row = x + blockIdx.x * pitch / sizeof(float);
  row[threadIdx.x] = 2 * row[threadIdx.x]; // <- read
}

template <bool RIGHT> void run() {
  enum { COLUMNS = 40, ROWS = 6 };
  static float host[ROWS][COLUMNS];
  float *x;
  size_t pitch, width = RIGHT ? sizeof host[0] : COLUMNS;
  MUST(cudaMallocPitch(&x, &pitch, sizeof host[0], ROWS));
  MUST(cudaMemcpy2D(x, pitch, host, sizeof host[0], width, ROWS, cudaMemcpyHostToDevice));
  twice<<<ROWS, COLUMNS>>>(x, pitch);
  finish(x);
}
BOTH(run)
