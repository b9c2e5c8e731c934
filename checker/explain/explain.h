/* The interface of the folder explain/, which decides whether the result of a variant is right, and
 * finds the causes if it is wrong. The tasks of the labs (tasks/) list runs and gates. The
 * functions here judge them and fill in the verdict of a Check. This header has one section for
 * each file. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "explain/hypotheses.h"
#include "facts/facts.h"

/* Declared in harness/harness.h. */
typedef struct Problem Problem;
typedef struct Instance Instance;

/* ---- judge.c: the runs of a task ------------------------------------------------------------- */

/* A problem of the harness, and the common mistakes that the checker recognizes in its results. */
typedef struct Subject {
  const Problem *problem;
  /* Stores in margin[i] how far rounding alone may move element i of the output from gold. */
  void (*margin)(const Instance *, double *margin);
  /* Adds each hypothesis that gives exactly this output. NULL: no hypotheses for this problem. */
  void (*suspect)(const Instance *, const double *margin, const ResultFile *, Hypotheses *);
  /* The usual causes of unwritten elements. never_stored: no element is written. grid_too_small:
   * some elements are not written, and the student's code computes the grid. turned_away: some
   * elements are not written, and the harness computes the grid. */
  SayId never_stored, grid_too_small, turned_away;
  /* Causes that are added to a race or an access out of bounds; SAY_NOTHING: none. stored_twice:
   * two threads store the same element of the output. launched_wrongly: the kernel is right, but
   * the student's launch is wrong. */
  SayId stored_twice, launched_wrongly;
  /* The buffer through which one kernel of the student passes values to another kernel; NULL: no
   * such buffer. not_stored: the cause if a kernel reads a value from this buffer that no kernel
   * has stored. read_back: the cause if the kernel that has to store the value reads it first. */
  const char *stores;
  SayId not_stored, read_back;
  /* true: the host computes the output from values that the device returns. */
  bool finished_by_host;
  /* Returns the minimum number of additions and multiplications for the output. NULL: unknown. */
  double (*operations)(const Instance *);
  /* The advice about a wrong element that no hypothesis explains. Its arguments are the lab's
   * number and the variant. SAY_NOTHING: no advice. */
  SayId by_hand;
  /* Writes the name of element number `at`. NULL: the name is written as "C(3,4)". */
  void (*element)(const Instance *, size_t at, char *name, size_t size);
  SayId not_a_number;
  /* Adds facts about unwritten elements. `missing` has a flag for each element. NULL: no facts are
   * added. */
  void (*unwritten)(const Instance *, const unsigned char *missing, Verdict *);
  /* Adds the causes of an observer's report that are specific to this problem. May be NULL. */
  void (*blame)(const Instance *, const json_t *report, Verdict *);
  /* The kind of probe that can find the terms of a wrong element. sums: the elements are sums of
   * products of a row of the first operand and a column of the second. pulls: they are sums of the
   * forces of bodies. moves: elements are only moved. */
  bool sums, pulls, moves;
  /* Adds a fact about a wrong output. May be NULL. */
  void (*remark)(const Instance *, const ResultFile *, Verdict *);
  /* Limits for the run whose sizes the seed draws: each size is at most drawn_most[i], their
   * product at most drawn_work. */
  int drawn_most[4];
  double drawn_work;
} Subject;

typedef struct JudgedRun {
  const Subject *subject;
  const char *variant;
  /* The sizes, in the order of problem->size_names. */
  int size[4];
  /* true: the student's host code copies the operands and launches the kernel. */
  bool own_launch;
  /* A value of the harness's enum Fill. 0: uniform random numbers. */
  int fill;
  /* The seed of FILL_LIT. All other fills use the seed of the grading. */
  unsigned seed;
  /* true: the seed of the grading draws the sizes. Drawn sizes differ between students, so the
   * instruction count of this run is not compared within a class. */
  bool drawn;
} JudgedRun;

enum { RUNS_MOST = 64 }; /* The maximum number of runs of one task. */

/* Runs the variant and compares its result with gold. Returns true if the result is correct and no
 * observer reported anything. If `kept` is not NULL, stores the run there; the caller frees it. */
bool judged_right(Check *, const JudgedRun *, Trial *kept);
/* Judges all runs like judged_right, and then one more at sizes that the seed draws. */
bool judged_all_right(Check *, const JudgedRun *, size_t count);

/* ---- runs.c: starting a run ------------------------------------------------------------------ */

/* Starts the variant with the inputs that judged_right compares. extra: one more argument, or
 * NULL. */
Trial judged_start(Check *, const JudgedRun *, const char *extra);
Trial judged_start_alone(Check *, const JudgedRun *, const char *extra);
void judged_start_ahead(Check *, const JudgedRun *, size_t count);
/* Writes the sizes as options: " --m 33 --k 5 --n 40". */
void judged_sizes(const JudgedRun *, char *out, size_t size);
/* Stores in the verdict the command with which the student can repeat this run. `more` is appended
 * to it. */
void check_again_run(Check *, const JudgedRun *, const char *more);

/* ---- host.c: host code whose calls fail, or that has large sizes ----------------------------- */

