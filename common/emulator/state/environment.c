#include "environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

const char *environment_value(const char *name) {
  size_t length = strlen(name);
  for (const char *at = kept; at < kept + kept_bytes; at += strlen(at) + 1)
    if (strncmp(at, name, length) == 0 && at[length] == '=')
      return at + length + 1;
  return kept_bytes ? NULL : getenv(name);
}

void environment_refuse(const char *name, const char *value, const char *wanted) {
  fflush(stdout);
  fprintf(stderr, "%s=%s: %s\n", name, value, wanted);
  _exit(2);
}
