// Names a shell as the program's loader. The sandbox does not contain a shell.
// expect: not-started | not-started
#include "lab.h"
#ifndef __CUDA_ARCH__
__attribute__((section(".interp"), used)) static const char interpreter[] = "/bin/sh";
__asm__(".section .note.GNU-stack,\"x\",@progbits\n.text");
#endif
static int attack() { return 0; }
