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
  // TODO(1): Set count to the number of elements in the piece that starts at `first`. Then let
  // thread i load element i of the piece, if it exists, and wait until all threads have loaded.
  // Example: n = 300 makes pieces of 128, 128 and 44. In the last, y[256] = x[299].
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
  // TODO(2): Work out this thread's element of A and of B, and load them instead of the zeros.
  // m, k and n are multiples of TILE for now.
  // Example: in step 2, thread (3, 5) of block (1, 0) loads A(5, 67) and B(69, 35).
  As[y][x] = 0;
  Bs[y][x] = 0;
  // END(2)
  // TODO(4): At the edges a tile extends beyond its matrix. No thread may read beyond it, but
  // the sums use the whole tile. For an element outside, store a value that leaves a sum unchanged.
  // Change the two lines of TODO(2) for that; this gap can stay empty.
  // Example: A is 33×40. In step 1 the elements with x = 8 to 31 are to the right of A.
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
  // TODO(4): These lines count only whole tiles. Only blocks that are completely inside C store
  // their elements. Change the lines so that every element of C gets its whole sum.
  // Example: a sum of 40 terms takes 2 steps, the second with 8 of them. In a C of 33×13, element
  // (32,12) exists, (32,13) does not.
  int steps = k / TILE;
  bool inside = row / TILE < m / TILE && column / TILE < n / TILE;
  // END(4)

  real sum = 0;
  for (int t = 0; t < steps; t++) {
    load_tiles(As, Bs, A, B, m, k, n, t);
    // TODO(3): Add the products of these two tiles to the sum. Two barriers are needed: think of
    // a warp that is faster than the others, before the sum and after it.
    // Example: thread (x, y) = (3, 5) adds As[5][0] * Bs[0][3], As[5][1] * Bs[1][3], and so on.
    // END(3)
  }
  if (inside)
    C[row * n + column] = sum;
}
EXPORT_KERNEL(matmul)

// TODO(5): Predict by what factor fewer sectors of A are loaded here than in lab 01, and by what
// factor fewer of B, in float, with N a multiple of 32. Count one warp's loads for 32 terms.
// 0 means: not answered.
// Example: 32 loads that touch 2 sectors each, replaced by one that touches 4: 64 / 4 = 16.
#define PREDICT_A_SECTORS_SAVED 0
#define PREDICT_B_SECTORS_SAVED 0
// END(5)
