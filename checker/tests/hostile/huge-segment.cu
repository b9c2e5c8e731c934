// A program header that requests more memory than the address space has.
// expect: crash | host-crashed
#include "lab.h"
#ifndef __CUDA_ARCH__
__asm__(".section .huge,\"aw\",@nobits\n.skip 0x7f0000000000\n.text");
#endif
static int attack() { return 0; }
