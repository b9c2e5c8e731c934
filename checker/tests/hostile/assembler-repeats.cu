// Makes the assembler repeat a line until memory is full.
// expect: not-compiled | the compiler was stopped
// compile: 20
#include "lab.h"
__asm__(".data\n.rept 2000000000\n.quad 1, 2, 3, 4\n.endr\n.text");
static int attack() { return 0; }
