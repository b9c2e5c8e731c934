// Tests __nv_atomic loads and stores, whose memory order lets a flag pass data without a race.
#include "check.h"

__device__ int flag;
__device__ int data;
__device__ long long wide;

__global__ void hand(int *out) {
  if (blockIdx.x == 0) {
    data = 41;
    __nv_atomic_store_n(&wide, 1LL << 40, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store_n(&flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (!__nv_atomic_load_n(&flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE))
      ;
    *out = data + (__nv_atomic_load_n(&wide, __NV_ATOMIC_RELAXED) == 1LL << 40);
  }
}

int main() {
  int *out, seen = 0;
  CHECK(cudaMalloc(&out, sizeof *out));
  hand<<<2, 1>>>(out);
  CHECK(cudaMemcpy(&seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen == 42);
  CHECK(cudaFree(out));
  puts("ok");
  return 0;
}
