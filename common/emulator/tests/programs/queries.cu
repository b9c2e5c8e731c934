// Tests the calls that query whether work is finished. A GPU returns "not ready" until the work is
// finished. The emulated device returns this for the first query after new work; the second query
// waits.
#include "check.h"

__global__ void count(int *n) { atomicAdd(n, 1); }

static void default_stream(int *n) {
  EXPECT(cudaStreamQuery(0) == cudaSuccess);
  count<<<1, 32>>>(n);
  LAUNCHED();
  EXPECT(cudaStreamQuery(0) == cudaErrorNotReady);
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(cudaStreamQuery(0) == cudaSuccess);
  count<<<1, 32>>>(n);
  CHECK(cudaDeviceSynchronize());
  EXPECT(cudaStreamQuery(0) == cudaSuccess);
}

static void events(int *n) {
  cudaEvent_t before, after;
  float ms = -1;
  CHECK(cudaEventCreate(&before));
  CHECK(cudaEventCreate(&after));
  EXPECT(cudaEventQuery(after) == cudaSuccess);
  CHECK(cudaEventRecord(before));
  count<<<1, 32>>>(n);
  CHECK(cudaEventRecord(after));
  EXPECT(cudaEventQuery(after) == cudaErrorNotReady);
  while (cudaEventQuery(after) == cudaErrorNotReady)
    ;
  EXPECT(cudaEventQuery(before) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, before, after));
  EXPECT(ms >= 0);
  CHECK(cudaEventDestroy(before));
  CHECK(cudaEventDestroy(after));
}

static void two_streams(int *n) {
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  count<<<1, 32, 0, one>>>(n);
  LAUNCHED();
  EXPECT(cudaStreamQuery(two) == cudaSuccess);
  EXPECT(cudaStreamQuery(one) == cudaErrorNotReady);
  count<<<1, 32, 0, one>>>(n);
  EXPECT(cudaStreamQuery(one) == cudaErrorNotReady);
  EXPECT(cudaStreamQuery(one) == cudaSuccess);
  count<<<1, 32, 0, two>>>(n);
  EXPECT(cudaStreamQuery(one) == cudaSuccess);
  CHECK(cudaStreamSynchronize(two));
  EXPECT(cudaStreamQuery(two) == cudaSuccess);
  CHECK(cudaStreamDestroy(one));
  CHECK(cudaStreamDestroy(two));
}

int main() {
  int *n, host;
  CHECK(cudaMalloc(&n, sizeof *n));
  CHECK(cudaMemset(n, 0, sizeof *n));
  CHECK(cudaDeviceSynchronize());
  default_stream(n);
  events(n);
  two_streams(n);
  CHECK(cudaMemcpy(&host, n, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host == 6 * 32);
  CHECK(cudaFree(n));
  return done();
}
