// Includes the compiler's precompiled header.
// expect: not-compiled | file not found
#include "lab.h"
#include "parsed/host.float.h.pch"
static int attack() { return 0; }
