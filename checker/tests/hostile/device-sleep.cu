// Kernels that sleep until the lab's time is used up.
// expect: unwritten | some-not-written
#include "lab.h"
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  for (int i = 0; i < 100000; i++)
    __nanosleep(1000000);
  C[0] = 1;
}
static int attack() { return 0; }
