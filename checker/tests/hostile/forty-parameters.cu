// A kernel with more parameters than the launch has arguments.
// expect: no-output | a kernel's parameters are not those of
#include "lab.h"
#define OWN_KERNEL
#define FIVE(a)                                                                                    \
  unsigned long long a##1, unsigned long long a##2, unsigned long long a##3,                       \
      unsigned long long a##4, unsigned long long a##5
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n,
                                  FIVE(a), FIVE(b), FIVE(c), FIVE(d), FIVE(e), FIVE(f), FIVE(g)) {
  C[0] = (real)(a1 + b2 + c3 + d4 + e5 + f1 + g5);
}
static int attack() { return 0; }
