/* What the environment sets, and the limits of the device that is modelled. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"

/* The H200's figures: CUDA C Programming Guide, "Compute Capabilities", 9.0. */
static const MachineLimits limits = {
    .warp = 32,
    .threads_per_block = 1024,
    .block_dim = {1024, 1024, 64},
    .grid_dim = {2147483647, 65535, 65535},
    .shared_per_block = 48 * 1024,
    .shared_per_block_optin = 227 * 1024,
    .shared_per_sm = 228 * 1024,
    .registers_per_block = 65536,
    .registers_per_sm = 65536,
    .threads_per_sm = 2048,
    .blocks_per_sm = 32,
    .sms = 132,
};

const MachineLimits *machine_limits(void) { return &limits; }

/* ---- the environment ------------------------------------------------------------------------- */

/* With LOCKSTEP_KEY it counts as it was at the start of the program, before any code of the program,
 * which could change it, and the key is for nobody else to see. */
static char kept[8192];
static size_t kept_bytes;

static void keep(int argc, char **argv, char **environment) {
  bool key = false;
  (void)argc, (void)argv;
  for (char **each = environment; *each; each++)
    key |= strncmp(*each, "LOCKSTEP_KEY=", 13) == 0;
  for (char **each = environment; key && *each; each++) {
    size_t bytes = strlen(*each) + 1;
    if (strncmp(*each, "LOCKSTEP_", 9) != 0 || bytes > sizeof kept - kept_bytes)
      continue;
    memcpy(kept + kept_bytes, *each, bytes);
    kept_bytes += bytes;
    if (strncmp(*each, "LOCKSTEP_KEY=", 13) == 0)
      memset(*each + 13, '0', bytes - 14);
  }
}

__attribute__((section(".preinit_array"), used)) static void (*const keep_first)(int, char **,
                                                                                 char **) = keep;

static const char *value_of(const char *name) {
  size_t length = strlen(name);
  for (const char *at = kept; at < kept + kept_bytes; at += strlen(at) + 1)
    if (strncmp(at, name, length) == 0 && at[length] == '=')
      return at + length + 1;
  return kept_bytes ? NULL : getenv(name);
}

static uint64_t number(const char *name, uint64_t fallback, uint64_t low, uint64_t high) {
  const char *text = value_of(name);
  if (!text || !*text)
    return fallback;
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (*text == '-' || *end || errno || value < low || value > high) {
    fprintf(stderr, "%s=%s: want a whole number from %llu to %llu\n", name, text,
            (unsigned long long)low, (unsigned long long)high);
    exit(2);
  }
  return value;
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
  settings.bank_bytes = (uint32_t)number("LOCKSTEP_BANKS", 4, 4, 8);
  if (settings.bank_bytes != 4 && settings.bank_bytes != 8) {
    fprintf(stderr, "LOCKSTEP_BANKS=%u: banks are 4 or 8 bytes wide\n", settings.bank_bytes);
    exit(2);
  }
  settings.memory_bytes = number("LOCKSTEP_MEMORY", 0, 0, UINT64_MAX);
  settings.branch_limit = number("LOCKSTEP_LIMIT", 100000000, 1, UINT64_MAX);
  settings.checks = number("LOCKSTEP_CHECKS", 1, 0, 1);
  settings.quiet = number("LOCKSTEP_QUIET", 0, 0, 1);
  const char *log = value_of("LOCKSTEP_LOG"), *key = value_of("LOCKSTEP_KEY");
  settings.log = log && *log ? log : NULL;
  settings.sealed =
      key && sscanf(key, "%16" SCNx64 "%16" SCNx64, &settings.key[0], &settings.key[1]) == 2;
}

const MachineSettings *machine_settings(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_settings);
  return &settings;
}
