/* The program around every lab: one section per source file, in the order in which a run goes
 * through them.
 *
 * A lab is data: labs/NN-name/lab.c defines `lab`, which names its problem and its variants. The
 * problem (matmul.c) says which operands there are and what the right answer is; main.c does the
 * rest, the same for every lab.
 *
 * Matrices are row-major arrays of `element_bytes` wide elements (4: float, 8: double), so that
 * nothing here is compiled twice; only lab.c and the .cu file know `real`. Times are milliseconds,
 * sizes are elements. What the device is only device_emulated.c and device_gpu.c know.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../lab.h"

/* What lab.c takes from the student's file: kernels (IMPORT_KERNEL of lab.h), numbers, and functions of the host's side, each
 * call of which stands in ON_HOST(). In a replay (LOCKSTEP_REPLAY) there is that file's object, and nothing of it is executed:
 * the device knows the kernels, and what the functions asked for elsewhere (emulator/transcript/). */
#ifdef LOCKSTEP_EMULATED
#include "../emulator/emulator.h"
#endif
#ifdef LOCKSTEP_REPLAY
#undef IMPORT_KERNEL
#define IMPORT_KERNEL(kernel)                                                                      \
  static const char stands_for_##kernel;                                                           \
  extern const void *const kernel_##kernel;                                                        \
  __attribute__((weak)) const void *const kernel_##kernel = &stands_for_##kernel;                  \
  __attribute__((constructor)) static void import_##kernel(void) {                                 \
    emulator_import(&stands_for_##kernel, #kernel);                                                \
  }
#define IMPORT_NUMBER(number)                                                                      \
  extern int number;                                                                               \
  __attribute__((weak)) int number;                                                                \
  __attribute__((constructor)) static void import_##number(void) {                                 \
    emulator_import_number(&number, #number);                                                      \
  }
#define ON_HOST(call) ((void)sizeof(call), (cudaError_t)emulator_host_replay())
#else
#define IMPORT_NUMBER(number) extern int number
#ifdef LOCKSTEP_EMULATED
#define ON_HOST(call) (emulator_host_enter(), (cudaError_t)emulator_host_leave((int)(call)))
#else
#define ON_HOST(call) (call)
#endif
#endif

enum { MAX_OPERANDS = 6, MAX_SIZES = 4 };

typedef struct Shape {
  size_t rows, columns;
} Shape;

/* ---- matrix.c -------------------------------------------------------------------------------- */
/* Here, for the loops of all sums: a call for each term takes as long as the sum. */
static inline double element_get(const void *data, size_t element_bytes, size_t index) {
  return element_bytes == sizeof(float) ? ((const float *)data)[index]
                                        : ((const double *)data)[index];
}

static inline void element_set(void *data, size_t element_bytes, size_t index, double value) {
  if (element_bytes == sizeof(float))
    ((float *)data)[index] = (float)value;
  else
    ((double *)data)[index] = value;
}

/* Poison: all bits set, a NaN that no arithmetic produces. Output buffers start with it, so an
 * element that still has it was never written. */
void matrix_poison(void *data, size_t bytes);
bool element_is_poison(const void *data, size_t element_bytes, size_t index);
/* As a person reads it: whole numbers without a point, "." for an element never written. */
void matrix_print(FILE *, const char *name, const void *data, size_t element_bytes, Shape);

/* ---- fill.c ---------------------------------------------------------------------------------- */
typedef enum Fill {
  FILL_UNIFORM, /* [-1, 1) in steps of 2^-52, rounded to the element's type */
  FILL_WHOLE,   /* 0 to 9, to check by eye */
  FILL_LINEAR,  /* the lecture's a(i,j) = 2j + i, b(i,j) = j - i: Operand.linear */
  FILL_UNIT,    /* [0, 1) in steps of 2^-53, rounded likewise */
  FILL_PAIRS,   /* for bodies: two and two, at distances around the limit; else as uniform */
  FILL_INFINITE, /* uniform, but every other row of the first operand begins with an infinity: what belongs to other
                    rows has nothing to do with it */
  FILL_LIT /* for bodies: number seed apart from all others; for sums of products: one operand is 1 in one line, seed / 2 of the terms, and 0 elsewhere, and the
              other has numbers that tell where they are from; seed % 2 is the operand with the ones */
} Fill;
enum { LIT_ALL = 1 << 20 };            /* in place of a line: 1 everywhere */
extern const char *const fill_names[]; /* by Fill, ends with NULL */

