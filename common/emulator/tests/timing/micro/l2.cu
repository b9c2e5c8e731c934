/* The L2 cache: bandwidth by the number of SMs and by footprint, chains of loads by the number of
 * warps, and the latency by SM. */
#include "micro.h"

/* Each block reads the whole footprint, starting at a different place. The loads bypass L1. */
template <class T> __device__ static uint32_t sum_of(T v);
template <> __device__ uint32_t sum_of(uint32_t v) { return v; }
template <> __device__ uint32_t sum_of(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }
template <class T>
__global__ void sweep(const T *data, uint32_t *out, uint32_t mask, int rounds, long long *ticks) {
  uint32_t at = (mix(blockIdx.x) & mask & ~1023u) + threadIdx.x, sum = 0;
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++, at += blockDim.x)
      sum += sum_of(__ldcg(data + (at & mask)));
  }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* A chain of loads in each thread. The lanes of a warp access `lines` different lines. */
__global__ void chains(const uint32_t *data, uint32_t *out, uint32_t mask, int lines, int rounds,
                       long long *ticks) {
  uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  uint32_t at = mix(warp * 32 + lane % lines);
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
    at = at * 1664525u + 1013904223u + __ldcg(data + ((at >> 7) & mask) * 32 + lane / lines);
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

int main() {
  mechanism = "l2";
  const int sms = multiprocessors();
  uint32_t *data = zeros<uint32_t>((size_t)32 << 20), *out = zeros<uint32_t>((size_t)sms * 2048);
  for (size_t bytes : {1 << 18, 1 << 20, 1 << 22, 1 << 24, 24 << 20, 1 << 25, 1 << 26})
    for (int blocks : {1, 2, 4, 8, 16, 33, 66, 132}) {
      if ((bytes & (bytes - 1)) || (blocks != sms && bytes != 1 << 22))
        continue;
      Ticks ticks(blocks);
      const int rounds = 64;
      char text[80];
      for (int wide = 0; wide < 2; wide++) {
        const double clocks = ticks.clocks([&](long long *t) {
          if (wide)
            sweep<<<blocks, 1024>>>((uint4 *)data, out, (uint32_t)(bytes / 16 - 1), rounds, t);
          else
            sweep<<<blocks, 1024>>>(data, out, (uint32_t)(bytes / 4 - 1), rounds, t);
        });
        snprintf(text, sizeof text, "read of %d bytes a thread, %zu KB, by SMs", wide ? 16 : 4,
                 bytes >> 10);
        report(text, blocks, 8.0 * rounds * 1024 * (wide ? 16 : 4) / clocks,
               "bytes a clock and SM");
      }
    }
  for (size_t bytes : {1 << 20, 1 << 22, 1 << 24, 1 << 25})
    for (int lines : {1, 4, 32})
      for (int warps : {1, 4, 8, 16, 32}) {
        Ticks ticks(sms);
        char text[80];
        snprintf(text, sizeof text, "chains, %d lines a load, %zu MB, by warps of an SM", lines,
                 bytes >> 20);
        report(text, warps, ticks.clocks([&](long long *t) {
          chains<<<sms, 32 * warps>>>(data, out, (uint32_t)(bytes / 128 - 1), lines, 256, t);
        }) / 256,
               "clocks a load");
      }
  for (size_t bytes = 1 << 18; bytes <= (size_t)1 << 27; bytes *= 2) {
    Ticks one(1);
    report("chain of one warp by footprint", (double)bytes, one.clocks([&](long long *t) {
      chains<<<1, 32>>>(data, out, (uint32_t)(bytes / 128 - 1), 1, 4096, t);
    }) / 4096,
           "clocks a load");
  }
  Ticks all(sms);
  all.clocks([&](long long *t) { chains<<<sms, 32>>>(data, out, (1 << 15) - 1, 1, 1024, t); });
  std::sort(all.host.begin(), all.host.end());
  for (int percent : {0, 25, 50, 75, 100})
    report("chain in 4 MB, percentile of the SMs", percent,
           all.host[percent * (sms - 1) / 100] / 1024.0, "clocks a load");
  return 0;
}
