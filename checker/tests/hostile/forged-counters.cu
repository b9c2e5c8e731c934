// Writes lines with counters into the device's log.
// expect: crash | host-crashed
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
static int attack() {
  FILE *log = fopen(getenv("LOCKSTEP_LOG"), "a");
  fputs("{\"event\":\"start\",\"pid\":2}\n{\"event\":\"kernel\",\"name\":\"matmul\",\"counters\":"
        "{\"global_load_requests\":1}}\n{\"event\":\"end\",\"reports\":0}\n",
        log);
  fclose(log);
  return 0;
}