/* How an input is made. */
typedef struct Recipe {
  Fill fill;
  uint64_t seed;
} Recipe;

/* One element of input number `operand`: a function of its arguments and nothing else, so that the
 * checker can make the same numbers in another process. linear: factors of row and column. */
double fill_element(const Recipe *, int operand, const int linear[2], size_t row, size_t column);
/* All elements of a row of the matrix at `to`. */
void fill_row(const Recipe *, int operand, const int linear[2], size_t row, size_t columns,
              void *to, size_t element_bytes);

/* ---- problem.c ------------------------------------------------------------------------------- */
typedef struct Instance Instance;

typedef struct Operand {
  const char *name;
  int rows, columns; /* which of the sizes; ONE: 1 */
  int linear[2];
} Operand;
enum { ONE = -1 };

/* What is computed. The inputs come first, the last operand is the output. A kernel takes the
 * operands, then the sizes as int, both in this order. */
typedef struct Problem {
  const char *formula;                   /* "C = A·B" */
  const char *about;                     /* what --help says besides; may be NULL */
  const char *size_names[MAX_SIZES + 1]; /* the options that set them; ends with NULL */
  int scaled; /* --size sets the first so many; 0: all. The others count something, like steps */
  Operand operands[MAX_OPERANDS + 1]; /* ends with name NULL */
  /* Where the two below differ from what Operand says; NULL: they do not. */
  Shape (*shape)(const int *size, int operand);
  double (*fill)(const Recipe *, const int *size, int operand, size_t row, size_t column);
  void (*gold)(const Instance *, double *output);
  /* The largest relative L2 norm of a right answer; INFINITY: right answers differ, none is
   * compared. */
  double (*tolerance)(const Instance *);
  double (*flop)(const int *size); /* floating-point operations */
  /* Optional, for problems whose time is that of their memory traffic. */
  double (*bytes)(const int *size, size_t element_bytes); /* the least that has to travel */
  double absolute; /* not 0: the table tells how many elements are within it, too */
  int averaged;    /* not 0: device times are averages over so many launches, unless asked for */
} Problem;

/* A problem with numbers in it. */
struct Instance {
  const Problem *problem;
  int size[MAX_SIZES];
  size_t element_bytes;
  Recipe recipe;
  void *operand[MAX_OPERANDS]; /* host memory; NULL for the output */
  double *gold;                /* the right answer, NULL before instance_gold */
};

int problem_inputs(const Problem *); /* also the number of the output */
int problem_sizes(const Problem *);
Shape operand_shape(const Problem *, const int *size, int operand);
size_t operand_bytes(const Instance *, int operand);
/* NULL when all fits, else one line that says what does not (in a static buffer). */
const char *problem_misfit(const Problem *, const int *size, size_t element_bytes);
Instance instance_make(const Problem *, const int *size, size_t element_bytes, Recipe);
void instance_gold(Instance *);
void instance_free(Instance *);

/* ---- a lab: what lab.c is made of ------------------------------------------------------------ */
typedef struct Run {
  const Instance *instance;
  int size[MAX_SIZES];
  void *operand[MAX_OPERANDS]; /* host or device memory, as Variant.place says */
  int threads;                 /* for variants on CPU threads */
} Run;
typedef cudaError_t (*RunFunction)(const Run *);

typedef enum Place {
  PLACE_CPU,       /* gets host memory, computes on the CPU; timed */
  PLACE_DEVICE,    /* gets device memory, launches kernels */
  PLACE_TENSOR,    /* the same, and these multiply on tensor cores: another ceiling */
  PLACE_ROUND_TRIP /* gets host memory, goes to the device and back by itself */
} Place;

typedef struct Variant {
  const char *name, *description;
  Place place;
  RunFunction run;
} Variant;

