// An index of type int overflows and becomes negative. The address is outside of all buffers or in
// another one, but the report names the buffer of the kernel's argument.
//
// kind: out-of-bounds
// says: error: write out of bounds: 400269184 bytes before allocation 2 (256 bytes): element
// says+ -100067296   in kernel corner
// says:       thread (0,0) of block (0,0) wrote it   @wrong
// says:       the pointer comes from argument 1 of the kernel
// says:       An int that grows past 2147483647 continues at -2147483648. Compute such an index in
// says+ size_t.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

// `rows` contains the rows of a large matrix from `first` on, each with `columns` elements.
template <bool RIGHT> __global__ void corner(float *rows, int first, int row, int columns) {
  if (RIGHT)
    rows[(size_t)(row - first) * columns] = 1;
  else
    rows[(int)((unsigned)row * columns)] = 1; // <- wrong
}

template <bool RIGHT> void run() {
  float *before = device_array<float>(16), *rows = device_array<float>(64);
  corner<RIGHT><<<1, 1>>>(rows, 41949, 41949, 100000); // 4194900000 is -100067296 as an int
  finish(before, rows);
}
BOTH(run)
