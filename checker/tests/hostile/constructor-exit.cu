// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdlib.h>
__attribute__((constructor)) static void early() { exit(0); }
static int attack() { return 0; }
