// What the compiler was given ready-made, and where from.
// expect: not-compiled | file not found
#include "lab.h"
#include "parsed/host.float.h.pch"
static int attack() { return 0; }
