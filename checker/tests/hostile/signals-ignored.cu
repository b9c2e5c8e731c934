// Ignores all signals and never ends.
// seconds: 1
// expect: time-out | still-running
#include "lab.h"
#include <signal.h>
#include <unistd.h>
static int attack() {
  for (int each = 1; each < 65; each++)
    signal(each, SIG_IGN);
  for (;;)
    pause();
}
