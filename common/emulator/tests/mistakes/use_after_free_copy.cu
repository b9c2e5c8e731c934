// The result is copied back after its buffer was freed.
//
// kind: use-after-free
// says: error: the copy's source is the freed allocation 1 (128 bytes)
// says:       copied here   @copy
// says:       freed before   @freed
// says:       The buffer was freed before this copy.
// answers: cudaErrorInvalidValue
#include "mistake.h"

__global__ void fill(float *data) { data[threadIdx.x] = 2; }

template <bool RIGHT> void run() {
  float *data = device_array<float>(32), host[32];
  fill<<<1, 32>>>(data);
  if (!RIGHT)
    MUST(cudaFree(data));                                              // <- freed
  answer(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost)); // <- copy
  if (RIGHT)
    MUST(cudaFree(data));
}
BOTH(run)
