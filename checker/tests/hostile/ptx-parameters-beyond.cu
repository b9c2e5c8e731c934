// Reads a parameter that the kernel does not have, by an offset from a parameter.
// expect: unsupported | lies outside of the parameter that
#include "lab.h"
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
#ifdef __CUDA_ARCH__
  unsigned long long found;
  asm volatile("ld.param.u64 %0, [matmul_param_0+65536];" : "=l"(found));
  ((unsigned long long *)C)[0] = found;
#endif
}
static int attack() { return 0; }
