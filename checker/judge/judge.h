#ifndef LOCKSTEP_JUDGE_H
#define LOCKSTEP_JUDGE_H

/* What the parts of judge.c share: each looks at one side of a run, says what is wrong in the verdict and returns whether
 * nothing is.
 */
#include "checker.h"

#include "harness/harness.h"

/* What a run is held against. */
typedef struct Expected {
  const JudgedRun *run;
  const Subject *subject;
  Instance instance; /* with gold */
  const char *name;  /* of the output */
  size_t rows, columns;
  double *margin;
  char lab[3]; /* its number */
} Expected;

/* ---- judge.c: what the runs of a task have in common ------------------------------------------- */
/* The largest that divides this size of all of them. */
int runs_step(const JudgedRun *, size_t count, int which);
double run_work(const JudgedRun *); /* the product of its sizes */
int runs_twin(
    const JudgedRun *, size_t count,
    int k); /* the size before this one that is as large in all of them; k: there is none */
bool runs_same(const JudgedRun *, size_t count, int one,
               int other); /* are both sizes equal in each? */

/* ---- judge_reports.c: what the observers of the emulated device found ------------------------- */
bool judge_report(Verdict *, const Expected *, const Log *);
void blame_copy(Verdict *, const Expected *, const Log *); /* of a program that then ended itself */

/* ---- launch.c: does a launch pass its arguments in the kernel's order? ------------------------ */
void blame_launch(Verdict *, const char *source);

/* ---- judge_values.c: are the elements right, and which are not? ------------------------------- */
bool judge_values(Verdict *, const Expected *, const Trial *);
void blame_suspects(Verdict *); /* what probe.c and suspects.c know, in the verdict's words */

/* ---- judge_origin.c: who computed them, and from what? ---------------------------------------- */
bool judge_origin(Verdict *, const Expected *, const Trial *, bool on_gpu);
bool judge_operations(Verdict *, const Expected *, const Log *);
bool judge_inputs(Verdict *, const Expected *, const Log *);
bool judge_written(Verdict *, const Expected *, const Log *);

#endif
