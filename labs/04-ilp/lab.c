/* Lab 04, the given part: the rungs of the ladder from one output per thread to 8×8. */
#include "harness/harness.h"

IMPORT_KERNEL(matmul_1);
IMPORT_KERNEL(matmul_2);
IMPORT_KERNEL(matmul_4);
IMPORT_KERNEL(matmul_8x8);
IMPORT_KERNEL(matmul_expert);
IMPORT_KERNEL(matmul_tensor);
/* Shapes, as the .cu files have them. */
extern int tile, rows_2, rows_4, side, wide;
extern int expert_rows, expert_columns, expert_threads;
extern int tensor_rows, tensor_columns, tensor_threads;

/* A block for each rows×columns elements of C. */
static cudaError_t launch_blocks(const Run *run, const void *kernel, int rows, int columns,
                                 dim3 block) {
  unsigned down = (unsigned)CEIL_DIV(run->size[MATMUL_M], rows);
  unsigned right = (unsigned)CEIL_DIV(run->size[MATMUL_N], columns);
  return run_launch(run, kernel, (dim3){right, down, 1}, block, 0);
}

/* Blocks of width×height threads, each for edge×edge elements of C. */
static cudaError_t launch(const Run *run, const void *kernel, int edge, int width, int height) {
  return launch_blocks(run, kernel, edge, edge, (dim3){(unsigned)width, (unsigned)height, 1});
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

static cudaError_t run_expert(const Run *run) {
  return launch_blocks(run, kernel_matmul_expert, expert_rows, expert_columns,
                       (dim3){(unsigned)expert_threads, 1, 1});
}

static cudaError_t run_tensor(const Run *run) {
  return launch_blocks(run, kernel_matmul_tensor, tensor_rows, tensor_columns,
                       (dim3){(unsigned)tensor_threads, 1, 1});
}

static const Variant variants[] = {
    {"cpu", "one CPU core, along the rows of A and of B transposed", PLACE_CPU, matmul_cpu},
    {"threads", "CPU threads that take the next element", PLACE_CPU, matmul_threads},
    {"smem1", "given: one output per thread, with the bank conflicts of lab 03", PLACE_DEVICE,
     run_1},
    {"smem4", "your kernel with 2 outputs per thread", PLACE_DEVICE, run_2},
    {"smem5", "your kernel with 4 outputs per thread", PLACE_DEVICE, run_4},
    {"8x8", "your kernel with 8×8 outputs per thread", PLACE_DEVICE, run_8x8},
    {"expert", "given: 16×8 (double: 8×8), as fast as it goes, expert.cu", PLACE_DEVICE,
     run_expert},
    MATMUL_LIBRARY
    /* For double only: a table ends where there is no name. */
    {sizeof(real) == sizeof(double) ? "tensor" : NULL, "given: tensor cores, tensor.cu",
     PLACE_TENSOR, run_tensor},
    {0},
};

const Lab lab = {
    .title = "lab 04: several outputs per thread",
    .problem = &matmul_problem,
    .element_bytes = sizeof(real),
    .size = {256, 256, 256},
    .variants = variants,
};
