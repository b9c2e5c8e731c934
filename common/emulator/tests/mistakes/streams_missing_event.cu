// One stream reads what another one computes, and no event orders the two.
//
// kind: race-between-streams
// says: error: race between streams on allocation 1 (4000 bytes), element 0
// says:       kernel fill wrote it, in stream 1   @fill
// says:       kernel twice read it, in stream 2   @twice
// says:       Nothing orders these two operations. Let one stream wait for an event of the other
// says+ (cudaStreamWaitEvent), or use one stream for both.
#include "mistake.h"

__global__ void fill(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = i;
}

__global__ void twice(float *out, const float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * data[i];
}

template <bool RIGHT> void run() {
  const int n = 1000;
  float *data = device_array<float>(n), *out = device_array<float>(n);
  cudaStream_t producer, consumer;
  cudaEvent_t filled;
  MUST(cudaStreamCreate(&producer));
  MUST(cudaStreamCreate(&consumer));
  MUST(cudaEventCreate(&filled));
  fill<<<4, 256, 0, producer>>>(data, n); // <- fill
  if (RIGHT) {
    MUST(cudaEventRecord(filled, producer));
    MUST(cudaStreamWaitEvent(consumer, filled));
  }
  twice<<<4, 256, 0, consumer>>>(out, data, n); // <- twice
  finish(data, out);
}
BOTH(run)
