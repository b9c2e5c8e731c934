#include "lab.h"

#define TILE 32 // threads along each side of a block, elements along each side of a tile

static __device__ real element(const real *M, int row, int column, int rows, int columns) {
  return row < rows && column < columns ? M[row * columns + column] : 0;
}

extern "C" __global__ void global(const real *A, const real *B, real *C, int m, int k, int n) {
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  real sum = 0;
  for (int i = 0; i < k; i++)
    sum += element(A, row, i, m, k) * element(B, i, column, k, n);
  if (row < m && column < n)
    C[row * n + column] = sum;
}
EXPORT_KERNEL(global)

template <typename T>
static __device__ void down_columns(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ T As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  T sum = 0;
  for (int start = 0; start < k; start += TILE) {
    As[tx][ty] = element(A, row, start + tx, m, k);
    Bs[tx][ty] = element(B, start + ty, column, k, n);
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      T a = As[i][ty];
      T b = Bs[tx][i];
      sum += a * b;
    }
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
}

#define PREDICT_STORE_AS 32
#define PREDICT_STORE_BS 32
#define PREDICT_LOAD_AS 1
#define PREDICT_LOAD_BS 32

template <typename T>
static __device__ void padded(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ T As[TILE][TILE + 1], Bs[TILE][TILE + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  T sum = 0;
  for (int start = 0; start < k; start += TILE) {
    As[tx][ty] = element(A, row, start + tx, m, k);
    Bs[tx][ty] = element(B, start + ty, column, k, n);
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      T a = As[i][ty];
      T b = Bs[tx][i];
      sum += a * b;
    }
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
}

template <typename T>
static __device__ void exchanged(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ T As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  T sum = 0;
  for (int start = 0; start < k; start += TILE) {
    As[ty][tx] = element(A, row, start + tx, m, k);
    Bs[ty][tx] = element(B, start + ty, column, k, n);
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      T a = As[ty][i];
      T b = Bs[i][tx];
      sum += a * b;
    }
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
}

#define PREDICT_DOUBLE_STORE_AS 16
#define PREDICT_DOUBLE_STORE_BS 16
#define PREDICT_DOUBLE_LOAD_AS 1
#define PREDICT_DOUBLE_LOAD_BS 16
#define PREDICT_DOUBLE_PASSES_WHEN_CURED 2

#define KERNEL(name, function, T)                                                                  \
  extern "C" __global__ void name(const real *A, const real *B, real *C, int m, int k, int n) {    \
    function<T>(A, B, C, m, k, n);                                                                 \
  }                                                                                                \
  EXPORT_KERNEL(name)
KERNEL(smem1, down_columns, real)
KERNEL(smem2, padded, real)
KERNEL(smem3, exchanged, real)
KERNEL(smem1_double, down_columns, double)
KERNEL(smem2_double, padded, double)
KERNEL(smem3_double, exchanged, double)
