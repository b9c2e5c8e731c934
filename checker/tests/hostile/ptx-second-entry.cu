// Assembly that ends the kernel and begins another kernel of the same name, which a parser could
// use instead.
// expect: device-code | function matmul is
// score: 0
#include "lab.h"
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
#ifdef __CUDA_ARCH__
  asm volatile(
      "ret;\n}\n.visible .entry matmul(.param .u64 a) {\nret;\n}\n.visible .entry BREACH() {");
#endif
}
static int attack() { return 0; }
