// Includes a system file, because a compiler's messages show lines of the files that it reads.
// expect: not-compiled | file not found
#include "lab.h"
#include "/etc/passwd"
static int attack() { return 0; }