typedef struct HostSide {
  /* The name of the student's function. */
  const char *function;
  /* The prefix of the names of the runtime calls that the student's code makes; the harness makes
   * all others. NULL: the student's code makes all calls. */
  const char *calls;
  /* The usual cause if the function fails at large sizes. */
  SayId cause;
} HostSide;

/* For each call that can fail on a device, makes one run in which this call fails. Returns true if
 * the function always returns the error and frees everything. usual: the log of a run in which no
 * call fails. */
bool host_tells_failures(Check *, const HostSide *, const JudgedRun *run, const Log *usual);
/* Judges `run` once without failures, and then calls host_tells_failures with its log. */
bool host_tells_launches(Check *, const HostSide *, const JudgedRun *run);
/* Returns true if all bytes of the operands are copied at the sizes of this run. No memory is large
 * enough for these sizes, so the allocations are simulated. */
bool host_counts_bytes(Check *, const HostSide *, const JudgedRun *);

/* ---- traffic.c: checks that the counters of a kernel show the cost of its variant ------------ */

/* Returns true if this kernel executed nearly all instructions of the run. */
bool traffic_alone(Check *, const Log *, const char *kernel);
/* Returns true if this kernel made nearly all loads of the run. Used for kernels whose number of
 * instructions is not limited. */
bool traffic_loads_alone(Check *, const Log *, const char *kernel);
/* Returns true if every access of the kernel can be assigned to a parameter. output: the index of
 * the parameter that is written. names: the operands as they are named in a sentence, "A, B and
 * C". */
bool traffic_traced(Check *, const Log *, const char *kernel, int output, const char *names);
/* Returns true if the kernel has no atomic operations, no spills and, in a float program, no
 * arithmetic in double. in_double: arithmetic in double is allowed in a float program, too. Local
 * memory may hold only constants, such as a zero that replaces a load outside of a matrix.
 * Constants may be loaded at most `reads` times. */
bool traffic_clean(Check *, const Log *, const char *kernel, bool in_double, double reads);
/* Returns true if exactly this number of bytes was stored, in at most this number of sectors. */
bool traffic_stored_once(Check *, const Log *, const char *kernel, double bytes, double sectors);

/* ---- product.c: matrix products, C = A (m×k) · B (k×n) --------------------------------------- */

typedef struct ProductRun {
  const char *variant;
  size_t m, k, n;
  bool own_launch;
  int fill;
  bool drawn;
} ProductRun;

bool product_right(Check *, const ProductRun *, Trial *kept);
bool product_all_right(Check *, const ProductRun *, size_t count);
/* Like product_right, but accepts the results of a guard that belongs to another task and is wrong
 * by one: the last row and the last column of C are not compared. If `step` is not 0, a product in
 * which all sums lack their last term, or their last `step` terms, is accepted, too. */
bool product_right_inside(Check *, const ProductRun *, size_t step, Trial *kept);
/* Returns a run with drawn sizes. whole: m and n are multiples of `side`, and k is a multiple of
 * `depth`. Otherwise all sizes are larger than one tile, and they may be any number. */
ProductRun product_drawn(const Check *, const char *variant, size_t side, size_t depth, bool whole);
/* Returns true if the counters of this kernel show the whole cost of the product, separately for A,
 * B and C. */
bool product_counted(Check *, const Log *, const char *kernel);
bool product_host_tells(Check *, const HostSide *, const ProductRun *, const Log *usual);
bool product_host_counts(Check *, const HostSide *, const ProductRun *);

/* ---- drawn_sizes.c: sizes that the seed draws ------------------------------------------------ */

/* Returns a copy of the run with sizes that the seed draws from these ranges. The product of the
 * sizes is at most `work`. */
JudgedRun judged_drawn(const Check *, JudgedRun, const SizeRange *, double work);

/* ---- bodies.c: N bodies ---------------------------------------------------------------------- */

/* N bodies. The sizes of a run are the number of bodies and the number of steps. */
extern const Subject bodies_subject;
/* The same problem, in which a kernel computes only the accelerations and the host moves the
 * bodies. */
extern const Subject accelerations_subject;

/* ---- endings.c ------------------------------------------------------------------------------- */

/* Each of the next three functions returns true if it finds no mistake, and fills in the verdict
 * otherwise. */
bool verdict_report(Verdict *, const Log *, const char *which);
bool verdict_ending(Verdict *, const Trial *, bool on_gpu);
bool verdict_output(Verdict *, const Trial *, size_t rows, size_t columns, size_t element_bytes);
/* Recognizes two mistakes by the number of reads past the end of a tile in shared memory: an index
 * that is not reset for each tile, and a loop over a tile that runs over all terms of the sum.
 * `threads` threads add up `length` terms each; `sum` is the name of that size. Returns true if it
 * has added the cause to the verdict. */
bool verdict_past_tile(Verdict *, const json_t *report, const char *sum, double threads,
                       double length, double tile);

/* ---- timing.c: the times of a GPU ------------------------------------------------------------ */

/* Returns true if the student's kernel is fast enough, and adds a fact with the times. */
bool speed_verdict(Verdict *, Speed *);
/* Measures the student's program and the reference solution alternately. Fails the check if the
 * student's program is slow. */
void check_speed(Check *, const char *variant, int size);

#endif
