/* A number of elements that the type decides, written as a number. In float it is right, and no change of one place makes all
 * right in double: it stands in many.
 */
#include "repair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "edits.h"
#include "harness/gaps.h"

enum { NAME = 40, LINES_SHOWN = 5 };

typedef struct Width {
  char name[NAME];
  int in_float, in_double;
} Width;

/* #define VECTOR (16 / (int)sizeof(real)) */
static bool read_width(const char *line, Width *width) {
  Width one;
  int bytes, read = 0;
  if (sscanf(line, "#define %39s (%d / (int)sizeof(real))%n", one.name, &bytes, &read) != 2 ||
      read == 0)
    return false;
  one.in_float = bytes / (int)sizeof(float);
  one.in_double = bytes / (int)sizeof(double);
  *width = one;
  return true;
}

/* Does the code of a line say this number? */
static bool has_number(const char *line, int number) {
  const char *end = strstr(line, "//");
  for (const char *at = line; *at && at != end; at++) {
    char *behind;
    if (!isdigit((unsigned char)*at) || (at > line && (is_letter(at[-1]) || at[-1] == '.')))
      continue;
    if (strtol(at, &behind, 10) == number && !is_letter(*behind) && *behind != '.')
      return true;
  }
  return false;
}

bool widths_explain(const char *source, int task, Verdict *verdict) {
  char line[400], lines[80] = "";
  Width width = {.in_float = 0};
  int gap = 0, opened, number = 0;
  size_t found = 0, at = 0;
  FILE *in = fopen(source, "re");
  while (in && fgets(line, sizeof line, in)) {
    number++;
    if ((opened = gap_mark(line, "DONE") + gap_mark(line, "TODO")))
      gap = opened;
    else if (gap_mark(line, "END"))
      gap = 0;
    else if (read_width(line, &width))
      continue;
    if (gap != task || width.in_float == 0 || !has_number(line, width.in_float) ||
        found == LINES_SHOWN)
      continue;
    at += (size_t)snprintf(lines + at, sizeof lines - at, "%s%d", found++ ? ", " : "", number);
  }
  if (in)
    fclose(in);
  if (found)
    verdict_cause(
        verdict, "%d is written as a number in line%s %s: in float that is %s, in double %s is %d",
        width.in_float, found > 1 ? "s" : "", lines, width.name, width.name, width.in_double);
  return found;
}
