// Changes its own arguments, so that the harness runs another variant than the requested one.
// expect: unwritten | none-written
#include "lab.h"
#include <string.h>
static int attack() {
  char *at = (char *)__builtin_frame_address(0);
  while (memcmp(at, "--variant", 10) != 0)
    at++;
  strcpy(at + 10, "cpu");
  return 0;
}
