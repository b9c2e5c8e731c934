/* Lab 03, the given part: launches the student's kernels. The variants are the lecture's kernels up
 * to SMEM-3, with tiles of real and of double. The exercises transpose a matrix. */
#include <math.h>

#include "harness/harness.h"

IMPORT_KERNEL(transpose_global);
IMPORT_KERNEL(transpose_tile);
IMPORT_KERNEL(transpose_padded);
IMPORT_KERNEL(global);
IMPORT_KERNEL(smem1);
IMPORT_KERNEL(smem2);
IMPORT_KERNEL(smem3);
IMPORT_KERNEL(smem1_double);
IMPORT_KERNEL(smem2_double);
IMPORT_KERNEL(smem3_double);

enum { TILE = 32 }; /* the same value as in bank_conflicts.cu */

static const dim3 block = {TILE, TILE, 1};

/* ---- the product ----------------------------------------------------------------------------- */

static cudaError_t launch(const Run *run, const void *kernel) {
  dim3 grid = {(unsigned)CEIL_DIV(run->size[MATMUL_N], TILE),
               (unsigned)CEIL_DIV(run->size[MATMUL_M], TILE), 1};
  return run_launch(run, kernel, grid, block, 0);
}

#define DEFINE_RUN(name)                                                                           \
  static cudaError_t run_##name(const Run *run) { return launch(run, kernel_##name); }
DEFINE_RUN(global)
DEFINE_RUN(smem1)
DEFINE_RUN(smem2)
DEFINE_RUN(smem3)
DEFINE_RUN(smem1_double)
DEFINE_RUN(smem2_double)
DEFINE_RUN(smem3_double)

static const Variant variants[] = {
    {"cpu", "one CPU core, along the rows of A and of B transposed", PLACE_CPU, matmul_cpu},
    {"threads", "CPU threads that take the next element", PLACE_CPU, matmul_threads},
    {"global", "Global, given: no tiles", PLACE_DEVICE, run_global},
    {"smem1", "SMEM-1, given: tiles stored as [tx][ty]", PLACE_DEVICE, run_smem1},
    {"smem2", "SMEM-2, yours: the same, padded", PLACE_DEVICE, run_smem2},
    {"smem3", "SMEM-3, yours: the indices exchanged", PLACE_DEVICE, run_smem3},
    {"double1", "SMEM-1 with tiles of double: kernel smem1_double", PLACE_DEVICE, run_smem1_double},
    {"double2", "SMEM-2 with tiles of double: kernel smem2_double", PLACE_DEVICE, run_smem2_double},
    {"double3", "SMEM-3 with tiles of double: kernel smem3_double", PLACE_DEVICE, run_smem3_double},
    MATMUL_LIBRARY /* cuBLAS; only on a GPU, if the toolkit contains it */
    {0},
};

/* ---- the transpose: At is A with rows and columns exchanged ---------------------------------- */

static void transposed(const Instance *instance, double *At) {
  gold_transposed(instance, (size_t)instance->size[MATMUL_M], (size_t)instance->size[MATMUL_K], At);
}

static double exact(const Instance *instance) {
  (void)instance;
  return 0;
}

static double no_flop(const int *size) {
  (void)size;
  return NAN;
}

/* Returns the number of bytes that a transpose moves: each element is loaded and stored once. */
static double moved(const int *size, size_t element_bytes) {
  return 2.0 * size[MATMUL_M] * size[MATMUL_K] * (double)element_bytes;
}

static const Problem transpose_problem = {
    .formula = "At = A transposed",
    .size_names = {"m", "k", "n"},
    .operands = {{"A", MATMUL_M, MATMUL_K, {1, 2}}, {"At", MATMUL_K, MATMUL_M, {0, 0}}},
    .gold = transposed,
    .tolerance = exact,
    .flop = no_flop,
    .bytes = moved,
};

/* Launches one block for each tile of A. */
static cudaError_t transpose(const Run *run, const void *kernel) {
  int m = run->size[MATMUL_M], k = run->size[MATMUL_K];
  void *arguments[] = {(void *)&run->operand[0], (void *)&run->operand[1], &m, &k};
  dim3 grid = {(unsigned)CEIL_DIV(k, TILE), (unsigned)CEIL_DIV(m, TILE), 1};
  return launch_kernel(kernel, grid, block, 0, arguments, 2, 2);
}

#define DEFINE_TRANSPOSE(name)                                                                     \
  static cudaError_t run_##name(const Run *run) { return transpose(run, kernel_##name); }
DEFINE_TRANSPOSE(transpose_global)
DEFINE_TRANSPOSE(transpose_tile)
DEFINE_TRANSPOSE(transpose_padded)

static const Exercise exercises[] = {
    {{"transpose_global", "transpose, given: no tile", PLACE_DEVICE, run_transpose_global},
     &transpose_problem},
    {{"transpose_tile", "transpose, yours: through a tile", PLACE_DEVICE, run_transpose_tile},
     &transpose_problem},
    {{"transpose_padded", "transpose, yours: a padded tile", PLACE_DEVICE, run_transpose_padded},
     &transpose_problem},
    {{0}, NULL},
};

const Lab lab = {
    .title = "lab 03: bank conflicts",
    .problem = &matmul_problem,
    .element_bytes = sizeof(real),
    .size = {256, 256, 256},
    .variants = variants,
    .exercises = exercises,
    .open = "transpose_global",
    .story =
        "smem1 goes down the columns of its tiles: all lanes of a warp want the same bank of "
        "shared "
        "memory and take one pass after the other (waves/load). smem2 adds a column to the tile, "
        "smem3 exchanges the indices: one pass is enough. double1 to double3 do the same with "
        "double.",
};
