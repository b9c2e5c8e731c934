// LOCKSTEP_SAMPLES_ONLY executes only some blocks, to predict a time. If a block waits for a block
// that is not executed, the waiting block ends, and the time is unknown. If blocks wait only for
// executed blocks, the time is known.
// env: LOCKSTEP_SAMPLES_ONLY=1 LOCKSTEP_CARD=h200 LOCKSTEP_QUIET=1
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

int main() {
  const int most = 4096;
  int *flag, *sum, ran[3];
  CHECK(cudaMalloc(&flag, most * sizeof *flag));
  CHECK(cudaMalloc(&sum, sizeof *sum));
  EXPECT(is_known<3>(flag, sum)); // all blocks are executed
  EXPECT(!is_known<100>(flag, sum));
  EXPECT(!is_known<1024>(flag, sum));
  EXPECT(!is_known<most>(flag, sum));
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
