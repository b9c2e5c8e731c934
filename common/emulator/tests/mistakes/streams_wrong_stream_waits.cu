// The stream that computes the data waits for its own event. The stream that uses the data does not
// wait.
//
// kind: race-between-streams
// says: error: race between streams on allocation 1 (512 bytes), element 0
// says:       kernel scale wrote it, in stream 1   @first
// says:       kernel shift wrote it, in stream 2   @second
// says:       Nothing orders these two operations. Let one stream wait for an event of the other
// says+ (cudaStreamWaitEvent), or use one stream for both.
#include "mistake.h"

__global__ void scale(float *data, float by) { data[threadIdx.x] *= by; }
__global__ void shift(float *data, float by) { data[threadIdx.x] += by; }

template <bool RIGHT> void run() {
  float *data = device_array<float>(128);
  cudaStream_t a, b;
  cudaEvent_t scaled;
  MUST(cudaStreamCreate(&a));
  MUST(cudaStreamCreate(&b));
  MUST(cudaEventCreate(&scaled));
  scale<<<1, 128, 0, a>>>(data, 3); // <- first
  MUST(cudaEventRecord(scaled, a));
  MUST(cudaStreamWaitEvent(RIGHT ? b : a, scaled));
  shift<<<1, 128, 0, b>>>(data, 1); // <- second
  finish(data);
}
BOTH(run)
