// Tests the predicted time of barriers between blocks on an H200: about a microsecond for each,
// with grid.sync() and with a counter that the blocks poll. A fence of device scope takes time; a
// fence of block scope does not.
// env: LOCKSTEP_CARD=h200
#include "check.h"

#include <cooperative_groups.h>

#include "emulator/emulator.h"

enum { BLOCKS = 100, THREADS = 128, FEW = 4, MANY = 24 };

__global__ void sync_grid(int *out, int rounds) {
  for (int i = 0; i < rounds; i++) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = i;
    cooperative_groups::this_grid().sync();
  }
}
__global__ void fence(int *out, int rounds) {
  for (int i = 0; i < rounds; i++) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = i;
    __threadfence();
  }
}
__global__ void fence_block(int *out, int rounds) {
  for (int i = 0; i < rounds; i++) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = i;
    __threadfence_block();
  }
}

static double predicted_us(void (*kernel)(int *, int), int *out, int rounds) {
  EmulatorPrediction p = {};
  void *arguments[] = {&out, &rounds};
  emulator_reset_counters();
  CHECK(cudaLaunchCooperativeKernel((void *)kernel, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0));
  CHECK(cudaDeviceSynchronize());
  EXPECT(emulator_predicted(NULL, &p) && !p.unknown);
  return p.us;
}
static double us_each(void (*kernel)(int *, int), int *out) {
  return (predicted_us(kernel, out, MANY) - predicted_us(kernel, out, FEW)) / (MANY - FEW);
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, BLOCKS * THREADS * sizeof *out));
  const double grid = us_each(sync_grid, out), wide = us_each(fence, out),
               narrow = us_each(fence_block, out);
  printf("grid.sync %.3f us, fence %.3f us, fence of the block %.3f us\n", grid, wide, narrow);
  EXPECT(grid > 0.5 && grid < 1.4);
  EXPECT(wide > 0.2 && wide < 0.8);
  EXPECT(narrow < 0.1);
  CHECK(cudaFree(out));
  return done();
}
