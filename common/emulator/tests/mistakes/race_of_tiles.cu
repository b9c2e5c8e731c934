// The next tiles are stored before the previous ones have been read. One tile has a race between
// warps, the other within a warp. One barrier corrects both, so no report advises __syncwarp.
//
// kind: race
// says: error: race on Bs, word 0   in kernel product
// says:       thread (0,0) of block (0,0) wrote it   @write
// says:       thread (0,4) of block (0,0) read it   @read
// says:       No barrier separates the reads of the old values from the store of the new values. In
// says+ a loop, the store may be in the next iteration.
#include "mistake.h"

#define TILE 8
#define N (2 * TILE)

template <bool RIGHT> __global__ void product(const float *A, const float *B, float *C) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int t = 0; t < N; t += TILE) {
    As[y][x] = A[row * N + t + x];
    Bs[y][x] = B[(t + y) * N + column]; // <- write
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += As[y][i] * Bs[i][x]; // <- read
    if (RIGHT)
      __syncthreads();
  }
  C[row * N + column] = sum;
}

template <bool RIGHT> void run() {
  float *A = device_array<float>(N * N), *B = device_array<float>(N * N),
        *C = device_array<float>(N * N);
  product<RIGHT><<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(A, B, C);
  finish(A, B, C);
}
BOTH(run)
