// The same with a static object, as C++ has them; the walls do.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdlib.h>
static int attack() { exit(0); }
