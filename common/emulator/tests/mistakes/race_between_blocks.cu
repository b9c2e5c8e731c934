// Blocks of one launch access the same global memory: they add to one element, and they read an
// element that a neighbour changes.
//
// kind: race-between-blocks
// says: error: race between blocks on allocation 1 (4 bytes), element 0   in kernel count
// says:       thread (0,0) of block (0,0) wrote it   @count
// says:       thread (0,0) of block (1,0) read it   @count
// says:       Blocks run in any order and at the same time. Let each block write its own elements,
// says+ use atomic operations, or use two launches in one stream.
// says: error: race between blocks on allocation 2 (256 bytes), element 32   in kernel smooth
// says:       thread (0,0) of block (1,0) wrote it   @write
// says:       thread (31,0) of block (0,0) read it   @read
// says:       Blocks run in any order and at the same time. Let each block write its own elements,
// says+ use atomic operations, or use two launches in one stream.
#include "mistake.h"

template <bool RIGHT> __global__ void count(int *sum) {
  if (threadIdx.x == 0 && RIGHT)
    atomicAdd(sum, 1);
  else if (threadIdx.x == 0)
    *sum += 1; // <- count
}

template <bool RIGHT> __global__ void smooth(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float right = i + 1 < 64 ? from[i + 1] : 0; // <- read
  to[i] = (from[i] + right) / 2;              // <- write
}

template <bool RIGHT> void run() {
  int *sum = device_array<int>(1);
  float *a = device_array<float>(64), *b = device_array<float>(64);
  count<RIGHT><<<2, 32>>>(sum);
  smooth<RIGHT><<<2, 32>>>(RIGHT ? b : a, a);
  finish(sum, a, b);
}
BOTH(run)
