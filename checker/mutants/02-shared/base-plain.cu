#include "lab.h"

#define PIECE 128
#define TILE 32

extern "C" __global__ void reverse_pieces(const real *x, real *y, int n) {
  __shared__ real piece[PIECE];
  int first = blockIdx.x * PIECE, i = threadIdx.x;
  int count = min(PIECE, n - first);
  if (i < count)
    piece[i] = x[first + i];
  __syncthreads();
  if (i < count)
    y[first + i] = piece[count - 1 - i];
}
EXPORT_KERNEL(reverse_pieces)

static __device__ void load_tiles(real (*As)[TILE], real (*Bs)[TILE], const real *A, const real *B,
                                  int m, int k, int n, int t) {
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, a_column = t * TILE + x;
  int column = blockIdx.x * TILE + x, b_row = t * TILE + y;
  As[y][x] = row < m && a_column < k ? A[row * k + a_column] : 0;
  Bs[y][x] = b_row < k && column < n ? B[b_row * n + column] : 0;
}

extern "C" __global__ void tiles(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  load_tiles(As, Bs, A, B, m, k, n, (blockIdx.x + blockIdx.y) % CEIL_DIV(k, TILE));
  __syncthreads();
  if (row < m && column < n)
    C[row * n + column] = As[threadIdx.y][threadIdx.x] * Bs[threadIdx.y][threadIdx.x];
}
EXPORT_KERNEL(tiles)

extern "C" __global__ void naive(const real *A, const real *B, real *C, int m, int k, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  real sum = 0;
  if (row >= m || column >= n)
    return;
  for (int i = 0; i < k; i++)
    sum += A[row * k + i] * B[i * n + column];
  C[row * n + column] = sum;
}
EXPORT_KERNEL(naive)

extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  int steps = CEIL_DIV(k, TILE);
  bool inside = row < m && column < n;

  real sum = 0;
  for (int t = 0; t < steps; t++) {
    load_tiles(As, Bs, A, B, m, k, n, t);
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += As[y][i] * Bs[i][x];
    __syncthreads();
  }
  if (inside)
    C[row * n + column] = sum;
}
EXPORT_KERNEL(matmul)

#define PREDICT_A_SECTORS_SAVED 8
#define PREDICT_B_SECTORS_SAVED 32
