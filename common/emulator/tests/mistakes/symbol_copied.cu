// cudaMemcpy gets the name of a device variable.
//
// kind: bad-copy
// says: error: the copy's destination is the name of the variable counters
// says:       called here   @copy
// says:       In host code, the name of a __device__ or __constant__ variable is no address on the
// says+ device. Use cudaMemcpyToSymbol or cudaMemcpyFromSymbol.
// answers: cudaErrorInvalidValue
#include "mistake.h"

__device__ int counters[4];
__global__ void count() { atomicAdd(&counters[threadIdx.x % 4], 1); }

template <bool RIGHT> void run() {
  const int zeros[4] = {0};
  if (RIGHT)
    answer(cudaMemcpyToSymbol(counters, zeros, sizeof zeros));
  else
    answer(cudaMemcpy(counters, zeros, sizeof zeros, cudaMemcpyHostToDevice)); // <- copy
  count<<<1, 32>>>();
  MUST(cudaDeviceSynchronize());
}
BOTH(run)
