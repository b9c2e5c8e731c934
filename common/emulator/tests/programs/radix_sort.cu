// Sorts signed integers and their positions by radix, 4 bits per pass: counts digits per block,
// scans the counts of each digit over all blocks, writes the elements. Every pass is stable.
#include "inputs.h"
#include <algorithm>

enum { THREADS = 128, WARPS = THREADS / 32, DIGITS = 16 };

struct Pair {
  int key;
  int index;
};

__device__ int digit_of(int key, int shift) {
  return (((unsigned)key ^ 0x80000000u) >> shift) % DIGITS; // negative keys first
}

// Stores counts[digit][block]. A scan in this order gives the output position of each digit.
__global__ void count_digits(const Pair *in, int n, int shift, int *counts) {
  __shared__ int local[DIGITS];
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (threadIdx.x < DIGITS)
    local[threadIdx.x] = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(&local[digit_of(in[i].key, shift)], 1);
  __syncthreads();
  if (threadIdx.x < DIGITS)
    counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

// Runs in one block of 1024 threads. Each thread sums a part, the sums are scanned, and each thread
// scans its part.
__global__ void scan_exclusive(int *values, int n) {
  __shared__ int sums[1024];
  int t = threadIdx.x, length = (n + 1023) / 1024, sum = 0;
  for (int i = t * length; i < min(n, (t + 1) * length); i++)
    sum += values[i];
  sums[t] = sum;
  for (int distance = 1; distance < 1024; distance *= 2) {
    __syncthreads();
    int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
  }
  int before = sums[t] - sum;
  for (int i = t * length; i < min(n, (t + 1) * length); i++) {
    int value = values[i];
    values[i] = before;
    before += value;
  }
}

__global__ void scatter(const Pair *in, int n, int shift, const int *starts, Pair *out) {
  __shared__ int of_warp[WARPS][DIGITS];
  int t = threadIdx.x, warp = t / 32, i = blockIdx.x * THREADS + t;
  for (int k = t; k < WARPS * DIGITS; k += THREADS)
    of_warp[k / DIGITS][k % DIGITS] = 0;
  __syncthreads();
  int digit = i < n ? digit_of(in[i].key, shift) : DIGITS;
  unsigned same = __match_any_sync(0xffffffffu, digit), below = same & ((1u << t % 32) - 1);
  if (i < n && below == 0)
    of_warp[warp][digit] = __popc(same);
  __syncthreads();
  if (i >= n)
    return;
  int place = starts[digit * gridDim.x + blockIdx.x] + __popc(below);
  for (int w = 0; w < warp; w++)
    place += of_warp[w][digit];
  out[place] = in[i];
}

static void run(int n, int keys) {
  const int blocks = ceil_div(n, THREADS);
  std::vector<Pair> pairs(n);
  for (int i = 0; i < n; i++)
    pairs[i] = Pair{keys ? random_below(keys) - keys / 3 : (int)random_bits(), i};
  Pair *from = to_device(pairs), *to = device_array<Pair>(n);
  int *counts = device_array<int>(DIGITS * blocks);
  for (int shift = 0; shift < 32; shift += 4) {
    count_digits<<<blocks, THREADS>>>(from, n, shift, counts);
    scan_exclusive<<<1, 1024>>>(counts, DIGITS * blocks);
    scatter<<<blocks, THREADS>>>(from, n, shift, counts, to);
    LAUNCHED();
    std::swap(from, to);
  }
  std::vector<Pair> sorted = to_host(from, n);
  std::stable_sort(pairs.begin(), pairs.end(), [](Pair a, Pair b) { return a.key < b.key; });
  for (int i = 0; i < n; i++)
    EXPECT(sorted[i].key == pairs[i].key && sorted[i].index == pairs[i].index);
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  CHECK(cudaFree(counts));
}

int main() {
  run(1, 0);
  run(129, 7);
  run(2500, 0);
  run(6001, 500);
  return done();
}
