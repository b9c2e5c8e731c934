#ifndef LOCKSTEP_REPAIR_H
#define LOCKSTEP_REPAIR_H

#include "checker.h"

/* Is there one change of one place in the student's file, in a gap, with which what failed and all other runs of the task come
 * out right, or with which they cost no more than they may? Then the verdict names it. number: of the task in the lab; changes of
 * its gaps come first. Seconds. */
bool repair_explains(Check *, const Task *, int number, const Wanted *, Verdict *);

/* widths.c. What goes wrong in double alone: does the task's gap count with 4 where a vector of 16 bytes has 4 floats and 2
 * doubles? The lines become the verdict's cause. */
bool widths_explain(const char *source, int task, Verdict *);

#endif
