// Loads of one address that widen and that do not, after another buffer was read the same way: how
// the lanes' addresses lie is remembered from access to access.
#include "check.h"

__global__ void widened(const int *other, const int *data, int *bad) {
  int lane = threadIdx.x, before = other[lane];
  __syncthreads();
  long long wide = data[lane];
  int narrow = data[lane + 32];
  DEVICE_EXPECT(bad, before == -lane);
  DEVICE_EXPECT(bad, wide == 100 + lane);
  DEVICE_EXPECT(bad, narrow == 132 + lane);
}

int main() {
  int *other, *data, *bad;
  CHECK(cudaMallocManaged(&other, 64 * sizeof(int)));
  CHECK(cudaMallocManaged(&data, 64 * sizeof(int)));
  CHECK(cudaMallocManaged(&bad, sizeof(int)));
  for (int i = 0; i < 64; i++) {
    other[i] = -i;
    data[i] = 100 + i;
  }
  *bad = 0;
  widened<<<1, 32>>>(other, data, bad);
  CHECK(cudaDeviceSynchronize());
  EXPECT(*bad == 0);
  CHECK(cudaFree(other));
  CHECK(cudaFree(data));
  CHECK(cudaFree(bad));
  return done();
}
