/* Bad input: an option, a file, a missing package. One line that names it, and the end. */
#include "facts/facts.h"

#include <stdarg.h>
#include <stdlib.h>

void bad_input(const char *format, ...) {
  va_list arguments;
  fflush(stdout);
  fputs("checker: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(2);
}
