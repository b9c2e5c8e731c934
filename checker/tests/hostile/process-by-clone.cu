// A process, by a call that is there for threads.
// expect: walls | stopped by the sandbox
#include "lab.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
static int attack() {
  while (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0)
    ;
  return 0;
}
