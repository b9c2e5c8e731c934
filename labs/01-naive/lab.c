/* Lab 01, the given part: which ways of computing C = A·B the program knows. */
#include "harness/harness.h"

IMPORT_KERNEL(matmul);
cudaError_t matmul_on_device(const real *A, const real *B, real *C, int m, int k, int n);

enum { TILE = 32 };

/* The student's kernel, launched by us. The grid is a square wide enough both ways, so that the
 * product is right whether x runs along a row of C or down a column: only the counters tell the two
 * apart (task 5). */
static cudaError_t run_kernel(const Run *run) {
  int m = run->size[MATMUL_M], n = run->size[MATMUL_N];
  unsigned blocks = (unsigned)CEIL_DIV(m > n ? m : n, TILE);
  dim3 grid = {blocks, blocks, 1}, block = {TILE, TILE, 1};
  return run_launch(run, kernel_matmul, grid, block, 0);
}

/* The student's host side. */
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
    MATMUL_LIBRARY /* on a GPU, where the toolkit has it */
    {0},
};

const Lab lab = {
    .title = "lab 01: naive matrix product",
    .problem = &matmul_problem,
    .element_bytes = sizeof(real),
    .size = {256, 256, 256},
    .variants = variants,
    .story =
        "Each thread computes one element of C. It reads a row of A and a column of B from global "
        "memory. Nothing is shared, so the same elements are loaded again and again.",
};
