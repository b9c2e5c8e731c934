// A clock that the host reads directly after a launch measures the launch, not the kernel. The
// second and third measurement have no report: a later read of the clock includes the kernel, or an
// event measures the kernel.
//
// kind: not-on-a-gpu
// says: warning: a clock is read after a launch that the host has not waited for   in kernel square
// says:       the clock is read here   @again
// says:       launched here   @launched
// says:       A launch returns before its kernel has run, so this time does not include the kernel.
// says+ Call cudaDeviceSynchronize() before the clock is read again.
#include <sys/time.h>
#include <time.h>

#include "mistake.h"

__global__ void square(int *x) { x[threadIdx.x] *= x[threadIdx.x]; }

static double now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now); // <- again
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static double day() {
  timeval now;
  gettimeofday(&now, NULL);
  return now.tv_sec + 1e-6 * now.tv_usec;
}

template <bool RIGHT> void run() {
  int *x = device_array<int>(32);
  cudaEvent_t event;
  MUST(cudaEventCreate(&event));
  double start = now();
  square<<<1, 32>>>(x); // <- launched
  if (RIGHT)
    MUST(cudaDeviceSynchronize());
  double seconds = now() - start;
  MUST(cudaMemset(x, 0, sizeof *x));

  start = day();
  square<<<1, 32>>>(x);
  double launch = day() - start;
  MUST(cudaDeviceSynchronize());
  double both = day() - start;

  start = now();
  square<<<1, 32>>>(x);
  MUST(cudaEventRecord(event));
  double queued = now() - start;
  if (seconds < 0 || launch > both || queued < 0)
    printf("%g %g %g %g\n", seconds, launch, both, queued);
  MUST(cudaEventDestroy(event));
  finish(x);
}
BOTH(run)
