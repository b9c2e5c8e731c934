/* Lab 04, given: an expert's kernel. Read it after task 7; no task asks for it.
 *
 * matmul_expert improves the kernel of task 7: a larger part of its instructions are multiply-adds.
 * On an H200 it is a little faster than cuBLAS in float. In double the arithmetic units limit it.
 * cuBLAS is faster in double because it uses tensor cores, as tensor_cores.cu does.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

typedef real element;
#define THREADS 128                      // threads of a block; two blocks fit on a multiprocessor
#define DOWN (64 / (int)sizeof(element)) // a thread computes 16×8 floats or 8×8 doubles
#define RIGHT 8                          // the sums use half of a thread's 255 registers
#define WARPS_RIGHT 2                    // number of warps of a block along x
#define ROWS (8 * DOWN)                  // outputs of a block: 128×128 floats or 64×128 doubles
#define COLUMNS (16 * RIGHT)
#define DEPTH 8 // terms of the sums in one step

#include "register_tiles.h"

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    matmul_expert(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ __align__(16) TileA As[2];
  __shared__ __align__(16) TileB Bs[2];
  int top = blockIdx.y * ROWS, left = blockIdx.x * COLUMNS;
  real sum[DOWN][RIGHT] = {};
  add_steps(sum, As, Bs, A, B, m, k, n, top, left, 0, k);
  store(C, m, n, sum, top, left);
}
EXPORT_KERNEL(matmul_expert)

/* lab.c launches the kernel with these values. The variables are not const, because constants would
 * be compiled for the device, too. */
extern "C" {
int expert_rows = ROWS, expert_columns = COLUMNS, expert_threads = THREADS;
}
