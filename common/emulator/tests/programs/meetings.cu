// Tests synchronisation: groups of lanes with their own masks; threads at barriers inside and
// outside of a function; a barrier of some warps while another warp spins for a result.
// expect: in kernel two_places
// expect: assertion `go[1]' failed
// expect: ok
#include <cassert>

#include "check.h"

__global__ void by_mask(int *bad) {
  int lane = threadIdx.x;
  unsigned mine = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  DEVICE_EXPECT(bad, __ballot_sync(mine, 1) == mine);
  DEVICE_EXPECT(bad, __all_sync(mine, lane < 16) == (lane < 16));
  DEVICE_EXPECT(bad, __any_sync(mine, lane < 16) == (lane < 16));
  DEVICE_EXPECT(bad, __match_any_sync(mine, 7) == mine);
  int sum = lane;
  for (int i = 0; i < lane; i++) // so the lanes arrive one after the other
    sum += __popc(i * sum);
  DEVICE_EXPECT(bad, __shfl_sync(mine, lane, 3, 16) == lane / 16 * 16 + 3);
  DEVICE_EXPECT(bad, __ballot_sync(mine, sum >= 0) == mine);
}

__device__ __noinline__ void wait_inside(int *out) {
  __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void two_places(int *out) {
  if (threadIdx.x < 16) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
      sum += out[i];
    __syncthreads();
    out[threadIdx.x] = sum + 2;
  } else {
    wait_inside(out);
  }
}

__global__ void some_warps(int *out) {
  __shared__ int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x < 64) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 0)
      atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {
    }
  }
  out[threadIdx.x] = 3;
}

__global__ void stopped(volatile int *go) {
  if (threadIdx.x < 16)
    __syncthreads();
  else if (threadIdx.x < 32)
    while (!go[0]) {
    }
  else if (threadIdx.x < 64)
    __syncthreads();
  else
    assert(go[1]);
}

int main() {
  int *device, host[96];
  CHECK(cudaMalloc(&device, sizeof host));
  CHECK(cudaMemset(device, 0, sizeof host));
  by_mask<<<1, 32>>>(device);
  expect_no_line(device);

  two_places<<<1, 64>>>(device);
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 2 && host[15] == 2 && host[16] == 1 && host[63] == 1);

  some_warps<<<1, 96>>>(device);
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 3 && host[95] == 3);

  CHECK(cudaMemset(device, 0, sizeof host));
  stopped<<<1, 96>>>(device);
  EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
  return done();
}
