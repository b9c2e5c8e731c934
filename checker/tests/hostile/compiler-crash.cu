// Crashes the compiler, which then offers the source for a bug report.
// expect: not-compiled | what the compiler said
#include "lab.h"
#pragma clang __debug crash
static int attack() { return 0; }
