/* Lab 04, given: the kernel of equal_shares.cu, for blocks of one width. The including file defines
 * everything that register_tiles.h needs. It also defines RESIDENT, the number of blocks that must
 * fit on a multiprocessor.
 */
#include "register_tiles.h"

inline __device__ Vector &vector_of(real (&sum)[DOWN][RIGHT], int v) {
  return vector_at(&sum[v * VECTOR / RIGHT][v * VECTOR % RIGHT]);
}

/* `parts` has space for the sums of each block. The vectors of neighbouring threads are adjacent.
 */
__global__ void __launch_bounds__(THREADS, RESIDENT)
    matmul_share(const real *A, const real *B, real *C, int m, int k, int n, int streamed, int band,
                 Vector *parts, unsigned *ready) {
  __shared__ __align__(16) TileA As[2];
  __shared__ __align__(16) TileB Bs[2];
  int down = CEIL_DIV(m, ROWS), right = CEIL_DIV(n, COLUMNS);
  Shares shares(down * right, streamed, CEIL_DIV(k, DEPTH));
  Work work;
#pragma unroll 1
  for (int number = 0; shares.take(number, work); number++) {
    __align__(16) real sum[DOWN][RIGHT] = {};
    int2 at = place_of(work.tile, down, right, band);
    int top = at.y * ROWS, left = at.x * COLUMNS;
    __syncthreads(); // no thread may overwrite tiles that others still read
    add_steps(sum, As, Bs, A, B, m, k, n, top, left, work.first * DEPTH, min(k, work.last * DEPTH));
    if (work.first > 0) { // another block computes the first steps of this tile and stores C
#pragma unroll
      for (int v = 0; v < VECTORS; v++)
        parts[(blockIdx.x * VECTORS + v) * THREADS + threadIdx.x] = vector_of(sum, v);
      say_ready(ready);
      continue;
    }
    for (int other = blockIdx.x + 1; shares.has_part_of(work, other); other++) {
      wait_for(ready, other);
#pragma unroll
      for (int v = 0; v < VECTORS; v++)
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
          vector_of(sum, v).at[i] += parts[(other * VECTORS + v) * THREADS + threadIdx.x].at[i];
    }
    store(C, m, n, sum, top, left);
  }
}

/* Returns the number of blocks that the card runs at the same time. */
static int most_blocks(void) {
  int resident = 1;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, matmul_share, THREADS, 0);
  return processors() * resident;
}

static size_t share_bytes(void) {
  return Workspace<Vector>::bytes(most_blocks(), VECTORS * THREADS);
}

static int padded(int n) { return CEIL_DIV(n, COLUMNS) * COLUMNS; }

static cudaError_t launch(const real *A, const real *B, real *C, int m, int k, int n,
                          void *memory) {
  int most = most_blocks(), tiles = CEIL_DIV(m, ROWS) * CEIL_DIV(n, COLUMNS);
  Plan plan(tiles, CEIL_DIV(k, DEPTH), most, TOLL);
  Workspace<Vector> workspace(memory);
  matmul_share<<<plan.blocks, THREADS>>>(A, B, C, m, k, n, plan.streamed,
                                         band_height(most, ROWS, COLUMNS), workspace.parts,
                                         workspace.ready);
  return cudaGetLastError();
}
