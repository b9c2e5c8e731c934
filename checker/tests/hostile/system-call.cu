// Calls system() to write a file.
// expect: walls | kind-walls
#include "lab.h"
#include <stdlib.h>
static int attack() { exit(system("touch /tmp/hostile-@TOKEN@; exit 3")); }
