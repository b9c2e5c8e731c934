// A kernel that waits for what never comes is stopped, with the line where it spins.
//
// env: LOCKSTEP_LIMIT=100000
// expect: kernel does not end: a warp took more than 100000 branches   in kernel wait_for_ever
// expect: endless.cu:10
// expect: ok
#include "check.h"

__global__ void wait_for_ever(volatile int *flag) {
  while (*flag == 0) {
  }
}

int main() {
  int *flag;
  CHECK(cudaMalloc(&flag, sizeof *flag));
  CHECK(cudaMemset(flag, 0, sizeof *flag));
  wait_for_ever<<<1, 32>>>(flag);
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  return done();
}
