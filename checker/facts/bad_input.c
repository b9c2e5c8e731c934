/* Reports bad input, such as a wrong option, a missing file or a missing package: prints one line
 * that names it, and ends the checker. */
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
