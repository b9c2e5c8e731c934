// Uses barriers with numbers that do not exist and with a wrong number of threads.
// expect: deadlock | barrier 100032 of a block that has 16
#include "lab.h"
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
#ifdef __CUDA_ARCH__
  asm volatile("bar.sync %0, %1;" ::"r"(100000 + m), "r"(77777));
#endif
  C[0] = 1;
}
static int attack() { return 0; }
