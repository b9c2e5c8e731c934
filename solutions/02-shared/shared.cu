/* Lab 02, tiles in shared memory: the threads of a block fetch what they all need once, together,
 * and then work from the copy. A is m×k, B is k×n, C = A·B is m×n, all row-major.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab02` after each task. `make hint02` helps.
 */
#include "lab.h"

#define PIECE 128 // elements of a vector, and threads of a block, in the warm-up
#define TILE 32   // rows and columns of a tile, and of a block of threads

/* The warm-up: turns each piece of x around. The last piece may be shorter than PIECE. */
extern "C" __global__ void reverse_pieces(const real *x, real *y, int n) {
  __shared__ real piece[PIECE];
  int first = blockIdx.x * PIECE, i = threadIdx.x;
  int count = 0;
  // DONE(1): Every thread loads one element, and stores one that another thread has loaded. The
  // barrier between the two is for all threads of the block, so it stands outside the condition:
  // those past the end have nothing to load, but they come to it.
  count = min(PIECE, n - first);
  if (i < count)
    piece[i] = x[first + i];
  __syncthreads();
  // END(1)
  if (i < count)
    y[first + i] = piece[count - 1 - i];
}
EXPORT_KERNEL(reverse_pieces)

/* Step t: the block fetches the tile of A that lies t tiles from the left and the tile of B that
 * lies t tiles from the top. Every thread brings one element of each, to its own place (y, x). */
static __device__ void load_tiles(real (*As)[TILE], real (*Bs)[TILE], const real *A, const real *B,
                                  int m, int k, int n, int t) {
  int x = threadIdx.x, y = threadIdx.y;
  // DONE(2): From step to step A's tile moves to the right and B's down. Both loads run along a
  // row in x, so each row of a tile is fetched in whole sectors.
  int row = blockIdx.y * TILE + y, a_column = t * TILE + x;
  int column = blockIdx.x * TILE + x, b_row = t * TILE + y;
  // END(2)
  // DONE(4): A place outside the matrix gets 0, which adds nothing to a sum. It must get something:
  // other threads will read it. Each matrix has its own two edges, and neither is that of C alone.
  As[y][x] = row < m && a_column < k ? A[row * k + a_column] : 0;
  Bs[y][x] = b_row < k && column < n ? B[b_row * n + column] : 0;
  // END(4)
}

/* Given, to see what load_tiles does: block (bx, by) loads for step bx + by, counted around, and
 * each thread multiplies what it finds in its own place of both tiles. */
extern "C" __global__ void tiles(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  load_tiles(As, Bs, A, B, m, k, n, (blockIdx.x + blockIdx.y) % CEIL_DIV(k, TILE));
  __syncthreads();
  if (row < m && column < n)
    C[row * n + column] = As[threadIdx.y][threadIdx.x] * Bs[threadIdx.y][threadIdx.x];
}
EXPORT_KERNEL(tiles)

/* Given, to compare with: lab 01's kernel. */
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

/* The product: one block computes one tile of C, one thread one element of it. */
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  // DONE(4): The last step may be a short one; its tiles are filled up with zeros. A thread outside
  // C takes part in every step, since it loads for others: only the store is not for it.
  int steps = CEIL_DIV(k, TILE);
  bool inside = row < m && column < n;
  // END(4)

  real sum = 0;
  for (int t = 0; t < steps; t++) {
    load_tiles(As, Bs, A, B, m, k, n, t);
    // DONE(3): The first barrier: nobody reads before all have written. The second: nobody
    // overwrites, in the next step, what a slower thread still reads. Between them each element
    // of a tile is read by 32 threads and was fetched from global memory by one.
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

// DONE(5): Per warp and 32 terms of the sum: lab 01 asks 32 times for one element of A, 1 sector
// each, and here once for 32 neighbours, 4 sectors: 32 / 4 = 8. Of B it asks 32 times for 32
// neighbours, 4 sectors each, and here once: 32. A's loads were cheap already, all lanes shared
// one; the other saving is the number of requests, 32 times fewer in both.
#define PREDICT_A_SECTORS_SAVED 8
#define PREDICT_B_SECTORS_SAVED 32
// END(5)
