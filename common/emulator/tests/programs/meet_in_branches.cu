// Lanes in two branches must synchronise if both execute the same warp function with the same mask.
#include "check.h"

__global__ void vote(int *out) {
  int t = threadIdx.x, upper = t >= 16;
  if (t < 16)
    out[t] = __all_sync(0xffffffff, upper);
  else
    out[t] = __all_sync(0xffffffff, upper) + 2;
}

__global__ void hand_over(int *out) {
  __shared__ volatile int s[32];
  int t = threadIdx.x;
  if (t < 16) {
    for (int i = 0; i <= t; i++)
      s[t] = i * t;
    __syncwarp();
    out[t] = t;
  } else {
    __syncwarp();
    out[t] = s[t - 16];
  }
}

__global__ void exchange(int *out) {
  int t = threadIdx.x, value = 100 + t;
  if (t % 2 == 0) {
    int other = __shfl_xor_sync(0xffffffff, value, 1);
    out[t] = other * 2;
  } else {
    value += 1000;
    for (int i = 0; i < t; i++)
      value++;
    out[t] = __shfl_xor_sync(0xffffffff, value, 1) - 1;
  }
}

int main() {
  int *out, host[32];
  CHECK(cudaMalloc(&out, sizeof host));
  vote<<<1, 32>>>(out);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++)
    EXPECT(host[i] == (i < 16 ? 0 : 2));
  hand_over<<<1, 32>>>(out);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 16; i < 32; i++)
    EXPECT(host[i] == (i - 16) * (i - 16));
  exchange<<<1, 32>>>(out);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i += 2)
    EXPECT(host[i] == (1101 + i + i + 1) * 2 && host[i + 1] == 100 + i - 1);
  CHECK(cudaFree(out));
  return 0;
}
