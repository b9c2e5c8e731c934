/* Just enough of the Itanium C++ ABI's mangling to find the name itself: _Z NAME, _ZN NAME... E and
 * _ZZ FUNCTION E NAME, where a NAME is its length and its letters. Types and template arguments
 * behind it say nothing to the learner. */
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the names that follow one another at `at`; the last goes to `out`. */
static void last_of_row(const char *at, char *out, size_t size) {
  while (isdigit((unsigned char)*at)) {
    char *name;
    unsigned long length = strtoul(at, &name, 10);
    if (length == 0 || length > strlen(name))
      return;
    snprintf(out, size, "%.*s", (int)length, name);
    at = name + length;
  }
}

void name_plain(const char *mangled, char *out, size_t size) {
  snprintf(out, size, "%s", mangled);
  if (strncmp(mangled, "_ZZ", 3) == 0) { /* local to a function: what stands behind its E */
    for (const char *end = strchr(mangled, 'E'); end; end = strchr(end + 1, 'E'))
      last_of_row(end + 1, out, size);
  } else if (strncmp(mangled, "_Z", 2) == 0) {
    last_of_row(mangled + 2 + (mangled[2] == 'N'), out, size);
  }
}
