/* Constant memory: latency and throughput of loads by the number of different words of a warp, and
 * by footprint. */
#include "micro.h"

enum { WORDS = 16384, LOADS = 16 };
__constant__ int table[WORDS];

/* A chain: each address depends on the word before, all of which are 0. */
__global__ void chain(int *out, int words, int distance, int mask, int step, int rounds,
                      long long *ticks) {
  int at = threadIdx.x % 32 % words * distance;
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      at = (at + step + table[at]) & mask;
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

/* Independent loads. */
__global__ void stream(int *out, int words, int distance, int rounds, long long *ticks) {
  int at = threadIdx.x % 32 % words * distance, sum = 0;
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++) {
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      sum += table[at + k];
    at ^= i & 1; /* not the same loads again */
  }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Loads of words at random. */
__global__ void random_words(int *out, int mask, int rounds, long long *ticks) {
  uint32_t x = threadIdx.x;
  int sum = 0;
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
      x = x * 1664525u + 1013904223u;
      sum += table[x >> 16 & mask];
    }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Loads of two neighbouring words at random, as an interpolation does. */
__global__ void random_pairs(int *out, int mask, int rounds, long long *ticks) {
  uint32_t x = threadIdx.x;
  int sum = 0;
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < LOADS / 2; k++) {
      x = x * 1664525u + 1013904223u;
      sum += table[x >> 16 & mask] * table[(x >> 16 & mask) + 1];
    }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
/* Each warp loads such a pair once, after a load from global memory. */
__global__ void pairs_once(const int *index, int *out, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int at = index[i] + (int)((uint32_t)i * 1664525u + 1013904223u >> 16) & mask;
  out[i] = table[at] * table[at + 1];
}

int main() {
  mechanism = "constants";
  const int sms = multiprocessors(), rounds = 64;
  int *out = zeros<int>((size_t)sms * 1024);
  Ticks one(1), all(sms);
  for (int distance : {1, 16, 64})
    for (int words : {1, 2, 4, 8, 16, 32}) {
      char text[64];
      snprintf(text, sizeof text, "chain of words %d apart", distance);
      double clocks = one.clocks(
          [&](long long *t) { chain<<<1, 32>>>(out, words, distance, WORDS - 1, 0, rounds, t); });
      report(text, words, clocks / (rounds * LOADS), "clocks");
      for (int warps : {4, 32}) {
        snprintf(text, sizeof text, "loads of words %d apart by %d warps", distance, warps);
        clocks = all.clocks(
            [&](long long *t) { stream<<<sms, 32 * warps>>>(out, words, distance, rounds, t); });
        report(text, words, clocks / (rounds * LOADS * warps), "clocks a warp and SM");
      }
    }
  for (int bytes = 512; bytes <= 65536; bytes *= 2)
    report("chain over a footprint, steps of 64 bytes", bytes, one.clocks([&](long long *t) {
      chain<<<1, 32>>>(out, 1, 1, bytes / 4 - 1, 16, 4 * rounds, t);
    }) / (4 * rounds * LOADS),
           "clocks");
  for (int words = 1; words <= WORDS; words *= 2)
    for (int warps : {1, 32}) {
      char text[64];
      snprintf(text, sizeof text, "loads of words at random, %d warps, by words", warps);
      report(text, words, all.clocks([&](long long *t) {
        random_words<<<sms, 32 * warps>>>(out, words - 1, rounds, t);
      }) / (rounds * LOADS * warps),
             "clocks a warp and SM");
    }
  for (int words = 1; words < WORDS; words *= 2) {
    for (int warps : {1, 8, 32}) {
      char text[64];
      snprintf(text, sizeof text, "pairs of words at random, %d warps, by words", warps);
      report(text, words, all.clocks([&](long long *t) {
        random_pairs<<<sms, 32 * warps>>>(out, words - 1, rounds, t);
      }) / (rounds * LOADS * warps),
             "clocks a load, warp and SM");
    }
    int *index = zeros<int>(1 << 22);
    report("a pair at random once, 4194304 threads, by words", words,
           microseconds([&] { pairs_once<<<1 << 14, 256>>>(index, index, words - 1); }), "us");
    CHECK(cudaFree(index));
  }
  return 0;
}
