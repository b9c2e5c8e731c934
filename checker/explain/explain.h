/* From facts to causes: decides whether the result of a variant is right, and if not, why. One
 * section for each file. The tasks of the labs (tasks/) list runs and gates. The functions here
 * judge them and fill in the verdict of a Check. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "explain/hypotheses.h"
#include "facts/facts.h"

/* From the harness. */
typedef struct Problem Problem;
typedef struct Instance Instance;

/* ---- judge.c: the runs of a task ------------------------------------------------------------- */

/* A problem of the harness, and the well-known mistakes in it. */
typedef struct Subject {
  const Problem *problem;
  /* Fills in, for each element of the output, how far rounding alone may move it from gold. */
  void (*margin)(const Instance *, double *margin);
  /* Adds the hypotheses that give exactly this output. NULL: there are none. */
  void (*suspect)(const Instance *, const double *margin, const ResultFile *, Hypotheses *);
  /* The usual causes of unwritten elements: if all are unwritten; if some are, with the student's
   * grid; if some are, with the harness's grid. */
  SayId never_stored, grid_too_small, turned_away;
  /* Further causes of a race or an access out of bounds, or SAY_NOTHING. stored_twice: two threads
   * store one element of the output. launched_wrongly: the kernel is right, but the student's
   * launch of it is wrong. */
  SayId stored_twice, launched_wrongly;
  /* A buffer through which the student's kernels pass values on, or NULL. Then the causes if a
   * kernel reads a value there that none stored, and if the kernel that has to store it reads it.
   */
  const char *stores;
  SayId not_stored, read_back;
  /* The host computes the output from what the device returns. */
  bool finished_by_host;
  /* Returns the least number of additions and multiplications that the output takes. NULL: unknown.
   */
  double (*operations)(const Instance *);
  /* Advice about a wrong element that no hypothesis explains, with the lab's number and the
   * variant; or SAY_NOTHING. */
  SayId by_hand;
  /* Writes the name of an element where "C(3,4)" is not enough; or NULL. */
  void (*element)(const Instance *, size_t at, char *name, size_t size);
  SayId not_a_number;
  /* Says more about unwritten elements. `missing` has a flag for each element. NULL: there is
   * nothing more to say. */
  void (*unwritten)(const Instance *, const unsigned char *missing, Verdict *);
  /* Says what else an observer's report means here; or NULL. */
  void (*blame)(const Instance *, const json_t *report, Verdict *);
  /* Which results the probes can take apart: sums of products of the first operand's rows and the
   * second's columns; sums of the pulls of bodies; elements that are only moved. */
  bool sums, pulls, moves;
  /* Adds a fact about a wrong output; or NULL. */
  void (*remark)(const Instance *, const ResultFile *, Verdict *);
  /* The seed draws sizes for one more run: at most these, with at most this product. */
  int drawn_most[4];
  double drawn_work;
} Subject;

typedef struct JudgedRun {
  const Subject *subject;
  const char *variant;
  /* In the problem's order, as in the harness. */
  int size[4];
  /* The student's code computes the grid and copies. */
  bool own_launch;
  /* One of the harness's Fill. 0: uniform. */
  int fill;
  /* For FILL_LIT. Every other fill uses the seed of the grading. */
  unsigned seed;
  /* The seed draws the sizes, so the work is not compared within a class. */
  bool drawn;
} JudgedRun;

enum { RUNS_MOST = 64 }; /* The most runs of one task. */

/* Runs the variant and compares its result with gold. Returns true if it is right and no observer
 * reported anything. *kept gets the run, which the caller frees; kept may be NULL. */
bool judged_right(Check *, const JudgedRun *, Trial *kept);
/* Does the same with all runs, and with one more at sizes that the seed draws. */
bool judged_all_right(Check *, const JudgedRun *, size_t count);

/* ---- runs.c: starting a run ------------------------------------------------------------------ */

/* Starts the variant on the inputs of judged_right. extra: one more argument, or NULL. */
Trial judged_start(Check *, const JudgedRun *, const char *extra);
Trial judged_start_alone(Check *, const JudgedRun *, const char *extra);
void judged_start_ahead(Check *, const JudgedRun *, size_t count);
/* Writes the sizes as options: " --m 33 --k 5 --n 40". */
void judged_sizes(const JudgedRun *, char *out, size_t size);
/* Notes in the verdict which command shows this run again. */
void check_again_run(Check *, const JudgedRun *, const char *more);

