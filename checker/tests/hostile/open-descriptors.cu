// Looks for file descriptors that the checker has left open.
// expect: ended-early | contained
#include "lab.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
static int attack() {
  int more = 0;
  struct stat status;
  for (int file = 3; file < 1024; file++)
    if (fstat(file, &status) == 0)
      more++;
  for (int file = 0; file < 1024; file++)
    if (openat(file, "..", O_RDONLY) >= 0)
      exit(puts("BREACH: a folder"));
  puts(more > 2 ? "BREACH: more than the log and the result" : "contained");
  exit(3);
}
