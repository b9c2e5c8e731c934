// Creates a symbolic link to the solutions and reads through it.
// expect: ended-early | contained
#include "lab.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int attack() {
  if (symlink("@ROOT@/solutions", "/tmp/way") == 0 &&
      open("/tmp/way/01-naive/naive.cu", O_RDONLY) >= 0)
    exit(puts("BREACH: read a solution"));
  puts("contained");
  exit(3);
}
