/* The program around every lab: one section per source file, in the order in which a run uses them.
 *
 * A lab is data: labs/NN-name/lab.c defines `lab`, which names its problem and its variants. The
 * problem (matmul.c) defines the operands and the right answer. main.c does the rest, which is the
 * same for every lab.
 *
 * Matrices are row-major arrays of elements of `element_bytes` bytes (4: float, 8: double), so
 * nothing here is compiled twice; only lab.c and the .cu file use `real`. Times are in
 * milliseconds, sizes in elements. Only device_emulated.c and device_gpu.c depend on the device. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../lab.h"

/* The imports of lab.c from the student's file: kernels (IMPORT_KERNEL of lab.h), numbers, and host
 * functions, each call of which is wrapped in ON_HOST(). In a replay (LOCKSTEP_REPLAY), the file's
 * object exists but none of its host code is executed: the device takes the kernels from it, and
 * replays the recorded requests of the functions (emulator/transcript/). */
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
/* Inline for the loops of all sums: a function call per term would take as long as the addition. */
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

/* Poison: all bits set, a NaN that no arithmetic produces. Output buffers are filled with it, so an
 * element that still has it was never written. */
void matrix_poison(void *data, size_t bytes);
bool element_is_poison(const void *data, size_t element_bytes, size_t index);
/* Prints a matrix for reading: integers without a decimal point, "." for an element never written.
 */
void matrix_print(FILE *, const char *name, const void *data, size_t element_bytes, Shape);

/* ---- fill.c ---------------------------------------------------------------------------------- */
typedef enum Fill {
  FILL_UNIFORM, /* [-1, 1) in steps of 2^-52, rounded to the element's type */
  FILL_WHOLE,   /* 0 to 9, to check by eye */
  FILL_LINEAR,  /* the lecture's a(i,j) = 2j + i, b(i,j) = j - i: Operand.linear */
  FILL_UNIT,    /* [0, 1) in steps of 2^-53, rounded likewise */
  /* For bodies: pairs, at distances around the limit. Otherwise as FILL_UNIFORM. */
  FILL_PAIRS,
  /* Uniform, except that every other row of the first operand begins with an infinity. Results of
   * the other rows must not be affected. */
  FILL_INFINITE,
  /* For bodies: body number `seed` is apart from all others. For sums of products: operand seed % 2
   * is 1 in one line (term seed / 2) and 0 elsewhere, and the other operand has numbers that
   * identify their position. */
  FILL_LIT
} Fill;
/* Used as the line number of FILL_LIT: all lines are 1. */
enum { LIT_ALL = 1 << 20 };
/* Indexed by Fill, ends with NULL. */
extern const char *const fill_names[];

/* How an input is generated. */
typedef struct Recipe {
  Fill fill;
  uint64_t seed;
} Recipe;

/* One element of input number `operand`. It depends on the arguments only, so that the checker can
 * generate the same numbers in another process. linear: factors of row and column. */
double fill_element(const Recipe *, int operand, const int linear[2], size_t row, size_t column);
/* Fills a row of the matrix at `to`. */
void fill_row(const Recipe *, int operand, const int linear[2], size_t row, size_t columns,
              void *to, size_t element_bytes);

/* ---- problem.c ------------------------------------------------------------------------------- */
typedef struct Instance Instance;

typedef struct Operand {
  const char *name;
  /* Indices of sizes; ONE: 1. */
  int rows, columns;
  int linear[2];
} Operand;
enum { ONE = -1 };

/* A computation. The inputs come first, the last operand is the output. A kernel takes the
 * operands, then the sizes as int, both in this order. */
