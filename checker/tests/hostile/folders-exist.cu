// Finds out which folders of the machine exist without opening a file. In the sandbox program
// isolate, the error of a failed mount showed this.
// expect: unwritten | none-written
#include "lab.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
static int attack() {
  const char *folders[] = {"@ROOT@",      "@ROOT@/solutions", "@BUILD@", "@HOME@/.ssh",
                           "/etc/shadow", "/var/log",         "/root",   "/proc/1/root@ROOT@"};
  struct stat status;
  char target[4096];
  for (int i = 0; i < 8; i++)
    if (stat(folders[i], &status) == 0 || errno == EACCES || access(folders[i], F_OK) == 0 ||
        chdir(folders[i]) == 0 || readlink(folders[i], target, sizeof target) >= 0)
      exit(printf("BREACH: %d\n", i));
  return 0;
}
