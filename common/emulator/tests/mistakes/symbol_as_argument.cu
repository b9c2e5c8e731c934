// A kernel gets the name of a __constant__ variable as an argument.
//
// kind: host-pointer
// says: error: read through a pointer that is not a device pointer: the host's copy of mask   in
// says+ kernel scale
// says:       thread (0,0) of block (0,0) read it   @read
// says:       the pointer comes from argument 1 of the kernel
// says:       In host code, the name of a __constant__ or __device__ variable is not a device
// says+ address. Use the name in the kernel, or pass what cudaGetSymbolAddress() returns.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__constant__ float mask[4];
__global__ void scale(const float *m, float *out) { out[threadIdx.x] *= m[threadIdx.x]; } // <- read

template <bool RIGHT> void run() {
  float *out = device_array<float>(4), *m = mask;
  const float ones[4] = {1, 1, 1, 1};
  MUST(cudaMemcpyToSymbol(mask, ones, sizeof ones));
  if (RIGHT)
    MUST(cudaGetSymbolAddress((void **)&m, mask));
  scale<<<1, 4>>>(m, out);
  finish(out);
}
BOTH(run)
