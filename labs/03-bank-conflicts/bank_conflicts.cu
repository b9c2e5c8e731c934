/* Lab 03, bank conflicts: C = A·B from tiles in shared memory, and the same three times over, with
 * nothing changed but where in the tiles an element lies. A is m×k, B is k×n, C is m×n, row-major.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab03` after each task. `make hint03` helps. SMEM-1 is given: leave it as it is.
 */
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

// TODO(1): How many ways does each access of SMEM-1 collide, in float? There are 32 banks of 4
// bytes, and word w lies in bank w % 32. The access of a warp collides N ways when one bank is
// asked for N different words; 1 means no conflict, 0 stands for no answer.
// Example: if thread tx read word 2 * tx, threads 0 and 16 would want words 0 and 32, both in bank
// 0, and likewise all others: 2 ways.
#define PREDICT_STORE_AS 0
#define PREDICT_STORE_BS 0
#define PREDICT_LOAD_AS 0
#define PREDICT_LOAD_BS 0
// END(1)

/* SMEM-2: SMEM-1 with padding. */
template <typename T>
static __device__ void padded(const real *A, const real *B, real *C, int m, int k, int n) {
  // TODO(2): Declare the tiles so that nothing below collides. Only these lines change.
  // Example: in T As[TILE][40], As[1][0] lies 40 elements after As[0][0], and As[0][1] lies 1.
  __shared__ T As[TILE][TILE], Bs[TILE][TILE];
  // END(2)
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

/* SMEM-3: no padding, but other indices. */
template <typename T>
static __device__ void exchanged(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ T As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  T sum = 0;
  for (int start = 0; start < k; start += TILE) {
    // TODO(3): Store so that a warp, 32 values of tx, writes to 32 neighbours.
    // Example: in a tile of 32×32, the neighbour of [5][7] in the next bank is [5][8], not [6][7].
    As[tx][ty] = element(A, row, start + tx, m, k);
    Bs[tx][ty] = element(B, start + ty, column, k, n);
    // END(3)
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      // TODO(3): Find each element where the store has put it; a is A(row, start + i), b is
      // B(start + i, column).
      // Example: what is stored as X[p][q] is read as X[p][q], whoever reads it.
      T a = As[i][ty];
      T b = Bs[tx][i];
      // END(3)
      sum += a * b;
    }
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
}

// TODO(4): The same four for tiles of double. 32 doubles are more than 32 banks give at once, so
// each half of the warp, 16 threads, goes by itself: how many ways does a half collide? And when
// both cures have worked, how many passes does a store of 32 doubles to a tile still take?
// Example: if thread tx read double 2 * tx, threads 0 and 8 would want words 0 and 32 and those
// after them, in banks 0 and 1, and likewise all others: 2 ways, in two halves 4 passes.
#define PREDICT_DOUBLE_STORE_AS 0
#define PREDICT_DOUBLE_STORE_BS 0
#define PREDICT_DOUBLE_LOAD_AS 0
#define PREDICT_DOUBLE_LOAD_BS 0
#define PREDICT_DOUBLE_PASSES_WHEN_CURED 0
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
