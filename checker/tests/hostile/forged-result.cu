// Writes a result of zeros, and a log without reports.
// expect: crash | host-crashed
#include "lab.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int attack() {
  static const float zeros[32 * 32] = {0};
  const uint32_t words[] = {4, 0};
  const uint64_t shape[] = {32, 32};
  int log = atoi(getenv("LOCKSTEP_LOG") + 8), result = 3;
  while (result == log || fcntl(result, F_GETFD) < 0)
    result++;
  dprintf(log, "{\"event\":\"start\",\"pid\":%d}\n{\"event\":\"end\",\"reports\":0}\n", getpid());
  write(result, "LOCKSTEP", 8);
  write(result, words, sizeof words);
  write(result, shape, sizeof shape);
  write(result, zeros, sizeof zeros);
  _exit(0);
}
