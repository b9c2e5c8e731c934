// Reads solutions and other files of the workbook and the machine.
// expect: ended-early | contained
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
static int attack() {
  static const char *const paths[] = {"@ROOT@/solutions/01-naive/naive.cu",
                                      "@ROOT@/checker/tasks/01-naive.c",
                                      "@ROOT@/checker/mutants/01-naive/grid-too-small.patch",
                                      "@ROOT@/README.md",
                                      "/lockstep/solutions/01-naive/naive.cu",
                                      "/etc/passwd",
                                      "/lockstep/labs/01-naive/naive.cu"};
  for (const char *path : paths)
    if (fopen(path, "r"))
      exit(puts("BREACH: read a file"));
  puts("contained");
  exit(3);
}
