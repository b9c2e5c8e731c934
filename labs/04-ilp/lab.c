/* Lab 04, the given part: launches the student's kernels, which compute one output to 8×8 outputs
 * per thread, and the given kernels in beyond/. */
#include <stdlib.h>

#include "harness/harness.h"

IMPORT_KERNEL(matmul_1);
IMPORT_KERNEL(matmul_2);
IMPORT_KERNEL(matmul_4);
IMPORT_KERNEL(matmul_4x4);
IMPORT_KERNEL(matmul_tile);
IMPORT_KERNEL(matmul_vectors);
IMPORT_KERNEL(matmul_8x8);
IMPORT_KERNEL(matmul_expert);
IMPORT_KERNEL(matmul_tensor);
IMPORT_KERNEL(matmul_operands);
/* The sizes of blocks and tiles, which are defined in the .cu files. */
IMPORT_NUMBER(tile);
IMPORT_NUMBER(rows_2);
IMPORT_NUMBER(rows_4);
IMPORT_NUMBER(apart);
IMPORT_NUMBER(side);
IMPORT_NUMBER(wide);
extern int expert_rows, expert_columns, expert_threads;
extern int tensor_rows, tensor_columns, tensor_threads;
extern int operands_rows, operands_columns, operands_threads;
/* Functions in beyond/ that launch their kernels. All bytes of `workspace` must be 0 before the
 * first launch; share_bytes and rounds_bytes return its size. */
cudaError_t launch_share(const real *A, const real *B, real *C, int m, int k, int n,
                         void *workspace);
size_t share_bytes(void);
cudaError_t launch_async(const void *A, const void *B, void *C, int m, int k, int n);
cudaError_t launch_rounds(const void *A, const void *B, void *C, int m, int k, int n,
                          void *workspace);
size_t rounds_bytes(void);

/* Launches one block for each tile of rows×columns elements of C. */
static cudaError_t launch_blocks(const Run *run, const void *kernel, int rows, int columns,
                                 dim3 block) {
  unsigned down = (unsigned)CEIL_DIV(run->size[MATMUL_M], rows);
  unsigned right = (unsigned)CEIL_DIV(run->size[MATMUL_N], columns);
  return run_launch(run, kernel, (dim3){right, down, 1}, block, 0);
}

/* Launches one block of width×height threads for each tile of edge×edge elements of C. */
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

static cudaError_t run_4x4(const Run *run) {
  return launch(run, kernel_matmul_4x4, tile, apart, apart);
}

static cudaError_t run_tile(const Run *run) {
  return launch(run, kernel_matmul_tile, side, wide, wide);
}

static cudaError_t run_vectors(const Run *run) {
  return launch(run, kernel_matmul_vectors, side, wide, wide);
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

static cudaError_t run_operands(const Run *run) {
  return launch_blocks(run, kernel_matmul_operands, operands_rows, operands_columns,
                       (dim3){(unsigned)operands_threads, 1, 1});
}

/* ---- kernels whose blocks pass sums to other blocks ------------------------------------------ */

/* Device memory that is allocated once and freed at the end of the program, so that the measured
 * times contain no allocation. */
static void *workspace;

static void free_workspace(void) {
  cudaFree(workspace);
  workspace = NULL;
}

static cudaError_t need_workspace(size_t bytes) {
  static size_t has;
  cudaError_t error = cudaSuccess;
  if (bytes <= has)
    return error;
  if (!has)
    atexit(free_workspace);
  cudaFree(workspace);
  TRY(error, cudaMalloc(&workspace, bytes));
  TRY(error, cudaMemset(workspace, 0, bytes));
  has = error == cudaSuccess ? bytes : 0;
  return error;
}

/* Returns true if the waves of blocks use at least 90 % of the card's block slots. A block
 * computes rows×columns outputs, and `resident` blocks fit on a multiprocessor. */
static bool fills_the_card(const Run *run, int rows, int columns, int resident) {
  const double enough = 0.9;
  int processors = 0,
      blocks = CEIL_DIV(run->size[MATMUL_M], rows) * CEIL_DIV(run->size[MATMUL_N], columns);
  cudaError_t error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  int at_once = processors * resident;
  return error != cudaSuccess || at_once == 0 ||
         blocks >= enough * CEIL_DIV(blocks, at_once) * at_once;
}

static cudaError_t run_share(const Run *run) {
  int resident = 0;
  cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel_matmul_expert,
                                                                    expert_threads, 0);
  if (error == cudaSuccess && fills_the_card(run, expert_rows, expert_columns, resident))
    return run_expert(run);
  TRY(error, need_workspace(share_bytes()));
  TRY(error,
      launch_share(run->operand[MATMUL_A], run->operand[MATMUL_B], run->operand[MATMUL_C],
                   run->size[MATMUL_M], run->size[MATMUL_K], run->size[MATMUL_N], workspace));
  return error;
}

