/* Ends the checker because of bad input: a wrong option, a missing file or package. Prints one line
 * that names it. */
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
