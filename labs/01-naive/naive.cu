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
  // TODO(1): Each thread needs the number i of its own element. Replace the 0. Use blockIdx.x, the
  // number of the thread's block; blockDim.x, how many threads a block has; and threadIdx.x, the
  // number of the thread in its block. Blocks and threads are numbered from 0.
  // Example: in blocks of 100 threads, thread 7 of block 2 has i = 207.
  int i = 0;
  // END(1)

  // TODO(2): All blocks have the same size, so the last one may have threads without an element.
  // Replace `true` by a condition on i: only threads that have an element may go on.
  // Example: n = 1000 takes 4 blocks of 256 threads. Thread i = 999 has the last element; threads
  // i = 1000 to 1023 have none.
  bool inside = true;
  // END(2)

  if (inside)
    out[i] = 2 * in[i];
}
EXPORT_KERNEL(scale)

/* Doubles the elements of a matrix. Now the grid and its blocks have two directions, x and y. */
extern "C" __global__ void scale_matrix(const real *in, real *out, int rows, int columns) {
  // TODO(3): Compute the row and the column of this thread's element. x goes along a row: the
  // thread with the next x has the next column. For y there are blockIdx.y, blockDim.y and
  // threadIdx.y.
  // Example: in blocks of 32×8 threads, the thread x = 3, y = 2 of the block x = 1, y = 4 has
  // column 35 and row 34.
  int row = 0, column = 0;
  // END(3)

  if (row < rows && column < columns)
    out[row * columns + column] = 2 * in[row * columns + column];
}
EXPORT_KERNEL(scale_matrix)

/* C = A·B, where A is m×k, B is k×n and C is m×n. */
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  // TODO(4): This task has two gaps. Here: the row and the column of this thread's element of C, as
  // in task 3.
  // Example: in blocks of 32×32 threads, the thread x = 3, y = 2 of the block x = 1, y = 4 has the
  // element C(130,35).
  int row = 0, column = 0;
  // END(4)

  // TODO(5): The grid is made of whole blocks, so it extends beyond the edges of C. Only threads
  // inside may go on.
  // Example: C is 33×13. Row 32, column 12 is inside; row 32, column 13 is not.
  bool inside = true;
  // END(5)

  if (inside) {
    // TODO(4): Add up A(row,i)·B(i,column) over all i below k and store the sum in C(row,column).
    // Example: element (2,3) of a matrix with 7 columns has index 2 * 7 + 3 = 17.
    // END(4)
  }
}
EXPORT_KERNEL(matmul)

/* Computes C = A·B on the device. A, B and C are in host memory. Returns the first error. */
extern "C" cudaError_t matmul_on_device(const real *A, const real *B, real *C, int m, int k,
                                        int n) {
  cudaError_t error = cudaSuccess;
  // TODO(6): Allocate three matrices on the device, copy A and B there, launch matmul on blocks of
  // TILE×TILE threads, copy C back and free everything, also after an error. TRY in lab.h keeps the
  // first error; cudaGetLastError tells whether the launch was refused.
  // Example: 33 rows need CEIL_DIV(33, TILE) = 2 blocks; 33 / TILE = 1 leaves the last row out.
  // END(6)
  return error;
}

// TODO(7): One load of a warp is one request; the memory answers in sectors of 32 bytes. Predict
// how many sectors a request of matmul touches in A, and how many in B: in float (8 elements per
// sector), with N a multiple of 32 and x along a row of C. 0 means: not answered.
// Example: 32 threads that read every second float span 64 floats, 256 bytes: 8 sectors.
#define PREDICT_A_SECTORS_PER_REQUEST 0
#define PREDICT_B_SECTORS_PER_REQUEST 0
// END(7)

/* Given, for you to correct: also doubles the elements of a matrix. A block computes one column
 * after another, and its threads share the rows. gridDim.x is the number of blocks. */
extern "C" __global__ void turned(const real *in, real *out, int rows, int columns) {
  // TODO(8): The result is right, but the 32 elements of a warp are in one column, one below the
  // other. Change the two loops so that they are in one row, side by side.
  // Example: threads 0, 1, 2 of block 0 begin with (0,0), (1,0), (2,0). Let them begin with (0,0),
  // (0,1), (0,2).
  for (int column = blockIdx.x; column < columns; column += gridDim.x)
    for (int row = threadIdx.x; row < rows; row += blockDim.x)
      out[row * columns + column] = 2 * in[row * columns + column];
  // END(8)
}
EXPORT_KERNEL(turned)
