// Raises its own resource limits.
// expect: ended-early | contained
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
static int attack() {
  struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
  int raised = setrlimit(RLIMIT_FSIZE, &all) == 0 || setrlimit(RLIMIT_NOFILE, &all) == 0;
  puts(raised ? "BREACH: limits raised" : "contained");
  exit(3);
}
