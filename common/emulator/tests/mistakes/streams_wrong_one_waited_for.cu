// The host waits for one stream, but a third stream and host code use the result of the second one.
//
// kind: not-waited race-between-streams
// says: error: race between streams on allocation 1 (800 bytes), element 0
// says:       kernel count wrote it, in stream 2   @count
// says:       kernel sort_of read it, in stream 3   @sort
// says:       Nothing orders these two operations. Let one stream wait for an event of the other
// says+ (cudaStreamWaitEvent), or use one stream for both.
// says: error: host code touched byte 28 of allocation 3 (800 bytes) before it waited for what
// says+ writes there
// says:       touched here   @look
// says:       cudaMemcpyAsync writes it, in stream 2   @copy
// says:       A launch and an asynchronous copy return at once. The host has to wait for them, for
// says+ instance with cudaDeviceSynchronize().
#include "mistake.h"

__global__ void count(int *data) { data[threadIdx.x] = 200 - threadIdx.x; }
__global__ void sort_of(int *out, const int *data) {
  out[data[threadIdx.x] - 1] = data[threadIdx.x];
}

template <bool RIGHT> void run() {
  enum { N = 200 };
  int *data, *sorted, *seen;
  cudaStream_t a, b, c;
  MUST(cudaMalloc(&data, N * sizeof *data));
  MUST(cudaMalloc(&sorted, N * sizeof *data));
  MUST(cudaMallocHost(&seen, N * sizeof *seen));
  MUST(cudaStreamCreate(&a));
  MUST(cudaStreamCreate(&b));
  MUST(cudaStreamCreate(&c));
  MUST(cudaMemsetAsync(sorted, 0, N * sizeof *data, a));
  count<<<1, N, 0, b>>>(data);                                                    // <- count
  MUST(cudaMemcpyAsync(seen, data, N * sizeof *seen, cudaMemcpyDeviceToHost, b)); // <- copy
  MUST(cudaStreamSynchronize(a));
  if (RIGHT)
    MUST(cudaStreamSynchronize(b));
  sort_of<<<1, N, 0, c>>>(sorted, data); // <- sort
  int seventh = seen[7];                 // <- look
  if (seventh != 193)
    printf("%d\n", seventh);
  MUST(cudaFreeHost(seen));
  finish(data, sorted);
}
BOTH(run)
