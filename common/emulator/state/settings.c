/* Reads the settings from the environment. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "environment.h"
#include "order.h"
#include "settings.h"

static uint64_t number(const char *name, uint64_t fallback, uint64_t low, uint64_t high) {
  const char *text = getenv(name);
  if (!text || !*text)
    return fallback;
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (*text == '-' || *end || errno || value < low || value > high) {
    char wanted[100];
    snprintf(wanted, sizeof wanted, "want a whole number from %" PRIu64 " to %" PRIu64, low, high);
    environment_refuse(name, text, wanted);
  }
  return value;
}

static const char *text(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

static uint32_t usable_cores(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 1;
  int count = CPU_COUNT(&set);
  return count < 1 ? 1 : count > 256 ? 256 : (uint32_t)count;
}

static MachineSettings settings;

static void read_settings(void) {
  settings.workers = (uint32_t)number("LOCKSTEP_WORKERS", usable_cores(), 1, 256);
  settings.seed = number("LOCKSTEP_SEED", 0, 0, UINT64_MAX);
  settings.memory_bytes = number("LOCKSTEP_MEMORY", 0, 0, UINT64_MAX);
  settings.branch_limit = number("LOCKSTEP_LIMIT", 100000000, 1, UINT64_MAX);
  settings.fail = number("LOCKSTEP_FAIL", 0, 0, UINT64_MAX);
  settings.pretend = number("LOCKSTEP_PRETEND", 0, 0, 1);
  settings.zeroed = number("LOCKSTEP_ZEROED", 0, 0, 1);
  settings.predict = number("LOCKSTEP_PREDICT", 1, 0, 1) && !prescribed_order()->wanted;
  settings.samples_only = number("LOCKSTEP_SAMPLES_ONLY", 0, 0, 1);
  settings.checks = !settings.samples_only && number("LOCKSTEP_CHECKS", 1, 0, 1);
  settings.quiet = number("LOCKSTEP_QUIET", 0, 0, 1);
  settings.error_status = (uint8_t)number("LOCKSTEP_STATUS", 0, 0, 255);
  settings.log = text("LOCKSTEP_LOG");
  settings.kernels = text("LOCKSTEP_KERNELS");
}

const MachineSettings *machine_settings(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_settings);
  return &settings;
}
