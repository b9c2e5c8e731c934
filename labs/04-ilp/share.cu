/* Lab 04, given: C = A·B where there are few tiles or odd ones, to be read after expert.cu.
 *
 * expert.cu's blocks are large: of a C of 1024×1024 they make 64, and a large GPU has twice as many
 * multiprocessors. Here it is the work that is cut to the card: as many blocks as fit it at the same
 * time, each with the same number of steps (shares.h). A thread has 8×8 outputs, so that three
 * blocks fit a multiprocessor and one can wait while two multiply.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

typedef real element;
#define THREADS 128 // of a block, in 2×2 warps
#define DOWN 8      // outputs of a thread
#define RIGHT 8
#define ROWS (8 * DOWN) // outputs of a block: 64×128
#define COLUMNS (16 * RIGHT)
#define DEPTH (64 / (int)sizeof(element)) // terms of the sums in one step

#include "shares.h"
#include "terms.h"

#define VECTORS (DOWN * RIGHT / VECTOR) // of a thread's sums
#define TOLL 4                          // to hand sums over takes as long as so many steps

inline __device__ Vector &vector_of(real (&sum)[DOWN][RIGHT], int v) {
  return vector_at(&sum[v * VECTOR / RIGHT][v * VECTOR % RIGHT]);
}

/* parts: room for the sums of a block each, which its threads leave side by side. */
extern "C" __global__ void __launch_bounds__(THREADS, sizeof(real) == sizeof(float) ? 3 : 2)
    matmul_share(const real *A, const real *B, real *C, int m, int k, int n, int streamed,
                 Vector *parts, unsigned *ready) {
  __shared__ __align__(16) TileA As[2];
  __shared__ __align__(16) TileB Bs[2];
  int right = CEIL_DIV(n, COLUMNS), block = blockIdx.x;
  Shares shares(CEIL_DIV(m, ROWS) * right, streamed, CEIL_DIV(k, DEPTH));
  Work work;
  while (shares.take(work)) {
    __syncthreads(); // before anybody stores over what others still read
    __align__(16) real sum[DOWN][RIGHT] = {};
    int top = work.tile / right * ROWS, left = work.tile % right * COLUMNS;
    add_steps(sum, As, Bs, A, B, m, k, n, top, left, work.first * DEPTH, min(k, work.last * DEPTH));
    if (work.first > 0) { // another block's tile
#pragma unroll
      for (int v = 0; v < VECTORS; v++)
        parts[(block * VECTORS + v) * THREADS + threadIdx.x] = vector_of(sum, v);
      say_ready(ready);
      continue;
    }
    for (int other = block + 1; shares.has_part_of(work, other); other++) {
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

/* As many blocks as the card runs at the same time. */
static int most_blocks(void) {
  int processors = 1, resident = 1;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, matmul_share, THREADS, 0);
  return processors * resident;
}

extern "C" size_t share_bytes(void) {
  return Workspace<Vector>::bytes(most_blocks(), VECTORS * THREADS);
}

extern "C" cudaError_t launch_share(const real *A, const real *B, real *C, int m, int k, int n,
                                    void *memory) {
  int most = most_blocks(), tiles = CEIL_DIV(m, ROWS) * CEIL_DIV(n, COLUMNS);
  Plan plan(tiles, CEIL_DIV(k, DEPTH), most, TOLL);
  Workspace<Vector> workspace(memory, most, VECTORS * THREADS);
  matmul_share<<<plan.blocks, THREADS>>>(A, B, C, m, k, n, plan.streamed, workspace.parts,
                                         workspace.ready);
  return cudaGetLastError();
}
