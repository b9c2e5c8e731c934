// Adds thousands of sections, which make a linear search slow.
// expect: unwritten | none-written
#include "lab.h"
#ifndef __CUDA_ARCH__
asm(".altmacro\n.macro many n\n.section .many\\n, \"a\"\n.quad 1\n.endm\n.set i, 0\n.rept 60000\n"
    "many %i\n.set i, i + 1\n.endr\n.text\n");
#endif
static int attack() { return 0; }
