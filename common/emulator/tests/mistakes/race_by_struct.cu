// Blocks write the same elements through a pointer that is a member of a struct, which the kernel
// gets by value.
//
// kind: race-between-blocks
// says: error: race between blocks on allocation 1 (256 bytes), element 0   in kernel fill
// says:       thread (0,0) of block (0,0) wrote it   @here
// says:       thread (0,0) of block (1,0) wrote it   @here
// says:       Blocks run in any order and at the same time. Let each block write its own elements,
// says+ use atomic operations, or use two launches in one stream.
#include "mistake.h"

struct Row {
  int length;
  float *element;
};

template <bool RIGHT> __global__ void fill(Row row) {
  int i = threadIdx.x + (RIGHT ? blockIdx.x * blockDim.x : 0);
  if (i < row.length)
    row.element[i] = blockIdx.x; // <- here
}

template <bool RIGHT> void run() {
  Row row = {64, device_array<float>(64)};
  fill<RIGHT><<<2, 32>>>(row);
  finish(row.element);
}
BOTH(run)
