// Creates empty files until the file system has no inodes left.
// expect: ended-early | contained
#include "lab.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int attack() {
  static const char *const folders[] = {"/tmp", "/dev/shm", "/dev", "/var/tmp", "/lockstep", "."};
  for (int i = 0; i < 60000; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s/%d", folders[i % 6], i);
    if (open(path, O_CREAT | O_WRONLY, 0600) >= 0)
      exit(puts("BREACH: a file"));
  }
  puts("contained");
  exit(3);
}
