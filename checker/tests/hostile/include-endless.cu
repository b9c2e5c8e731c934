// Includes an endless file, which some compilers treat as an empty file.
// expect: not-compiled/unwritten | score
// score: 0/65
#include "lab.h"
#include "/dev/zero"
static int attack() { return 0; }
