/* Lab 02, the given part: launches the student's kernels. The variants compute the product with and
 * without tiles. The two exercises are the warm-up on a vector and the tiles of a single step. */
#include <math.h>

#include "harness/harness.h"

IMPORT_KERNEL(reverse_pieces);
IMPORT_KERNEL(tiles);
IMPORT_KERNEL(naive);
IMPORT_KERNEL(matmul);

enum { PIECE = 128, TILE = 32 }; /* the same values as in shared.cu */

/* ---- the product ----------------------------------------------------------------------------- */

/* Launches blocks of TILE×TILE threads, one block for each tile of C. x runs along a row of C. */
static cudaError_t run_blocks(const Run *run, const void *kernel) {
  dim3 grid = {(unsigned)CEIL_DIV(run->size[MATMUL_N], TILE),
               (unsigned)CEIL_DIV(run->size[MATMUL_M], TILE), 1};
  dim3 block = {TILE, TILE, 1};
  return run_launch(run, kernel, grid, block, 0);
}

static cudaError_t run_naive(const Run *run) { return run_blocks(run, kernel_naive); }

static cudaError_t run_shared(const Run *run) { return run_blocks(run, kernel_matmul); }

static const Variant variants[] = {
    {"cpu", "one CPU core, along the rows of A and of B transposed", PLACE_CPU, matmul_cpu},
    {"threads", "CPU threads that take the next element", PLACE_CPU, matmul_threads},
    {"naive", "lab 01's kernel, straight from global memory", PLACE_DEVICE, run_naive},
    {"shared", "your kernel, tiles in shared memory", PLACE_DEVICE, run_shared},
    MATMUL_LIBRARY /* cuBLAS; only on a GPU, if the toolkit contains it */
    {0},
};

static double no_flop(const int *size) {
  (void)size;
  return NAN;
}

static double exact(const Instance *instance) {
  (void)instance;
  return 0;
}

/* ---- warm-up: y is x with each piece reversed ------------------------------------------------ */

static void reversed(const Instance *instance, double *y) {
  gold_reversed(instance, (size_t)instance->size[MATMUL_N], PIECE, y);
}

static const Problem reverse_problem = {
    .formula = "y = x, each piece of 128 turned around",
    .size_names = {"m", "k", "n"},
    .operands = {{"x", MATMUL_N, ONE, {1, 0}}, {"y", MATMUL_N, ONE, {0, 0}}},
    .gold = reversed,
    .tolerance = exact,
    .flop = no_flop,
};

static cudaError_t run_reverse(const Run *run) {
  int n = run->size[MATMUL_N];
  void *arguments[] = {(void *)&run->operand[0], (void *)&run->operand[1], &n};
  dim3 grid = {(unsigned)CEIL_DIV(n, PIECE), 1, 1}, block = {PIECE, 1, 1};
  return launch_kernel(kernel_reverse_pieces, grid, block, 0, arguments, 2, 1);
}

/* ---- the tiles of one step ------------------------------------------------------------------- */

/* Block (bx, by) computes its result from the tiles of step (bx + by) modulo the number of steps.
 */
static void tile_products(const Instance *instance, double *C) { gold_tiles(instance, TILE, C); }

static double one_rounding(const Instance *instance) {
  return instance->element_bytes == sizeof(float) ? 1e-6 : 1e-14;
}

static const Problem tiles_problem = {
    .formula = "C = the tiles of one step, multiplied place by place",
    .size_names = {"m", "k", "n"},
    .operands = {{"A", MATMUL_M, MATMUL_K, {1, 2}},
                 {"B", MATMUL_K, MATMUL_N, {-1, 1}},
                 {"C", MATMUL_M, MATMUL_N, {0, 0}}},
    .gold = tile_products,
    .tolerance = one_rounding,
    .flop = no_flop,
};

static cudaError_t run_tiles(const Run *run) { return run_blocks(run, kernel_tiles); }

static const Exercise exercises[] = {
    {{"warmup", "your reverse_pieces", PLACE_DEVICE, run_reverse}, &reverse_problem},
    {{"tiles", "what your load_tiles puts into both tiles", PLACE_DEVICE, run_tiles},
     &tiles_problem},
    {{0}, NULL},
};

const Lab lab = {
    .title = "lab 02: tiles in shared memory",
    .problem = &matmul_problem,
    .element_bytes = sizeof(real),
    .size = {256, 256, 256},
    .variants = variants,
    .exercises = exercises,
    .story = "naive is the kernel of lab 01. In shared, the threads of a block first load a tile "
             "of A and a "
             "tile of B into shared memory, and then all of them read it there. Compare the global "
             "loads.",
};
