// A file that nobody ever writes to: the compiler waits for it, unless it finds out that it is a
// device.
// expect: not-compiled | what the compiler said
// budget: 10
#include "lab.h"
#ifndef __CUDA_ARCH__
__asm__(".incbin \"/dev/ptmx\"");
#endif
static int attack() { return 0; }
