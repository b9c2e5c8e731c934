// The event is recorded before the work that it should mark.
//
// kind: race-between-streams
// says: error: race between streams on allocation 1 (1024 bytes), element 0
// says:       kernel square wrote it, in stream 1   @square
// says:       cudaMemcpyAsync read it, in stream 2   @copy
// says:       Nothing orders these two operations. Let one stream wait for an event of the other
// says+ (cudaStreamWaitEvent), or use one stream for both.
#include "mistake.h"

__global__ void square(int *data) { data[threadIdx.x] = threadIdx.x * threadIdx.x; }

template <bool RIGHT> void run() {
  int *data = device_array<int>(256), *result;
  cudaStream_t compute, copy;
  cudaEvent_t squared;
  MUST(cudaMallocHost(&result, 256 * sizeof *result));
  MUST(cudaStreamCreate(&compute));
  MUST(cudaStreamCreate(&copy));
  MUST(cudaEventCreateWithFlags(&squared, cudaEventDisableTiming));
  if (!RIGHT)
    MUST(cudaEventRecord(squared, compute));
  square<<<1, 256, 0, compute>>>(data); // <- square
  if (RIGHT)
    MUST(cudaEventRecord(squared, compute));
  MUST(cudaStreamWaitEvent(copy, squared));
  const size_t bytes = 256 * sizeof *data;
  MUST(cudaMemcpyAsync(result, data, bytes, cudaMemcpyDeviceToHost, copy)); // <- copy
  MUST(cudaStreamSynchronize(copy));
  MUST(cudaFreeHost(result));
  finish(data);
}
BOTH(run)
