/* The program that runs a lab. This header has one section per source file, in the order in which a
 * run uses the files.
 *
 * A lab is data: labs/NN-name/lab.c defines `lab`, which names its problem and its variants. The
 * problem (matmul.c, matvec.c, nbody.c) defines the operands and the correct answer, which is
 * called gold. main.c is the same for every lab.
 *
 * Matrices are row-major arrays. `element_bytes` is the size of an element (4: float, 8: double).
 * The size is an argument, so that this folder is compiled only once; only lab.c and the .cu file
 * use the type `real`. Times are in milliseconds, sizes in elements. Only device_emulated.c and
 * device_gpu.c depend on the device. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../lab.h"

/* lab.c imports kernels (IMPORT_KERNEL of lab.h) and integers (IMPORT_NUMBER) from the student's
 * file, and wraps each call of a host function in ON_HOST().
 *
 * In a replay (LOCKSTEP_REPLAY) no host code of the file is executed. The device takes the kernels
 * from the file's object, and repeats the recorded requests of the host functions
 * (emulator/transcript/). */
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
/* These functions are inline, because sums call them for each term. A call would take as long as
 * the addition. */
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

/* Poison marks elements that were never written: all bits are set, which is a NaN that no
 * arithmetic produces. Output buffers are filled with poison before a run. */
void matrix_poison(void *data, size_t bytes);
bool element_is_poison(const void *data, size_t element_bytes, size_t index);
/* Prints a matrix as text. Integers have no decimal point. An element that was never written is
 * ".". */
void matrix_print(FILE *, const char *name, const void *data, size_t element_bytes, Shape);

/* ---- fill.c ---------------------------------------------------------------------------------- */
typedef enum Fill {
  FILL_UNIFORM, /* [-1, 1) in steps of 2^-52, rounded to the element's type */
  FILL_WHOLE,   /* integers from 0 to 9, easy to check by eye */
  FILL_LINEAR,  /* as in the lecture: a(i,j) = 2j + i, b(i,j) = j - i (Operand.linear) */
  FILL_UNIT,    /* [0, 1) in steps of 2^-53, rounded to the element's type */
  /* N-body problem: pairs of bodies at distances around NBODY_NEAR. Other problems: as
   * FILL_UNIFORM. */
  FILL_PAIRS,
  /* As FILL_UNIFORM, but each odd row of the first operand begins with an infinity. The results of
   * the even rows must not be affected. */
  FILL_INFINITE,
  /* N-body problem: body number `seed` is far from all others. Products: operand number seed % 2 is
   * 1 where the index of summation is seed / 2, and 0 elsewhere. The other operand has a different
   * number at each position. */
  FILL_LIT
} Fill;
/* If seed / 2 has this value, FILL_LIT sets the whole operand to 1. */
enum { LIT_ALL = 1 << 20 };
/* The names of the fills on the command line, indexed by Fill. Ends with NULL. */
extern const char *const fill_names[];

/* How an input is generated. */
typedef struct Recipe {
  Fill fill;
  uint64_t seed;
} Recipe;

/* Returns one element of input number `operand`. It depends on the arguments only, so that the
 * checker can generate the same numbers in another process. linear: the factors of row and column
 * for FILL_LINEAR. */
double fill_element(const Recipe *, int operand, const int linear[2], size_t row, size_t column);
/* Fills row number `row` of the matrix that starts at `to`. */
void fill_row(const Recipe *, int operand, const int linear[2], size_t row, size_t columns,
              void *to, size_t element_bytes);

/* ---- problem.c ------------------------------------------------------------------------------- */
typedef struct Instance Instance;

typedef struct Operand {
  const char *name;
  /* Indices into Instance.size; ONE: this dimension is 1. */
  int rows, columns;
  int linear[2];
} Operand;
enum { ONE = -1 };

/* The definition of a computation. The last operand is the output, the others are inputs. A kernel
 * takes the operands, then the sizes as int, both in this order. */
