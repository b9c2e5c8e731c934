/* Just enough of the Itanium C++ ABI's mangling to find the name itself: _Z NAME, _ZN NAME... E and
 * _ZZ FUNCTION E NAME, where a NAME is its length and its letters. Types and template arguments
 * behind it say nothing to the learner. */
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads one name at `at` into `out` and returns what stands behind it; NULL: there is none. An L before
 * it says that only its own file knows it. */
static const char *read_name(const char *at, char *out, size_t size) {
  char *name;
  at += *at == 'L';
  unsigned long length = isdigit((unsigned char)*at) ? strtoul(at, &name, 10) : 0;
  if (length == 0 || length > strlen(name))
    return NULL;
  snprintf(out, size, "%.*s", (int)length, name);
  return name + length;
}

/* Namespaces and classes stand before a name; the last of the row is it. */
static void last_of_row(const char *at, char *out, size_t size) {
  while (at)
    at = read_name(at, out, size);
}

void name_plain(const char *mangled, char *out, size_t size) {
  snprintf(out, size, "%s", mangled);
  if (strncmp(mangled, "_ZZ", 3) == 0) { /* local to a function: what stands behind its E */
    for (const char *end = strchr(mangled, 'E'); end; end = strchr(end + 1, 'E'))
      last_of_row(end + 1, out, size);
  } else if (strncmp(mangled, "_ZN", 3) == 0) {
    last_of_row(mangled + 3, out, size);
  } else if (strncmp(mangled, "_Z", 2) == 0) {
    read_name(mangled + 2, out, size); /* behind it come parameters, which may have names, too */
  }
}
