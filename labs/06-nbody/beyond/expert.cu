/* Lab 06, given: an expert's kernel. Read it after task 5; no task asks for it.
 *
 * The kernel differs from the kernel of task 5 in two ways. Every multiprocessor gets a part of the
 * work, even if there are few bodies. Whether a pair is too close is tested once per tile instead
 * of once per pair. A third improvement is in lab.c: positions are copied to the host while the
 * next ones are computed. slides/EXPERT.md lists the gain of each improvement.
 */
#include "lab.h"

#define MG ((real)10)       // G times the mass of a body
#define TAU ((real)0.001)   // length of a time step, in seconds
#define BODIES 4            // number of bodies per thread
#define WARPS 4             // warps per block; all of them compute the same bodies
#define GROUP (32 * BODIES) // number of bodies per block
#define MOST_SHARES 32

#include "attraction.h"

/* A group is the GROUP bodies of a block; the tiles contain all bodies, and are divided into
 * shares. Block (g, s) adds up the pulls of share s on group g and stores the sums in `parts`. The
 * last block of a group to finish adds up all parts, in the same order in every run. came[g] counts
 * the blocks of group g that have finished; it is 0 again at the end. */
extern "C" __global__ void __launch_bounds__(32 * WARPS, 4)
    step_expert(const Vector *R, Vector *next, Vector *V, int n, Vector *parts, unsigned *came) {
  __shared__ __align__(16) Vector tile[WARPS][32];
  __shared__ Vector part[WARPS][GROUP];
  __shared__ bool last;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, start = blockIdx.x * GROUP;
  int tiles = CEIL_DIV(n, 32), warps = WARPS * gridDim.y, first = blockIdx.y * WARPS + warp;
  Vector r[BODIES], sum[BODIES] = {};
#pragma unroll
  for (int b = 0; b < BODIES && first < tiles; b++) // a warp without a tile loads nothing
    r[b] = UNIT * R[min(start + 32 * b + lane, n - 1)];
  for (int t = first; t < tiles; t += warps) {
    // After the last body, the tile is filled with a body so far away that its pull is 0.
    tile[warp][lane] = UNIT * (32 * t + lane < n ? R[32 * t + lane] : Vector{(real)1e17, 0});
    __syncwarp();
    add_tile(sum, r, tile[warp]);
    __syncwarp();
  }
#pragma unroll
  for (int b = 0; b < BODIES; b++)
    part[warp][32 * b + lane] = sum[b];
  __syncthreads();
  int mine = threadIdx.x, i = start + mine, shares = gridDim.y;
  Vector a = {0, 0};
#pragma unroll
  for (int w = 0; w < WARPS; w++)
    a = a + part[w][mine];
  if (shares > 1) {
    if (i < n)
      parts[blockIdx.y * n + i] = a;
    __threadfence();
    __syncthreads();
    if (mine == 0) {
      last = atomicInc(&came[blockIdx.x], shares - 1) == (unsigned)shares - 1; // wraps to 0
      __threadfence();
    }
    __syncthreads();
    if (!last)
      return;
    a = {0, 0};
    for (int s = 0; s < shares && i < n; s++)
      a = a + parts[s * n + i];
  }
  if (i < n) {
    Vector v = V[i];
    a = MG * (UNIT * UNIT) * a;
    next[i] = R[i] + TAU * v + TAU * TAU / 2 * a;
    V[i] = v + TAU * a;
  }
}

/* Returns the number of shares of the tiles for which the launch is estimated to be the fastest.
 * The estimated time of a wave of blocks is the number of tiles of a warp, plus one tile for the
 * start and the end. */
static int shares_of(int n) {
  int processors = 1, resident = 1, best = 1, fewest = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, step_expert, 32 * WARPS, 0);
  for (int shares = 1; shares <= MOST_SHARES; shares++) {
    int rounds = CEIL_DIV(CEIL_DIV(n, GROUP) * shares, processors * resident);
    int time = rounds * (CEIL_DIV(CEIL_DIV(n, 32), WARPS * shares) + 1);
    if (shares == 1 || time < fewest) {
      fewest = time;
      best = shares;
    }
  }
  return best;
}

/* Returns the size of `workspace` in bytes. All its bytes must be 0 before the first launch. */
extern "C" size_t expert_bytes(int n) {
  return MOST_SHARES * (size_t)n * sizeof(Vector) + CEIL_DIV(n, GROUP) * sizeof(unsigned);
}

/* Launches one time step. All pointers are device memory. The kernel stores the new positions in
 * `next` and updates the velocities in V. */
extern "C" cudaError_t launch_expert(const Vector *R, Vector *next, Vector *V, int n,
                                     void *workspace) {
  static int shares, shares_for;
  if (n != shares_for)
    shares = shares_of(shares_for = n);
  Vector *parts = (Vector *)workspace;
  unsigned *came = (unsigned *)(parts + MOST_SHARES * (size_t)n);
  step_expert<<<dim3(CEIL_DIV(n, GROUP), shares), 32 * WARPS>>>(R, next, V, n, parts, came);
  return cudaGetLastError();
}