typedef struct Problem {
  /* "C = A·B" */
  const char *formula;
  /* Additional text of --help; may be NULL. */
  const char *about;
  /* The options that set the sizes; ends with NULL. */
  const char *size_names[MAX_SIZES + 1];
  /* The number of sizes that --size sets, from the first; 0: all. The others are counts, such as
   * steps. */
  int scaled;
  /* Ends with name NULL. */
  Operand operands[MAX_OPERANDS + 1];
  /* Override what Operand says; NULL: they do not. */
  Shape (*shape)(const int *size, int operand);
  double (*fill)(const Recipe *, const int *size, int operand, size_t row, size_t column);
  void (*gold)(const Instance *, double *output);
  /* The largest relative L2 norm of the error of a right answer. INFINITY: right answers differ, so
   * none is compared. */
  double (*tolerance)(const Instance *);
  /* floating-point operations */
  double (*flop)(const int *size);
  /* Optional, for problems that are limited by memory traffic. */
  /* The minimum number of bytes that must be transferred. */
  double (*bytes)(const int *size, size_t element_bytes);
  /* If not 0, the table also tells how many elements are within this absolute error. */
  double absolute;
  /* If not 0, device times are means over this number of launches by default. */
  int averaged;
} Problem;

/* A problem with sizes and inputs. */
struct Instance {
  const Problem *problem;
  int size[MAX_SIZES];
  size_t element_bytes;
  Recipe recipe;
  /* Host memory; NULL for the output. */
  void *operand[MAX_OPERANDS];
  /* The right answer; NULL before instance_gold. */
  double *gold;
};

int problem_inputs(const Problem *); /* also the index of the output */
int problem_sizes(const Problem *);
Shape operand_shape(const Problem *, const int *size, int operand);
size_t operand_bytes(const Instance *, int operand);
/* Returns NULL if the sizes are possible, otherwise one line that says what is not (in a static
 * buffer). */
const char *problem_misfit(const Problem *, const int *size, size_t element_bytes);
Instance instance_make(const Problem *, const int *size, size_t element_bytes, Recipe);
void instance_gold(Instance *);
void instance_free(Instance *);

/* ---- a lab: what lab.c is made of ------------------------------------------------------------ */
typedef struct Run {
  const Instance *instance;
  int size[MAX_SIZES];
  /* Host or device memory, according to Variant.place. */
  void *operand[MAX_OPERANDS];
  /* For variants on CPU threads. */
  int threads;
} Run;
typedef cudaError_t (*RunFunction)(const Run *);

typedef enum Place {
  PLACE_CPU,    /* gets host memory, computes on the CPU; timed */
  PLACE_DEVICE, /* gets device memory, launches kernels */
  /* Like PLACE_DEVICE; the kernels multiply on tensor cores, which have another ceiling. */
  PLACE_TENSOR,
  /* Gets host memory, copies to the device and back itself. */
  PLACE_ROUND_TRIP
} Place;

typedef struct Variant {
  const char *name, *description;
  Place place;
  RunFunction run;
} Variant;

/* A variant that computes something else than the lab, with the same sizes: a warm-up, or a part of
 * the whole. It runs only if chosen by name. */
typedef struct Exercise {
  Variant variant;
  const Problem *problem;
} Exercise;

typedef struct Lab {
  /* "lab 01: naive matrix product" */
  const char *title;
  const Problem *problem;
  /* sizeof(real) */
  size_t element_bytes;
  /* Default sizes. */
  int size[MAX_SIZES];
  /* In teaching order, the CPU's first; ends with name NULL. */
  const Variant *variants;
  /* Ends with variant.name NULL; NULL: none. */
  const Exercise *exercises;
  /* The exercise whose counters reveal no answer to a prediction; NULL: none. */
  const char *open;
  /* Default fill. */
  Fill fill;
  /* For --demo: what changes from kernel to kernel in the solutions. */
  const char *story;
} Lab;
/* Begins with the lab's two digits. */
const char *lab_digits(const Lab *);
/* The name of the library's variant, with which the others are compared. */
#define LIBRARY_NAME "cublas"
extern const Lab lab; /* defined in labs/NN-name/lab.c, used only by main.c */

