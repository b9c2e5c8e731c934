// expect: forbidden | uses system()
// open: walls | stopped at the sandbox's walls
#include "lab.h"
#include <stdlib.h>
static int attack() { exit(system("touch /tmp/hostile-@TOKEN@; exit 3")); }
