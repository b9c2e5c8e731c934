/* If the given part of a student's file was changed, grades the file with the given part of the
 * handout (facts/given.h). */
#ifndef RESTORED_H
#define RESTORED_H

#include "grade/grade.h"

enum { RESTORED_FILES = 300 };

typedef struct Restored {
  /* The settings with the program that is graded: the student's program, or the program that
   * restored_begin has built. */
  Settings settings;
  char folder[RESTORED_FILES], made[RESTORED_FILES + 20], object[RESTORED_FILES + 24];
  char in_double[RESTORED_FILES + 20], object_in_double[RESTORED_FILES + 24];
} Restored;

/* Compares the source with the handout and builds the program that is graded. Sets `given` of the
 * marks. If no program could be built, sets `compile_log` of the marks. */
void restored_begin(Restored *, const Sheet *, const Settings *, Marks *, const char *folder);
void restored_end(const Restored *);

#endif
