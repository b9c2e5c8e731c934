// Includes a pipe that has no writer. The compiler waits for it, unless it detects that this is no
// regular file.
// expect: not-compiled | what the compiler said
// budget: 10
#include "lab.h"
#ifndef __CUDA_ARCH__
__asm__(".incbin \"/dev/ptmx\"");
#endif
static int attack() { return 0; }
