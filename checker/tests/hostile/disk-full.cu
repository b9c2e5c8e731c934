// Writes files into every folder that is writable.
// expect: ended-early | contained
#include "lab.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int attack() {
  static const char *const folders[] = {"/tmp", "/dev/shm", "/dev", "/var/tmp", "/lockstep", "."};
  static char block[1 << 20];
  size_t total = 0;
  for (int i = 0; i < 600; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s/%d", folders[i % 6], i);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    for (ssize_t wrote = 0; (wrote = write(file, block, sizeof block)) > 0;)
      total += (size_t)wrote;
    close(file);
  }
  puts(total > (size_t)100 << 20 ? "BREACH: filled more than 100 MB" : "contained");
  exit(3);
}
