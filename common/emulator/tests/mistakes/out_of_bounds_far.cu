// The stride of one matrix is used for another. Its last rows are far past the end of the buffer,
// some of them inside the next buffer. The report still names the buffer of the kernel's argument.
//
// kind: out-of-bounds
// says: error: write out of bounds: allocation 1 (4000 bytes), element 4000; its elements are 0 to
// says+ 999   in kernel clear
// says:       thread (0,0) of block (1,0) wrote it   @wrong
// says:       the pointer comes from argument 1 of the kernel
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

template <bool RIGHT> __global__ void clear(float *narrow, int rows, int columns, int wide) {
  int row = blockIdx.x, column = threadIdx.x;
  if (row < rows && column < columns)
    narrow[row * (RIGHT ? columns : wide) + column] = 0; // <- wrong
}

template <bool RIGHT> void run() {
  float *narrow = device_array<float>(100 * 10), *other = device_array<float>(100 * 4000);
  clear<RIGHT><<<100, 32>>>(narrow, 100, 10, 4000);
  finish(narrow, other);
}
BOTH(run)