/* A variant that computes something else than the lab, over the same sizes: a warm-up, a part of
 * the whole. It runs only when chosen by name. */
typedef struct Exercise {
  Variant variant;
  const Problem *problem;
} Exercise;

typedef struct Lab {
  const char *title; /* "lab 01: naive matrix product" */
  const Problem *problem;
  size_t element_bytes;      /* sizeof(real) */
  int size[MAX_SIZES];       /* unless options say otherwise */
  const Variant *variants;   /* in teaching order, the CPU's first; ends with name NULL */
  const Exercise *exercises; /* ends with variant.name NULL; NULL: none */
  const char *open;          /* the exercise whose counters answer no prediction; NULL: none */
  Fill fill;                 /* unless options say otherwise */
  const char *story;         /* of its solutions, for --demo: what changes from kernel to kernel */
} Lab;
/* Begins with its two digits. */
const char *lab_digits(const Lab *);
/* The name of the library's variant, to which the others are compared. */
#define LIBRARY_NAME "cublas"
extern const Lab lab; /* defined in labs/NN-name/lab.c, used only by main.c */

/* Launches a kernel that takes so many pointers, then so many ints. One that takes more would get what lies behind its
 * arguments: the program ends with these words. */
#define OTHER_PARAMETERS "a kernel's parameters are not those of the lab"
cudaError_t launch_kernel(const void *kernel, dim3 grid, dim3 block, size_t shared,
                          void **arguments, int pointers, int numbers);
/* Launches a kernel on the operands and sizes of a run. shared: bytes of dynamic shared memory. */
cudaError_t run_launch(const Run *, const void *kernel, dim3 grid, dim3 block, size_t shared);

/* ---- matmul.c: C = A·B, A m×k, B k×n --------------------------------------------------------- */
extern const Problem matmul_problem;
enum { MATMUL_M, MATMUL_K, MATMUL_N };
enum { MATMUL_A, MATMUL_B, MATMUL_C };
/* The lecture's CPU loop: B is transposed first, so that both operands are read along rows. One
 * core. */
cudaError_t matmul_cpu(const Run *);
/* The same loop on Run.threads threads, which take the next element from a shared counter. */
cudaError_t matmul_threads(const Run *);

/* ---- exercises.c: gold of exercises ----------------------------------------------------------- */
/* Twice each element of operand 0. */
void gold_doubled(const Instance *, double *out);
/* n elements of operand 0, each piece turned around. */
void gold_reversed(const Instance *, size_t n, size_t piece, double *y);
/* The tiles of A and B of one step, multiplied place by place: block (bx, by) shows step bx + by, counted
 * around. An element beyond k counts as 0. */
void gold_tiles(const Instance *, size_t tile, double *C);
/* Operand 0, m×k, with rows and columns exchanged. */
void gold_transposed(const Instance *, size_t m, size_t k, double *At);

/* ---- matvec.c: out = M·v, M rows×cols -------------------------------------------------------- */
extern const Problem matvec_problem;
enum { MATVEC_ROWS, MATVEC_COLUMNS };
enum { MATVEC_MATRIX, MATVEC_VECTOR, MATVEC_OUT };
/* Row by row, one core. */
cudaError_t matvec_cpu(const Run *);
/* The same on Run.threads threads, which take the next row from a shared counter. */
cudaError_t matvec_threads(const Run *);

/* ---- nbody.c: bodies that attract one another ------------------------------------------------ */
extern const Problem nbody_problem;
enum { NBODY_N, NBODY_STEPS };
enum { NBODY_R0, NBODY_V0, NBODY_R }; /* positions and velocities before; positions at all steps */
#define NBODY_MG 10.0                 /* G times the mass of a body */
#define NBODY_TAU 0.001               /* seconds a step */
#define NBODY_NEAR 0.01               /* metres; closer pairs contribute nothing */
#define NBODY_COMPARED 12             /* steps, in a dense cluster */
cudaError_t nbody_cpu(const Run *);   /* one core */
cudaError_t nbody_threads(const Run *);
/* Of n bodies with --fill pairs, the one that this one is near; n: none. */
size_t nbody_other(size_t n, size_t body);
/* Positions and velocities after one step, from accelerations that somebody else computed. */
void nbody_move(size_t element_bytes, const void *now, const void *a, void *v, void *next, int n);

