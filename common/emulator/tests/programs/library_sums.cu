// A library, whose code has no line numbers, may store undefined values in shared memory if they
// are not used. Here each warp stores its sum, and only the sums of warps with elements are added.
// env: LOCKSTEP_STATUS=1
#include "check.h"

#ifdef __clang__
#define LIBRARY __attribute__((nodebug))
#else
#define LIBRARY /* nvcc keeps the line numbers, so all values are defined here */
#endif

static LIBRARY __device__ void leave(float *sums, const float *x, int n) {
#ifdef __clang__
  float sum;
#else
  float sum = 0;
#endif
  if ((int)threadIdx.x < n)
    sum = x[threadIdx.x];
  for (int apart = 16; apart; apart /= 2)
    sum += __shfl_down_sync(~0u, sum, apart);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
}

LIBRARY __global__ void add(float *to, const float *x, int n) {
  __shared__ float sums[4];
  leave(sums, x, n);
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < n / 32; i++)
      sum += sums[i];
    *to = sum;
  }
}

int main() {
  float host[64], *x, *to, sum;
  for (int i = 0; i < 64; i++)
    host[i] = 1;
  CHECK(cudaMalloc(&x, sizeof host));
  CHECK(cudaMalloc(&to, sizeof *to));
  CHECK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  add<<<1, 128>>>(to, x, 64);
  CHECK(cudaMemcpy(&sum, to, sizeof sum, cudaMemcpyDeviceToHost));
  EXPECT(sum == 64);
  CHECK(cudaFree(x));
  CHECK(cudaFree(to));
  puts("ok");
}
