// The next tiles come before the last are used: a race between warps on the one and within a warp on the
// other. The same barrier mends both, so that nobody is told to write __syncwarp.
//
// kind: race
// says: error: race on Bs, word 0   in kernel product
// says:       thread (0,0) of block (0,0) wrote it   @write
// says:       thread (0,4) of block (0,0) read it   @read
// says:       No barrier separates the two accesses. All threads must have read the old values before any thread stores new ones.
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
