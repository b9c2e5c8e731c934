// A local array has the name of a device variable and hides it.
//
// kind: bad-symbol
// says: error: the symbol is host memory, not a device variable
// says:       called here   @copy
// says:       A symbol is the name of a __device__ or __constant__ variable. A local variable of
// says+ the same name hides it. A pointer or a string is not a symbol.
// answers: cudaErrorInvalidSymbol
#include "mistake.h"

__constant__ int weights[4];
__global__ void use(int *out) { out[threadIdx.x] = weights[threadIdx.x]; }

static cudaError_t hidden(const int *values) {
  int weights[4] = {values[0]};
  return cudaMemcpyToSymbol(weights, values, sizeof weights); // <- copy
}

static cudaError_t found(const int *values) {
  return cudaMemcpyToSymbol(weights, values, sizeof weights);
}

template <bool RIGHT> void run() {
  const int values[4] = {1, 2, 3, 4};
  int *out = device_array<int>(4);
  answer(RIGHT ? found(values) : hidden(values));
  if (RIGHT)
    use<<<1, 4>>>(out);
  MUST(cudaDeviceSynchronize());
  MUST(cudaFree(out));
}
BOTH(run)
