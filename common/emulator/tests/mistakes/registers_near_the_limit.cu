// The kernel needs about as many registers as a thread in a block of 1024 can have. The assembler
// may or may not generate code that needs so few.
//
// kind: not-on-a-gpu
// says: warning: a block of 1024 threads that may need more than the 64 registers that a
// says+ multiprocessor has for each   in kernel heavy
// says:       launched here   @launch
// says:       All threads of a block need their registers at the same time. If a multiprocessor has
// says+ too few registers, the launch returns cudaErrorLaunchOutOfResources. Use smaller blocks, or
// says+ __launch_bounds__.
#include "mistake.h"

#ifdef __clang__
enum { VALUES = 145 };
#else
enum { VALUES = 64 };
#endif

__global__ void heavy(const float *in, float *out) {
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

template <bool RIGHT> void run() {
  float *in = device_array<float>(1024), *out = device_array<float>(1024);
  heavy<<<1, RIGHT ? 512 : 1024>>>(in, out); // <- launch
  finish(in, out);
}
BOTH(run)
