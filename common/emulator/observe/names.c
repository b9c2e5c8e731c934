/* Extracts the plain name from a mangled name. Implements only a part of the mangling of the
 * Itanium C++ ABI: _Z NAME, _ZN NAME... E and _ZZ FUNCTION E NAME. NAME is a decimal length
 * followed by that number of characters. Types and template arguments after a name are ignored. */
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies the name at `at` to `out`. Returns the position after the name; NULL: there is no name.
 * Skips an L before the name, which means internal linkage. */
static const char *read_name(const char *at, char *out, size_t size) {
  char *name;
  at += *at == 'L';
  unsigned long length = isdigit((unsigned char)*at) ? strtoul(at, &name, 10) : 0;
  if (length == 0 || length > strlen(name))
    return NULL;
  snprintf(out, size, "%.*s", (int)length, name);
  return name + length;
}

/* Reads a sequence of names and writes the last one to `out`. The other names are those of
 * namespaces and classes. */
static void last_of_row(const char *at, char *out, size_t size) {
  while (at)
    at = read_name(at, out, size);
}

void name_plain(const char *mangled, char *out, size_t size) {
  snprintf(out, size, "%s", mangled);
  if (strncmp(mangled, "_ZZ", 3) == 0) {
    /* In the name of a local variable, an E separates the function from the variable. */
    for (const char *end = strchr(mangled, 'E'); end; end = strchr(end + 1, 'E'))
      last_of_row(end + 1, out, size);
  } else if (strncmp(mangled, "_ZN", 3) == 0) {
    last_of_row(mangled + 3, out, size);
  } else if (strncmp(mangled, "_Z", 2) == 0) {
    /* Read only the first name: the parameters may contain names too. */
    read_name(mangled + 2, out, size);
  }
}
