// Computes prefix sums of more elements than a block has threads, in three launches: each block
// scans its part by shuffles, the sums of the blocks are scanned recursively, and each sum is added
// to the next part.
#include "inputs.h"

enum { THREADS = 128, WARPS = THREADS / 32 };

__device__ long long warp_scan(long long value) {
  for (int distance = 1; distance < 32; distance *= 2) {
    long long before = __shfl_up_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 >= distance)
      value += before;
  }
  return value;
}

__global__ void scan_parts(const long long *in, long long *out, int n, long long *sums) {
  __shared__ long long of_warp[WARPS];
  int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  long long value = warp_scan(i < n ? in[i] : 0);
  if (lane == 31)
    of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) {
    long long sum = warp_scan(lane < WARPS ? of_warp[lane] : 0);
    if (lane < WARPS)
      of_warp[lane] = sum;
  }
  __syncthreads();
  if (warp > 0)
    value += of_warp[warp - 1];
  if (i < n)
    out[i] = value;
  if (sums && threadIdx.x == THREADS - 1)
    sums[blockIdx.x] = value;
}

__global__ void add_before(long long *out, int n, const long long *sums) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (blockIdx.x > 0 && i < n)
    out[i] += sums[blockIdx.x - 1];
}

static void scan(const long long *in, long long *out, int n) {
  int blocks = ceil_div(n, THREADS);
  if (blocks == 1) {
    scan_parts<<<1, THREADS>>>(in, out, n, nullptr);
    LAUNCHED();
    return;
  }
  long long *sums = device_array<long long>(blocks), *scanned = device_array<long long>(blocks);
  scan_parts<<<blocks, THREADS>>>(in, out, n, sums);
  LAUNCHED();
  scan(sums, scanned, blocks);
  add_before<<<blocks, THREADS>>>(out, n, scanned);
  LAUNCHED();
  CHECK(cudaFree(sums));
  CHECK(cudaFree(scanned));
}

int main() {
  for (int n : {1, 31, 128, 129, 4000, 40007}) { // the last size needs three levels
    std::vector<long long> in(n), expected(n);
    long long sum = 0;
    for (int i = 0; i < n; i++)
      expected[i] = sum += in[i] = ((long long)random_bits() << 8) - (1ll << 38);
    long long *d_in = to_device(in), *d_out = device_array<long long>(n);
    scan(d_in, d_out, n);
    EXPECT(to_host(d_out, n) == expected);
    scan(d_in, d_in, n); // in place
    EXPECT(to_host(d_in, n) == expected);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
  }
  return done();
}
