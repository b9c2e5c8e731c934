/* Measures the wavefronts of one load by a warp from an array in shared memory. Lane i reads
 * element i·stride. `make record` runs the program for each width of a bank (LOCKSTEP_BANKS).
 */
#include "emulator/emulator.h"
#include <stdio.h>

#define LANES 32
#define LONGEST 40

template <typename T> __global__ void load(float *out, int stride) {
  __shared__ T x[LANES * LONGEST];
  int lane = threadIdx.x;
  for (int row = 0; row < LONGEST; row++)
    x[row * LANES + lane] = lane;
  __syncthreads();
  out[lane] = (float)x[lane * stride];
}

template <typename T> static unsigned long long wavefronts(float *out, int stride) {
  EmulatorCounters now = {};
  emulator_reset_counters();
  load<T><<<1, LANES>>>(out, stride);
  if (cudaDeviceSynchronize() == cudaSuccess)
    emulator_counters(NULL, &now);
  return now.shared_load_requests == 1 ? now.shared_load_wavefronts : 0;
}

int main() {
  float *out;
  cudaMalloc(&out, LANES * sizeof(float));
  printf("stride,float,double\n");
  bool counted = true;
  for (int stride = 1; stride <= LONGEST; stride++) {
    unsigned long long of_float = wavefronts<float>(out, stride),
                       of_double = wavefronts<double>(out, stride);
    counted = counted && of_float && of_double;
    printf("%d,%llu,%llu\n", stride, of_float, of_double);
  }
  cudaFree(out);
  return !counted;
}