/* If a launch failed because the card cannot run a kernel with a ring of tiles (tile_ring.h),
 * launches the kernel of wide_operands.cu instead. */
static cudaError_t or_operands(cudaError_t error, const Run *run) {
  return error == cudaErrorNotSupported ? run_operands(run) : error;
}

static cudaError_t run_async(const Run *run) {
  return or_operands(launch_async(run->operand[MATMUL_A], run->operand[MATMUL_B],
                                  run->operand[MATMUL_C], run->size[MATMUL_M], run->size[MATMUL_K],
                                  run->size[MATMUL_N]),
                     run);
}

static cudaError_t run_rounds(const Run *run) {
  cudaError_t error = need_workspace(rounds_bytes());
  TRY(error,
      launch_rounds(run->operand[MATMUL_A], run->operand[MATMUL_B], run->operand[MATMUL_C],
                    run->size[MATMUL_M], run->size[MATMUL_K], run->size[MATMUL_N], workspace));
  return or_operands(error, run);
}

static const Variant variants[] = {
    {"cpu", "one CPU core, along the rows of A and of B transposed", PLACE_CPU, matmul_cpu},
    {"threads", "CPU threads that take the next element", PLACE_CPU, matmul_threads},
    {"smem1", "given: one output per thread, with the bank conflicts of lab 03", PLACE_DEVICE,
     run_1},
    {"smem4", "your kernel with 2 outputs per thread", PLACE_DEVICE, run_2},
    {"smem5", "your kernel with 4 outputs per thread", PLACE_DEVICE, run_4},
    {"4x4", "your kernel with 4×4 outputs per thread", PLACE_DEVICE, run_4x4},
    {"tile", "your kernel with 8×8 outputs per thread", PLACE_DEVICE, run_tile},
    {"vectors", "the same with loads of 16 bytes", PLACE_DEVICE, run_vectors},
    {"8x8", "the same with two buffers of each tile", PLACE_DEVICE, run_8x8},
    {"expert", "given: 16×8 (double: 8×8), beyond/expert.cu", PLACE_DEVICE, run_expert},
    {"share", "given: equal shares for few blocks, beyond/equal_shares.cu", PLACE_DEVICE,
     run_share},
    MATMUL_LIBRARY
    /* For double only. A null name ends the table. */
    {sizeof(real) == sizeof(double) ? "tensor" : NULL,
     "given: tensor cores, beyond/tensor_cores.cu", PLACE_TENSOR, run_tensor},
    {"operands", "given: operands of 16 bytes, beyond/wide_operands.cu", PLACE_TENSOR,
     run_operands},
    {"async", "given: asynchronous copies, beyond/async_copies.cu", PLACE_TENSOR, run_async},
    {"rounds", "given: these in equal shares, beyond/full_rounds.cu", PLACE_TENSOR, run_rounds},
    {0},
};

const Lab lab = {
    .title = "lab 04: several outputs per thread",
    .problem = &matmul_problem,
    .element_bytes = sizeof(real),
    .size = {256, 256, 256},
    .variants = variants,
    .story =
        "A thread computes 1 output (smem1), 2 (smem4), 4 (smem5), 16 (4x4) or 64 (tile, vectors, "
        "8x8) and keeps the sums in registers. An element that is loaded once then serves "
        "several sums: compare the shared loads. "
        "expert and share are for large matrices; at this size they have too few blocks.",
};
