// The loop over a row makes one step too many. In the last row, the read is past the matrix, and
// the report names the element by the row of the thread.
//
// kind: out-of-bounds
// says: error: read out of bounds: A, row 4, column 7; its columns are 0 to 6   in kernel sums
// says:       thread (0,4) of block (0,0) read it   @wrong
// says:       the same place is row 5, column 0
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "../../emulator.h"
#include "mistake.h"

template <bool RIGHT> __global__ void sums(const float *A, float *out, int rows, int columns) {
  int row = threadIdx.y;
  float sum = 0;
  if (row < rows)
    for (int i = 0; RIGHT ? i < columns : i <= columns; i++)
      sum += A[row * columns + i]; // <- wrong
  if (row < rows)
    out[row] = sum;
}

template <bool RIGHT> void run() {
  float *A = device_array<float>(5 * 7), *out = device_array<float>(5);
  emulator_name(A, "A", 5, 7, sizeof *A);
  sums<RIGHT><<<1, dim3(1, 8)>>>(A, out, 5, 7);
  finish(A, out);
}
BOTH(run)
