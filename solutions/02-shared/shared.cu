/* Lab 02, tiles in shared memory: the threads of a block together load the elements that they need
 * once, and then read the copies. A is m×k, B is k×n, C = A·B is m×n, all row-major.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab02` after each task. `make hint02` helps.
 */
#include "lab.h"

#define PIECE 128 // elements of a vector, and threads of a block, in the warm-up
#define TILE 32   // rows and columns of a tile, and of a block of threads

/* The warm-up: reverses each piece of x. The last piece may be shorter than PIECE. */
extern "C" __global__ void reverse_pieces(const real *x, real *y, int n) {
  __shared__ real piece[PIECE];
  int first = blockIdx.x * PIECE, i = threadIdx.x;
  int count = 0;
  // DONE(1): Every thread loads one element, and stores an element that another thread has loaded.
  // All threads of the block must reach the barrier between load and store, so the barrier is
  // outside the condition. Threads past the end load nothing, but also reach the barrier.
  count = min(PIECE, n - first);
  if (i < count)
    piece[i] = x[first + i];
  __syncthreads();
  // END(1)
  if (i < count)
    y[first + i] = piece[count - 1 - i];
}
EXPORT_KERNEL(reverse_pieces)

/* Step t: the block loads the tile of A that is t tiles from the left and the tile of B that is
 * t tiles from the top. Every thread loads one element of each, into its own place (y, x). */
static __device__ void load_tiles(real (*As)[TILE], real (*Bs)[TILE], const real *A, const real *B,
                                  int m, int k, int n, int t) {
  int x = threadIdx.x, y = threadIdx.y;
  // DONE(2): In each step A's tile moves to the right, and B's tile moves down. In both loads, x
  // is the column, so each row of a tile is loaded in whole sectors.
  int row = blockIdx.y * TILE + y, a_column = t * TILE + x;
  int column = blockIdx.x * TILE + x, b_row = t * TILE + y;
  // END(2)
  // DONE(4): A place outside the matrix is set to 0, which adds nothing to a sum. The place must be
  // set, because other threads read it. Each guard tests the two edges of its own matrix.
  As[y][x] = row < m && a_column < k ? A[row * k + a_column] : 0;
  Bs[y][x] = b_row < k && column < n ? B[b_row * n + column] : 0;
  // END(4)
}

/* Given, to show what load_tiles does: block (bx, by) loads the tiles of step bx + by, modulo the
 * number of steps. Each thread multiplies the two elements in its own place of both tiles. */
extern "C" __global__ void tiles(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  load_tiles(As, Bs, A, B, m, k, n, (blockIdx.x + blockIdx.y) % CEIL_DIV(k, TILE));
  __syncthreads();
  if (row < m && column < n)
    C[row * n + column] = As[threadIdx.y][threadIdx.x] * Bs[threadIdx.y][threadIdx.x];
}
EXPORT_KERNEL(tiles)

/* Given, for comparison: the kernel of lab 01. */
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

/* The product: a block computes a tile of C, and a thread computes one element of this tile. */
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  // DONE(4): The last step may be shorter; its tiles are filled up with zeros. A thread outside C
  // takes part in every step, since it loads for other threads. It only skips the store.
  int steps = CEIL_DIV(k, TILE);
  bool inside = row < m && column < n;
  // END(4)

  real sum = 0;
  for (int t = 0; t < steps; t++) {
    load_tiles(As, Bs, A, B, m, k, n, t);
    // DONE(3): At the first barrier, all threads have stored their elements of the tiles. At the
    // second barrier, all threads have read the tiles, so the next step may overwrite them. One
    // thread loads an element of a tile from global memory, and 32 threads read it.
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += As[y][i] * Bs[i][x];
    __syncthreads();
    // END(3)
  }
  if (inside)
    C[row * n + column] = sum;
}
EXPORT_KERNEL(matmul)

// DONE(5): For 32 terms of a sum, a warp of lab 01 makes 32 requests of A with 1 sector each. This
// kernel makes one request with 4 sectors: 32 / 4 = 8. For B, lab 01 makes 32 requests of 4 sectors
// each, and this kernel makes one such request: 32. The loads of A were already cheap in lab 01,
// because all lanes load the same element. Both have 32 times fewer requests.
#define PREDICT_A_SECTORS_SAVED 8
#define PREDICT_B_SECTORS_SAVED 32
// END(5)
