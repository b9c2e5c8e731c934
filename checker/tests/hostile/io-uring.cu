// Opens files through io_uring, whose operations no system call filter sees.
// expect: walls | kind-walls
#include "lab.h"
#include <sys/syscall.h>
#include <unistd.h>
static int attack() {
  char parameters[256] = "";
  return (int)syscall(SYS_io_uring_setup, 4, parameters);
}
