/* Reports an environment variable with a value that is not allowed. */
#include "environment.h"

#include <stdio.h>
#include <unistd.h>

void environment_refuse(const char *name, const char *value, const char *wanted) {
  fflush(stdout);
  fprintf(stderr, "%s=%s: %s\n", name, value, wanted);
  _exit(2);
}
