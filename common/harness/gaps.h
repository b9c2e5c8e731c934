/* The gaps in a lab's file, which a student fills in. A gap goes from a line "// TODO(n): ..." (in
 * a solution "// DONE(n): ...") to a line "// END(n)". n is the number of the task. */
#ifndef GAPS_H
#define GAPS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the task of a line "// WORD(task)"; 0 for any other line. A gap begins with the word TODO
 * or DONE and ends with END. */
static inline int gap_mark(const char *line, const char *word) {
  char start[16];
  int length = snprintf(start, sizeof start, "// %s(", word);
  line += strspn(line, " \t");
  return strncmp(line, start, (size_t)length) ? 0 : atoi(line + length);
}

#endif
