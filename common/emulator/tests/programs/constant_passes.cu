// A load from constant memory takes one pass per different address in its warp, in every code path
// of the emulator. Tests one address for all lanes, a row, a permuted row, pairs of lanes,
// addresses far apart, and half of the lanes.
#include "check.h"
#include "emulator/emulator.h"

__constant__ float numbers[4096];

__global__ void look(const int *index, float *out, int lanes) {
  if (threadIdx.x < lanes)
    out[threadIdx.x] = numbers[index[threadIdx.x]];
}

static void expect_passes(int (*place)(int), int lanes, unsigned long long passes) {
  int host[32], *index;
  float *out;
  EmulatorCounters counters;
  CHECK(cudaMalloc(&index, sizeof host));
  CHECK(cudaMalloc(&out, 32 * sizeof *out));
  for (int i = 0; i < 32; i++)
    host[i] = place(i);
  CHECK(cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice));
  emulator_reset_counters();
  look<<<1, 32>>>(index, out, lanes);
  CHECK(cudaDeviceSynchronize());
  EXPECT(emulator_counters(NULL, &counters));
  EXPECT(counters.constant_requests == 1 && counters.constant_passes == passes);
  CHECK(cudaFree(index));
  CHECK(cudaFree(out));
}

int main() {
  expect_passes([](int) { return 7; }, 32, 1);
  expect_passes([](int i) { return 5 + i; }, 32, 32);
  expect_passes([](int i) { return 31 - i; }, 32, 32);
  expect_passes([](int i) { return i / 2; }, 32, 16);
  expect_passes([](int i) { return i % 4 * 1000; }, 32, 4);
  expect_passes([](int i) { return i * 100; }, 16, 16);
  return done();
}
