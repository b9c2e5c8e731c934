/* Address translation: random reads of pieces of 64 bytes, and chains of dependent random reads, by
 * footprint. micro-h200.csv shows no reach of the TLB up to 16 GB: chains take 729 to 745 clocks at
 * all footprints, and the rate only falls with the share that L2 holds. The model has no TLB. */
#include "micro.h"

enum { EACH = 8, BLOCK = 256, PIECE = 64, LOADS = 4096 };

/* Each lane reads a piece of its own, so that a warp's request touches up to 32 pages. */
__global__ void random_pieces(const uint32_t *data, uint32_t *out, uint32_t pieces) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < EACH; k++)
    sum += data[(size_t)(mix(thread * EACH + k) & (pieces - 1)) * (PIECE / 4)];
  if (sum)
    out[thread] = sum;
}

/* One thread. Each address depends on the value that the previous load returned (0). */
__global__ void chain(const uint32_t *data, uint32_t *out, uint32_t pieces, uint32_t seed,
                      long long *ticks) {
  uint32_t value = 0;
  TICKS_BEGIN();
  for (uint32_t i = 0; i < LOADS; i++)
    value = __ldcg(data + (size_t)(mix(seed + i + value) & (pieces - 1)) * (PIECE / 4));
  TICKS_END(ticks);
  *out = value;
}

int main() {
  mechanism = "tlb";
  const size_t most = (size_t)16 << 30, flushed = (size_t)256 << 20;
  char *memory = zeros<char>(most), *other = zeros<char>(flushed);
  const int threads = 1 << 22;
  uint32_t *out = zeros<uint32_t>(threads);
  Ticks one(1);
  uint32_t seed = 1;
  for (size_t bytes = (size_t)64 << 20; bytes <= most; bytes *= 2) {
    const uint32_t pieces = (uint32_t)(bytes / PIECE);
    double us = microseconds(
        [&] { random_pieces<<<threads / BLOCK, BLOCK>>>((uint32_t *)memory, out, pieces); });
    report("pieces of 64 bytes at random", bytes, (double)threads * EACH * PIECE / us / 1000,
           "GB/s of pieces");
    report("chain of random reads", bytes, one.clocks([&](long long *t) {
      CHECK(cudaMemset(other, 0, flushed)); /* L2 holds no piece */
      chain<<<1, 1>>>((uint32_t *)memory, out, pieces, seed += LOADS, t);
    }) / LOADS,
           "clocks");
  }
  return 0;
}