/* ---- host.c: host code whose calls fail, or that has large sizes ----------------------------- */

typedef struct HostSide {
  /* The student's function. */
  const char *function;
  /* How the names of the student's calls begin. NULL: all calls are the student's. */
  const char *calls;
  /* The usual cause if a size goes wrong. */
  SayId cause;
} HostSide;

/* Makes each call that can fail do so, in its own run. Returns true if the error is returned and
 * everything is freed. usual: the log of a run in which no call fails. */
bool host_tells_failures(Check *, const HostSide *, const JudgedRun *run, const Log *usual);
/* Does the same, and before that runs `run` once without failures. */
bool host_tells_launches(Check *, const HostSide *, const JudgedRun *run);
/* Returns true if all bytes are copied at these sizes, which are only pretended. */
bool host_counts_bytes(Check *, const HostSide *, const JudgedRun *);

/* ---- traffic.c: whether the counters of a kernel show the cost of its variant ---------------- */

/* Returns true if this kernel did the work. */
bool traffic_alone(Check *, const Log *, const char *kernel);
/* Returns true if this kernel did the loads, too. For kernels that may spend any number of
 * instructions. */
bool traffic_loads_alone(Check *, const Log *, const char *kernel);
/* Returns true if every access belongs to a known buffer. Parameter `output` is the one that is
 * written. names: "A, B and C". */
bool traffic_traced(Check *, const Log *, const char *kernel, int output, const char *names);
/* Returns true if there are no atomic operations, no spills, and in float no arithmetic in double,
 * unless in_double. Local memory may only hold constants, read `reads` times: once for each time
 * that the solution loads, or takes a zero instead. */
bool traffic_clean(Check *, const Log *, const char *kernel, bool in_double, double reads);
/* Returns true if exactly these bytes were stored, in at most this many sectors. */
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
/* Like product_right, but a guard that belongs to another task may be wrong by one: the last row
 * and the last column of C are not compared. If `step` is not 0, all sums may also lack their last
 * term or their last `step` terms. */
bool product_right_inside(Check *, const ProductRun *, size_t step, Trial *kept);
/* Returns a run with drawn sizes. whole: C has whole tiles of `side` rows and columns, and each sum
 * has whole steps of `depth` terms. Otherwise any sizes of more than one tile. */
ProductRun product_drawn(const Check *, const char *variant, size_t side, size_t depth, bool whole);
/* Returns true if this kernel's counters are those of the product, and those of A, B and C can be
 * told apart. */
bool product_counted(Check *, const Log *, const char *kernel);
bool product_host_tells(Check *, const HostSide *, const ProductRun *, const Log *usual);
bool product_host_counts(Check *, const HostSide *, const ProductRun *);

/* ---- drawn_sizes.c: sizes that the seed draws ------------------------------------------------ */

/* Returns the same run at sizes that the seed draws from these ranges, with a product of at most
 * `work`. */
JudgedRun judged_drawn(const Check *, JudgedRun, const SizeRange *, double work);

/* ---- bodies.c: N bodies ---------------------------------------------------------------------- */

/* Sizes: bodies, steps. */
extern const Subject bodies_subject;
/* The same, but the CPU moves the bodies. */
extern const Subject accelerations_subject;

/* ---- endings.c ------------------------------------------------------------------------------- */

/* Each of these returns true if there is nothing to say, and fills in the verdict otherwise. */
bool verdict_report(Verdict *, const Log *, const char *which);
bool verdict_ending(Verdict *, const Trial *, bool on_gpu);
bool verdict_output(Verdict *, const Trial *, size_t rows, size_t columns, size_t element_bytes);
/* Recognizes reads behind the end of a tile in shared memory by their number: as many as `threads`
 * threads, each of which adds up `length` terms called `sum`, make if the index is not reset with
 * each tile, or if the loop over a tile runs to the end of the sum. If it returns true, the verdict
 * has the cause. */
bool verdict_past_tile(Verdict *, const json_t *report, const char *sum, double threads,
                       double length, double tile);

/* ---- timing.c: the times of a GPU ------------------------------------------------------------ */

/* Returns true if it is fast enough, and adds a fact that says so. */
bool speed_verdict(Verdict *, Speed *);
/* Measures both programs in turns. Fails the check if the student's is slow. */
void check_speed(Check *, const char *variant, int size);

#endif