/* Launches a kernel that takes `pointers` pointers, then `numbers` ints. If it takes more
 * parameters, it would read beyond its arguments, so the program ends with this text. */
#define OTHER_PARAMETERS "a kernel's parameters are not those of the lab"
cudaError_t launch_kernel(const void *kernel, dim3 grid, dim3 block, size_t shared,
                          void **arguments, int pointers, int numbers);
/* Launches a kernel on the operands and sizes of a run. shared: bytes of dynamic shared memory. */
cudaError_t run_launch(const Run *, const void *kernel, dim3 grid, dim3 block, size_t shared);

/* ---- matmul.c: C = A·B, A m×k, B k×n --------------------------------------------------------- */
extern const Problem matmul_problem;
enum { MATMUL_M, MATMUL_K, MATMUL_N };
enum { MATMUL_A, MATMUL_B, MATMUL_C };
/* The lecture's CPU loop: B is transposed first, so that both operands are read along rows. Uses
 * one core. */
cudaError_t matmul_cpu(const Run *);
/* The same loop on Run.threads threads, which take the next element from a shared counter. */
cudaError_t matmul_threads(const Run *);

/* ---- exercises.c: gold of exercises ---------------------------------------------------------- */
/* Twice each element of operand 0. */
void gold_doubled(const Instance *, double *out);
/* n elements of operand 0, with each piece of `piece` elements reversed. */
void gold_reversed(const Instance *, size_t n, size_t piece, double *y);
/* The tiles of A and B of one step, multiplied element by element. Block (bx, by) shows step bx +
 * by, modulo the number of steps. Elements beyond k count as 0. */
void gold_tiles(const Instance *, size_t tile, double *C);
/* Operand 0, m×k, transposed. */
void gold_transposed(const Instance *, size_t m, size_t k, double *At);

/* ---- matvec.c: out = M·v, M rows×cols -------------------------------------------------------- */
extern const Problem matvec_problem;
enum { MATVEC_ROWS, MATVEC_COLUMNS };
enum { MATVEC_MATRIX, MATVEC_VECTOR, MATVEC_OUT };
/* Row by row, on one core. */
cudaError_t matvec_cpu(const Run *);
/* The same on Run.threads threads, which take the next row from a shared counter. */
cudaError_t matvec_threads(const Run *);

/* ---- nbody.c: bodies that attract one another ------------------------------------------------ */
extern const Problem nbody_problem;
enum { NBODY_N, NBODY_STEPS };
/* Initial positions and velocities; positions at all steps. */
enum { NBODY_R0, NBODY_V0, NBODY_R };
/* G times the mass of a body. */
#define NBODY_MG 10.0
#define NBODY_TAU 0.001 /* seconds per step */
/* Metres; closer pairs contribute nothing. */
#define NBODY_NEAR 0.01
/* Maximum number of steps that are compared in a dense cluster. */
#define NBODY_COMPARED 12
cudaError_t nbody_cpu(const Run *); /* one core */
cudaError_t nbody_threads(const Run *);
/* With --fill pairs, the other body of the pair; n: none. */
size_t nbody_other(size_t n, size_t body);
/* Computes positions and velocities after one step from the given accelerations. */
void nbody_move(size_t element_bytes, const void *now, const void *a, void *v, void *next, int n);

/* ---- cublas.c: the library's products, on a GPU whose toolkit has it ------------------------- */
cudaError_t matmul_cublas(const Run *);
cudaError_t matvec_cublas(const Run *);
/* A row in a table of variants, or nothing without the library. tensor: the product uses tensor
 * cores. */
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
/* The number of cores that this process may use. */
int threads_usable(void);
/* Calls f(index, context) once for every index below count. Each thread takes the next index from a
 * shared counter, so no thread is idle while work is left. */
void threads_for(size_t count, int threads, void (*f)(size_t index, void *context), void *context);

