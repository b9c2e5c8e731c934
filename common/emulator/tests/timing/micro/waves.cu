/* Grids of many waves: microseconds for each thousand blocks, by the threads of a block and by how
 * long a block runs. If shared memory limits the resident blocks, the result shows the time from
 * the end of a block to the start of the next. */
#include "micro.h"

__global__ void live(int clocks) {
  const long long begin = clock64();
  while (clock64() - begin < clocks) {
  }
}
/* A block lives as long as two dependent loads from L2. */
__global__ void load_twice(const int *data, int *out, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i & mask] = data[(data[i & mask] + i) & mask];
}

template <class Launch> static void by_thousand(const char *what, double parameter, Launch launch) {
  const int few = 50000, many = 450000;
  const double first = microseconds([&] { launch(few); }),
               last = microseconds([&] { launch(many); });
  report(what, parameter, (last - first) / (many - few) * 1000, "us");
}

int main() {
  mechanism = "waves";
  const int mask = (1 << 20) - 1;
  int *data = zeros<int>(mask + 1), *out = zeros<int>(mask + 1);
  char text[80];
  CHECK(cudaFuncSetAttribute(live, cudaFuncAttributeMaxDynamicSharedMemorySize, 110 << 10));
  for (int threads : {8, 32, 64, 128, 256, 512, 1024}) {
    for (int clocks : {0, 1000, 4000}) {
      snprintf(text, sizeof text, "blocks that live for %d clocks, by threads", clocks);
      by_thousand(text, threads, [&](int blocks) { live<<<blocks, threads>>>(clocks); });
    }
    by_thousand("blocks that load twice, by threads", threads,
                [&](int blocks) { load_twice<<<blocks, threads>>>(data, out, mask); });
  }
  for (int threads : {32, 128})
    for (int resident : {2, 4, 8, 16}) {
      snprintf(text, sizeof text, "blocks of %d that live for 2000 clocks, by resident ones",
               threads);
      by_thousand(text, resident, [&](int blocks) {
        live<<<blocks, threads, (220 << 10) / resident - 1024>>>(2000);
      });
    }
  return 0;
}
