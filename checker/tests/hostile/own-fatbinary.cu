// Places its own device code before the compiler's, where a replay searches for kernels.
// expect: unwritten | none-written
// score: 0
#include "lab.h"
#ifndef __CUDA_ARCH__
__attribute__((section(".nv_fatbin"), used)) static const char junk[256] =
    ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry matmul() { ret; }\n";
#endif
static int attack() { return 0; }
