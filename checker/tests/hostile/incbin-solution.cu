// Reads a file with the assembler's .incbin.
// expect: not-compiled | incbin
#include "lab.h"
#include <stdio.h>
__asm__(
    ".section .rodata\nsolution: .incbin \"@ROOT@/solutions/01-naive/naive.cu\"\n.byte 0\n.text");
extern "C" const char solution[];
static int attack() { return puts(solution); }
