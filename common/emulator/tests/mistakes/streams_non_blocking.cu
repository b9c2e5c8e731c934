// A non-blocking stream copies the result of a kernel in the default stream, for which it does not
// wait. A stream made by cudaStreamCreate would wait.
//
// kind: race-between-streams
// says: error: race between streams on allocation 1 (1024 bytes), element 0
// says:       kernel iota wrote it, in the default stream   @kernel
// says:       cudaMemcpyAsync read it, in stream 1   @copy
// says:       A stream made with cudaStreamNonBlocking and the default stream do not wait for each
// says+ other. Use an event, or a stream made with cudaStreamCreate.
#include "mistake.h"

__global__ void iota(int *data) { data[threadIdx.x] = threadIdx.x; }

template <bool RIGHT> void run() {
  int *data, *result;
  MUST(cudaMalloc(&data, 256 * sizeof *data));
  MUST(cudaMallocHost(&result, 256 * sizeof *result));
  iota<<<1, 256>>>(data); // <- kernel
  cudaStream_t stream;
  MUST(cudaStreamCreateWithFlags(&stream, RIGHT ? cudaStreamDefault : cudaStreamNonBlocking));
  const size_t bytes = 256 * sizeof *data;
  MUST(cudaMemcpyAsync(result, data, bytes, cudaMemcpyDeviceToHost, stream)); // <- copy
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaFreeHost(result));
  finish(data);
}
BOTH(run)
