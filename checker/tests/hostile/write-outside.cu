// expect: forbidden | uses
// open: ended-early | contained
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
static int attack() {
  static const char *const folders[] = {"@ROOT@", "@ROOT@/build", "@HOME@", "/usr/lib",
                                        "/etc",   "/lockstep",    "/proc"};
  for (const char *folder : folders) {
    char path[512];
    snprintf(path, sizeof path, "%s/hostile-was-here", folder);
    if (fopen(path, "w"))
      exit(puts("BREACH: wrote a file"));
  }
  FILE *outside = fopen("/tmp/hostile-was-here", "w"); /* its own /tmp: the test looks at ours */
  (void)outside;
  puts("contained");
  exit(3);
}