/* ---- cublas.c: the library's products, on a GPU whose toolkit has it -------------------------- */
cudaError_t matmul_cublas(const Run *);
cudaError_t matvec_cublas(const Run *);
/* A row in a table of variants, or none at all. tensor: does it use tensor cores? */
#ifdef LOCKSTEP_CUBLAS
#define LIBRARY_VARIANT(description, tensor, run)                                                  \
  {LIBRARY_NAME, description, (tensor) ? PLACE_TENSOR : PLACE_DEVICE, run},
#else
#define LIBRARY_VARIANT(description, tensor, run)
#endif
#define MATMUL_LIBRARY                                                                             \
  LIBRARY_VARIANT("the library's product", sizeof(real) == sizeof(double), matmul_cublas)
#define MATVEC_LIBRARY LIBRARY_VARIANT("the library's product", false, matvec_cublas)

/* ---- threads.c ------------------------------------------------------------------------------- */
int threads_usable(void); /* the cores this process may use */
/* Calls f(index, context) once for every index below count. Each thread takes the next index from a
 * shared counter: nobody waits while there is work left. */
void threads_for(size_t count, int threads, void (*f)(size_t index, void *context), void *context);

/* ---- compare.c ------------------------------------------------------------------------------- */
enum { MAX_DIFFERENCES = 8 };
typedef struct Comparison {
  bool right;  /* the norm is within bounds and no element differs */
  double norm; /* |got - expected| / |expected|; NaN as soon as one element is */
  double bound;
  size_t elements, differing;
  size_t unwritten; /* of the differing: still poison */
  size_t nan;       /* of the differing: NaN that was computed */
  double absolute;  /* not 0: comparison_absolute was asked, */
  double largest;   /* for the largest difference, NaN as soon as one element is, */
  size_t within;    /* and how many elements are no further off than that bound */
  struct {
    size_t row, column;
    double expected, got;
    bool unwritten;
  } first[MAX_DIFFERENCES]; /* the first of the differing, in row-major order */
} Comparison;

Comparison compare(const void *got, size_t element_bytes, const double *expected, Shape,
                   double bound);
/* How far each element may be off. */
void compare_margins(const double *expected, size_t count, double bound, double *margins);
/* Adds how many elements lie within an absolute bound. */
void comparison_absolute(Comparison *, const void *got, size_t element_bytes,
                         const double *expected, double absolute);
void comparison_print(FILE *, const char *variant, const Comparison *);

/* ---- output.c -------------------------------------------------------------------------------- */
typedef struct Output {
  Shape shape;
  size_t element_bytes;
  void *data; /* to free */
} Output;
/* The file: "LOCKSTEP", u32 element bytes, u32 0, u64 rows, u64 columns, the elements; little
 * endian; as text, a line for each row, where the path ends in .csv. Appears whole or not at all.
 * Both return NULL, or what is wrong in one line (in a static
 * buffer). */
const char *output_write(const char *path, const void *data, size_t element_bytes, Shape);
const char *output_read(const char *path, Output *);
/* Behind what is there already: the results of several runs, one behind the other. */
const char *output_append(const char *path, const void *data, size_t element_bytes, Shape);
/* How many of those, at most so many, are there whole. */
size_t output_read_all(const char *path, Output *, size_t most);
/* /dev/stdout and the like cannot be replaced by a fresh file, and are links even where they lead
 * to one: true for all that is there and no regular file. */
bool output_in_place(const char *path);

