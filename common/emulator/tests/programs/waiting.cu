// Threads that wait for each other must make progress, as on current GPUs: lanes of a warp that
// wait for a lock held by another lane, and blocks that wait for a later block.
#include "check.h"

__global__ void lock_in_turn(int *mutex, volatile int *sum) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
  *sum = *sum + 1;
  __threadfence();
  atomicExch(mutex, 0);
}

// Block b waits for block b + 1. The last block does not wait.
__global__ void chain(volatile int *flag, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    while (b + 1 < n && flag[b + 1] == 0) {
    }
    __threadfence();
    flag[b] = b + 1 < n ? flag[b + 1] + 1 : 1;
  }
  __syncthreads();
}

// The last block to finish sums the results of all blocks.
__global__ void last_block(volatile int *part, int *arrived, int *sum) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    last = atomicAdd(arrived, 1) == (int)gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0)
    for (int b = 0; b < (int)gridDim.x; b++)
      *sum += part[b];
}

int main() {
  int *device, host[64];
  CHECK(cudaMalloc(&device, sizeof host));
  CHECK(cudaMemset(device, 0, sizeof host));
  lock_in_turn<<<2, 64>>>(device, device + 1);
  LAUNCHED();
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[1] == 128);

  CHECK(cudaMemset(device, 0, sizeof host));
  chain<<<12, 32>>>(device, 12);
  LAUNCHED();
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 12);

  CHECK(cudaMemset(device, 0, sizeof host));
  last_block<<<20, 32>>>(device, device + 20, device + 21);
  LAUNCHED();
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[21] == 20 * 21 / 2);
  CHECK(cudaFree(device));
  return done();
}
