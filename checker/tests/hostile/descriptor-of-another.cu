// Takes a file descriptor from another process.
// expect: walls | kind-walls
#include "lab.h"
#include <sys/syscall.h>
#include <unistd.h>
static int attack() { return (int)syscall(SYS_pidfd_getfd, 0, 0, 0); }
