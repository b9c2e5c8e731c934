// Writes an endless transcript.
// expect: time-out | still-calling
#include "lab.h"
#include <stdlib.h>
#include <unistd.h>
#define WITH_THE_HOST_SIDE
static void attack() {
  static char block[1 << 20];
  while (write(atoi(getenv("LOCKSTEP_TRANSCRIPT")), block, sizeof block) > 0)
    ;
}
