// The stride of one matrix is used for another. Most of the wrong elements are in the next buffer,
// which other blocks write. The report must be an access out of bounds, not a race.
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

template <bool RIGHT> __global__ void clear(float *narrow, float *wide, int rows, int columns) {
  int row = blockIdx.x, column = threadIdx.x;
  if (row < rows && column < 10)
    narrow[row * (RIGHT ? 10 : columns) + column] = 0; // <- wrong
  for (int i = column; row < rows && i < columns; i += blockDim.x)
    wide[row * columns + i] = 1;
}

template <bool RIGHT> void run() {
  float *narrow = device_array<float>(100 * 10), *wide = device_array<float>(100 * 4000);
  clear<RIGHT><<<100, 32>>>(narrow, wide, 100, 4000);
  finish(narrow, wide);
}
BOTH(run)
