// Warps of one block access the same global memory without any order: each reads an element that
// its neighbour changes.
//
// kind: race
// says: error: race within a block on allocation 1 (1024 bytes), element 64   in kernel reverse
// says:       thread (0,0) of block (0,0) wrote it   @write
// says:       thread (127,0) of block (0,0) read it   @read
// says:       No barrier separates the two accesses, so their order depends on which warp is
// says+ faster.
// says: error: race within a block on allocation 2 (2048 bytes), element 31   in kernel shift
// says:       thread (31,0) of block (0,0) wrote it   @shift
// says:       thread (32,0) of block (0,0) read it   @left
// says:       No barrier separates the two accesses, so their order depends on which warp is
// says+ faster.
#include "mistake.h"

template <bool RIGHT> __global__ void reverse(int *a) {
  int i = threadIdx.x;
  if (i < 64)
    a[64 + i] = i; // <- write
  if (RIGHT)
    __syncthreads();
  if (i >= 64)
    a[i + 64] = a[191 - i]; // <- read
}

template <bool RIGHT> __global__ void shift(int *a) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int left = threadIdx.x ? a[i - 1] : 0; // <- left
  if (RIGHT)
    __syncthreads();
  a[i] = left; // <- shift
}

template <bool RIGHT> void run() {
  int *a = device_array<int>(256), *b = device_array<int>(512);
  reverse<RIGHT><<<1, 128>>>(a);
  shift<RIGHT><<<2, 256>>>(b);
  finish(a, b);
}
BOTH(run)
