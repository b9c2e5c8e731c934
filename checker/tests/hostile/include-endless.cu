// A file without an end.
// expect: not-compiled/unwritten | score 0/100
#include "lab.h"
#include "/dev/zero"
static int attack() { return 0; }