/* ---- compare.c ------------------------------------------------------------------------------- */
enum { MAX_DIFFERENCES = 8 };
typedef struct Comparison {
  /* The norm is within bounds and no element differs. */
  bool right;
  /* The norm |got - expected| / |expected|; NaN if any element is NaN. */
  double norm;
  double bound;
  size_t elements, differing;
  /* Differing elements that are still poison. */
  size_t unwritten;
  /* Differing elements that are computed NaNs. */
  size_t nan;
  /* If not 0, comparison_absolute was called with this bound, and the next two are set. */
  double absolute;
  /* The largest difference; NaN if any element is NaN. */
  double largest;
  /* The number of elements within the bound. */
  size_t within;
  struct {
    size_t row, column;
    double expected, got;
    bool unwritten;
    /* The first differing elements, in row-major order. */
  } first[MAX_DIFFERENCES];
} Comparison;

Comparison compare(const void *got, size_t element_bytes, const double *expected, Shape,
                   double bound);
/* Computes the allowed error of each element. */
void compare_margins(const double *expected, size_t count, double bound, double *margins);
/* Counts the elements within an absolute bound. */
void comparison_absolute(Comparison *, const void *got, size_t element_bytes,
                         const double *expected, double absolute);
void comparison_print(FILE *, const char *variant, const Comparison *);

/* ---- output.c -------------------------------------------------------------------------------- */
typedef struct Output {
  Shape shape;
  size_t element_bytes;
  /* Must be freed. */
  void *data;
} Output;
/* The file: "LOCKSTEP", u32 element bytes, u32 0, u64 rows, u64 columns, the elements; little
 * endian. If the path ends in .csv, it is text with a line for each row. The file is written
 * completely or not at all. Both functions return NULL, or an error message of one line (in a
 * static buffer). */
const char *output_write(const char *path, const void *data, size_t element_bytes, Shape);
const char *output_read(const char *path, Output *);
/* Appends a result to the file, which then has the results of several runs. */
const char *output_append(const char *path, const void *data, size_t element_bytes, Shape);
/* Reads at most `most` of them. Returns the number of complete ones. */
size_t output_read_all(const char *path, Output *, size_t most);
/* Returns true if the path exists and is no regular file, or is a link: /dev/stdout and the like
 * cannot be replaced by a new file. */
bool output_in_place(const char *path);

/* ---- timing.c -------------------------------------------------------------------------------- */
/* Relative to some fixed moment; never set back. */
double timing_now(void);
double timing_median(double *times, int count); /* sorts `times` */
double timing_mean(const double *times, int count);
/* part 0.25: the first quartile. Sorts `times`. NaN if there are none. */
double timing_quantile(double *times, int count, double part);
enum { MOST_REPEATS = 1000 };
typedef struct Timing {
  int count;
  double times[MOST_REPEATS];
} Timing;
void timing_add(Timing *, double time);
/* The distance of the quartiles, relative to the median; NaN: too few runs. */
double timing_spread(Timing *);
/* Runs `most` more calls, or fewer if two seconds have passed, but at least `least`. *error: the
 * first error. */
void timing_run(RunFunction, const Run *, int least, int most, Timing *, cudaError_t *error);
/* Writes a file with one time per line, preceded by their lower bound if known. Returns NULL, or an
 * error message of one line (in a static buffer). */
const char *timing_write(const char *path, const Timing *, double least);

/* ---- roof.c ---------------------------------------------------------------------------------- */
/* The measured ceilings of a device; NaN: unknown. */
typedef struct Roof {
  /* Bytes per millisecond; a copy reads and writes. */
  double copy, read;
  /* FLOP per millisecond of multiply-adds, and of tensor cores. */
  double rate, tensor;
} Roof;
/* The minimum work for a result; NaN: unknown. */
typedef struct Demand {
  double flop, bytes;
  /* The part of `bytes` that is read. Output may remain in a cache after the end of the run. */
  double inputs;
  /* Tensor cores may be used. */
  bool tensor;
} Demand;
void roof_print(FILE *, const Roof *);             /* one line; nothing if unknown */
Demand roof_demand(const Instance *, bool tensor); /* each operand is transferred once */
/* 0 to 1, or a little more; NaN: unknown. */
double roof_share(const Roof *, const Demand *, double time);
/* The minimum time according to the ceilings, less a few percent for their scatter; NaN: unknown.
 */
