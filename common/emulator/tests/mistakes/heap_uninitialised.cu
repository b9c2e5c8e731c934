// New memory from malloc in a kernel is uninitialised, even if its bytes were written earlier.
//
// kind: uninitialised
// says: error: read of global memory that was never written: 16 bytes that malloc or new returned,
// says+ element 1   in kernel use
// says:       thread (0,0) of block (0,0) read it   @read
// says:       thread (0,0) of block (0,0) stored a result of it   @read
// says:       Nothing was stored in this memory before it was read.
#include "mistake.h"

__device__ int *pieces[32];

__global__ void get() {
  pieces[threadIdx.x] = (int *)malloc(4 * sizeof(int));
  pieces[threadIdx.x][0] = 1;
}
__global__ void set() { pieces[threadIdx.x][1] = 2; }
__global__ void use(int *out) {
  out[threadIdx.x] = pieces[threadIdx.x][1]; // <- read
  free(pieces[threadIdx.x]);
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(32);
  get<<<1, 32>>>();
  set<<<1, 32>>>();
  use<<<1, 32>>>(out);
  get<<<1, 32>>>();
  if (RIGHT)
    set<<<1, 32>>>();
  use<<<1, 32>>>(out);
  finish(out);
}
BOTH(run)
