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
  // DONE(1): The tile in row y and column x of A's tiles becomes the tile in row x and column y of
  // At's tiles. Rows become columns within the tile, too: the tile is stored as [ty][tx] and read
  // as [tx][ty], so tx runs along a row of both matrices. A barrier separates store and read,
  // because each thread reads an element that another thread has stored.
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  if (row < m && column < k)
    tile[ty][tx] = A[row * k + column];
  __syncthreads();
  row = blockIdx.x * TILE + ty;
  column = blockIdx.y * TILE + tx;
  if (row < k && column < m)
    At[row * m + column] = tile[tx][ty];
  // END(1)
}

extern "C" __global__ void transpose_tile(const real *A, real *At, int m, int k) {
  __shared__ real tile[TILE][TILE];
  through_tile(tile, A, At, m, k);
}
EXPORT_KERNEL(transpose_tile)

// DONE(2): tile[ty][tx] is a row of the tile: 32 consecutive words, one in each bank.
// tile[tx][ty] is a column: word tx * 32 + ty, 32 different words of bank ty.
#define PREDICT_TILE_TY_TX 1
#define PREDICT_TILE_TX_TY 32
// END(2)

/* The same transpose with a tile of your own. */
extern "C" __global__ void transpose_padded(const real *A, real *At, int m, int k) {
  // DONE(3): A row has 33 elements, so the next element of a column is in the next bank.
  __shared__ real tile[TILE][TILE + 1];
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

// DONE(2): As[tx][ty] and Bs[tx][ty] are word tx * 32 + ty of their tile: 32 different words of
// bank ty. Bs[tx][i] has the same stride, in bank i. As[i][ty] is the same word for the whole warp:
// a bank delivers a word to all threads that read it.
#define PREDICT_STORE_AS 32
#define PREDICT_STORE_BS 32
#define PREDICT_LOAD_AS 1
#define PREDICT_LOAD_BS 32
// END(2)

/* SMEM-2: SMEM-1 with padding. */
template <typename T>
static __device__ void padded(const real *A, const real *B, real *C, int m, int k, int n) {
  // DONE(3): Only the last extent changes the distance between rows. The rows become 33 words long,
  // so the next element of a column is 33 words, and therefore one bank, further. A larger first
  // extent would add a row and move no element.
  __shared__ T As[TILE][TILE + 1], Bs[TILE][TILE + 1];
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
    // DONE(4): With tx last, the warp stores to 32 neighbours, and the tiles have the layout of the
    // matrices: As[y][x] holds A(row of y, start + x).
    As[ty][tx] = element(A, row, start + tx, m, k);
    Bs[ty][tx] = element(B, start + ty, column, k, n);
    // END(4)
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      // DONE(4): The indices are exchanged in the loads, too: the whole warp reads one word of As,
      // and 32 neighbours of Bs.
      T a = As[ty][i];
      T b = Bs[i][tx];
      // END(4)
      sum += a * b;
    }
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
}

// DONE(5): 32 doubles are 256 bytes and the banks deliver 128 at a time, so each half-warp is
// served by itself. Down a column, its 16 threads access one pair of banks. Without conflicts each
// half takes one pass, so a warp takes two. All threads read the same element of As: one pass.
#define PREDICT_DOUBLE_STORE_AS 16
#define PREDICT_DOUBLE_STORE_BS 16
#define PREDICT_DOUBLE_LOAD_AS 1
#define PREDICT_DOUBLE_LOAD_BS 16
#define PREDICT_DOUBLE_PASSES_WHEN_CURED 2
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
