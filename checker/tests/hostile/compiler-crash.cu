// The compiler ends with a crash and offers the source for a report.
// expect: not-compiled | what the compiler said
#include "lab.h"
#pragma clang __debug crash
static int attack() { return 0; }