typedef struct Problem {
  /* "C = A·B" */
  const char *formula;
  /* Additional text of --help; may be NULL. */
  const char *about;
  /* The options that set the sizes; ends with NULL. */
  const char *size_names[MAX_SIZES + 1];
  /* --size sets the first `scaled` sizes; 0: all. The other sizes are counts, such as steps. */
  int scaled;
  /* The last element has the name NULL. */
  Operand operands[MAX_OPERANDS + 1];
  /* If not NULL, these functions are used instead of the members of Operand. */
  Shape (*shape)(const int *size, int operand);
  double (*fill)(const Recipe *, const int *size, int operand, size_t row, size_t column);
  void (*gold)(const Instance *, double *output);
  /* Returns the largest L2 norm of the error that a correct result may have, relative to the norm
   * of gold. INFINITY: the result is not compared, because correct results differ too much. */
  double (*tolerance)(const Instance *);
  /* The number of floating-point operations. */
  double (*flop)(const int *size);
  /* The members below are for problems that are limited by memory traffic, and may be 0. */
  /* The minimum number of bytes that must be transferred. */
  double (*bytes)(const int *size, size_t element_bytes);
  /* If not 0, the table also shows the number of elements within this absolute error. */
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
  /* Inputs in host memory; NULL for the output. */
  void *operand[MAX_OPERANDS];
  /* The correct answer; NULL until instance_gold() computes it. */
  double *gold;
};

/* Returns the number of inputs, which is also the index of the output. */
int problem_inputs(const Problem *);
int problem_sizes(const Problem *);
Shape operand_shape(const Problem *, const int *size, int operand);
size_t operand_bytes(const Instance *, int operand);
/* Returns NULL if this computer can handle the sizes. Otherwise returns an error message of one
 * line (in a static buffer). */
const char *problem_misfit(const Problem *, const int *size, size_t element_bytes);
Instance instance_make(const Problem *, const int *size, size_t element_bytes, Recipe);
void instance_gold(Instance *);
void instance_free(Instance *);

/* ---- a lab, as lab.c defines it -------------------------------------------------------------- */
typedef struct Run {
  const Instance *instance;
  int size[MAX_SIZES];
  /* The operands in host or device memory, according to Variant.place. */
  void *operand[MAX_OPERANDS];
  /* The number of threads, for variants that use several CPU threads. */
  int threads;
} Run;
typedef cudaError_t (*RunFunction)(const Run *);

typedef enum Place {
  PLACE_CPU,    /* operands in host memory; the CPU computes */
  PLACE_DEVICE, /* operands in device memory; launches kernels */
  /* Like PLACE_DEVICE, but the kernels multiply on tensor cores, whose peak rate is Roof.tensor. */
  PLACE_TENSOR,
  /* Operands in host memory; the variant copies them to the device and the result back. */
  PLACE_ROUND_TRIP
} Place;

typedef struct Variant {
  const char *name, *description;
  Place place;
  RunFunction run;
} Variant;

/* A variant with a problem of its own: a warm-up, or one part of the lab's computation. It uses the
 * sizes of the lab. It runs only if it is chosen by name, or with --exercises. */
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
  /* The variants in the order in which they are taught; the CPU variants are first. The last
   * element has the name NULL. */
  const Variant *variants;
  /* NULL if there are no exercises. In the last element, variant.name is NULL. */
  const Exercise *exercises;
  /* The name of the exercise whose counters reveal no answer to a prediction; NULL: none. */
  const char *open;
  /* Default fill. */
  Fill fill;
  /* A text for --demo: what the solutions change from kernel to kernel. */
  const char *story;
} Lab;
/* Returns the part of the title that begins with the two digits of the lab's number. */
const char *lab_digits(const Lab *);
/* The name of the cuBLAS variant. The table shows how fast the other variants are relative to
 * it. */
#define LIBRARY_NAME "cublas"
extern const Lab lab; /* defined in labs/NN-name/lab.c, used only by main.c */

/* Launches a kernel that takes `pointers` pointers, then `numbers` ints. If the kernel has more
 * parameters, the launch would read beyond `arguments`, so the program ends with the message
 * OTHER_PARAMETERS. */
#define OTHER_PARAMETERS "a kernel's parameters are not those of the lab"
cudaError_t launch_kernel(const void *kernel, dim3 grid, dim3 block, size_t shared,
                          void **arguments, int pointers, int numbers);
/* Launches a kernel on the operands and sizes of a run. shared: bytes of dynamic shared memory. */
cudaError_t run_launch(const Run *, const void *kernel, dim3 grid, dim3 block, size_t shared);

/* ---- matmul.c: C = A·B, A m×k, B k×n --------------------------------------------------------- */
extern const Problem matmul_problem;
enum { MATMUL_M, MATMUL_K, MATMUL_N };
enum { MATMUL_A, MATMUL_B, MATMUL_C };
/* Executes the lecture's CPU loop on one core. B is transposed first, so that both operands are
 * read along rows. */
