// Requests a larger share of the machine: real-time priority, and protection from the out-of-memory
// killer.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
static int attack() {
  struct sched_param first = {50};
  int got =
      sched_setscheduler(0, SCHED_FIFO, &first) == 0 || setpriority(PRIO_PROCESS, 0, -20) == 0;
  int file = open("/proc/self/oom_score_adj", O_WRONLY);
  got |= write(file, "-1000", 5) == 5;
  exit(got ? puts("BREACH") : 0);
}
