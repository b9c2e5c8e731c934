// Creates a user namespace, in which it has all capabilities.
// expect: walls | kind-walls
#include "lab.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
static int attack() {
  puts(unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 ? "BREACH" : "contained");
  exit(3);
}
