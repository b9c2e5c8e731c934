/* Lab 01, the given part: launches the student's kernels. The variants compute C = A·B. The
 * exercises double the elements of a vector or of a matrix. */
#include <math.h>

#include "harness/harness.h"

IMPORT_KERNEL(scale);
IMPORT_KERNEL(scale_matrix);
IMPORT_KERNEL(matmul);
IMPORT_KERNEL(turned);
cudaError_t matmul_on_device(const real *A, const real *B, real *C, int m, int k, int n);

enum { TILE = 32 };

/* ---- the product ----------------------------------------------------------------------------- */

/* Launches the student's kernel on a square grid that is large enough for C in both directions. So
 * the result is correct whether threadIdx.x is the column or the row of an element. Only the
 * counters differ. */
static cudaError_t run_kernel(const Run *run) {
  int m = run->size[MATMUL_M], n = run->size[MATMUL_N];
  unsigned blocks = (unsigned)CEIL_DIV(m > n ? m : n, TILE);
  dim3 grid = {blocks, blocks, 1}, block = {TILE, TILE, 1};
  return run_launch(run, kernel_matmul, grid, block, 0);
}

/* Calls the student's host code. */
static cudaError_t run_host(const Run *run) {
  return ON_HOST(matmul_on_device(run->operand[MATMUL_A], run->operand[MATMUL_B],
                                  run->operand[MATMUL_C], run->size[MATMUL_M], run->size[MATMUL_K],
                                  run->size[MATMUL_N]));
}

static const Variant variants[] = {
    {"cpu", "one CPU core, along the rows of A and of B transposed", PLACE_CPU, matmul_cpu},
    {"threads", "CPU threads that take the next element", PLACE_CPU, matmul_threads},
    {"kernel", "your kernel, launched by the harness", PLACE_DEVICE, run_kernel},
    {"host", "your kernel through your matmul_on_device, copies included", PLACE_ROUND_TRIP,
     run_host},
    MATMUL_LIBRARY /* cuBLAS; only on a GPU, if the toolkit contains it */
    {0},
};

/* ---- exercises: out = 2·in ------------------------------------------------------------------- */

static double no_flop(const int *size) {
  (void)size;
  return NAN;
}

static double exact(const Instance *instance) {
  (void)instance;
  return 0;
}

static const Problem vector_problem = {
    .formula = "out = 2·in, for n numbers",
    .size_names = {"m", "k", "n"},
    .operands = {{"in", MATMUL_N, ONE, {1, 0}}, {"out", MATMUL_N, ONE, {0, 0}}},
    .gold = gold_doubled,
    .tolerance = exact,
    .flop = no_flop,
};

static const Problem matrix_problem = {
    .formula = "out = 2·in, for m rows of n numbers",
    .size_names = {"m", "k", "n"},
    .operands = {{"in", MATMUL_M, MATMUL_N, {1, 2}}, {"out", MATMUL_M, MATMUL_N, {0, 0}}},
    .gold = gold_doubled,
    .tolerance = exact,
    .flop = no_flop,
};

static cudaError_t run_scale(const Run *run) {
  enum { THREADS = 256 };
  int n = run->size[MATMUL_N];
  void *arguments[] = {(void *)&run->operand[0], (void *)&run->operand[1], &n};
  dim3 grid = {(unsigned)CEIL_DIV(n, THREADS), 1, 1}, block = {THREADS, 1, 1};
  return launch_kernel(kernel_scale, grid, block, 0, arguments, 2, 1);
}

static cudaError_t run_on_matrix(const Run *run, const void *kernel, dim3 grid, dim3 block) {
  int m = run->size[MATMUL_M], n = run->size[MATMUL_N];
  void *arguments[] = {(void *)&run->operand[0], (void *)&run->operand[1], &m, &n};
  return launch_kernel(kernel, grid, block, 0, arguments, 2, 2);
}

/* The blocks are not square, so that a kernel that exchanges x and y gives a wrong result. */
static cudaError_t run_matrix(const Run *run) {
  enum { WIDTH = 32, HEIGHT = 8 };
  dim3 grid = {(unsigned)CEIL_DIV(run->size[MATMUL_N], WIDTH),
               (unsigned)CEIL_DIV(run->size[MATMUL_M], HEIGHT), 1};
  dim3 block = {WIDTH, HEIGHT, 1};
  return run_on_matrix(run, kernel_scale_matrix, grid, block);
}

/* The kernel gives the correct result for any grid. */
static cudaError_t run_turned(const Run *run) {
  return run_on_matrix(run, kernel_turned, (dim3){1024, 1, 1}, (dim3){256, 1, 1});
}

static const Exercise exercises[] = {
    {{"scale", "your kernel scale, blocks of 256 threads", PLACE_DEVICE, run_scale},
     &vector_problem},
    {{"matrix", "your kernel scale_matrix, blocks of 32x8 threads", PLACE_DEVICE, run_matrix},
     &matrix_problem},
    {{"turned", "the kernel of task 8, 1024 blocks of 256 threads", PLACE_DEVICE, run_turned},
     &matrix_problem},
    {{0}, NULL},
};

const Lab lab = {
    .title = "lab 01: naive matrix product",
    .problem = &matmul_problem,
    .element_bytes = sizeof(real),
    .size = {256, 256, 256},
    .variants = variants,
    .exercises = exercises,
    .story =
        "Each thread computes one element of C. It reads a row of A and a column of B from global "
        "memory. Nothing is shared, so the same elements are loaded again and again.",
};
