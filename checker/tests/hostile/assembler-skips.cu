// Assembly of three lines that makes an object file of a terabyte.
// expect: not-compiled | invalid .org offset
#include "lab.h"
__asm__(".data\n.org 1099511627776\n.byte 1\n.text");
static int attack() { return 0; }
