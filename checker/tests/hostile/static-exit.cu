// Calls exit while the static objects are constructed, before main. The sandbox contains the
// program.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdlib.h>
static int attack() { exit(0); }
