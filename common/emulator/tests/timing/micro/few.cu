/* Grids of a few blocks: the rate at which some SMs read from DRAM, and stores of parts of sectors
 * that stay in L2. */
#include "micro.h"

/* Each thread has EACH loads in flight. */
template <int EACH>
__global__ void read(const uint4 *data, uint4 *out, size_t count, long long *ticks) {
  const size_t step = (size_t)gridDim.x * blockDim.x;
  uint4 sum = {0, 0, 0, 0};
  TICKS_BEGIN();
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += EACH * step) {
    uint4 v[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
      v[k] = __ldcs(data + i + k * step);
#pragma unroll
    for (int k = 0; k < EACH; k++)
      sum.x ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
/* A warp stores 32 words `stride` words apart, in memory that fits L2. */
__global__ void parts(float *data, uint32_t mask, int stride, int rounds, long long *ticks) {
  uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  uint32_t warps = gridDim.x * blockDim.x / 32;
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
    data[((warp + i * warps) * 32 * stride + lane * stride) & mask] = (float)i;
  TICKS_END(ticks);
}

int main() {
  mechanism = "few";
  const int sms = multiprocessors();
  const size_t bytes = (size_t)1 << 30;
  uint4 *data = zeros<uint4>(bytes / 16), *out = zeros<uint4>((size_t)sms * 1024);
  for (int threads : {32, 256, 1024})
    for (int blocks : {1, 4, 16, 66, 132}) {
      Ticks ticks(blocks);
      const size_t count = (size_t)blocks * threads * 256;
      char text[64];
      snprintf(text, sizeof text, "read, 1 load a thread, blocks of %d", threads);
      report(text, blocks, (double)count * 16 / blocks / ticks.clocks([&](long long *t) {
        CHECK(cudaMemset(data, 0, (size_t)128 << 20));
        read<1><<<blocks, threads>>>(data + (bytes / 32), out, count, t);
      }),
             "bytes a clock and SM");
      snprintf(text, sizeof text, "read, 8 loads a thread, blocks of %d", threads);
      report(text, blocks, (double)count * 16 / blocks / ticks.clocks([&](long long *t) {
        CHECK(cudaMemset(data, 0, (size_t)128 << 20));
        read<8><<<blocks, threads>>>(data + (bytes / 32), out, count, t);
      }),
             "bytes a clock and SM");
    }
  Ticks all(sms);
  for (int stride : {1, 2, 4, 8, 16, 32})
    report("stores of a word, 16 MB, by bytes apart", 4 * stride, all.clocks([&](long long *t) {
      parts<<<sms, 1024>>>((float *)data, (1 << 22) - 1, stride, 128, t);
    }) / (128 * 32),
           "clocks a warp and SM");
  return 0;
}
