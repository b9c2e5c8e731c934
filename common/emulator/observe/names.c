/* Extracts a name from a mangled name. Implements only a part of the Itanium C++ ABI's mangling: _Z
 * NAME, _ZN NAME... E and _ZZ FUNCTION E NAME, where NAME is a decimal length followed by that
 * number of characters. Types and template arguments after a name are ignored. */
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads one name at `at` into `out`. Returns the position after the name; NULL: there is no name.
 * An L before the name means internal linkage. */
static const char *read_name(const char *at, char *out, size_t size) {
  char *name;
  at += *at == 'L';
  unsigned long length = isdigit((unsigned char)*at) ? strtoul(at, &name, 10) : 0;
  if (length == 0 || length > strlen(name))
    return NULL;
  snprintf(out, size, "%.*s", (int)length, name);
  return name + length;
}

/* Reads a sequence of names and keeps the last one. The names before it are namespaces and classes.
 */
static void last_of_row(const char *at, char *out, size_t size) {
  while (at)
    at = read_name(at, out, size);
}

void name_plain(const char *mangled, char *out, size_t size) {
  snprintf(out, size, "%s", mangled);
  if (strncmp(mangled, "_ZZ", 3) == 0) {
    /* A name that is local to a function follows the E that ends the function's name. */
    for (const char *end = strchr(mangled, 'E'); end; end = strchr(end + 1, 'E'))
      last_of_row(end + 1, out, size);
  } else if (strncmp(mangled, "_ZN", 3) == 0) {
    last_of_row(mangled + 3, out, size);
  } else if (strncmp(mangled, "_Z", 2) == 0) {
    read_name(mangled + 2, out, size); /* the parameters after the name may contain names too */
  }
}
