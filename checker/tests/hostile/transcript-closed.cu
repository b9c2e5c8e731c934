// Nobody listens any more: the pipe is shut before anything was asked.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdlib.h>
#include <unistd.h>
#define WITH_THE_HOST_SIDE
static void attack() { close(atoi(getenv("LOCKSTEP_TRANSCRIPT"))); }
