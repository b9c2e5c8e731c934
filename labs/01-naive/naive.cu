/* Lab 01, the naive matrix product: one thread computes one element of C = A·B, straight from
 * global memory. A is m×k, B is k×n, C is m×n, all row-major.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab01` after each task. `make hint01` helps.
 */
#include "lab.h"

#define TILE 32 // threads along each side of a block

extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  int x = 0, y = 0;
  // TODO(1): Which place in the whole grid is this thread's? Work out its x and y from blockIdx,
  // blockDim and threadIdx.
  // Example: in blocks of 32×32, thread (3, 2) of block (1, 4) has x = 35 and y = 130.
  // END(1)

  // TODO(5): Last of all. A warp is 32 threads with neighbouring x. Here their elements of C lie
  // below each other, in one column. Let them lie side by side, in one row, and exchange x and y
  // in the grid of task 3, too. The product stays the same, the traffic does not.
  // Example: the threads at x = 0, 1, 2 own C(0,0), C(1,0), C(2,0); let it be C(0,0), C(0,1),
  // C(0,2).
  int row = x, column = y;
  // END(5)

  // TODO(2): The grid is made of whole blocks, so it sticks out over the edges of C. Only threads
  // inside may go on.
  // Example: C is 33×13. Row 32, column 12 is inside; row 32, column 13 is not.
  bool inside = row >= 0 && column >= 0;
  // END(2)

  if (inside) {
    // TODO(1): Add up A(row,i)·B(i,column) over all i below k and store the sum in C(row,column).
    // Example: element (2,3) of a matrix with 7 columns lies at index 2 * 7 + 3 = 17.
    // END(1)
  }
}
EXPORT_KERNEL(matmul)

/* From host memory to the device and back: A, B and C are the host's. Returns the first error. */
extern "C" cudaError_t matmul_on_device(const real *A, const real *B, real *C, int m, int k,
                                        int n) {
  cudaError_t error = cudaSuccess;
  // TODO(3): Allocate three matrices on the device, copy A and B there, launch matmul on blocks of
  // TILE×TILE threads, copy C back and free everything, after an error too. TRY in lab.h keeps the
  // first error; cudaGetLastError tells whether the launch was refused.
  // Example: 33 rows need CEIL_DIV(33, TILE) = 2 blocks; 33 / TILE = 1 leaves the last row out.
  // END(3)
  return error;
}

// TODO(4): One load of a warp is one request; the memory answers in sectors of 32 bytes. How many
// sectors does a request touch in float (8 elements to a sector), once x goes along a row (task 5)
// and N is a multiple of 32? 0 stands for no answer.
// Example: 32 threads that read every second float span 64 floats, 256 bytes: 8 sectors.
#define PREDICT_A_SECTORS_PER_REQUEST 0
#define PREDICT_B_SECTORS_PER_REQUEST 0
// END(4)
