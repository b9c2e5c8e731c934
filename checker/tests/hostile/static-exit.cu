// Calls exit in a static object's constructor in C++. The sandbox handles it.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdlib.h>
static int attack() { exit(0); }
