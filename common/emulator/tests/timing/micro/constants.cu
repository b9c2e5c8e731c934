/* Constant memory: latency and throughput of loads, by footprint and by the number of different
 * words that a warp reads. */
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
  return 0;
}
