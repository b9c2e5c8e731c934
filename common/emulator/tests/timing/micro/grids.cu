/* Barriers of a whole grid: clocks from one to the next, by the number of blocks and of their
 * threads. cooperative_groups' grid.sync(), and the barrier that programs write themselves. */
#include "micro.h"

#include <cooperative_groups.h>

__global__ void sync_grid(int rounds, long long *ticks) {
  auto grid = cooperative_groups::this_grid();
  grid.sync();
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
    grid.sync();
  TICKS_END(ticks);
}

/* Thread 0 adds to a counter and polls it until all blocks have added. */
__device__ void meet(unsigned *arrived, unsigned until) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (*(volatile unsigned *)arrived < until) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void meet_often(int rounds, unsigned *arrived, long long *ticks) {
  unsigned until = gridDim.x;
  meet(arrived, until);
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
    meet(arrived, until += gridDim.x);
  TICKS_END(ticks);
}
/* The same after each thread has stored a word: the fence waits for it. */
__global__ void store_and_sync(int rounds, int *out, long long *ticks) {
  auto grid = cooperative_groups::this_grid();
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  grid.sync();
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++) {
    out[thread] = i;
    grid.sync();
  }
  TICKS_END(ticks);
}

int main() {
  mechanism = "grids";
  const int sms = multiprocessors();
  int rounds = 200, *out = zeros<int>((size_t)sms * 2048);
  unsigned *arrived = zeros<unsigned>(1);
  for (int threads : {32, 128, 256, 1024})
    for (int blocks : {1, 2, 8, 33, 66, 100, sms, 2 * sms, 4 * sms, 8 * sms, 16 * sms}) {
      if (blocks * threads > sms * 2048)
        continue;
      Ticks each(blocks);
      char text[64];
      snprintf(text, sizeof text, "grid.sync, blocks of %d", threads);
      report(text, blocks, each.clocks([&](long long *ticks) {
        void *arguments[] = {&rounds, &ticks};
        CHECK(cudaLaunchCooperativeKernel((void *)sync_grid, dim3(blocks), dim3(threads), arguments,
                                          0, 0));
      }) / rounds,
             "clocks");
      snprintf(text, sizeof text, "grid.sync after a store, blocks of %d", threads);
      report(text, blocks, each.clocks([&](long long *ticks) {
        void *arguments[] = {&rounds, &out, &ticks};
        CHECK(cudaLaunchCooperativeKernel((void *)store_and_sync, dim3(blocks), dim3(threads),
                                          arguments, 0, 0));
      }) / rounds,
             "clocks");
      snprintf(text, sizeof text, "counter and polls, blocks of %d", threads);
      report(text, blocks, each.clocks([&](long long *ticks) {
        CHECK(cudaMemset(arrived, 0, sizeof *arrived));
        meet_often<<<blocks, threads>>>(rounds, arrived, ticks);
      }) / rounds,
             "clocks");
    }
  return 0;
}
