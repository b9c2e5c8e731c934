// Leaves a process in its own session, which keeps the output pipe open.
// expect: walls | kind-walls
#include "lab.h"
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
static int attack() {
  if (fork() == 0) {
    setsid();
    prctl(PR_SET_NAME, "left-@TOKEN@");
    for (;;)
      pause();
  }
  exit(0);
}
