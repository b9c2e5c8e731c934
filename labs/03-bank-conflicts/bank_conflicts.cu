/* Lab 03, bank conflicts: the positions of elements in tiles in shared memory. First a kernel
 * transposes A to At through a tile. Then three kernels compute the product C = A·B from tiles;
 * they differ only in the positions of elements in the tiles. All matrices are row-major: A is m×k,
 * At is k×m, B is k×n, C is m×n.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab03` after each task. `make hint03` helps. SMEM-1 is given: leave it as it is.
 */
#include "lab.h"

#define TILE 32 // threads along each side of a block, elements along each side of a tile

/* Given, for comparison: no tile. A warp is 32 threads with the same threadIdx.y and threadIdx.x
 * from 0 to 31. It loads 32 consecutive elements of A, and stores each into another row of At. */
extern "C" __global__ void transpose_global(const real *A, real *At, int m, int k) {
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  if (row < m && column < k)
    At[column * m + row] = A[row * k + column];
}
EXPORT_KERNEL(transpose_global)

/* Transposes the block's tile of A: TILE rows from row blockIdx.y * TILE on, TILE columns from
 * column blockIdx.x * TILE on. `tile` is in shared memory, and LENGTH is the length of its rows. */
template <int LENGTH>
static __device__ void through_tile(real (*tile)[LENGTH], const real *A, real *At, int m, int k) {
  int tx = threadIdx.x, ty = threadIdx.y;
  // TODO(1): Load the tile of A into `tile`, wait for the whole block, and store the tile to its
  // place in At. A warp must load 32 consecutive elements of A, and store 32 of At. At has k rows
  // and m columns, so the store needs a guard of its own.
  // Example: A is 100×70. Thread (tx, ty) = (3, 5) of block (2, 1) loads A(37, 67) and stores
  // At(69, 35). Thread (3, 6) stores nothing: At has no row 70.
  // END(1)
}

extern "C" __global__ void transpose_tile(const real *A, real *At, int m, int k) {
  __shared__ real tile[TILE][TILE];
  through_tile(tile, A, At, m, k);
}
EXPORT_KERNEL(transpose_tile)

// TODO(2): Predict how many ways tile[ty][tx] collides in a tile of 32×32 floats, and how many ways
// tile[tx][ty]. There are 32 banks of 4 bytes, and word w is in bank w % 32. The access of a warp
// collides N ways if it accesses N different words of one bank; 1 means no conflict, 0 means: not
// answered.
// Example: if thread tx accessed word 2 * tx, threads 0 and 16 would access words 0 and 32, both in
// bank 0, and the same is true for all other threads: 2 ways.
#define PREDICT_TILE_TY_TX 0
#define PREDICT_TILE_TX_TY 0
// END(2)

/* The same transpose with a tile of your own. */
extern "C" __global__ void transpose_padded(const real *A, real *At, int m, int k) {
  // TODO(3): Declare the tile so that neither the load nor the store collides. Only this line
  // changes.
  // Example: in real tile[TILE][40], tile[1][0] is 40 elements after tile[0][0], and tile[0][1]
  // is 1 element after it.
  __shared__ real tile[TILE][TILE];
  // END(3)
  through_tile(tile, A, At, m, k);
}
EXPORT_KERNEL(transpose_padded)

/* Returns element (row, column) of a matrix, or 0 outside of it, which does not change a sum. */
static __device__ real element(const real *M, int row, int column, int rows, int columns) {
  return row < rows && column < columns ? M[row * columns + column] : 0;
}

/* Global, for comparison: the kernel of lab 01, without tiles. */
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

/* SMEM-1, the first product of the lecture. Its tiles are stored as [tx][ty], like a pair of
 * coordinates (x, y). T is the type of the tiles' elements: real, or double in task 5. */
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

// TODO(2): Predict how many ways each access of SMEM-1 collides, in float. A warp has one ty and
// one i, and tx from 0 to 31.
// Example: in Cs[i][tx / 2] threads 0 and 1 access one word, threads 2 and 3 the next, and so on.
// No two words are in one bank: 1 way.
#define PREDICT_STORE_AS 0
#define PREDICT_STORE_BS 0
#define PREDICT_LOAD_AS 0
#define PREDICT_LOAD_BS 0
// END(2)

/* SMEM-2: SMEM-1 with padding. */
template <typename T>
static __device__ void padded(const real *A, const real *B, real *C, int m, int k, int n) {
  // TODO(3): Declare the tiles so that nothing below collides. Only these lines change.
  // Example: in T As[TILE][40], As[1][0] is 40 elements after As[0][0], and As[0][1] is 1.
  __shared__ T As[TILE][TILE], Bs[TILE][TILE];
  // END(3)
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

/* SMEM-3: tiles without padding, but with other indices. */
template <typename T>
static __device__ void exchanged(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ T As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  T sum = 0;
  for (int start = 0; start < k; start += TILE) {
    // TODO(4): Store so that a warp, 32 values of tx, writes to 32 neighbours.
    // Example: in a tile of 32×32, the neighbour of [5][7] in the next bank is [5][8], not [6][7].
    As[tx][ty] = element(A, row, start + tx, m, k);
    Bs[tx][ty] = element(B, start + ty, column, k, n);
    // END(4)
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      // TODO(4): Read each element from the place where it was stored; a is A(row, start + i), b is
      // B(start + i, column).
      // Example: what is stored as X[p][q] is read as X[p][q], by any thread.
      T a = As[i][ty];
      T b = Bs[tx][i];
      // END(4)
      sum += a * b;
    }
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
}

// TODO(5): The same four accesses in tiles of double. The banks cannot deliver 32 doubles at once,
// so a warp is served in two halves of 16 threads. Predict how many ways a half-warp collides.
// Predict, too, how many passes a store of 32 doubles to a tile still takes without conflicts.
// Example: if thread tx read double 2 * tx, threads 0 and 8 would access words 0 and 32 and those
// after them, in banks 0 and 1, as would all other pairs: 2 ways, in two halves 4 passes.
#define PREDICT_DOUBLE_STORE_AS 0
#define PREDICT_DOUBLE_STORE_BS 0
#define PREDICT_DOUBLE_LOAD_AS 0
#define PREDICT_DOUBLE_LOAD_BS 0
#define PREDICT_DOUBLE_PASSES_WHEN_CURED 0
// END(5)

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
