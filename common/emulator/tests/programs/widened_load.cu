// Tests loads of one address with and without conversion to a wider type after a similar read of
// another buffer, because the emulator caches the pattern of addresses. Also tests narrowing
// stores: clang copies a struct of two ints through 64-bit registers.
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

struct Pair {
  int first, second;
};

// A volatile access reads memory again. The next access must not reuse the value of the volatile
// access.
__global__ void beside_volatile(const int *other, const Pair *pairs, int *bad) {
  int lane = threadIdx.x, before = other[lane];
  __syncthreads();
  int first = *(const volatile int *)&pairs[lane].first, second = pairs[lane].second;
  DEVICE_EXPECT(bad, before == -lane);
  DEVICE_EXPECT(bad, first == 100 + 2 * lane);
  DEVICE_EXPECT(bad, second == 101 + 2 * lane);
}

__global__ void reversed(const Pair *in, Pair *out) { out[31 - threadIdx.x] = in[threadIdx.x]; }

static void copy_pairs() {
  Pair *in, *out;
  CHECK(cudaMallocManaged(&in, 32 * sizeof(Pair)));
  CHECK(cudaMallocManaged(&out, 32 * sizeof(Pair)));
  for (int i = 0; i < 32; i++)
    in[i] = Pair{i + 1, -7 * i};
  reversed<<<1, 32>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; i++)
    EXPECT(out[31 - i].first == i + 1 && out[31 - i].second == -7 * i);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
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
  beside_volatile<<<1, 32>>>(other, (const Pair *)data, bad);
  CHECK(cudaDeviceSynchronize());
  EXPECT(*bad == 0);
  CHECK(cudaFree(other));
  CHECK(cudaFree(data));
  CHECK(cudaFree(bad));
  copy_pairs();
  return done();
}