cudaError_t matmul_cpu(const Run *);
/* Executes the loop of matmul_cpu on Run.threads threads, which take the next element from a shared
 * counter. */
cudaError_t matmul_threads(const Run *);

/* ---- exercises.c: correct answers of the exercises ------------------------------------------- */
/* Doubles each element of operand 0. */
void gold_doubled(const Instance *, double *out);
/* Copies n elements of operand 0, with each piece of `piece` elements reversed. */
void gold_reversed(const Instance *, size_t n, size_t piece, double *y);
/* Multiplies a tile of A and a tile of B element by element. Block (bx, by) uses its tiles of step
 * (bx + by) % steps. Elements beyond k count as 0. */
void gold_tiles(const Instance *, size_t tile, double *C);
/* Transposes operand 0, an m×k matrix. */
void gold_transposed(const Instance *, size_t m, size_t k, double *At);

/* ---- matvec.c: out = M·v, M rows×cols -------------------------------------------------------- */
extern const Problem matvec_problem;
enum { MATVEC_ROWS, MATVEC_COLUMNS };
enum { MATVEC_MATRIX, MATVEC_VECTOR, MATVEC_OUT };
/* Computes the rows on one core. */
cudaError_t matvec_cpu(const Run *);
/* Computes the rows on Run.threads threads, which take the next row from a shared counter. */
cudaError_t matvec_threads(const Run *);

/* ---- nbody.c: bodies that attract one another ------------------------------------------------ */
extern const Problem nbody_problem;
enum { NBODY_N, NBODY_STEPS };
/* The operands: initial positions and velocities, and the positions at all steps. */
enum { NBODY_R0, NBODY_V0, NBODY_R };
/* The gravitational constant times the mass of a body. */
#define NBODY_MG 10.0
#define NBODY_TAU 0.001 /* seconds per step */
/* The distance in metres below which bodies do not attract each other. */
#define NBODY_NEAR 0.01
/* The maximum number of steps in a run whose result is compared, except with FILL_LINEAR. */
#define NBODY_COMPARED 12
cudaError_t nbody_cpu(const Run *); /* one core */
cudaError_t nbody_threads(const Run *);
/* Returns the partner of a body with --fill pairs; n if it has none. */
size_t nbody_other(size_t n, size_t body);
/* Computes positions and velocities after one step from the given accelerations. */
void nbody_move(size_t element_bytes, const void *now, const void *a, void *v, void *next, int n);

/* ---- cublas.c: products with cuBLAS, if the CUDA Toolkit has it ------------------------------ */
cudaError_t matmul_cublas(const Run *);
cudaError_t matvec_cublas(const Run *);
/* Expands to an entry of Lab.variants for cuBLAS, or to nothing without cuBLAS. tensor: the product
 * uses tensor cores. */
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
/* Returns the number of cores that this process may use. */
int threads_usable(void);
/* Calls f(index, context) once for every index below count. Each thread takes the next index from a
 * shared counter, so no thread is idle while work is left. */
void threads_for(size_t count, int threads, void (*f)(size_t index, void *context), void *context);

