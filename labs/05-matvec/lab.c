/* Lab 05, the given part: launches the kernels that compute out = M·v. */
#include "harness/harness.h"

IMPORT_KERNEL(matvec_naive);
IMPORT_KERNEL(matvec_warp);
IMPORT_KERNEL(matvec_vector);
cudaError_t launch_tiled(const real *M, const real *v, real *out, int rows, int cols);
/* These functions are defined in beyond/expert.cu. */
cudaError_t launch_row_sums(const real *M, real *out, int rows, int cols);
cudaError_t launch_expert(const real *M, const real *v, real *out, int rows, int cols);

enum { BLOCK = 1024, SMALL_BLOCK = 64, WARP = 32, WARPS = 8 };

static dim3 along_x(int count) { return (dim3){(unsigned)count, 1, 1}; }

/* Launches one thread per row. */
static cudaError_t run_naive(const Run *run) {
  return run_launch(run, kernel_matvec_naive, along_x(CEIL_DIV(run->size[MATVEC_ROWS], BLOCK)),
                    along_x(BLOCK), 0);
}

/* Launches one thread per row in smaller blocks. With blocks of 1024 threads, 4096 rows would use
 * only four multiprocessors. */
static cudaError_t run_naive_small(const Run *run) {
  return run_launch(run, kernel_matvec_naive,
                    along_x(CEIL_DIV(run->size[MATVEC_ROWS], SMALL_BLOCK)), along_x(SMALL_BLOCK),
                    0);
}

/* Launches the kernel of beyond/expert.cu. */
static cudaError_t run_expert(const Run *run) {
  return launch_expert(run->operand[MATVEC_MATRIX], run->operand[MATVEC_VECTOR],
                       run->operand[MATVEC_OUT], run->size[MATVEC_ROWS], run->size[MATVEC_COLUMNS]);
}

/* Calls the student's launch, which sets the size of the shared memory. */
static cudaError_t run_tiled(const Run *run) {
  return ON_HOST(launch_tiled(run->operand[MATVEC_MATRIX], run->operand[MATVEC_VECTOR],
                              run->operand[MATVEC_OUT], run->size[MATVEC_ROWS],
                              run->size[MATVEC_COLUMNS]));
}

/* Launches one warp per row. */
static cudaError_t run_by_warps(const Run *run, const void *kernel) {
  return run_launch(run, kernel, along_x(CEIL_DIV(run->size[MATVEC_ROWS], WARPS)),
                    along_x(WARPS * WARP), 0);
}

static cudaError_t run_warp(const Run *run) { return run_by_warps(run, kernel_matvec_warp); }

static cudaError_t run_vector(const Run *run) { return run_by_warps(run, kernel_matvec_vector); }

/* ---- the upper bound: a kernel that only reads the matrix ------------------------------------ */

static cudaError_t run_read(const Run *run) {
  return launch_row_sums(run->operand[0], run->operand[1], run->size[MATVEC_ROWS],
                         run->size[MATVEC_COLUMNS]);
}

static void sum_rows(const Instance *instance, double *out) {
  size_t rows = (size_t)instance->size[MATVEC_ROWS], cols = (size_t)instance->size[MATVEC_COLUMNS];
  for (size_t row = 0; row < rows; row++) {
    out[row] = 0;
    for (size_t i = 0; i < cols; i++)
      out[row] += element_get(instance->operand[0], instance->element_bytes, row * cols + i);
  }
}

static double tolerance_of_sums(const Instance *instance) {
  return matvec_problem.tolerance(instance);
}

static double flop_of_sums(const int *size) { return matvec_problem.flop(size) / 2; }

static double bytes_of_sums(const int *size, size_t element_bytes) {
  return matvec_problem.bytes(size, element_bytes) - (double)element_bytes * size[MATVEC_COLUMNS];
}

static const Problem sums_problem = {
    .formula = "out = the sums of M's rows",
    .size_names = {"rows", "cols"},
    .operands = {{"M", MATVEC_ROWS, MATVEC_COLUMNS, {1, 2}}, {"out", MATVEC_ROWS, ONE, {0, 0}}},
    .gold = sum_rows,
    .tolerance = tolerance_of_sums,
    .flop = flop_of_sums,
    .bytes = bytes_of_sums,
    .averaged = 50,
};

static const Exercise exercises[] = {
    {{"read", "given: M read in one launch, its rows added up", PLACE_DEVICE, run_read},
     &sums_problem},
    {{0}, NULL},
};

static const Variant variants[] = {
    {"cpu", "one CPU core, row by row", PLACE_CPU, matvec_cpu},
    {"threads", "CPU threads that take the next row", PLACE_CPU, matvec_threads},
    {"naive", "one thread per row, blocks of 1024", PLACE_DEVICE, run_naive},
    {"naive-64", "the same in blocks of 64", PLACE_DEVICE, run_naive_small},
    {"tiled", "the vector in tiles of shared memory, your launch", PLACE_DEVICE, run_tiled},
    {"warp", "one warp per row, neighbours side by side", PLACE_DEVICE, run_warp},
    {"vector", "one warp per row, 16 bytes a load", PLACE_DEVICE, run_vector},
    {"expert", "given: a block per row, many loads under way, beyond/expert.cu", PLACE_DEVICE,
     run_expert},
    MATVEC_LIBRARY /* cuBLAS; only on a GPU, if the toolkit contains it */
    {0},
};

const Lab lab = {
    .title = "lab 05: matrix-vector product",
    .problem = &matvec_problem,
    .element_bytes = sizeof(real),
    .size = {4096, 4096},
    .fill = FILL_UNIT,
    .variants = variants,
    .exercises = exercises,
    .story = "naive gives each thread a row of M, so the lanes of a warp read far apart: many "
             "sectors a load. "
             "warp gives each row a whole warp, whose lanes read neighbours; vector and expert "
             "load 16 bytes "
             "at once. Almost all the time is reading M.",
};
