/* Declarations that judge.c shares with other files, each of which judges one aspect of a run.
 * Their functions return true if they find nothing wrong; otherwise they fill in the verdict and
 * return false. */
#ifndef LOCKSTEP_JUDGE_H
#define LOCKSTEP_JUDGE_H

#include "explain/explain.h"
#include "harness/harness.h"

/* The expected result of a run. */
typedef struct Expected {
  const JudgedRun *run;
  const Subject *subject;
  /* The operands of the run and gold, the expected output. */
  Instance instance;
  /* The name of the output. */
  const char *name;
  size_t rows, columns;
  double *margin;
  /* The number of the lab in two digits, "02". */
  char lab[3];
  /* Receives the hypotheses that explain the values of this run. */
  Hypotheses *hypotheses;
} Expected;

/* ---- device_reports.c: what the observers of the emulated device reported -------------------- */
bool judge_report(Verdict *, const Expected *, const Log *);
/* Explains a crash of the student's program after a copy that was too large. */
void blame_copy(Verdict *, const Expected *, const Log *);

/* ---- values.c: right and wrong elements ------------------------------------------------------ */
bool judge_values(Verdict *, const Expected *, const Trial *);

/* ---- origin.c: the origin of correct values -------------------------------------------------- */
bool judge_origin(Verdict *, const Expected *, const Trial *, bool on_gpu);
bool judge_operations(Verdict *, const Expected *, const Log *);
bool judge_inputs(Verdict *, const Expected *, const Log *);
bool judge_written(Verdict *, const Expected *, const Log *);

/* ---- drawn_sizes.c --------------------------------------------------------------------------- */
/* Returns an additional run for a list of `count` runs. The returned run keeps two properties of
 * the list. If size k is a multiple of a number in all listed runs, it is also a multiple of that
 * number in the returned run. Two sizes that are equal in all listed runs are also equal in the
 * returned run. */
JudgedRun drawn_beside(const Check *, const JudgedRun *, size_t count);

#endif
