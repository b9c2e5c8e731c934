// An object file of a terabyte, by three words.
// expect: not-compiled | invalid .org offset
#include "lab.h"
__asm__(".data\n.org 1099511627776\n.byte 1\n.text");
static int attack() { return 0; }