/* ---- timing.c -------------------------------------------------------------------------------- */
double timing_now(void);                        /* from some fixed moment on; never set back */
double timing_median(double *times, int count); /* sorts them */
double timing_mean(const double *times, int count);
/* part 0.25: the first quartile. Sorts them; NaN: there are none. */
double timing_quantile(double *times, int count, double part);
enum { MOST_REPEATS = 1000 };
typedef struct Timing {
  int count;
  double times[MOST_REPEATS];
} Timing;
void timing_add(Timing *, double time);
/* How far the quartiles lie apart, as a part of the median; NaN: too few runs to say. */
double timing_spread(Timing *);
/* `most` calls more, or fewer once two seconds are spent; at least `least`. *error: the first one. */
void timing_run(RunFunction, const Run *, int least, int most, Timing *, cudaError_t *error);
/* A file with a time a line, and before them what they can be at least, if that is known. NULL, or what is wrong in one
 * line (in a static buffer). */
const char *timing_write(const char *path, const Timing *, double least);

/* ---- roof.c ------------------------------------------------------------------------------------ */
/* What a device was measured at; NaN: unknown. */
typedef struct Roof {
  double copy, read;   /* bytes per millisecond; a copy reads and writes */
  double rate, tensor; /* FLOP per millisecond of multiply-adds, and on tensor cores */
} Roof;
/* What a result had to do at least; NaN: unknown. */
typedef struct Demand {
  double flop, bytes;
  double inputs; /* of the bytes; what is written may stay in a cache beyond the end of the run */
  bool tensor;   /* may be done on tensor cores */
} Demand;
void roof_print(FILE *, const Roof *);             /* a line; nothing when it is unknown */
Demand roof_demand(const Instance *, bool tensor); /* each operand moves once */
/* 0 to 1, or a little more; NaN: unknown. */
double roof_share(const Roof *, const Demand *, double time);
/* The least time that the ceilings allow, with a few percent for their own scatter; NaN: unknown. */
double roof_least(const Roof *, const Demand *);
/* False: faster than that. */
bool roof_possible(const Roof *, const Demand *, double time);

/* ---- progress.c ------------------------------------------------------------------------------ */
/* A line on the terminal for work that takes long: what, how far, how long. Silent when standard
 * error is no terminal. Calls may nest: what the outermost says is shown. */
void progress_begin(const char *what);
void progress_end(void);
/* Another text (that stays where it is), and how much of the whole is done, 0 to 1. */
void progress_set(const char *what, double fraction);
/* What ctrl-C says before it ends the program; NULL: nothing. */
void progress_parting(const char *text);
/* Between the two: done of total, read from time to time. NULL: unknown. */
void progress_watch(const _Atomic size_t *done, size_t total);

/* ---- turn.c ---------------------------------------------------------------------------------- */
typedef enum Turn { TURN_SHARED = 's', TURN_ALONE = 'a', TURN_OVER = 'o' } Turn;
/* Waits until this program may use the device, where others do, too; what it had before ends. */
void turn_take(Turn);
void turn_leave(void);

/* ---- device_emulated.c, device_gpu.c: the same functions, one of the two files is empty ------ */
enum { MAX_MEASURES = 12 };
#define PREDICTED_TIME "predicted ms" /* the first measure of a device that predicts its time */
typedef struct MeasureName {
  const char *name, *topic; /* as in Table */
} MeasureName;
extern const MeasureName device_measure_names[]; /* ends with name NULL */
extern const bool device_has_time;        /* false: the device counts, and its times mean nothing */
#define NO_DEVICE "no usable CUDA device" /* said by a program that ends for that, with status 2 */
const char *device_description(void);
bool device_fails_on_purpose(void); /* one of the calls, as LOCKSTEP_FAIL wants it */
/* Width of a bank of shared memory; only before the first other call. Dies where it is fixed. */
void device_choose_banks(int bytes);
/* Says in reports what an allocation is. */
void device_name_buffer(void *address, const char *name, Shape, size_t element_bytes);
cudaError_t device_poison(void *address, size_t bytes);
/* The operands of the run that comes lie in the host's memory, if they do. */
void device_host_operands(const Run *, bool on_host);
/* Forgets what was measured so far. */
void device_reset_measures(void);
typedef struct Legend {
  const char *measure, *text; /* what to say below a table that has this measure */
} Legend;
extern const Legend device_legend[]; /* ends with text NULL */
/* Since the last reset, by device_measure_names, NaN where one does not apply; returns how many. */
int device_measures(double measures[MAX_MEASURES]);
/* What would limit that on the predicted card, in a word; "": it is not predicted. */
const char *device_limit(void);
/* Bytes of memory of the device, and how many of them are free. */
cudaError_t device_memory(size_t *bytes, size_t *free);
/* So many times more of `run` by the device's own clock, after a warm-up, a short one where there are some already,
 * caches flushed in between; none on a device that has no time. */
