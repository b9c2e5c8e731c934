/* Lab 04, the given part: the rungs of the ladder from one output per thread to 8×8. */
#include "harness/harness.h"

IMPORT_KERNEL(matmul_1);
IMPORT_KERNEL(matmul_2);
IMPORT_KERNEL(matmul_4);
IMPORT_KERNEL(matmul_8x8);
/* Shapes, as the .cu file has them. */
extern int tile, rows_2, rows_4, side, wide;

/* Blocks of width×height threads, each for edge×edge elements of C. */
static cudaError_t launch(const Run *run, const void *kernel, int edge, int width, int height) {
  unsigned down = (unsigned)CEIL_DIV(run->size[MATMUL_M], edge);
  unsigned right = (unsigned)CEIL_DIV(run->size[MATMUL_N], edge);
  dim3 grid = {right, down, 1}, block = {(unsigned)width, (unsigned)height, 1};
  return run_launch(run, kernel, grid, block, 0);
}

static cudaError_t run_1(const Run *run) { return launch(run, kernel_matmul_1, tile, tile, tile); }

static cudaError_t run_2(const Run *run) {
  return launch(run, kernel_matmul_2, tile, tile, rows_2);
}

static cudaError_t run_4(const Run *run) {
  return launch(run, kernel_matmul_4, tile, tile, rows_4);
}

static cudaError_t run_8x8(const Run *run) {
  return launch(run, kernel_matmul_8x8, side, wide, wide);
}

static const Variant variants[] = {
    {"cpu", "one CPU core, along the rows of A and of B transposed", PLACE_CPU, matmul_cpu},
    {"threads", "CPU threads that take the next element", PLACE_CPU, matmul_threads},
    {"smem1", "given: one output per thread, with the bank conflicts of lab 03", PLACE_DEVICE,
     run_1},
    {"smem4", "your kernel with 2 outputs per thread", PLACE_DEVICE, run_2},
    {"smem5", "your kernel with 4 outputs per thread", PLACE_DEVICE, run_4},
    {"8x8", "your kernel with 8×8 outputs per thread", PLACE_DEVICE, run_8x8},
    {0},
};

const Lab lab = {
    .title = "lab 04: several outputs per thread",
    .problem = &matmul_problem,
    .element_bytes = sizeof(real),
    .size = {256, 256, 256},
    .variants = variants,
};
