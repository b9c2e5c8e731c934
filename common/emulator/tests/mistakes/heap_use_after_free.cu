// A kernel writes to memory that an earlier kernel has freed.
//
// kind: use-after-free
// says: error: write of freed memory: 16 bytes that malloc or new returned, element 2   in kernel
// says+ set
// says:       thread (0,0) of block (0,0) wrote it   @set
// says:       The buffer was freed before this access.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__device__ int *piece;

__global__ void get() { piece = new int[4]; }
__global__ void give() { delete[] piece; }
__global__ void set() { piece[2] = 1; } // <- set

template <bool RIGHT> void run() {
  int *x = device_array<int>(1);
  get<<<1, 1>>>();
  if (RIGHT)
    set<<<1, 1>>>();
  give<<<1, 1>>>();
  if (!RIGHT)
    set<<<1, 1>>>();
  finish(x);
}
BOTH(run)
