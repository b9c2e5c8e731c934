// Tests locks: blocks change data one after the other, with plain loads and stores between two
// fences. Each thread takes the lock, or one thread per block; each bin has its own lock; a token
// is passed from block to block.
#include "check.h"

struct Lock {
  int *mutex;
  __device__ void take() {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void give() {
    __threadfence();
    atomicExch(mutex, 0);
  }
};

__global__ void by_thread(Lock lock, float *sum, int *entries) {
  if (threadIdx.x == 0) {
    lock.take();
    *sum += blockIdx.x;
    atomicAdd(entries, 1); // this atomic does not release the lock
    *sum += 1;
    lock.give();
  }
}

__global__ void by_block(Lock lock, int *sums) {
  if (threadIdx.x == 0)
    lock.take();
  __syncthreads();
  sums[threadIdx.x] += threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    lock.give();
}

__global__ void by_bin(int *mutexes, int *bins, int nbins) {
  int bin = (blockIdx.x * blockDim.x + threadIdx.x) % nbins;
  for (bool done = false; !done;) {
    Lock lock = {mutexes + bin};
    if (atomicCAS(lock.mutex, 0, 1) == 0) {
      __threadfence();
      bins[bin] += 1;
      lock.give();
      done = true;
    }
  }
}

__global__ void by_token(volatile int *turn, int *sum) {
  if (threadIdx.x == 0) {
    while (*turn != (int)blockIdx.x) {
    }
    __threadfence();
    *sum = *sum * 2 + 1;
    __threadfence();
    *turn = blockIdx.x + 1;
  }
}

int main() {
  int *device, host[128];
  float *sum, total;
  CHECK(cudaMalloc(&device, sizeof host));
  CHECK(cudaMalloc(&sum, sizeof total));
  CHECK(cudaMemset(device, 0, sizeof host));
  CHECK(cudaMemset(sum, 0, sizeof total));
  by_thread<<<8, 32>>>(Lock{device}, sum, device + 1);
  LAUNCHED();
  CHECK(cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost));
  EXPECT(total == 8 * 7 / 2 + 8);

  by_block<<<6, 64>>>(Lock{device}, device + 64);
  LAUNCHED();
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 64; t++)
    EXPECT(host[64 + t] == 6 * t);

  CHECK(cudaMemset(device, 0, sizeof host));
  by_bin<<<3, 64>>>(device, device + 64, 10);
  LAUNCHED();
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (int bin = 0; bin < 10; bin++)
    EXPECT(host[64 + bin] == 192 / 10 + (bin < 192 % 10));

  CHECK(cudaMemset(device, 0, sizeof host));
  by_token<<<9, 32>>>(device, device + 1);
  LAUNCHED();
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[1] == 511);
  CHECK(cudaFree(device));
  CHECK(cudaFree(sum));
  return done();
}
