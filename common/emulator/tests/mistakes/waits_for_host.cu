// A kernel waits for a value that the host writes while it runs. This is right on a GPU, but the
// emulated device cannot do it.
//
// kind: unsupported
// says: error: kernel waits for a store by the host, which continues only after the kernel   in
// says+ kernel wait_for
// says:       thread (0,0) of block (0,0) is still waiting here   @here
// says:       The emulated device cannot run this kernel.
// answers: cudaErrorLaunchTimeout
// env: LOCKSTEP_LIMIT=100000
#include "mistake.h"

__global__ void wait_for(volatile int *flag, int *seen) {
  while (*flag == 0) { // <- here
  }
  *seen = *flag;
}

template <bool RIGHT> void run() {
  int *flag, *seen = device_array<int>(1);
  MUST(cudaMallocHost(&flag, sizeof *flag));
  *flag = RIGHT;
  wait_for<<<1, 1>>>(flag, seen);
  if (!RIGHT)
    *(volatile int *)flag = 1;
  finish(seen);
  if (RIGHT)
    MUST(cudaFreeHost(flag));
}
BOTH(run)
