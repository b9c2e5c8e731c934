/* Lab 04, given: C = A·B in double on tensor cores, the second version. Read tensor_cores.cu first.
 *
 * The loop over the tiles is the same as in tensor_cores.cu. The products differ (warp_products.h):
 * one instruction multiplies 16×8 by 8×8 elements. Its operands are read from shared memory 16
 * bytes at a time, directly into the registers that the instruction uses. tensor_cores.cu reads 8
 * bytes at a time, and the assembler has to move the values.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

#define THREADS 128 // threads of a block, in 2×2 warps
#define WARPS_RIGHT 2
#define ROWS 64 // a block computes ROWS×COLUMNS outputs
#define COLUMNS 64
#define DEPTH 16 // terms of the sums in one step
#define DOWN 4   // a warp computes DOWN×RIGHT products of 8×16 outputs: 32×32 outputs
#define RIGHT 2

#include "warp_products.h"
#include "tile_loads.h"

inline __device__ void store(TileA &As, TileB &Bs, const Pieces &pieces) {
#pragma unroll
  for (int p = 0; p < ROWS / A_PIECE; p++) {
    int row = a_row() + p * A_PIECE;
    vector_at(&As[row][by_turns(row, a_column())]) = pieces.a[p];
  }
  store_b(Bs, pieces);
}

extern "C" __global__ void __launch_bounds__(THREADS, 3)
    matmul_operands(const double *A, const double *B, double *C, int m, int k, int n) {
  __shared__ __align__(16) TileA As[2];
  __shared__ __align__(16) TileB Bs[2];
  Pieces pieces;
  Sums sum = {};
  // Step s fetches tile s and multiplies tile s - 1.
  for (int start = 0, full = 1; start < k + DEPTH; start += DEPTH) {
    if (start < k)
      fetch_step(pieces, A, B, m, k, n, blockIdx.y * ROWS, blockIdx.x * COLUMNS, start);
    if (start > 0)
#pragma unroll
      for (int i = 0; i < DEPTH; i += 8) {
        Term term;
        read(term, As[full], Bs[full], i);
        multiply(sum, term);
      }
    full = 1 - full; // all reads of this buffer were done before the last barrier
    if (start < k)
      store(As[full], Bs[full], pieces);
    __syncthreads();
  }
  store(C, m, n, sum, blockIdx.y * ROWS, blockIdx.x * COLUMNS);
}
EXPORT_KERNEL(matmul_operands)

/* lab.c launches the kernel with these values. The variables are not const, because constants would
 * be compiled for the device, too. */
extern "C" {
int operands_rows = ROWS, operands_columns = COLUMNS, operands_threads = THREADS;
}
