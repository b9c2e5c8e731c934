// Ends the program with status 0 in a constructor, before main.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdlib.h>
__attribute__((constructor)) static void early() { exit(0); }
static int attack() { return 0; }
