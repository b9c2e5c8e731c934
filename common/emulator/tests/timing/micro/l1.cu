/* L1: loads that hit, by the number of lines and of banks of a warp's request, and arrays in local
 * memory. */
#include "micro.h"

enum { WORDS = 4096, LOADS = 8 };

/* Lane i loads word place(i) of 16 KB. All words are 0. */
__device__ static int place(int lines, int same_bank) {
  int lane = threadIdx.x % 32, line = lane * lines / 32;
  return line * 32 + (same_bank ? 0 : lane);
}
__global__ void chain(const int *data, int *out, int lines, int same_bank, int rounds,
                      long long *ticks) {
  int at = place(lines, same_bank);
  for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
    at += __ldca(data + i);
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      at += __ldca(data + at);
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
__global__ void stream(const int *data, int *out, int lines, int same_bank, int rounds,
                       long long *ticks) {
  int at = place(lines, same_bank), sum = 0;
  for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
    at += __ldca(data + i);
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++) {
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      sum += __ldca(data + ((at + 32 * k) & (WORDS - 1)));
    at ^= sum;
  }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
/* Each lane counts in an array of its own, at indices of its own or at the same as the others. */
__global__ void own_counts(int *out, int apart, int rounds, long long *ticks) {
  int counts[16];
  for (int k = 0; k < 16; k++)
    counts[k] = out[k];
  uint32_t x = apart ? mix(threadIdx.x) : 12345;
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++) {
    x = x * 1664525u + 1013904223u;
    counts[x >> 28]++;
  }
  TICKS_END(ticks);
  int sum = 0;
  for (int k = 0; k < 16; k++)
    sum += counts[k] * k;
  out[blockIdx.x * blockDim.x + threadIdx.x + 16] = sum;
}

int main() {
  mechanism = "l1";
  const int sms = multiprocessors(), rounds = 64;
  int *data = zeros<int>(WORDS), *out = zeros<int>((size_t)sms * 1024 + 16);
  Ticks one(1), all(sms);
  for (int same_bank = 0; same_bank < 2; same_bank++)
    for (int lines : {1, 2, 4, 8, 16, 32}) {
      const char *banks = same_bank ? "one bank a line" : "all banks";
      char text[64];
      snprintf(text, sizeof text, "chain by lines, %s", banks);
      report(text, lines, one.clocks([&](long long *t) {
        chain<<<1, 32>>>(data, out, lines, same_bank, rounds, t);
      }) / (rounds * LOADS),
             "clocks");
      snprintf(text, sizeof text, "loads by lines, %s, 32 warps", banks);
      report(text, lines, all.clocks([&](long long *t) {
        stream<<<sms, 1024>>>(data, out, lines, same_bank, rounds, t);
      }) / (rounds * LOADS * 32),
             "clocks a warp and SM");
    }
  for (int apart = 0; apart < 2; apart++)
    for (int warps : {1, 8, 32})
      report(apart ? "own array, an index of each lane's, by warps"
                   : "own array, one index, by warps",
             warps, all.clocks([&](long long *t) {
               own_counts<<<sms, 32 * warps>>>(out, apart, 256, t);
             }) / 256 / warps,
             "clocks a warp and SM");
  return 0;
}
