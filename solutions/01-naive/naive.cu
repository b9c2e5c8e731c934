/* Lab 01, the naive matrix product: one thread computes one element of C = A·B, straight from
 * global memory. Two small kernels come first. All matrices are row-major.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab01` after each task. `make hint01` helps.
 */
#include "lab.h"

#define TILE 32 // threads along each side of a block of matmul

/* Doubles n numbers. There is no loop: each thread runs these lines once, for one element. */
extern "C" __global__ void scale(const real *in, real *out, int n) {
  // DONE(1): The number of threads in all blocks before this one, each with blockDim.x threads,
  // plus the number of threads before this thread in its own block.
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // END(1)

  // DONE(2): n elements have the numbers 0 to n - 1.
  bool inside = i < n;
  // END(2)

  if (inside)
    out[i] = 2 * in[i];
}
EXPORT_KERNEL(scale)

/* Doubles the elements of a matrix. Now the grid and its blocks have two directions, x and y. */
extern "C" __global__ void scale_matrix(const real *in, real *out, int rows, int columns) {
  // DONE(3): x counts columns, so it goes along a row, and y counts rows.
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  // END(3)

  if (row < rows && column < columns)
    out[row * columns + column] = 2 * in[row * columns + column];
}
EXPORT_KERNEL(scale_matrix)

/* C = A·B, where A is m×k, B is k×n and C is m×n. */
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  // DONE(4): The 32 threads of a warp differ in x. With x as the column they read 32 neighbours
  // of a row of B and the same element of A, and store 32 neighbours of C. With x as the row they
  // would read 32 rows of A and write 32 rows of C: 32 sectors with one used element each.
  // With blockDim in place of TILE, the kernel is correct for blocks of any shape.
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  // END(4)

  // DONE(5): C need not be square, so both edges are tested: m limits the rows, and n limits the
  // columns. k limits neither rows nor columns.
  bool inside = row < m && column < n;
  // END(5)

  if (inside) {
    // DONE(4): The sum is kept in a register and stored once at the end. A row of A has k
    // elements, a row of B or C has n.
    real sum = 0;
    for (int i = 0; i < k; i++)
      sum += A[row * k + i] * B[i * n + column];
    C[row * n + column] = sum;
    // END(4)
  }
}
EXPORT_KERNEL(matmul)

/* Computes C = A·B on the device. A, B and C are in host memory. Returns the first error. */
extern "C" cudaError_t matmul_on_device(const real *A, const real *B, real *C, int m, int k,
                                        int n) {
  cudaError_t error = cudaSuccess;
  // DONE(6): sizeof is the first factor, so the product is a size_t; m * k alone would be an int.
  // The pointers are NULL at first, so cudaFree does nothing if an allocation failed.
  size_t a_bytes = sizeof(real) * m * k, b_bytes = sizeof(real) * k * n;
  size_t c_bytes = sizeof(real) * m * n;
  real *a = NULL, *b = NULL, *c = NULL;
  TRY(error, cudaMalloc(&a, a_bytes));
  TRY(error, cudaMalloc(&b, b_bytes));
  TRY(error, cudaMalloc(&c, c_bytes));
  TRY(error, cudaMemcpy(a, A, a_bytes, cudaMemcpyHostToDevice));
  TRY(error, cudaMemcpy(b, B, b_bytes, cudaMemcpyHostToDevice));

  // x counts columns, y counts rows, as in the kernel. The last blocks may have idle threads.
  dim3 block(TILE, TILE), grid(CEIL_DIV(n, TILE), CEIL_DIV(m, TILE));
  if (error == cudaSuccess)
    matmul<<<grid, block>>>(a, b, c, m, k, n);
  TRY(error, cudaGetLastError());

  // This copy waits for the kernel and returns errors of the kernel.
  TRY(error, cudaMemcpy(C, c, c_bytes, cudaMemcpyDeviceToHost));
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  // END(6)
  return error;
}

// DONE(7): All 32 threads of a warp share the row: they load one element of A, which is in one
// sector. Their columns are neighbours: 32 floats of B are 128 bytes, four sectors.
#define PREDICT_A_SECTORS_PER_REQUEST 1
#define PREDICT_B_SECTORS_PER_REQUEST 4
// END(7)

/* Given, for you to correct: also doubles the elements of a matrix. A block computes one column
 * after another, and its threads share the rows. gridDim.x is the number of blocks. */
extern "C" __global__ void turned(const real *in, real *out, int rows, int columns) {
  // DONE(8): Threads with neighbouring threadIdx.x have neighbouring columns, so a block works on
  // one row after the other. Any of the loops may be the inner loop. The memory traffic depends
  // on what the threads of a warp access at the same time, not on what one thread accesses next.
  for (int row = blockIdx.x; row < rows; row += gridDim.x)
    for (int column = threadIdx.x; column < columns; column += blockDim.x)
      out[row * columns + column] = 2 * in[row * columns + column];
  // END(8)
}
EXPORT_KERNEL(turned)
