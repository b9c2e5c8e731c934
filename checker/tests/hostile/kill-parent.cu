// Tries to kill the supervising process and all other processes.
// expect: ended-early | contained
#include "lab.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int attack() {
  kill(getppid(), SIGKILL);
  kill(1, SIGKILL);
  kill(1, SIGSTOP);
  kill(-1, SIGKILL);
  for (int process = 3; process < 40000; process++)
    kill(process, SIGKILL);
  puts("contained");
  exit(3);
}
