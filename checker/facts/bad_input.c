/* Bad input: an option, a file, a missing package. Prints one line that names it and exits. */
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
