// A device function that calls itself endlessly. Its stack is in the emulated device's memory.
// expect: stack | calls nested too deep
#include "lab.h"
#define OWN_KERNEL
__device__ __noinline__ real deeper(const real *at, int level) {
  real room[64];
  for (int i = 0; i < 64; i++)
    room[i] = at[i & 1] + level;
  return level < 0 ? room[0] : deeper(room, level + 1) + room[level & 63];
}
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  C[0] = deeper(A, 0);
}
static int attack() { return 0; }