double roof_least(const Roof *, const Demand *);
/* Returns false if the time is below that minimum. */
bool roof_possible(const Roof *, const Demand *, double time);

/* ---- progress.c ------------------------------------------------------------------------------ */
/* A progress line on the terminal for long work: what, how much, how long. Silent if standard error
 * is no terminal. Calls may be nested; the outermost text is shown. */
void progress_begin(const char *what);
void progress_end(void);
/* Changes the text (which must stay valid), and the completed fraction, 0 to 1. */
void progress_set(const char *what, double fraction);
/* The text that ctrl-C prints before the program ends; NULL: none. */
void progress_parting(const char *text);
/* Between progress_begin and progress_end: *done of `total` is shown. NULL: unknown. */
void progress_watch(const _Atomic size_t *done, size_t total);

/* ---- gpu_turn.c ------------------------------------------------------------------------------ */
typedef enum Turn { TURN_SHARED = 's', TURN_ALONE = 'a', TURN_OVER = 'o' } Turn;
/* Waits until this program may use the device, if it is shared. Ends an earlier turn. */
void turn_take(Turn);
void turn_leave(void);

/* ---- device_emulated.c, device_gpu.c: the same functions; one of the two files is empty ------ */
enum { MAX_MEASURES = 12 };
/* The first measure of a device that predicts its time. */
#define PREDICTED_TIME "predicted ms"
typedef struct MeasureName {
  /* The name and topic of a column, as in Table. */
  const char *name, *topic;
} MeasureName;
extern const MeasureName device_measure_names[]; /* ends with name NULL */
/* False for the emulated device, whose own run time is meaningless. */
extern const bool device_has_time;
/* Printed before the program ends with status 2. */
#define NO_DEVICE "no usable CUDA device"
const char *device_description(void);
/* One of the calls must fail (LOCKSTEP_FAIL). */
bool device_fails_on_purpose(void);
/* Sets the width of a bank of shared memory. Must be called before all other functions. Ends the
 * program if the width is fixed. */
void device_choose_banks(int bytes);
/* Names an allocation for reports. */
void device_name_buffer(void *address, const char *name, Shape, size_t element_bytes);
cudaError_t device_poison(void *address, size_t bytes);
/* Announces whether the operands of the next run are in host memory. */
void device_host_operands(const Run *, bool on_host);
/* Resets the measures. */
void device_reset_measures(void);
typedef struct Legend {
  /* A text to print below a table that has this measure. */
  const char *measure, *text;
} Legend;
extern const Legend device_legend[]; /* ends with text NULL */
/* The measures since the last reset, in the order of device_measure_names; NaN if one does not
 * apply. Returns their number. */
int device_measures(double measures[MAX_MEASURES]);
/* The limiting resource on the predicted card, in one word; "": not predicted. */
const char *device_limit(void);
/* Bytes of device memory, and how many are free. */
cudaError_t device_memory(size_t *bytes, size_t *free);
/* Runs `run` `repeats` more times and measures with the device's own clock. Warms up before,
 * briefly if `timing` has entries, and flushes caches in between. Does nothing on a device without
 * times. */
void device_time(RunFunction, const Run *, int repeats, Timing *, cudaError_t *error);
/* The ceilings, measured at the first call for this element type. */
const Roof *device_roof(size_t element_bytes);
/* Peak memory bandwidth in bytes per millisecond; NaN: unknown. */
double device_peak_bandwidth(void);

