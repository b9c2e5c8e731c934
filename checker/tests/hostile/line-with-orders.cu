// A #line contains a file name with right-to-left marks, control codes of a terminal and markup.
// Reports show this name.
// expect: out-of-bounds | read out of bounds
#include "lab.h"
#define OWN_KERNEL
#line 7 "\033[2J\033]0;owned\007<script>alert(1)</script>\xe2\x80\xae.cu"
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  C[m * n + 7] = A[-3];
}
static int attack() { return 0; }
