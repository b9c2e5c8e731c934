#ifndef LOCKSTEP_JUDGE_H
#define LOCKSTEP_JUDGE_H

/* What the parts of judge.c share. Each part looks at one side of a run, fills in the verdict if something is wrong there,
 * and returns true if nothing is.
 */
#include "explain/explain.h"
#include "harness/harness.h"

/* What a run is compared with. */
typedef struct Expected {
  const JudgedRun *run;
  const Subject *subject;
  Instance instance; /* with gold */
  const char *name;  /* of the output */
  size_t rows, columns;
  double *margin;
  char lab[3];            /* its number */
  Hypotheses *hypotheses; /* gets what the values say */
} Expected;

/* ---- reports.c: what the observers of the emulated device reported ----------------------------- */
bool judge_report(Verdict *, const Expected *, const Log *);
void blame_copy(Verdict *, const Expected *, const Log *); /* of a program that then ended itself */

/* ---- values.c: are the elements right, and which are not? --------------------------------------- */
bool judge_values(Verdict *, const Expected *, const Trial *);

/* ---- origin.c: who computed them, and from what? ------------------------------------------------ */
bool judge_origin(Verdict *, const Expected *, const Trial *, bool on_gpu);
bool judge_operations(Verdict *, const Expected *, const Log *);
bool judge_inputs(Verdict *, const Expected *, const Log *);
bool judge_written(Verdict *, const Expected *, const Log *);

#endif
