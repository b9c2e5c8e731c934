// A kernel writes to constant memory through a pointer without const.
//
// kind: read-only
// says: error: write to constant memory: factor, element 0   in kernel change
// says:       thread (0,0) of block (0,0) wrote it   @here
// says:       A kernel cannot write constant memory. The host writes it with cudaMemcpyToSymbol.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__constant__ float factor[4] = {1, 2, 3, 4};

template <bool RIGHT> __global__ void change(float *to) { to[threadIdx.x] = 5; } // <- here

template <bool RIGHT> void run() {
  float *buffer = device_array<float>(4);
  void *constants;
  MUST(cudaGetSymbolAddress(&constants, factor));
  change<RIGHT><<<1, 4>>>(RIGHT ? buffer : (float *)constants);
  finish(buffer);
}
BOTH(run)
