// Sends signals to other processes and tries to trace them.
// expect: walls | kind-walls
#include "lab.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
static int attack() {
  for (int pid = 1; pid < 400; pid++)
    if (pid != getpid())
      kill(pid, SIGKILL);
  kill(-1, SIGSTOP);
  int first = (int)syscall(SYS_pidfd_open, 1, 0);
  syscall(SYS_pidfd_send_signal, first, SIGKILL, 0, 0);
  return (int)syscall(SYS_ptrace, 16, 1, 0, 0);
}
