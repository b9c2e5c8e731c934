// Jumps through a table with an index far past its end.
// expect: unwritten | some-not-written
#include "lab.h"
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
#ifdef __CUDA_ARCH__
  unsigned index = 0x7ffffff0u + m;
  asm volatile(
      "{\nplaces: .branchtargets here, there;\nbrx.idx %0, places;\nhere:\nthere:\n}" ::"r"(index));
#endif
  C[0] = 1;
}
static int attack() { return 0; }