/* ---- run.c ----------------------------------------------------------------------------------- */
typedef struct Result {
  const Variant *variant;
  cudaError_t error;
  /* NaN: none */
  double time;
  /* All times. */
  Timing timing;
  /* Minimum time according to the roof, in rounds with a roof; NaN: unknown. */
  double least;
  /* Share of the roof; NaN: unknown. */
  double share;
  /* Faster than the ceilings allow. */
  bool impossible;
  /* Bytes that had to be transferred in this time; NaN: unknown. */
  double bytes;
  /* Peak memory bandwidth; NaN: unknown. */
  double bandwidth;
  /* The values in the order of device_measure_names. */
  double measures[MAX_MEASURES];
  int measure_count;
  /* device_limit(); NULL: not queried. */
  const char *limit;
  bool checked;
  /* Valid if `checked`. */
  Comparison comparison;
} Result;
typedef enum Statistic {
  STATISTIC_USUAL, /* the problem's default */
  STATISTIC_MEDIAN,
  STATISTIC_MEAN
} Statistic;
typedef struct RunOptions {
  /* repeats 0: as many as are usual for the device. */
  int threads, repeats;
  Statistic statistic;
  /* For the checker: number of turns, each with all repeats; 0: one. */
  int rounds;
  /* In rounds, measure the roof only if this is set. */
  bool roof;
  /* Run once, measure no time. */
  bool no_time;
  /* Do not show the device's counters, because they would reveal the answer to a prediction. */
  bool no_counters;
} RunOptions;
/* Runs a variant. The output goes to host memory at `output`. */
Result run_variant(const Variant *, const Instance *, const RunOptions *, void *output);
bool place_is_device(Place); /* gets device memory */

