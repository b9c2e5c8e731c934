// With LOCKSTEP_SAMPLES_ONLY, only the blocks that are sampled for the predicted time run. A block
// that waits for a block that does not run is ended, and the time is unknown. If blocks wait only
// for sampled blocks, the time is known.
// env: LOCKSTEP_SAMPLES_ONLY=1 LOCKSTEP_CARD=h200 LOCKSTEP_QUIET=1 LOCKSTEP_WORKERS=4
#include "check.h"

#include <cstring>

#include "emulator/emulator.h"

template <int BLOCKS> __global__ void hand_on(volatile int *flag, int *sum) {
  if (threadIdx.x == 0) {
    while (blockIdx.x > 0 && flag[blockIdx.x - 1] == 0) {
    }
    *sum += blockIdx.x;
    __threadfence();
    flag[blockIdx.x] = 1;
  }
}
// The first block computes for a while before the other blocks continue.
template <int RUN> __global__ void wait_for_first(volatile int *flag, int *sum) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    unsigned x = 1;
    for (int i = 0; i < 200000; i++)
      x = x * 1664525 + (x >> 16);
    *sum = (int)x;
    __threadfence();
    *flag = 1;
  } else if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
  }
}
__global__ void alone(int *flag) { flag[blockIdx.x] = 1; }
__global__ void count(int *ran) { atomicAdd(ran, 1); }

template <int BLOCKS> static bool is_known(int *flag, int *sum) {
  char name[64];
  EmulatorPrediction p;
  CHECK(cudaMemset(flag, 0, BLOCKS * sizeof *flag));
  hand_on<BLOCKS><<<BLOCKS, 64>>>(flag, sum);
  CHECK(cudaDeviceSynchronize());
  snprintf(name, sizeof name, "_Z7hand_onILi%dEEvPViPi", BLOCKS);
  EXPECT(emulator_predicted(name, &p) && p.us > 0);
  EXPECT(!p.unknown || strstr(p.unknown, "blocks wait"));
  return !p.unknown;
}

// Only the first launch of a kernel is sampled.
template <int RUN> static uint64_t waits(int *flag, int *sum) {
  EmulatorCounters counters;
  CHECK(cudaMemset(flag, 0, sizeof *flag));
  emulator_reset_counters();
  wait_for_first<RUN><<<4096, 64>>>(flag, sum);
  CHECK(cudaDeviceSynchronize());
  EXPECT(emulator_counters(NULL, &counters) && counters.warp_instructions > 200000);
  return counters.warp_instructions;
}

int main() {
  const int most = 4096;
  int *flag, *sum, ran[3];
  CHECK(cudaMalloc(&flag, most * sizeof *flag));
  CHECK(cudaMalloc(&sum, sizeof *sum));
  EXPECT(is_known<3>(flag, sum)); // all of them run
  EXPECT(!is_known<100>(flag, sum));
  EXPECT(!is_known<1024>(flag, sum));
  EXPECT(!is_known<most>(flag, sum));
  // The number of polls is the same in each run, however fast the host's threads are.
  const uint64_t instructions = waits<0>(flag, sum);
  EXPECT(waits<1>(flag, sum) == instructions && waits<2>(flag, sum) == instructions);
  EmulatorPrediction p;
  alone<<<most, 64>>>(flag);
  EXPECT(emulator_predicted("_Z5alonePi", &p) && !p.unknown && p.us > 0);

  CHECK(cudaMemset(sum, 0, sizeof *sum));
  for (int &now : ran) {
    count<<<most, 1>>>(sum);
    CHECK(cudaMemcpy(&now, sum, sizeof now, cudaMemcpyDeviceToHost));
  }
  EXPECT(ran[0] > 0 && ran[0] < 100 && ran[1] == ran[0] && ran[2] == ran[0]);
  return done();
}
