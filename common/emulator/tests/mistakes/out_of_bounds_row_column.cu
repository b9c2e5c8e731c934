// The name and shape of the matrix are declared, so the report names row and column of the element.
//
// kind: out-of-bounds
// says: error: read out of bounds: A, row 5, column 0; its rows are 0 to 4   in kernel negate
// says:       thread (0,5) of block (0,0) read it   @wrong
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "../../emulator.h"
#include "mistake.h"

template <bool RIGHT> __global__ void negate(float *A, int rows, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < columns && (RIGHT ? row < rows : row <= rows))
    A[row * columns + column] = -A[row * columns + column]; // <- wrong
}

template <bool RIGHT> void run() {
  float *A = device_array<float>(5 * 7);
  emulator_name(A, "A", 5, 7, sizeof *A);
  negate<RIGHT><<<1, dim3(8, 8)>>>(A, 5, 7);
  finish(A);
}
BOTH(run)
