/* From facts to causes: is what a variant computed right, and if not, why? One section for each file. The tasks of the labs
 * (tasks/) list runs and gates; the functions here judge them and fill in the verdict of a Check.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "explain/hypotheses.h"
#include "facts/facts.h"

typedef struct Problem Problem; /* of the harness */
typedef struct Instance Instance;

/* ---- judge.c: the runs of a task --------------------------------------------------------------- */

/* A problem of the harness, and what is known about mistakes in it. */
typedef struct Subject {
  const Problem *problem;
  /* For each element of the output: how far rounding alone may move it from gold. */
  void (*margin)(const Instance *, double *margin);
  /* Adds the hypotheses that give exactly this output. NULL: there are none. */
  void (*suspect)(const Instance *, const double *margin, const ResultFile *, Hypotheses *);
  /* The usual causes of elements that nothing wrote: all of them; some, with the student's grid; some, with ours. */
  SayId never_stored, grid_too_small, turned_away;
  /* What an observer cannot know about a race or an access out of bounds, or SAY_NOTHING: two threads store one element of
   * the output; a kernel that is right by itself goes wrong when the student launches it. */
  SayId stored_twice, launched_wrongly;
  /* A buffer through which the student's kernels pass values on, or NULL; the cause when one kernel reads there what none
   * stored, and when the kernel that has to store it reads it. */
  const char *stores;
  SayId not_stored, read_back;
  bool finished_by_host; /* what the device returns is not yet the output */
  /* Additions and multiplications that the output takes at least; NULL: unknown. */
  double (*operations)(const Instance *);
  /* What to do about a wrong element that nothing explains, with the lab's number and the variant; or SAY_NOTHING. */
  SayId by_hand;
  /* The name of an element where "C(3,4)" is not enough; or NULL. */
  void (*element)(const Instance *, size_t at, char *name, size_t size);
  SayId not_a_number;
  /* Says more about elements that nothing wrote: `missing` has a flag for each element; or NULL. */
  void (*unwritten)(const Instance *, const unsigned char *missing, Verdict *);
  /* What else an observer's report means here; or NULL. */
  void (*blame)(const Instance *, const json_t *report, Verdict *);
  /* What the probes can take apart: sums of products of the first operand's rows and the second's columns; sums of the
   * pulls of bodies; elements that are only moved. */
  bool sums, pulls, moves;
  /* Adds a fact about a wrong output; or NULL. */
  void (*remark)(const Instance *, const ResultFile *, Verdict *);
  /* Limits of the sizes that the seed draws for one more run of a list: each, and their product. */
  int drawn_most[4];
  double drawn_work;
} Subject;

typedef struct JudgedRun {
  const Subject *subject;
  const char *variant;
  int size[4];     /* the harness's MAX_SIZES, in the problem's order */
  bool own_launch; /* the student's code computes the grid and copies */
  int fill;        /* the harness's Fill; 0: uniform */
  unsigned seed;   /* of FILL_LIT; every other fill uses the seed of the grading */
  bool drawn;      /* the seed draws its sizes: a class does not compare its work */
} JudgedRun;

enum { RUNS_MOST = 64 }; /* in one task */

/* Runs the variant and compares its result with gold; true if it is right and no observer reported anything. *kept gets
 * the run, to be freed, unless it is NULL. */
bool judged_right(Check *, const JudgedRun *, Trial *kept);
/* All runs, and one more at sizes that the seed draws. */
bool judged_all_right(Check *, const JudgedRun *, size_t count);
/* The same run at sizes that the seed draws from these ranges, with a product of at most `work`. */
JudgedRun judged_drawn(const Check *, JudgedRun, const SizeRange *, double work);

/* ---- runs.c: starting a run ---------------------------------------------------------------------- */

/* Starts the variant on the inputs of judged_right. extra: one more argument, or NULL. */
Trial judged_start(Check *, const JudgedRun *, const char *extra);
Trial judged_start_alone(Check *, const JudgedRun *, const char *extra);
void judged_start_ahead(Check *, const JudgedRun *, size_t count);
/* " --m 33 --k 5 --n 40" */
void judged_sizes(const JudgedRun *, char *out, size_t size);
/* Notes in the verdict which command shows this run again. */
void check_again_run(Check *, const JudgedRun *, const char *more);

