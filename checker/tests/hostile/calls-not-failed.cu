// Changes the transcript to hide which call failed and how many calls were made.
// expect: unwritten | none-written
#include "lab.h"
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#define WITH_THE_HOST_SIDE
static void attack() {
  const uint64_t leave[] = {1 | 2 << 16, 0, 0, 0, 0};
  if (write(atoi(getenv("LOCKSTEP_TRANSCRIPT")), leave, sizeof leave) < 0)
    abort();
  _exit(0);
}
