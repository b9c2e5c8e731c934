// Reads the sandbox's own table of mounts, which could show paths of the machine.
// expect: unwritten | none-written
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int attack() {
  const char *files[] = {"/proc/self/mountinfo", "/proc/mounts", "/proc/self/maps",
                         "/proc/self/cgroup", "/proc/self/status"};
  static char all[1 << 20];
  for (int i = 0; i < 5; i++) {
    FILE *f = fopen(files[i], "r");
    size_t n = f ? fread(all, 1, sizeof all - 1, f) : 0;
    all[n] = 0;
    if (strstr(all, "@ROOT@") || strstr(all, "@HOME@"))
      exit(puts("BREACH"));
  }
  return 0;
}
