// expect: task 3
// cause: the traffic of A, B and C cannot be told apart
// The sum reads A and B from global memory, by addresses that are computed from C's.
#include "lab.h"

#define PIECE 128 // elements of a vector, and threads of a block, in the warm-up
#define TILE 32   // rows and columns of a tile, and of a block of threads

/* The warm-up: turns each piece of x around. The last piece may be shorter than PIECE. */
extern "C" __global__ void reverse_pieces(const real *x, real *y, int n) {
  __shared__ real piece[PIECE];
  int first = blockIdx.x * PIECE, i = threadIdx.x;
  int count = 0;
  count = min(PIECE, n - first);
  if (i < count)
    piece[i] = x[first + i];
  __syncthreads();
  if (i < count)
    y[first + i] = piece[count - 1 - i];
}
EXPORT_KERNEL(reverse_pieces)

/* Step t: the block fetches the tile of A that lies t tiles from the left and the tile of B that
 * lies t tiles from the top. Every thread brings one element of each, to its own place (y, x). */
static __device__ void load_tiles(real (*As)[TILE], real (*Bs)[TILE], const real *A, const real *B,
                                  int m, int k, int n, int t) {
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, a_column = t * TILE + x;
  int column = blockIdx.x * TILE + x, b_row = t * TILE + y;
  As[y][x] = row < m && a_column < k ? A[row * k + a_column] : 0;
  Bs[y][x] = b_row < k && column < n ? B[b_row * n + column] : 0;
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
// A pointer that begins as another one, as far as a compiler can tell.
__device__ inline const real *reach(const real *to, const real *from) {
  unsigned long long distance = (unsigned long long)to - (unsigned long long)from;
  asm volatile("mov.b64 %0, %0;" : "+l"(distance));
  return (const real *)((const char *)from + distance);
}

extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  int steps = CEIL_DIV(k, TILE);
  bool inside = row < m && column < n;

  real sum = 0;
  for (int t = 0; t < steps; t++) {
    load_tiles(As, Bs, A, B, m, k, n, t);
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      if (inside && t * TILE + i < k)
        sum += reach(A, C)[row * k + t * TILE + i] * reach(B, C)[(t * TILE + i) * n + column];
    __syncthreads();
  }
  if (inside)
    C[row * n + column] = sum;
}
EXPORT_KERNEL(matmul)

#define PREDICT_A_SECTORS_SAVED 8
#define PREDICT_B_SECTORS_SAVED 32
