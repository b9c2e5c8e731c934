// Writes its own transcript, with lengths past the end and a call that does not exist.
// expect: not-repeated | no such call
#include "lab.h"
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#define WITH_THE_HOST_SIDE
static void attack() {
  const uint64_t words[] = {0xfffe, 0, UINT64_MAX, UINT64_MAX, 0x10000000000, 0, UINT64_MAX / 2};
  if (write(atoi(getenv("LOCKSTEP_TRANSCRIPT")), words, sizeof words) < 0)
    abort();
  _exit(0);
}
