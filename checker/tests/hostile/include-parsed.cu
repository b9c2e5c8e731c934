// Includes the precompiled headers of the compiler, and asks where they are.
// expect: not-compiled | file not found
#include "lab.h"
#include "parsed/host.float.h.pch"
static int attack() { return 0; }
