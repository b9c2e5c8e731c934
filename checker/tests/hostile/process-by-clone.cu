// Creates a process with clone, which the filter has to allow for threads.
// expect: walls | kind-walls
#include "lab.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
static int attack() {
  while (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0)
    ;
  return 0;
}
