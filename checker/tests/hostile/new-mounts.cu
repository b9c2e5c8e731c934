// Mounts a file system with the newer mount system calls.
// expect: walls | kind-walls
#include "lab.h"
#include <sys/syscall.h>
#include <unistd.h>
static int attack() {
  syscall(SYS_fsopen, "tmpfs", 0);
  syscall(SYS_open_tree, -100, "/", 1);
  return 0;
}
