// Leaves a file in /dev/shm for a later run. The sandbox program isolate shared that folder between
// sandboxes.
// expect: ended-early | contained
#include "lab.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int attack() {
  static const char *const folders[] = {"/dev/shm", "/tmp",        "/var/tmp",
                                        "/run",     "/dev/mqueue", "/run/lock"};
  char path[200];
  for (const char *each : folders) {
    snprintf(path, sizeof path, "%s/hostile-@TOKEN@", each);
    if (access(path, F_OK) == 0)
      exit(puts("BREACH: found what a run before has left"));
    int file = open(path, O_CREAT | O_WRONLY, 0666);
    if (file >= 0 && write(file, "x", 1) == 1)
      close(file);
  }
  puts("contained");
  exit(3);
}
