// Several host threads use the device at once, each with its own stream and memory.
#include "check.h"
#include <pthread.h>

__global__ void fill(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = value + i;
}

static void *work(void *argument) {
  const int n = 500, value = *(int *)argument;
  int *device, host[n];
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&device, sizeof host));
  for (int round = 0; round < 10; round++) {
    fill<<<(n + 63) / 64, 64, 0, stream>>>(device, n, value + round);
    LAUNCHED();
    CHECK(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++)
      EXPECT(host[i] == value + round + i);
  }
  CHECK(cudaFree(device));
  CHECK(cudaStreamDestroy(stream));
  return nullptr;
}

int main() {
  pthread_t threads[4];
  int values[4] = {0, 1000, 2000, 3000};
  for (int i = 0; i < 4; i++)
    EXPECT(pthread_create(&threads[i], nullptr, work, &values[i]) == 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], nullptr);
  return done();
}
