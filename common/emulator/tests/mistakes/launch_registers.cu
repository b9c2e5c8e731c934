// A kernel needs more registers than a block of 1024 threads can have. With __launch_bounds__ the
// compiler keeps values in local memory; smaller blocks need fewer registers.
//
// kind: launch-refused
// says: error: a block of 1024 threads that need about 168 registers each, where a multiprocessor
// says+ has 64 for each   in kernel heavy
// says:       launched here   @launch
// says:       The hardware cannot run this launch, so nothing was computed. cudaGetLastError()
// says+ returns the error.
// answers: cudaErrorLaunchOutOfResources
#include "mistake.h"

enum { VALUES = 160 };

static __device__ void mix(const float *in, float *out) {
  float a[VALUES], sum = 0;
#pragma unroll
  for (int i = 0; i < VALUES; i++)
    a[i] = in[(threadIdx.x + i) % 1024];
  for (int round = 0; round < 3; round++)
#pragma unroll
    for (int i = 0; i < VALUES; i++)
      a[i] = a[i] * a[(i + 7) % VALUES] + round;
#pragma unroll
  for (int i = 0; i < VALUES; i++)
    sum += a[i];
  out[threadIdx.x] = sum;
}

__global__ void heavy(const float *in, float *out) { mix(in, out); }
__global__ void __launch_bounds__(1024) bounded(const float *in, float *out) { mix(in, out); }

template <bool RIGHT> void run() {
  float *in = device_array<float>(1024), *out = device_array<float>(1024);
  cudaFuncAttributes heavies;
  MUST(cudaFuncGetAttributes(&heavies, heavy));
  if (heavies.maxThreadsPerBlock != 384)
    printf("%d\n", heavies.maxThreadsPerBlock);
  if (RIGHT) {
    bounded<<<1, 1024>>>(in, out);
    heavy<<<1, heavies.maxThreadsPerBlock>>>(in, out);
  } else {
    heavy<<<1, 1024>>>(in, out); // <- launch
  }
  finish(in, out);
}
BOTH(run)