/* ---- host.c: the host side where calls fail and sizes are large ---------------------------------- */

typedef struct HostSide {
  const char *function; /* the student's */
  const char *calls;    /* how the names of the student's calls begin; NULL: all calls are theirs */
  SayId cause;          /* the usual cause of a size that goes wrong */
} HostSide;

/* Makes each call that can fail do so, in a run of its own: is the error returned, and everything freed? usual: the log of
 * a run in which nothing fails. */
bool host_tells_failures(Check *, const HostSide *, const JudgedRun *run, const Log *usual);
/* The same; runs `run` once without injected failures first. */
bool host_tells_launches(Check *, const HostSide *, const JudgedRun *run);
/* Are all bytes copied at these sizes, which are pretended? */
bool host_counts_bytes(Check *, const HostSide *, const JudgedRun *);

/* ---- traffic.c: may counters be taken for what a variant costs? ------------------------------------ */

/* Did this kernel do the work? */
bool traffic_alone(Check *, const Log *, const char *kernel);
/* Did it make the loads, too? For kernels that may spend any number of instructions. */
bool traffic_loads_alone(Check *, const Log *, const char *kernel);
/* Does every access belong to a known buffer, of which parameter `output` is written? names: "A, B and C". */
bool traffic_traced(Check *, const Log *, const char *kernel, int output, const char *names);
/* No atomic operations, no spills, and in float no arithmetic in double, unless in_double. Local memory holds constants at
 * most, which are read `reads` times: once for each time that the solution loads, or takes a zero instead. */
bool traffic_clean(Check *, const Log *, const char *kernel, bool in_double, double reads);
/* Exactly these bytes stored, in at most so many sectors. */
bool traffic_stored_once(Check *, const Log *, const char *kernel, double bytes, double sectors);

/* ---- product.c: matrix products, C = A (m×k) · B (k×n) ---------------------------------------------- */

typedef struct ProductRun {
  const char *variant;
  size_t m, k, n;
  bool own_launch;
  int fill;
  bool drawn;
} ProductRun;

bool product_right(Check *, const ProductRun *, Trial *kept);
bool product_all_right(Check *, const ProductRun *, size_t count);
/* The same as product_right, where a guard that belongs to another task may be wrong by one: nothing is said of the last row
 * and the last column of C. If `step` is not 0, all sums may lack the last term or the last `step` terms, too. */
bool product_right_inside(Check *, const ProductRun *, size_t step, Trial *kept);
/* Drawn sizes: whole tiles of C, of `side` rows and columns, and whole steps of `depth` terms; or any of more than one tile. */
ProductRun product_drawn(const Check *, const char *variant, size_t side, size_t depth, bool whole);
/* May this kernel's counters be taken for the product's, and those of A, B and C told apart? */
bool product_counted(Check *, const Log *, const char *kernel);
bool product_host_tells(Check *, const HostSide *, const ProductRun *, const Log *usual);
bool product_host_counts(Check *, const HostSide *, const ProductRun *);

/* ---- bodies.c: N bodies ------------------------------------------------------------------------------ */

extern const Subject bodies_subject;        /* sizes: bodies, steps */
extern const Subject accelerations_subject; /* the same, moved by the CPU */

/* ---- endings.c -------------------------------------------------------------------------------------- */

/* Each of these returns true when there is nothing to say, and fills in the verdict otherwise. */
bool verdict_report(Verdict *, const Log *, const char *which);
bool verdict_ending(Verdict *, const Trial *, bool on_gpu);
bool verdict_output(Verdict *, const Trial *, size_t rows, size_t columns, size_t element_bytes);
/* Reads behind the end of a tile in shared memory, as many as `threads` threads that add up `length` terms, called `sum`,
 * make when the index is not reset with each tile, or the loop over a tile runs to the end of the sum. True: the verdict
 * has the cause. */
bool verdict_past_tile(Verdict *, const json_t *report, const char *sum, double threads,
                       double length, double tile);

/* ---- timing.c: the times of a GPU ------------------------------------------------------------------- */

/* True: fast enough, with a fact that says so. */
bool speed_verdict(Verdict *, Speed *);
/* Measures both programs in turns; fails the check if the student's is slow. */
void check_speed(Check *, const char *variant, int size);

#endif
