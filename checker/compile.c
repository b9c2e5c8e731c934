/* A file that does not compile: the first error of the compiler, in the form of every other
 * verdict. */
#include "checker.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "path:12:5: error: text", as clang and the host compiler write it, or "path(12): error: text", as
 * nvcc does. */
static bool split_error(char *line, char **file, int *number, char **text) {
  char *mark = strstr(line, "error: "), *at;
  if (!mark)
    return false;
  *text = mark + strlen("error: ");
  *file = line;
  *number = 0;
  at = strpbrk(line, ":(");
  if (!at || at > mark)
    return true;
  if (isdigit((unsigned char)at[1]))
    *number = atoi(at + 1);
  *at = '\0';
  return true;
}

/* What the linker says when a function is missing. */
static bool split_undefined(char *line, char **text) {
  *text = strstr(line, "undefined reference to ");
  return *text != NULL;
}

void verdict_compile(Verdict *verdict, const char *build_log) {
  char line[1024], place[200] = "", *file, *text;
  int number = 0;
  FILE *log = fopen(build_log, "r");
  verdict_set(verdict, "not-compiled", "the compiler gave up without an error message");
  while (log && fgets(line, sizeof line, log)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (split_error(line, &file, &number, &text)) {
      verdict_set(verdict, "not-compiled", "%s", text);
      place_format(place, sizeof place, number ? file : NULL, number);
      verdict_line(verdict, place, "the first error");
      break;
    }
    if (split_undefined(line, &text)) {
      verdict_set(verdict, "not-compiled", "%s", text);
      break;
    }
  }
  if (log)
    fclose(log);
  verdict_line(verdict, "", "all that the compiler said: %s", build_log);
}
