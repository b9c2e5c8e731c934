/* Lab 04, given: C = A·B in double on tensor cores where tiles are few, to be read after async.cu and
 * share.cu.
 *
 * An H200 takes 132 of async.cu's tiles at a time. 8192×8192 outputs are 4096 tiles: 31 rounds, and
 * four tiles that would take as long as a round. Here async.cu's kernel, which is the faster one, does
 * the full rounds, and what is left is cut into equal shares of steps (shares.h), as share.cu does; of
 * 1024×1024 outputs, 64 tiles, that is all.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

#define THREADS 256 // as in async.cu
#define WARPS_RIGHT 4
#define ROWS 128
#define COLUMNS 128
#define DEPTH 16
#define DOWN 8
#define RIGHT 2

#include "ring.h"

#define OUTPUTS (ROWS * COLUMNS) // of a block
#define TOLL 12 // a launch more, and to hand sums over, take as long as so many steps

/* Adds sums that another block has left: they lie as a C of the size of a tile. */
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
                  double *parts, unsigned *ready) {
  extern __shared__ __align__(16) Stage ring[];
  Shares shares(CEIL_DIV(m, ROWS) * CEIL_DIV(n, COLUMNS), streamed, CEIL_DIV(k, DEPTH));
  Work work;
#pragma unroll 1
  for (int number = shares.whole / gridDim.x; shares.take(number, work); number++) {
    Sums sum = {};
    Place place = {A, B, m, k, n, 0, 0};
    choose_tile(place, work.tile);
    add_steps<STAGES>(sum, ring, place, work.first, work.last);
    bool own = work.first == 0; // else it is another block's tile
    for (int other = blockIdx.x + 1; own && shares.has_part_of(work, other); other++) {
      wait_for(ready, other);
      add(sum, parts + other * OUTPUTS);
    }
    store(own ? C : parts + blockIdx.x * OUTPUTS, own ? m : ROWS, own ? n : COLUMNS, sum,
          own ? place.top : 0, own ? place.left : 0);
    if (!own)
      say_ready(ready);
  }
}

static int most_blocks(void) {
  int processors = 1;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  return processors;
}

extern "C" size_t rounds_bytes(void) { return Workspace<double>::bytes(most_blocks(), OUTPUTS); }

/* In async.cu: the first `tiles` tiles. */
extern "C" cudaError_t launch_tiles(const double *A, const double *B, double *C, int m, int k,
                                    int n, int tiles);

template <int STAGES> static cudaError_t launch(const Place &place, double *C, void *memory) {
  int bytes = STAGES * sizeof(Stage), most = most_blocks();
  int tiles = CEIL_DIV(place.m, ROWS) * CEIL_DIV(place.n, COLUMNS);
  Plan plan(tiles, CEIL_DIV(place.k, DEPTH), most, TOLL);
  Workspace<double> workspace(memory);
  cudaError_t error = cudaFuncSetAttribute(matmul_rounds<STAGES>,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (plan.streamed < tiles)
    TRY(error, launch_tiles(place.A, place.B, C, place.m, place.k, place.n, tiles - plan.streamed));
  if (error == cudaSuccess && plan.streamed)
    matmul_rounds<STAGES><<<plan.blocks, THREADS, bytes>>>(place.A, place.B, C, place.m, place.k,
                                                           place.n, plan.streamed, workspace.parts,
                                                           workspace.ready);
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
