// A thread waits for a flag that no thread sets.
//
// kind: endless
// says: error: kernel does not end: a warp took more than 100000 branches   in kernel wait_for
// says:       thread (0,0) of block (0,0) is still looping here   @here
// says:       The loop does not end. Look at its condition, and at the variables that should change
// says+ it. A value that another thread stores may never arrive.
// answers: cudaErrorLaunchTimeout
// env: LOCKSTEP_LIMIT=100000
#include "mistake.h"

__global__ void wait_for(volatile int *flag) {
  while (*flag == 0) { // <- here
  }
}

template <bool RIGHT> void run() {
  int *flag = device_array<int>(1);
  MUST(cudaMemset(flag, RIGHT, sizeof *flag));
  wait_for<<<1, 32>>>(flag);
  finish(flag);
}
BOTH(run)
