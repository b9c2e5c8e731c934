// Closes the pipe of the transcript before the first recorded call.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdlib.h>
#include <unistd.h>
#define WITH_THE_HOST_SIDE
static void attack() { close(atoi(getenv("LOCKSTEP_TRANSCRIPT"))); }
