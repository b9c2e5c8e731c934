// A kernel with an endless loop. The emulated device ends the kernel, so the checker does not have
// to stop the program.
// expect: endless | kernel does not end
#include "lab.h"
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  for (int i = 0; i < k; i = (i + 1) % k)
    ;
  C[0] = A[0] * B[0] * m * k * n;
}
static int attack() { return 0; }
