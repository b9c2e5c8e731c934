// Uses of an uninitialised value that are reported: in a branch, as an index, in an atomic
// operation.
//
// kind: uninitialised
// says: error: read of global memory that was never written: allocation 2 (256 bytes), element 0
// says+   in kernel use
// says:       thread (0,0) of block (0,0) read it   @branch
// says:       thread (0,0) of block (0,0) decided by it where to go   @branch
// says:       Nothing was stored in this memory before it was read.
// says: error: read of global memory that was never written: allocation 2 (256 bytes), element 32
// says+   in kernel use
// says:       thread (0,0) of block (0,0) read it   @index
// says:       thread (0,0) of block (0,0) used it as an address   @address
// says:       Nothing was stored in this memory before it was read.
// says: error: read of global memory that was never written: allocation 3 (128 bytes), element 0
// says+   in kernel use
// says:       thread (0,0) of block (0,0) read it   @atomic
// says:       thread (0,0) of block (0,0) changed it by an atomic operation   @atomic
// says:       Nothing was stored in this memory before it was read.
#include "mistake.h"

template <bool RIGHT> __global__ void use(int *out, const int *unset, int *sums) {
  int t = threadIdx.x;
  if (RIGHT || unset[t] < 0) // <- branch
    out[t] = 1;
  int at = RIGHT ? 0 : unset[t + 32]; // <- index
  out[32 + ((t + at) & 31)] = 2;      // <- address
  if (RIGHT)
    atomicExch(&sums[t], 0);
  atomicAdd(&sums[t], 1); // <- atomic
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(64), *unset, *sums;
  MUST(cudaMalloc(&unset, 64 * sizeof *unset));
  MUST(cudaMalloc(&sums, 32 * sizeof *sums));
  use<RIGHT><<<1, 32>>>(out, unset, sums);
  finish(out, unset, sums);
}
BOTH(run)
