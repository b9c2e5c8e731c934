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

// DONE(1): As[tx][ty] and Bs[tx][ty] lie tx * 32 + ty words into their tile: bank ty for all 32
// threads, 32 different words of it. Bs[tx][i] is the same walk, in bank i. As[i][ty] is one and
// the same word for the whole warp: a bank gives a word to all who ask.
#define PREDICT_STORE_AS 32
#define PREDICT_STORE_BS 32
#define PREDICT_LOAD_AS 1
#define PREDICT_LOAD_BS 32
// END(1)

/* SMEM-2: SMEM-1 with padding. */
template <typename T>
static __device__ void padded(const real *A, const real *B, real *C, int m, int k, int n) {
  // DONE(2): The last index counts the neighbours, so it is the one to grow: the rows become 33
  // long, and going down a column moves 33 words, one bank further each time. Padding the first
  // index would add a row and move nothing.
  __shared__ T As[TILE][TILE + 1], Bs[TILE][TILE + 1];
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
    // DONE(3): With tx last, the warp stores to 32 neighbours, and the tiles lie as the matrices
    // do: As[y][x] holds A(row of y, start + x).
    As[ty][tx] = element(A, row, start + tx, m, k);
    Bs[ty][tx] = element(B, start + ty, column, k, n);
    // END(3)
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      // DONE(3): What was stored exchanged is found exchanged: one word of As for the whole warp,
      // 32 neighbours of Bs.
      T a = As[ty][i];
      T b = Bs[i][tx];
      // END(3)
      sum += a * b;
    }
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
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
