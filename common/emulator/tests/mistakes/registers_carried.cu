// A loop carries 94 values from iteration to iteration, in blocks of 1024 threads. No order of the
// instructions needs fewer registers.
//
// kind: launch-refused
// says: error: a block of 1024 threads that need about 96 registers each, where a multiprocessor
// says+ has 64 for each   in kernel heavy
// says:       launched here   @launch
// says:       The hardware cannot run this launch, so nothing was computed. cudaGetLastError()
// says+ returns the error.
// answers: cudaErrorLaunchOutOfResources
#include "mistake.h"

enum { VALUES = 94 };

static __device__ void mix(const float *in, float *out, int rounds) {
  float a[VALUES], sum = 0;
#pragma unroll
  for (int i = 0; i < VALUES; i++)
    a[i] = in[(threadIdx.x + i) % 1024];
  for (int round = 0; round < rounds; round++)
#pragma unroll
    for (int i = 0; i < VALUES; i++)
      a[i] = a[i] * a[(i + 7) % VALUES] + round;
#pragma unroll
  for (int i = 0; i < VALUES; i++)
    sum += a[i];
  out[threadIdx.x] = sum;
}

__global__ void heavy(const float *in, float *out, int rounds) { mix(in, out, rounds); }
__global__ void __launch_bounds__(1024) bounded(const float *in, float *out, int rounds) {
  mix(in, out, rounds);
}

template <bool RIGHT> void run() {
  float *in = device_array<float>(1024), *out = device_array<float>(1024);
  if (RIGHT) {
    bounded<<<1, 1024>>>(in, out, 3);
    heavy<<<1, 256>>>(in, out, 3);
  } else {
    heavy<<<1, 1024>>>(in, out, 3); // <- launch
  }
  finish(in, out);
}
BOTH(run)
