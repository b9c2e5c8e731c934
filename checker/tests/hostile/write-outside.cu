// Tries to write files outside of the sandbox.
// expect: ended-early | contained
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int attack() {
  static const char *const folders[] = {"@ROOT@", "@BUILD@",   "@HOME@", "/usr/lib",
                                        "/etc",   "/lockstep", "/proc"};
  for (const char *folder : folders) {
    char path[512];
    snprintf(path, sizeof path, "%s/hostile-@TOKEN@", folder);
    if (strcmp(folder, "/tmp") != 0 && fopen(path, "w"))
      exit(puts("BREACH: wrote a file"));
  }
  /* Works in the sandbox's private /tmp. The test then checks that the machine's /tmp has no such
   * file. */
  FILE *outside = fopen("/tmp/hostile-@TOKEN@", "w");
  (void)outside;
  puts("contained");
  exit(3);
}
