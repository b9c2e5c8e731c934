/* Replaces a changed given part: the file is graded with the handout's given part
 * (facts/given.h). */
#ifndef RESTORED_H
#define RESTORED_H

#include "grade/grade.h"

enum { RESTORED_FILES = 300 };

typedef struct Restored {
  /* Settings of the program to grade: one that was built here, or the student's own. */
  Settings settings;
  char folder[RESTORED_FILES], made[RESTORED_FILES + 20], object[RESTORED_FILES + 24];
  char in_double[RESTORED_FILES + 20], object_in_double[RESTORED_FILES + 24];
} Restored;

/* Compares the source with the handout and builds the program to grade. Sets `given` of the marks,
 * and `compile_log` if there is no program. */
void restored_begin(Restored *, const Sheet *, const Settings *, Marks *, const char *folder);
void restored_end(const Restored *);

#endif