/* ---- table.c --------------------------------------------------------------------------------- */
enum { MAX_COLUMNS = 24, MAX_ROWS = 32, CELL_BYTES = 48 };
typedef struct TableColumn {
  /* "sectors/load" and "time ms" are printed on two lines. */
  char heading[CELL_BYTES];
  /* Columns of one topic stay together. */
  const char *topic;
} TableColumn;
typedef struct Table {
  int columns, rows;
  /* The topic of the columns that are added next. */
  const char *topic;
  TableColumn column[MAX_COLUMNS];
  char cell[MAX_ROWS][MAX_COLUMNS][CELL_BYTES];
} Table;
/* The column with this heading. It is added if it is new. */
int table_column(Table *, const char *heading);
/* Sets a cell of the last row. */
void table_set(Table *, const char *heading, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Omits columns without an entry. The first column is left-aligned, the others right-aligned. A
 * table wider than `width` screen columns is split by topic into several tables, each with the
 * first column and the rows that have an entry. */
void table_print(FILE *, const Table *, int width);
/* Adds one row for a result: time or counters, and the rate relative to `baseline` milliseconds and
 * to the library's (NaN: no rate). */
void table_add_result(Table *, const Result *, double flop, double baseline, double library);
/* "right", "WRONG", "failed", "impossible", or "" if it was not compared. */
const char *result_word(const Result *);
/* 1234567 as "1 234 567". */
const char *format_count(double, char buffer[CELL_BYTES]);

/* ---- csv.c: results as rows of a file -------------------------------------------------------- */
/* The first line of the file is a comment that identifies the run. A file of an earlier run with
 * the same comment is continued. Headings are those of the table. */
typedef struct Csv {
  FILE *file;
  const struct Options *options;
  /* Rows read from the file, and rows added since. */
  struct CsvRow *rows;
  size_t count, room;
} Csv;
typedef struct CsvRow {
  char variant[24];
  int size[MAX_SIZES];
  /* Neither: not compared. */
  bool right, failed;
  /* NaN: none */
  double time;
  double measures[MAX_MEASURES];
} CsvRow;
/* Ends the program with one line if the file cannot be written or is from another run. path NULL:
 * the rows are kept in memory only. */
Csv csv_open(const char *path, const struct Options *);
const CsvRow *csv_find(const Csv *, const char *variant, const int *size); /* NULL: not found */
/* The row is on disk when this returns. */
void csv_add(Csv *, const Result *, const int *size);
void csv_close(Csv *);

/* ---- plot.c: pictures, drawn by gnuplot ------------------------------------------------------ */
typedef struct Series {
  const char *name;
  double *x, *y;
  size_t count;
  /* A series has the same colour in all panels. */
  unsigned colour;
} Series;
typedef struct Panel {
  const char *title, *x_label, *y_label;
  /* Both axes. */
  bool logarithmic;
  Series *series;
  size_t count;
} Panel;
/* `path` ends in .svg, .png or .pdf; NULL: one panel on the terminal. Returns NULL, or an error
 * message of one line (in a static buffer). */
const char *plot_draw(const char *title, const Panel *, size_t count, const char *path);

/* ---- options.c ------------------------------------------------------------------------------- */
typedef struct Range {
  int first, last, step;
} Range;
/* The exit status of a variant's error; 0: none. */
#define RETURNED_STATUS(error) ((error) ? 16 + (int)(error) % 200 : 0)
typedef struct Options {
  const Lab *lab;
  /* NULL: all */
  const Variant *variant;
  /* Skip the variants before this one; NULL: skip none. */
  const Variant *from;
  /* The lab's, or that of the chosen exercise. */
  const Problem *problem;
  int size[MAX_SIZES];
  /* Set by its own option. */
  bool fixed[MAX_SIZES];
  Recipe recipe;
  size_t element_bytes;
  RunOptions run;
  /* 0: not given */
  int bank_bytes;
  bool list, print, check, fit, no_cpu, demo;
  /* Variants whose names begin with this do not run; NULL: all run. */
  const char *withheld;
  /* For a recording: run all exercises before the variants. */
  bool exercises;
  /* For the checker: the exit status is the RETURNED_STATUS of the error. */
  bool returned;
  /* For the checker: allocate no memory for operands. */
  bool pretend;
  /* For the checker: sizes of a run before the one that counts; [0] 0: none. */
  int rehearsed[MAX_SIZES];
  /* For the checker: number of runs, each with the next seed; 0: one normal run. */
  int probes;
  /* step 0: no sweep */
  Range sweep;
  /* NULL: none */
  const char *output, *csv, *plot;
  /* Where to write the times for the checker; NULL: nowhere. */
  const char *times;
  /* Where to write the right answer and the allowed errors; NULL: nowhere. */
  const char *gold;
} Options;
/* Ends the program with status 2 and one line if an option is wrong, with 0 after --help. */
void options_parse(const Lab *, int argc, char **argv, Options *);
/* Separates the runs of one start (main.c). */
#define OPTION_THEN "then"
/* Returns true if the variant must run. */
bool options_want(const Options *, const Variant *);
/* Returns true if the variant would reveal the answer to an open prediction. */
bool options_withhold(const Options *, const Variant *);
/* The sizes at point n of a sweep. */
void options_scale(const Options *, int n, int size[MAX_SIZES]);
/* Prints one line on standard error that names the bad input and the remedy, then exits with status
 * 2. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- sweep.c --------------------------------------------------------------------------------- */
/* Runs the chosen variants at all sizes of Options.sweep. Returns the program's exit status. */
int sweep(const Options *);

/* ---- demo.c ---------------------------------------------------------------------------------- */
/* Prints the results of a lab's solutions on one screen: what changed, its effect, and what to read
 * next. */
void demo_print(FILE *, const Options *, const Result *, int count, int width);

/* ---- pretend.c ------------------------------------------------------------------------------- */
/* Runs the chosen variant on operands that occupy no memory. Returns the program's exit status. */
int pretend(const Options *);

/* ---- fit.c ----------------------------------------------------------------------------------- */
/* Prints how much memory the operands take and which size would still fit the device. */
void fit_print(const Options *);
/* NULL if the device has enough memory, otherwise one line that says so (in a static buffer). */
const char *fit_misfit(const Options *, const int *size);

#endif
