// Estimates pi from random points, with three random number generators that need no library: a
// linear congruential generator that skips ahead, xorshift with a seed per thread, and Philox, a
// function of its counter. All numbers are integers, so the host must count the same hits.
#include "inputs.h"
#include <cmath>

enum { THREADS = 96, BLOCKS = 7, DARTS = 40 };

__host__ __device__ bool hits(unsigned x, unsigned y) { // uses the upper 16 bits
  unsigned long long a = x >> 16, b = y >> 16;
  return a * a + b * b < 1ull << 32;
}

// Returns the state after `steps` steps of x -> a x + c, by repeated squaring of the step.
__host__ __device__ unsigned leap(unsigned x, unsigned long long steps) {
  unsigned a = 1664525u, c = 1013904223u;
  for (; steps; steps /= 2) {
    if (steps % 2)
      x = a * x + c;
    c *= a + 1;
    a *= a;
  }
  return x;
}

__host__ __device__ int congruential(unsigned thread) {
  unsigned x = leap(12345u, 2ull * DARTS * thread);
  int count = 0;
  for (int i = 0; i < DARTS; i++) {
    unsigned first = x = 1664525u * x + 1013904223u, second = x = 1664525u * x + 1013904223u;
    count += hits(first, second);
  }
  return count;
}

__host__ __device__ int xorshift(unsigned thread) {
  unsigned long long x = (thread + 1) * 0x9e3779b97f4a7c15ull;
  int count = 0;
  for (int i = 0; i < DARTS; i++) {
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    unsigned long long bits = x * 0x2545f4914f6cdd1dull;
    count += hits((unsigned)(bits >> 32), (unsigned)bits);
  }
  return count;
}

__host__ __device__ unsigned high_product(unsigned a, unsigned b) {
#ifdef __CUDA_ARCH__
  return __umulhi(a, b);
#else
  return (unsigned)((unsigned long long)a * b >> 32);
#endif
}

// Computes Philox4x32 with ten rounds.
__host__ __device__ void philox(unsigned n[4], unsigned key0, unsigned key1) {
  for (int round = 0; round < 10; round++) {
    unsigned high0 = high_product(0xd2511f53u, n[0]), low0 = 0xd2511f53u * n[0];
    unsigned high1 = high_product(0xcd9e8d57u, n[2]), low1 = 0xcd9e8d57u * n[2];
    n[0] = high1 ^ n[1] ^ key0;
    n[1] = low1;
    n[2] = high0 ^ n[3] ^ key1;
    n[3] = low0;
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
}

__host__ __device__ int counter_based(unsigned thread) {
  int count = 0;
  for (unsigned i = 0; i < DARTS; i += 2) {
    unsigned n[4] = {i / 2, thread, 0, 0};
    philox(n, 0xcafef00du, 42);
    count += hits(n[0], n[1]) + hits(n[2], n[3]);
  }
  return count;
}

__global__ void throw_darts(int *counts) {
  unsigned thread = blockIdx.x * THREADS + threadIdx.x;
  int found[3] = {congruential(thread), xorshift(thread), counter_based(thread)};
  for (int k = 0; k < 3; k++) {
    for (int offset = 16; offset > 0; offset /= 2)
      found[k] += __shfl_down_sync(0xffffffffu, found[k], offset);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&counts[k], found[k]);
  }
}

int main() {
  unsigned ones[4] = {~0u, ~0u, ~0u, ~0u}; // a known answer of the reference implementation
  philox(ones, ~0u, ~0u);
  EXPECT(ones[0] == 0x408f276du && ones[1] == 0x41c83b0eu && ones[2] == 0xa20bc7c6u &&
         ones[3] == 0x6d5451fdu);
  int *d_counts = device_zeros<int>(3), expected[3] = {};
  throw_darts<<<BLOCKS, THREADS>>>(d_counts);
  LAUNCHED();
  std::vector<int> counts = to_host(d_counts, 3);
  for (unsigned t = 0; t < BLOCKS * THREADS; t++) {
    expected[0] += congruential(t);
    expected[1] += xorshift(t);
    expected[2] += counter_based(t);
  }
  for (int k = 0; k < 3; k++) {
    EXPECT(counts[k] == expected[k]);
    double pi = 4.0 * counts[k] / (BLOCKS * THREADS * DARTS);
    EXPECT(fabs(pi - 3.14159265) < 0.06); // six standard deviations
  }
  CHECK(cudaFree(d_counts));
  return done();
}
