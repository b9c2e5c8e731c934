#include "lab.h"

#define TILE 32

inline __device__ real element(const real *M, int rows, int columns, int row, int column) {
  return row < rows && column < columns ? M[row * columns + column] : 0;
}

extern "C" __global__ void matmul_1(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  real sum = 0;
  for (int start = 0; start < k; start += TILE) {
    As[tx][ty] = element(A, m, k, row, start + tx);
    Bs[tx][ty] = element(B, k, n, start + ty, column);
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += As[i][ty] * Bs[tx][i];
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
}
EXPORT_KERNEL(matmul_1)
#define PREDICT_LOADS_1_OUTPUT 2
#define PREDICT_LOADS_2_OUTPUTS 1.5
#define PREDICT_LOADS_4_OUTPUTS 1.25
#define ROWS_2 (TILE / 2)

extern "C" __global__ void matmul_2(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int top = blockIdx.y * TILE, column = blockIdx.x * TILE + tx;
  real sum0 = 0, sum1 = 0;
  for (int start = 0; start < k; start += TILE) {
    for (int y = ty; y < TILE; y += ROWS_2) {
      As[y][tx] = element(A, m, k, top + y, start + tx);
      Bs[y][tx] = element(B, k, n, start + y, column);
    }
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      real b = Bs[i][tx];
      sum0 += As[ty][i] * b;
      sum1 += As[ty + ROWS_2][i] * b;
    }
    __syncthreads();
  }
  int row0 = top + ty, row1 = row0 + ROWS_2;
  if (row0 < m && column < n)
    C[row0 * n + column] = sum0;
  if (row1 < m && column < n)
    C[row1 * n + column] = sum1;
}
EXPORT_KERNEL(matmul_2)
#define ROWS_4 (TILE / 4)

extern "C" __global__ void matmul_4(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int top = blockIdx.y * TILE, column = blockIdx.x * TILE + tx;
  real sum[4] = {0, 0, 0, 0};
  for (int start = 0; start < k; start += TILE) {
    for (int y = ty; y < TILE; y += ROWS_4) {
      As[y][tx] = element(A, m, k, top + y, start + tx);
      Bs[y][tx] = element(B, k, n, start + y, column);
    }
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      real b = Bs[i][tx];
#pragma unroll
      for (int o = 0; o < 4; o++)
        sum[o] += As[ty + o * ROWS_4][i] * b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int o = 0; o < 4; o++) {
    int row = top + ty + o * ROWS_4;
    if (row < m && column < n)
      C[row * n + column] = sum[o];
  }
}
EXPORT_KERNEL(matmul_4)

#define SIDE 128
#define DEPTH 8
#define WIDE 16
#define EACH 8
#define VECTOR (16 / (int)sizeof(real))
#define VECTORS (SIDE * DEPTH / VECTOR)
#define PIECES (VECTORS / (WIDE * WIDE))

struct __align__(16) Vector {
  real at[VECTOR];
};
inline __device__ const Vector &vector_at(const real *first) { return *(const Vector *)first; }
inline __device__ Vector &vector_at(real *first) { return *(Vector *)first; }

inline __device__ Vector fetch(const real *M, int rows, int columns, int row, int column) {
  Vector v = {};
  int first = row * columns + column;
  if (row < rows && column + VECTOR <= columns && first % VECTOR == 0)
    return vector_at(M + first);
#pragma unroll
  for (int i = 0; i < VECTOR; i++)
    v.at[i] = element(M, rows, columns, row, column + i);
  return v;
}

inline __device__ int place(int thread, int v) { return (v * WIDE + thread) * VECTOR; }

extern "C" __global__ void __launch_bounds__(WIDE *WIDE)
    matmul_8x8(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ __align__(16) real As[2][DEPTH][SIDE + VECTOR], Bs[2][DEPTH][SIDE];
  int tx = threadIdx.x, ty = threadIdx.y, thread = ty * WIDE + tx;
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  real sum[EACH][EACH] = {};
  for (int step = 0; step <= CEIL_DIV(k, DEPTH); step++) {
    int filling = step % 2, full = 1 - filling;
    Vector a[PIECES], b[PIECES];
#pragma unroll
    for (int p = 0; p < PIECES; p++) {
      int piece = p * WIDE * WIDE + thread;
      int a_row = piece / (DEPTH / VECTOR), a_column = piece % (DEPTH / VECTOR) * VECTOR;
      int b_row = piece / (SIDE / VECTOR), b_column = piece % (SIDE / VECTOR) * VECTOR;
      a[p] = fetch(A, m, k, top + a_row, step * DEPTH + a_column);
      b[p] = fetch(B, k, n, step * DEPTH + b_row, left + b_column);
    }

    for (int i = 0; i < DEPTH && step > 0; i++) {
      Vector down[EACH / VECTOR], right[EACH / VECTOR];
#pragma unroll
      for (int v = 0; v < EACH / VECTOR; v++) {
        down[v] = vector_at(&As[full][i][place(ty, v)]);
        right[v] = vector_at(&Bs[full][i][place(tx, v)]);
      }
#pragma unroll
      for (int o = 0; o < EACH * EACH; o++) {
        int y = o / EACH, x = o % EACH;
        sum[y][x] += down[y / VECTOR].at[y % VECTOR] * right[x / VECTOR].at[x % VECTOR];
      }
    }
#pragma unroll
    for (int p = 0; p < PIECES; p++) {
      int piece = p * WIDE * WIDE + thread;
      int a_row = piece / (DEPTH / VECTOR), a_column = piece % (DEPTH / VECTOR) * VECTOR;
      int b_row = piece / (SIDE / VECTOR), b_column = piece % (SIDE / VECTOR) * VECTOR;
#pragma unroll
      for (int i = 0; i < VECTOR; i++)
        As[filling][a_column + i][a_row] = a[p].at[i];
      vector_at(&Bs[filling][b_row][b_column]) = b[p];
    }
    __syncthreads();
  }

#pragma unroll
  for (int o = 0; o < EACH * EACH; o++) {
    int y = o / EACH, x = o % EACH;
    int row = top + place(ty, y / VECTOR) + y % VECTOR;
    int column = left + place(tx, x / VECTOR) + x % VECTOR;
    if (row < m && column < n)
      C[row * n + column] = sum[y][x];
  }
}
EXPORT_KERNEL(matmul_8x8)

extern "C" {
int tile = TILE, rows_2 = ROWS_2, rows_4 = ROWS_4, side = SIDE, wide = WIDE;
}
