#ifndef LOCKSTEP_SURVEY_H
#define LOCKSTEP_SURVEY_H

#include "checker.h"

/* At which sizes do the student's kernels go wrong? Adds to the verdict's cause what holds for many of them; false: nothing
 * as simple does. Seconds. */
bool survey_explains(const Check *, const Wanted *, Verdict *);

#endif
