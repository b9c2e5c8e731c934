// The kernel uses the width in place of the pitch to step through rows of pitched memory.
//
// kind: uninitialised
// says: error: read of global memory that was never written: allocation 2 (4096 bytes), element 119
// says+   in kernel sums
// says:       thread (1,0) of block (0,0) read it   @read
// says:       thread (1,0) of block (0,0) stored a result of it   @stored
// says:       its rows begin every 512 bytes, and a copy wrote the first 60 of each
// says:       Rows of memory from cudaMallocPitch begin one pitch apart. Multiply the number of the
// says+ row by the pitch, not by the width.
#include "mistake.h"

enum { WIDTH = 60, ROWS = 8 };

__global__ void sums(const unsigned char *picture, size_t step, int *out) {
  int sum = 0;
  for (int x = 0; x < WIDTH; x++)
    sum += picture[threadIdx.x * step + x]; // <- read
  out[threadIdx.x] = sum;                   // <- stored
}

template <bool RIGHT> void run() {
  unsigned char host[ROWS][WIDTH] = {{1, 2, 3}}, *picture;
  int *out = device_array<int>(ROWS);
  size_t pitch;
  MUST(cudaMallocPitch(&picture, &pitch, WIDTH, ROWS));
  MUST(cudaMemcpy2D(picture, pitch, host, WIDTH, WIDTH, ROWS, cudaMemcpyHostToDevice));
  sums<<<1, ROWS>>>(picture, RIGHT ? pitch : WIDTH, out);
  finish(picture, out);
}
BOTH(run)
