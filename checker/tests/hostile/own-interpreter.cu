// The program's loader is to be a shell, which the sandbox does not have.
// expect: not-started | not-started
#include "lab.h"
#ifndef __CUDA_ARCH__
__attribute__((section(".interp"), used)) static const char interpreter[] = "/bin/sh";
__asm__(".section .note.GNU-stack,\"x\",@progbits\n.text");
#endif
static int attack() { return 0; }
