// A compiler's messages show lines of what it reads.
// expect: not-compiled | file not found
#include "lab.h"
#include "/etc/passwd"
static int attack() { return 0; }
