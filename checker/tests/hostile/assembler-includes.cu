// Uses directives of the assembler to read files of the machine.
// expect: not-compiled | Could not find include file
#include "lab.h"
__asm__(".include \"/lockstep/out/said\"");
__asm__(".incbin \"/etc/ld.so.cache\"");
__asm__(".incbin \"/lockstep/common/harness/matmul.c\"");
static int attack() { return 0; }
