// Who answers page faults by himself holds a system call in its middle.
// expect: walls | kind-walls
#include "lab.h"
#include <sys/syscall.h>
#include <unistd.h>
static int attack() { return (int)syscall(SYS_userfaultfd, 0); }
