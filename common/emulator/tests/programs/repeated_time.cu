// Tests the predicted time of a kernel that is launched again. A launch that uses the next part of
// a buffer has the same time. A launch that executes as many instructions at other addresses has
// another time.
// env: LOCKSTEP_CARD=h200
#include "check.h"

#include "emulator/emulator.h"

enum { BLOCKS = 2048, THREADS = 256, ROUNDS = 16, COUNT = BLOCKS * THREADS * ROUNDS };

__global__ void sums(float *out, const float *in, int apart) {
  float sum = 0;
  for (int i = 0; i < ROUNDS; i++)
    sum += in[blockIdx.x * apart + i * THREADS + threadIdx.x];
  out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

static double predicted_us(float *out, const float *in, int apart) {
  EmulatorPrediction p = {};
  emulator_reset_counters();
  sums<<<BLOCKS, THREADS>>>(out, in, apart);
  CHECK(cudaDeviceSynchronize());
  EXPECT(emulator_predicted(NULL, &p) && p.launches == 1);
  return p.us;
}

int main() {
  float *in, *out;
  CHECK(cudaMalloc(&in, COUNT * sizeof *in));
  CHECK(cudaMalloc(&out, COUNT * sizeof *out));
  CHECK(cudaMemset(in, 0, COUNT * sizeof *in));
  /* The first, second and fourth launch are sampled. */
  const double first = predicted_us(out, in, 0), second = predicted_us(out + THREADS, in, 0);
  predicted_us(out, in, 0);
  const double apart = predicted_us(out, in, ROUNDS * THREADS);
  printf("first %.3f us, second %.3f us, apart %.3f us\n", first, second, apart);
  EXPECT(first == second);
  EXPECT(apart > 1.5 * first);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return done();
}
