// An endless loop on the host that no compiler removes.
// seconds: 1
// expect: time-out | still-running
#include "lab.h"
static int attack() {
  for (volatile int i = 0;; i++)
    ;
}
