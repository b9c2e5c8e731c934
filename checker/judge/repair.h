#ifndef LOCKSTEP_REPAIR_H
#define LOCKSTEP_REPAIR_H

#include "checker.h"

/* Is there one change of one place in the student's file, in a gap, with which what failed and all other runs of the task come
 * out right, or with which they cost no more than they may? Then the verdict names it. task: its place in the lab; changes of
 * its gaps come first. Seconds. */
bool repair_explains(Check *, const Sheet *, size_t task, const Wanted *, Verdict *);

#endif
