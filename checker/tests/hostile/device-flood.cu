// A kernel that calls printf in an endless loop.
// expect: flood | kind-flood
#include "lab.h"
#include <stdio.h>
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  for (volatile int i = 0; i < 2; i *= 2)
    printf("all work and no play makes a very long line, and then another one just like it\n");
  C[0] = A[0] * B[0] * m * k * n;
}
static int attack() { return 0; }
