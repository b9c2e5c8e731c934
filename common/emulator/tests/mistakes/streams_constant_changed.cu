// All streams share constant memory: new factors are copied while a kernel of another stream may
// still use the old ones.
//
// kind: race-between-streams
// says: error: race between streams on factors, element 0
// says:       kernel scale read it, in stream 1   @kernel
// says:       cudaMemcpyToSymbolAsync wrote it, in stream 2   @copy
// says:       Nothing orders these two operations. Let one stream wait for an event of the other
// says+ (cudaStreamWaitEvent), or use one stream for both.
#include "mistake.h"

__constant__ float factors[4];

__global__ void scale(float *data) { data[threadIdx.x] *= factors[threadIdx.x % 4]; }

template <bool RIGHT> void run() {
  const float first[4] = {1, 2, 3, 4}, second[4] = {5, 6, 7, 8};
  float *data = device_array<float>(64);
  cudaStream_t a, b;
  cudaEvent_t used;
  MUST(cudaStreamCreate(&a));
  MUST(cudaStreamCreate(&b));
  MUST(cudaEventCreate(&used));
  MUST(cudaMemcpyToSymbolAsync(factors, first, sizeof first, 0, cudaMemcpyHostToDevice, a));
  scale<<<1, 64, 0, a>>>(data); // <- kernel
  MUST(cudaEventRecord(used, a));
  if (RIGHT)
    MUST(cudaStreamWaitEvent(b, used));
  const cudaMemcpyKind kind = cudaMemcpyHostToDevice;
  MUST(cudaMemcpyToSymbolAsync(factors, second, sizeof second, 0, kind, b)); // <- copy
  scale<<<1, 64, 0, b>>>(data);
  finish(data);
}
BOTH(run)