void device_time(RunFunction, const Run *, int repeats, Timing *, cudaError_t *error);
/* Its ceilings, measured at the first call for this element type. */
const Roof *device_roof(size_t element_bytes);
/* Bytes per millisecond between the device and its memory at best; NaN: unknown. */
double device_peak_bandwidth(void);

/* ---- run.c ----------------------------------------------------------------------------------- */
typedef struct Result {
  const Variant *variant;
  cudaError_t error;
  double time;                   /* NaN: none */
  Timing timing;                 /* all of them */
  double least;                  /* that the roof allows, in rounds with a roof; NaN: not known */
  double share;                  /* of the roof; NaN: not known */
  bool impossible;               /* faster than the ceilings allow */
  double bytes;                  /* that had to travel in this time; NaN: not known */
  double bandwidth;              /* what the memory could do at best; NaN: not known */
  double measures[MAX_MEASURES]; /* by device_measure_names */
  int measure_count;
  const char *limit; /* device_limit; NULL: the device was not asked */
  bool checked;
  Comparison comparison; /* when checked */
} Result;
typedef enum Statistic {
  STATISTIC_USUAL, /* as the problem says */
  STATISTIC_MEDIAN,
  STATISTIC_MEAN
} Statistic;
typedef struct RunOptions {
  int threads, repeats; /* repeats 0: as many as fit the device */
  Statistic statistic;
  int rounds;       /* for the checker: in so many turns, each with all repeats; 0: in one */
  bool roof;        /* in rounds the roof is measured by one who asks for it */
  bool no_time;     /* run once, measure no time */
  bool no_counters; /* keep to itself what the device counts: it would answer a prediction */
} RunOptions;
/* Runs a variant; the output goes to host memory at `output`. */
Result run_variant(const Variant *, const Instance *, const RunOptions *, void *output);
bool place_is_device(Place); /* gets device memory */

