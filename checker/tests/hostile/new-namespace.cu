// A user of its own, who may do everything.
// expect: walls | stopped by the sandbox
#include "lab.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
static int attack() {
  puts(unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 ? "BREACH" : "contained");
  exit(3);
}