/* ---- compare.c ------------------------------------------------------------------------------- */
enum { MAX_DIFFERENCES = 8 };
typedef struct Comparison {
  /* True if `norm` is at most `bound` and no element differs. */
  bool right;
  /* The L2 norm of got - expected, relative to that of expected; NaN if any element is NaN. */
  double norm;
  double bound;
  size_t elements, differing;
  /* The number of differing elements that are still poison. */
  size_t unwritten;
  /* The number of differing elements that are NaN but not poison. */
  size_t nan;
  /* The bound that was passed to comparison_absolute, which sets the next two members; 0: the
   * function was not called. */
  double absolute;
  /* The largest absolute error; NaN if any element is NaN. */
  double largest;
  /* The number of elements whose absolute error is at most `absolute`. */
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
/* Stores the allowed absolute error of each element. */
void compare_margins(const double *expected, size_t count, double bound, double *margins);
/* Sets the members `absolute`, `largest` and `within`. */
void comparison_absolute(Comparison *, const void *got, size_t element_bytes,
                         const double *expected, double absolute);
void comparison_print(FILE *, const char *variant, const Comparison *);

/* ---- output.c -------------------------------------------------------------------------------- */
typedef struct Output {
  Shape shape;
  size_t element_bytes;
  /* Allocated; the caller frees it. */
  void *data;
} Output;
/* A file contains "LOCKSTEP", u32 element bytes, u32 0, u64 rows, u64 columns, then the elements,
 * all little endian. If the path ends in .csv, the file is text with one line per row. It is
 * written completely or not at all. output_write and output_read return NULL, or an error message
 * of one line (in a static buffer). */
const char *output_write(const char *path, const void *data, size_t element_bytes, Shape);
const char *output_read(const char *path, Output *);
/* Appends a result to the file, which then has the results of several runs. */
const char *output_append(const char *path, const void *data, size_t element_bytes, Shape);
/* Reads at most `most` results from a file. Returns the number of complete results. */
size_t output_read_all(const char *path, Output *, size_t most);
/* Returns true if the path is a link or not a regular file. Such a path, for example /dev/stdout,
 * is written directly, because a new file cannot replace it. */
bool output_in_place(const char *path);

/* ---- timing.c -------------------------------------------------------------------------------- */
/* Returns the milliseconds since an arbitrary moment. The clock never goes backwards. */
double timing_now(void);
double timing_median(double *times, int count); /* sorts `times` */
double timing_mean(const double *times, int count);
/* Returns a quantile of the times; `part` is 0.25 for the first quartile. Returns NaN if count is
 * 0. Sorts `times`. */
double timing_quantile(double *times, int count, double part);
enum { MOST_REPEATS = 1000 };
typedef struct Timing {
  int count;
  double times[MOST_REPEATS];
} Timing;
void timing_add(Timing *, double time);
/* Returns the interquartile range relative to the median; NaN if there are too few times. */
double timing_spread(Timing *);
/* Calls the function `most` times and adds the times. Stops earlier at the first error, which is
 * stored in *error, or after two seconds if there were at least `least` calls. */
void timing_run(RunFunction, const Run *, int least, int most, Timing *, cudaError_t *error);
/* Writes a file with one time per line. If `least` is not NaN, a line before the times contains it
 * as their lower bound. Returns NULL, or an error message of one line (in a static buffer). */
const char *timing_write(const char *path, const Timing *, double least);

/* ---- roof.c ---------------------------------------------------------------------------------- */
/* The measured peak rates (ceilings) of a device; NaN: unknown. */
typedef struct Roof {
  /* Bytes per millisecond. A copy counts the bytes that it reads and those that it writes. */
  double copy, read;
  /* FLOP per millisecond of multiply-adds, and of tensor cores. */
  double rate, tensor;
} Roof;
/* The minimum numbers of operations and bytes with which a result can be computed; NaN: unknown. */
typedef struct Demand {
  double flop, bytes;
  /* The number of bytes that are read, which is a part of `bytes`. The output may still be in a
   * cache when the run ends. */
  double inputs;
  /* True if tensor cores may be used. */
  bool tensor;
} Demand;
void roof_print(FILE *, const Roof *);             /* one line, or nothing if unknown */
Demand roof_demand(const Instance *, bool tensor); /* one transfer per operand */
/* Returns the minimum time divided by `time`: 0 to 1, or slightly more. NaN: unknown. */
double roof_share(const Roof *, const Demand *, double time);
/* Returns the minimum time, reduced by a few percent because measured ceilings vary. NaN:
 * unknown. */
double roof_least(const Roof *, const Demand *);
/* Returns false if `time` is below roof_least(). */
bool roof_possible(const Roof *, const Demand *, double time);

/* ---- progress.c ------------------------------------------------------------------------------ */
/* Shows a line on the terminal during long work: the text, the completed fraction and the time.
 * Shows nothing if standard error is not a terminal. Calls may be nested; the outermost text is
 * shown. */
void progress_begin(const char *what);
void progress_end(void);
/* Changes the text and the completed fraction (0 to 1). `what` must stay valid until
 * progress_end. */
void progress_set(const char *what, double fraction);
/* Sets the text that ctrl-C prints before the program ends; NULL: none. */
void progress_parting(const char *text);
/* Shows the completed part of the work as *done of `total`. NULL: unknown. */
void progress_watch(const _Atomic size_t *done, size_t total);

/* ---- gpu_turn.c ------------------------------------------------------------------------------ */
typedef enum Turn { TURN_SHARED = 's', TURN_ALONE = 'a', TURN_OVER = 'o' } Turn;
/* If several programs share the device, waits until this program may use it. With TURN_ALONE, no
 * other program uses the device during the turn. Ends an earlier turn of this program. */
void turn_take(Turn);
void turn_leave(void);

/* ---- device_emulated.c, device_gpu.c: the same functions; one of the two files is empty ------ */
enum { MAX_MEASURES = 12 };
/* The name of the first measure on the emulated device, which predicts times. */
#define PREDICTED_TIME "predicted ms"
typedef struct MeasureName {
  /* The heading and the topic of the column, as in TableColumn. */
  const char *name, *topic;
} MeasureName;
extern const MeasureName device_measure_names[]; /* ends with name NULL */
/* False for the emulated device, whose own run time is meaningless. */
extern const bool device_has_time;
/* The message with which the program ends if there is no device. */
#define NO_DEVICE "no usable CUDA device"
const char *device_description(void);
/* Returns true if LOCKSTEP_FAIL makes one of the calls fail. */
bool device_fails_on_purpose(void);
/* Sets the width of a bank of shared memory. Must be called before all other functions of this
 * section. Ends the program on a GPU, where the width is fixed. */
void device_choose_banks(int bytes);
/* Gives an allocation the name that reports show. */
void device_name_buffer(void *address, const char *name, Shape, size_t element_bytes);
cudaError_t device_poison(void *address, size_t bytes);
/* Tells the device whether the operands of the next run are in host memory. */
void device_host_operands(const Run *, bool on_host);
/* Sets the measures to 0. */
void device_reset_measures(void);
typedef struct Legend {
  /* A text to print below a table that has this measure. */
  const char *measure, *text;
} Legend;
extern const Legend device_legend[]; /* ends with text NULL */
/* Stores the measures since the last reset, in the order of device_measure_names. A measure that
 * does not apply is NaN. Returns the number of measures. */
int device_measures(double measures[MAX_MEASURES]);
/* Returns what limits the time on the predicted card, as one word; "": not predicted. */
const char *device_limit(void);
/* Stores the total and the free bytes of device memory. */
cudaError_t device_memory(size_t *bytes, size_t *free);
/* Adds the times of `repeats` runs, measured by the device's own clock. Untimed runs before the
 * timed runs warm the device up; few are needed if the Timing already has entries. Flushes the
 * caches before each run. Does nothing on a device without times. */
void device_time(RunFunction, const Run *, int repeats, Timing *, cudaError_t *error);
/* Returns the ceilings. They are measured at the first call for this element type. */
const Roof *device_roof(size_t element_bytes);
/* Returns the peak memory bandwidth in bytes per millisecond; NaN: unknown. */
double device_peak_bandwidth(void);

/* ---- run.c ----------------------------------------------------------------------------------- */
typedef struct Result {
  const Variant *variant;
  cudaError_t error;
  /* In ms; NaN: none. */
  double time;
  /* All measured times. */
  Timing timing;
  /* roof_least(); NaN if it is unknown or was not computed. */
  double least;
  /* roof_share(); NaN if it is unknown or was not computed. */
  double share;
  /* True if `time` is below `least`. The measurement is then wrong. */
  bool impossible;
  /* Problem.bytes of this run; NaN: not defined. */
  double bytes;
  /* device_peak_bandwidth(); NaN: unknown. */
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
  /* repeats: the number of timed runs; 0: the default. */
  int threads, repeats;
  Statistic statistic;
  /* For the checker: the number of rounds, each with all repeats; 0: one. Other programs may run
   * between two rounds. */
  int rounds;
  /* If `rounds` is not 0, the roof is measured only if this is true. */
  bool roof;
  /* True if the variant runs once and its time is not measured. */
  bool no_time;
  /* True if the device's counters are not shown, because they would reveal the answer to a
   * prediction. */
  bool no_counters;
} RunOptions;
/* Runs a variant. Stores the output in host memory at `output`. */
Result run_variant(const Variant *, const Instance *, const RunOptions *, void *output);
bool place_is_device(Place); /* operands in device memory */

/* ---- table.c --------------------------------------------------------------------------------- */
enum { MAX_COLUMNS = 24, MAX_ROWS = 32, CELL_BYTES = 48 };
typedef struct TableColumn {
  /* Printed on two lines if it has a slash or blank: "sectors" and "/load", "time" and "ms". */
  char heading[CELL_BYTES];
  /* If the table is split, columns of one topic stay in one part. */
  const char *topic;
} TableColumn;
typedef struct Table {
  int columns, rows;
  /* The topic of the columns that are added next. */
  const char *topic;
  TableColumn column[MAX_COLUMNS];
  char cell[MAX_ROWS][MAX_COLUMNS][CELL_BYTES];
} Table;
/* Returns the index of the column with this heading; adds it if it is new. */
int table_column(Table *, const char *heading);
/* Sets a cell of the last row. */
void table_set(Table *, const char *heading, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints the table without empty columns. The first column is left-aligned, the others
 * right-aligned. A table wider than `width` screen columns is split by topic into several tables,
 * each with the first column and the rows that have an entry. */
void table_print(FILE *, const Table *, int width);
/* Adds one row for a result: its time or counters, its speed relative to a run of `baseline`
 * milliseconds, and its speed relative to a run of `library` milliseconds (NaN: omitted). */
void table_add_result(Table *, const Result *, double flop, double baseline, double library);
/* Returns "right", "WRONG", "failed", "impossible", or "" if the result was not compared. */
const char *result_word(const Result *);
/* Formats 1234567 as "1 234 567". */
const char *format_count(double, char buffer[CELL_BYTES]);

/* ---- csv.c: results as rows of a file -------------------------------------------------------- */
/* The first line of the file is a comment that identifies the run. A file of an earlier run with
 * the same comment is continued. The headings are the same as in the table. */
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
  /* If both are false, the result was not compared. */
  bool right, failed;
  /* In ms; NaN: none. */
  double time;
  double measures[MAX_MEASURES];
} CsvRow;
/* Ends the program with one line if the file cannot be written or is from another run. path NULL:
 * the rows are kept in memory only. */
Csv csv_open(const char *path, const struct Options *);
const CsvRow *csv_find(const Csv *, const char *variant, const int *size); /* NULL: not found */
/* Adds a row and immediately writes it to the file. */
void csv_add(Csv *, const Result *, const int *size);
void csv_close(Csv *);

/* ---- plot.c: pictures, drawn by gnuplot ------------------------------------------------------ */
typedef struct Series {
  const char *name;
  double *x, *y;
  size_t count;
  /* Index of the colour. A variant has the same colour in all panels. */
  unsigned colour;
} Series;
typedef struct Panel {
  const char *title, *x_label, *y_label;
  /* True if both axes are logarithmic. */
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
/* The exit status for an error that a variant returned; 0: no error. */
#define RETURNED_STATUS(error) ((error) ? 16 + (int)(error) % 200 : 0)
typedef struct Options {
  const Lab *lab;
  /* The only variant to run; NULL: all. */
  const Variant *variant;
  /* The first variant to run; NULL: the first variant of the lab. */
  const Variant *from;
  /* The problem of the lab, or of the chosen exercise. */
  const Problem *problem;
  int size[MAX_SIZES];
  /* True if the size was set by its own option, not by --size. */
  bool fixed[MAX_SIZES];
  Recipe recipe;
  size_t element_bytes;
  RunOptions run;
  /* The value of --banks; 0: not given. */
  int bank_bytes;
  bool list, print, check, fit, no_cpu, demo;
  /* Variants whose names begin with this text do not run; NULL: all run. */
  const char *withheld;
  /* True if all exercises run before the variants, so that a recording contains them. */
  bool exercises;
  /* For the checker: the exit status is the RETURNED_STATUS of the error. */
  bool returned;
  /* For the checker: true if no memory is allocated for operands. */
  bool pretend;
  /* For the checker: the sizes of an earlier run, which is not graded; the first is 0 if there is
   * none. */
  int rehearsed[MAX_SIZES];
  /* For the checker: number of runs, each with the next seed; 0: one normal run. */
  int probes;
  /* If step is 0, there is no sweep. */
  Range sweep;
  /* File names; NULL: not given. */
  const char *output, *csv, *plot;
  /* The file to which the times for the checker are written; NULL: none. */
  const char *times;
  /* The file to which the correct answer and the allowed errors are written; NULL: none. */
  const char *gold;
} Options;
/* Ends the program with status 2 and one line if an option is wrong, with 0 after --help. */
void options_parse(const Lab *, int argc, char **argv, Options *);
/* The option that separates the runs of one process; main.c executes them in order. */
#define OPTION_THEN "then"
/* Returns true if the variant must run. */
bool options_want(const Options *, const Variant *);
/* Returns true if the variant would reveal the answer to an open prediction. */
bool options_withhold(const Options *, const Variant *);
/* Stores the sizes for value n of a sweep. */
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
/* Prints how much memory the operands need, and the largest size that would fit the device. */
void fit_print(const Options *);
/* Returns NULL if the device has enough memory, otherwise an error message of one line (in a static
 * buffer). */
const char *fit_misfit(const Options *, const int *size);

#endif
