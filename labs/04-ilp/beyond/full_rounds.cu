/* Lab 04, given: C = A·B in double on tensor cores, with the tiles of the last round shared among
 * all blocks. Read async_copies.cu and equal_shares.cu first.
 *
 * An H200 computes 132 tiles of async_copies.cu at a time. 8192×8192 outputs are 4096 tiles. These
 * are 31 full rounds and four more tiles, which would take as long as a full round. This kernel
 * launches as many blocks as there are multiprocessors. Each block computes one tile of every full
 * round. The remaining tiles are divided into equal shares of steps (work_shares.h), as in
 * equal_shares.cu. For 1024×1024 outputs, which are 64 tiles, there are no full rounds. A block
 * starts to copy its next tile while it stores its sums. If passing sums between blocks costs more
 * than a partly filled last round, the kernel of async_copies.cu is faster.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

#define THREADS 256 // these sizes are the same as in async_copies.cu
#define WARPS_RIGHT 4
#define ROWS 128
#define COLUMNS 128
#define DEPTH 16
#define DOWN 8
#define RIGHT 2

#include "tile_ring.h"

#define OUTPUTS (ROWS * COLUMNS) // number of outputs of a block
#define TOLL 12                  // cost of passing sums to another block, in steps

/* Adds the sums of another block. `part` is a row-major matrix of the size of a tile. */
inline __device__ void add(Sums &sum, const double *part) {
  int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
  for (int y = 0; y < DOWN; y++)
#pragma unroll
    for (int x = 0; x < RIGHT; x++)
#pragma unroll
      for (int j = 0; j < 2; j++) {
        int row = warp_row() + 8 * y + 2 * t + j, column = warp_column() + 16 * x + 2 * g;
        double2 two = *(const double2 *)(part + row * COLUMNS + column);
        sum[y][x][j] += two.x;
        sum[y][x][2 + j] += two.y;
      }
}

template <int STAGES>
__global__ void __launch_bounds__(THREADS, 1)
    matmul_rounds(const double *A, const double *B, double *C, int m, int k, int n, int streamed,
                  int band, double *parts, unsigned *ready) {
  extern __shared__ __align__(16) Stage ring[];
  Shares shares(CEIL_DIV(m, ROWS) * CEIL_DIV(n, COLUMNS), streamed, CEIL_DIV(k, DEPTH));
  Work work;
  Place place = {A, B, m, k, n, 0, 0};
  if (!shares.take(0, work))
    return;
  choose_tile(place, work.tile, band);
  begin_steps<STAGES>(ring, place, work.first, work.last);
  bool more = true;
#pragma unroll 1
  for (int number = 1; more; number++) {
    Sums sum = {};
    add_steps<STAGES>(sum, ring, place, work.first, work.last);
    Work done = work;
    int top = place.top, left = place.left;
    more = shares.take(number, work);
    if (more) {
      choose_tile(place, work.tile, band);
      begin_steps<STAGES>(ring, place, work.first, work.last);
    }
    bool own = done.first == 0; // this block stores the tile; otherwise it passes its sums on
    for (int other = blockIdx.x + 1; own && shares.has_part_of(done, other); other++) {
      wait_for(ready, other);
      add(sum, parts + other * OUTPUTS);
    }
    store(own ? C : parts + blockIdx.x * OUTPUTS, own ? m : ROWS, own ? n : COLUMNS, sum,
          own ? top : 0, own ? left : 0);
    if (!own)
      say_ready(ready);
  }
}

extern "C" size_t rounds_bytes(void) { return Workspace<double>::bytes(processors(), OUTPUTS); }

extern "C" cudaError_t launch_async(const double *A, const double *B, double *C, int m, int k,
                                    int n);

template <int STAGES> static cudaError_t launch(const Place &place, double *C, void *memory) {
  int bytes = STAGES * sizeof(Stage), most = processors();
  int tiles = CEIL_DIV(place.m, ROWS) * CEIL_DIV(place.n, COLUMNS);
  Plan plan(tiles, CEIL_DIV(place.k, DEPTH), most, TOLL);
  Workspace<double> workspace(memory);
  if (!plan.streamed)
    return launch_async(place.A, place.B, C, place.m, place.k, place.n);
  cudaError_t error = cudaFuncSetAttribute(matmul_rounds<STAGES>,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (error == cudaSuccess)
    matmul_rounds<STAGES><<<plan.blocks, THREADS, bytes>>>(
        place.A, place.B, C, place.m, place.k, place.n, plan.streamed,
        band_height(most, ROWS, COLUMNS), workspace.parts, workspace.ready);
  TRY(error, cudaGetLastError());
  return error;
}

extern "C" cudaError_t launch_rounds(const double *A, const double *B, double *C, int m, int k,
                                     int n, void *memory) {
  Place place = {A, B, m, k, n, 0, 0};
  int stages = most_stages();
  return stages >= 4   ? launch<4>(place, C, memory)
         : stages == 3 ? launch<3>(place, C, memory)
         : stages == 2 ? launch<2>(place, C, memory)
                       : cudaErrorNotSupported;
}
