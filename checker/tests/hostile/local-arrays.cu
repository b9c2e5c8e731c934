// A kernel with large arrays in local memory. All threads together need more than the memory of the
// machine.
// expect: device-code | more than 1048576
// score: 0
#include "lab.h"
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  real mine[1 << 22];
  for (int i = 0; i < 1 << 22; i += 1024)
    mine[i ^ (m & 1)] = A[0] + i;
  C[0] = mine[k];
}
static int attack() { return 0; }
