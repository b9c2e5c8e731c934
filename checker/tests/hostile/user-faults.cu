// Uses userfaultfd to handle page faults itself, which can block a system call.
// expect: walls | kind-walls
#include "lab.h"
#include <sys/syscall.h>
#include <unistd.h>
static int attack() { return (int)syscall(SYS_userfaultfd, 0); }
