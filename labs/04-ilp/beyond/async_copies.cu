/* Lab 04, given: C = A·B in double on tensor cores, the third version. Read wide_operands.cu first.
 *
 * Tiles are copied to shared memory asynchronously, several steps ahead and without registers
 * (tile_ring.h). The free registers hold more sums: a warp computes 64×32 outputs instead of 32×32
 * as in wide_operands.cu. So each element that is read from shared memory is used for a third more
 * multiply-adds. The operands of the next terms are loaded while the operands of the current terms
 * are multiplied. One block of 8 warps uses all registers of a multiprocessor.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

#define THREADS 256 // threads of a block, in 2×4 warps
#define WARPS_RIGHT 4
#define ROWS 128 // a block computes ROWS×COLUMNS outputs
#define COLUMNS 128
#define DEPTH 16 // terms of the sums in one step
#define DOWN 8   // a warp computes DOWN×RIGHT products of 8×16 outputs, one instruction each
#define RIGHT 2

#include "tile_ring.h"

template <int STAGES>
__global__ void __launch_bounds__(THREADS, 1)
    matmul_async(const double *A, const double *B, double *C, int m, int k, int n, int band) {
  extern __shared__ __align__(16) Stage ring[];
  Sums sum = {};
  Place place = {A, B, m, k, n, 0, 0};
  choose_tile(place, blockIdx.x, band);
  begin_steps<STAGES>(ring, place, 0, CEIL_DIV(k, DEPTH));
  add_steps<STAGES>(sum, ring, place, 0, CEIL_DIV(k, DEPTH));
  store(C, m, n, sum, place.top, place.left);
}

template <int STAGES>
static cudaError_t launch(const double *A, const double *B, double *C, int m, int k, int n) {
  int bytes = STAGES * sizeof(Stage), tiles = CEIL_DIV(m, ROWS) * CEIL_DIV(n, COLUMNS);
  cudaError_t error = cudaFuncSetAttribute(matmul_async<STAGES>,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (error == cudaSuccess)
    matmul_async<STAGES>
        <<<tiles, THREADS, bytes>>>(A, B, C, m, k, n, band_height(processors(), ROWS, COLUMNS));
  TRY(error, cudaGetLastError());
  return error;
}

extern "C" cudaError_t launch_async(const double *A, const double *B, double *C, int m, int k,
                                    int n) {
  int stages = most_stages();
  return stages >= 4   ? launch<4>(A, B, C, m, k, n)
         : stages == 3 ? launch<3>(A, B, C, m, k, n)
         : stages == 2 ? launch<2>(A, B, C, m, k, n)
                       : cudaErrorNotSupported;
}
