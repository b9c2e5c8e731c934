// Tests predicted times of code that nvcc and clang compile in different ways: a store to one of
// two local variables, and a loop whose step is signed or unsigned.
// env: LOCKSTEP_CARD=h200
#include "check.h"

#include "emulator/emulator.h"

enum { BLOCKS = 264, THREADS = 256, COUNT = 1 << 22 };

__global__ void chosen(float *out, const float *x, int count) {
  int low = 0, high = count - 1;
  float at = (blockIdx.x * THREADS + threadIdx.x) * 1e-5f;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    (x[middle] <= at ? low : high) = middle;
  }
  out[blockIdx.x * THREADS + threadIdx.x] = low;
}

__global__ void branched(float *out, const float *x, int count) {
  int low = 0, high = count - 1;
  float at = (blockIdx.x * THREADS + threadIdx.x) * 1e-5f;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (x[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  out[blockIdx.x * THREADS + threadIdx.x] = low;
}

template <class T> __global__ void sums(float *out, const float *in, int count) {
  float sum = 0;
  T all = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += all)
    sum += in[i];
  out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

typedef void Kernel(float *, const float *, int);
static double predicted_us(Kernel *kernel, float *out, const float *in) {
  EmulatorPrediction p = {};
  emulator_reset_counters();
  kernel<<<BLOCKS, THREADS>>>(out, in, COUNT);
  CHECK(cudaDeviceSynchronize());
  EXPECT(emulator_predicted(NULL, &p) && p.launches == 1);
  return p.us;
}

int main() {
  float *in, *out;
  CHECK(cudaMalloc(&in, COUNT * sizeof *in));
  CHECK(cudaMalloc(&out, BLOCKS * THREADS * sizeof *out));
  CHECK(cudaMemset(in, 0, COUNT * sizeof *in));
  const double choice = predicted_us(chosen, out, in), branch = predicted_us(branched, out, in);
  const double with_sign = predicted_us(sums<int>, out, in);
  const double without = predicted_us(sums<unsigned>, out, in);
  printf("choice %.3f us, branch %.3f us, signed %.3f us, unsigned %.3f us\n", choice, branch,
         with_sign, without);
  EXPECT(choice < 1.03 * branch && branch < 1.03 * choice);
  EXPECT(without > 1.5 * with_sign);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return done();
}