/* ---- table.c --------------------------------------------------------------------------------- */
enum { MAX_COLUMNS = 24, MAX_ROWS = 32, CELL_BYTES = 48 };
typedef struct TableColumn {
  char heading[CELL_BYTES]; /* "sectors/load" and "time ms" are shown on two lines */
  const char *topic;        /* columns of one topic stay together */
} TableColumn;
typedef struct Table {
  int columns, rows;
  const char *topic; /* of the columns that are added next */
  TableColumn column[MAX_COLUMNS];
  char cell[MAX_ROWS][MAX_COLUMNS][CELL_BYTES];
} Table;
/* The column with this heading, which is added when new. */
int table_column(Table *, const char *heading);
/* A cell of the last row. */
void table_set(Table *, const char *heading, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Leaves out columns without a single entry. The first column is set left, the others right. What is
 * wider than so many columns of the screen becomes several tables, by topic, each with the first
 * column and those rows that have something in it. */
void table_print(FILE *, const Table *, int width);
/* One row per result: time or counters, and the rate against `baseline` milliseconds and against
 * the library's (NaN: no rate). */
void table_add_result(Table *, const Result *, double flop, double baseline, double library);
/* "right", "WRONG", "failed", "impossible", or "" when it was not compared. */
const char *result_word(const Result *);
/* 1234567 as "1 234 567". */
const char *format_count(double, char buffer[CELL_BYTES]);

/* ---- csv.c: results as rows of a file ---------------------------------------------------------- */
/* The first line of the file is a comment that says what was run; a file of an earlier run that
 * says the same is gone on with. Headings are those of the table. */
typedef struct Csv {
  FILE *file;
  const struct Options *options;
  struct CsvRow *rows; /* those that were there, and those added since */
  size_t count, room;
} Csv;
typedef struct CsvRow {
  char variant[24];
  int size[MAX_SIZES];
  bool right, failed; /* neither: not compared */
  double time;        /* NaN: none */
  double measures[MAX_MEASURES];
} CsvRow;
/* Dies with one line when the file cannot be written or holds something else. path NULL: the rows
 * are kept in memory only. */
Csv csv_open(const char *path, const struct Options *);
const CsvRow *csv_find(const Csv *, const char *variant, const int *size); /* NULL: not there */
/* On the disk when this returns. */
void csv_add(Csv *, const Result *, const int *size);
void csv_close(Csv *);

/* ---- plot.c: pictures, drawn by gnuplot -------------------------------------------------------- */
typedef struct Series {
  const char *name;
  double *x, *y;
  size_t count;
  unsigned colour; /* the same in all panels */
} Series;
typedef struct Panel {
  const char *title, *x_label, *y_label;
  bool logarithmic; /* both axes */
  Series *series;
  size_t count;
} Panel;
/* path ends in .svg, .png or .pdf; NULL: on the terminal, one panel. Returns NULL, or
 * what is wrong in one line (in a static buffer). */
const char *plot_draw(const char *title, const Panel *, size_t count, const char *path);

/* ---- options.c ------------------------------------------------------------------------------- */
typedef struct Range {
  int first, last, step;
} Range;
/* 0: none. */
#define RETURNED_STATUS(error) ((error) ? 16 + (int)(error) % 200 : 0)
typedef struct Options {
  const Lab *lab;
  const Variant *variant; /* NULL: all */
  const Variant *from;    /* not those before this one; NULL: from the first on */
  const Problem *problem; /* the lab's, or that of the chosen exercise */
  int size[MAX_SIZES];
  bool fixed[MAX_SIZES]; /* set by an option of its own */
  Recipe recipe;
  size_t element_bytes;
  RunOptions run;
  int bank_bytes; /* 0: not given */
  bool list, print, check, fit, no_cpu, demo;
  const char *withheld; /* variants whose names begin so do not run; NULL: all do */
  bool exercises;       /* for a recording: all exercises run before the variants */
  bool returned;        /* for the checker: the exit status tells which error, RETURNED_STATUS */
  bool pretend;         /* for the checker: no operand takes memory */
  int rehearsed
      [MAX_SIZES]; /* for the checker: a run on such sizes comes before; [0] 0: none does */
  int probes;      /* for the checker: so many runs, each with the next seed; 0: one as usual */
  Range sweep;     /* step 0: no sweep */
  const char *output, *csv, *plot; /* NULL: none */
  const char *times;               /* where the checker wants to have them; NULL: nowhere */
  const char *gold; /* where the right answer and what each element may be off go; NULL: nowhere */
} Options;
/* Ends the program with status 2 and one line when something does not fit, with 0 after --help. */
void options_parse(const Lab *, int argc, char **argv, Options *);
#define OPTION_THEN "then" /* between the runs of one start (main.c) */
/* Is this one to be run? */
bool options_want(const Options *, const Variant *);
/* Would it answer a prediction that is still open? */
bool options_withhold(const Options *, const Variant *);
/* The sizes at point n of a sweep. */
void options_scale(const Options *, int n, int size[MAX_SIZES]);
/* One line on standard error that names the bad input and the remedy, then exit 2. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- sweep.c ----------------------------------------------------------------------------------- */
/* Runs the chosen variants at all sizes of Options.sweep; returns the program's exit status. */
int sweep(const Options *);

/* ---- demo.c ------------------------------------------------------------------------------------ */
/* The results of a lab's solutions on one screen: what changed, what it did, what to read next. */
void demo_print(FILE *, const Options *, const Result *, int count, int width);

/* ---- pretend.c --------------------------------------------------------------------------------- */
/* Runs the chosen variant on operands that take no memory; returns the program's exit status. */
int pretend(const Options *);

/* ---- fit.c ------------------------------------------------------------------------------------- */
/* Prints how much memory the operands take and what size would still fit the device. */
void fit_print(const Options *);
/* NULL when the device has memory enough, else one line that says so (in a static buffer). */
const char *fit_misfit(const Options *, const int *size);

#endif
