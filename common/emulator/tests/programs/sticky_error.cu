// A kernel fails. The launch returns no error; the next call that waits, and every later call,
// returns the error.
// env: LOCKSTEP_QUIET=1
#include "check.h"

__global__ void wild(int *p) { *p = 1; }

// The last page below 2^47. Linux never maps it, so a GPU also reports an error. The memory after a
// small buffer may be mapped.
static int *const nowhere = (int *)0x7ffffffff000;

int main() {
  int *device, host = 5;
  CHECK(cudaMalloc(&device, sizeof host));
  wild<<<1, 1>>>(nowhere);
  LAUNCHED();
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  EXPECT(host == 5);
  wild<<<1, 1>>>(nowhere);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
  EXPECT(cudaFree(device) == cudaErrorIllegalAddress);
  int count;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaDeviceReset());
  EXPECT(cudaMalloc(&device, 8) == cudaErrorDevicesUnavailable);
  return done();
}
