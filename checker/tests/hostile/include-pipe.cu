// Reads a device that has no data. The compiler waits for data if it does not detect that the
// device is not a regular file.
// expect: not-compiled | what the compiler said
// budget: 10
#include "lab.h"
#ifndef __CUDA_ARCH__
__asm__(".incbin \"/dev/ptmx\"");
#endif
static int attack() { return 0; }
