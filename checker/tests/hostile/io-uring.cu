// Uses io_uring, whose operations a system call filter cannot see.
// expect: walls | kind-walls
#include "lab.h"
#include <sys/syscall.h>
#include <unistd.h>
static int attack() {
  char parameters[256] = "";
  return (int)syscall(SYS_io_uring_setup, 4, parameters);
}
