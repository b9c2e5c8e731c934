// Creates a process with clone3, whose flags a system call filter cannot read.
// expect: ended-early | contained
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static int attack() {
  unsigned long long arguments[11] = {0};
  puts(syscall(SYS_clone3, arguments, sizeof arguments) >= 0 ? "BREACH: a process" : "contained");
  exit(3);
}
