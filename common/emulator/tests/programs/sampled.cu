/* Kernels with known samples, which samples_test.c compares with the samples in the log.
 *
 * Each line has one access, which the test finds by the comment at the end of the line.
 */
#include <cstdio>

#include "emulator/emulator.h"

#define BLOCKS 5
#define THREADS 96

__global__ void first(const float *matrix, float *out, int columns) {
  extern __shared__ float dynamic[];
  __shared__ float fixed[THREADS];
  int thread = threadIdx.x;
  fixed[thread] = 1;
  dynamic[thread] = matrix[thread / 32 * columns + thread % 32]; // row by row
  __syncthreads();
  if (blockIdx.x >= 2 && thread >= 40)
    out[blockIdx.x * THREADS + thread] = dynamic[thread - 40] + fixed[0]; // late and partly
  if (blockIdx.x == 3 && thread % 2)
    atomicAdd(&out[blockIdx.x * THREADS], fixed[thread]); // atomic
}

/* One load instruction reads two buffers: the lower half of the warp reads a, the upper half b. */
__global__ void both(const float *a, const float *b, float *out) {
  const float *p = threadIdx.x < 16 ? a : b;
  out[threadIdx.x] = p[threadIdx.x]; // two buffers
}

/* Only the second and the third launch execute the access. */
__global__ void later(float *out, int when, int now) {
  if (now >= when)
    out[blockIdx.x * 32 + threadIdx.x + now] = 1; // second launch
}

int main() {
  float *matrix, *out;
  size_t bytes = 1024 * sizeof(float);
  cudaMalloc(&matrix, bytes);
  cudaMalloc(&out, bytes);
  emulator_name(matrix, "M", 16, 32, sizeof(float));
  cudaMemset(matrix, 0, bytes);
  cudaMemset(out, 0, bytes);
  first<<<BLOCKS, THREADS, THREADS * sizeof(float)>>>(matrix, out, 32);
  both<<<1, 32>>>(matrix, out, out + 100);
  emulator_reset_counters(); // does not change the log
  for (int now = 0; now < 3; now++)
    later<<<2, 32>>>(out, 1, now);
  EmulatorCounters counters;
  int forgotten = !emulator_counters("_Z5firstPKfPfi", &counters);
  cudaError_t error = cudaDeviceSynchronize();
  cudaFree(matrix);
  cudaFree(out);
  if (error != cudaSuccess || !forgotten)
    printf("%s, counters %s\n", cudaGetErrorString(error), forgotten ? "forgotten" : "kept");
  return error != cudaSuccess || !forgotten;
}
