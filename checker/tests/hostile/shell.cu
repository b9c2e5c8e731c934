// Starts a shell.
// expect: ended-early | contained
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int attack() {
  execl("/bin/sh", "sh", "-c", "echo BREACH: a shell", (char *)NULL);
  execl("/usr/bin/env", "env", (char *)NULL);
  puts("contained");
  exit(3);
}
