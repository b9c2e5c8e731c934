#ifndef LOCKSTEP_JUDGE_H
#define LOCKSTEP_JUDGE_H

/* Declarations that the parts of judge.c share. Each part looks at one side of a run, fills in the
 * verdict if something is wrong there, and returns true if nothing is. */
#include "explain/explain.h"
#include "harness/harness.h"

/* The expected result of a run. */
typedef struct Expected {
  const JudgedRun *run;
  const Subject *subject;
  /* Includes gold. */
  Instance instance;
  /* The name of the output. */
  const char *name;
  size_t rows, columns;
  double *margin;
  /* The lab's number. */
  char lab[3];
  /* Gets what the values say. */
  Hypotheses *hypotheses;
} Expected;

/* ---- device_reports.c: what the observers of the emulated device reported -------------------- */
bool judge_report(Verdict *, const Expected *, const Log *);
/* For a program that ended itself after a copy. */
void blame_copy(Verdict *, const Expected *, const Log *);

/* ---- values.c: right and wrong elements ------------------------------------------------------ */
bool judge_values(Verdict *, const Expected *, const Trial *);

/* ---- origin.c: where right values are from --------------------------------------------------- */
bool judge_origin(Verdict *, const Expected *, const Trial *, bool on_gpu);
bool judge_operations(Verdict *, const Expected *, const Log *);
bool judge_inputs(Verdict *, const Expected *, const Log *);
bool judge_written(Verdict *, const Expected *, const Log *);

/* ---- drawn_sizes.c --------------------------------------------------------------------------- */
/* Returns one more run for a list of `count` runs. Its sizes are multiples of the same numbers, and
 * equal where the sizes in the list are equal. */
JudgedRun drawn_beside(const Check *, const JudgedRun *, size_t count);

#endif
