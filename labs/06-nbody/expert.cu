/* Lab 06, given: what an expert would ship, to be read after task 4. No task asks for it.
 *
 * The kernel of task 4 driven on, by two ideas: every multiprocessor gets a share of the work however few bodies there
 * are, and whether a pair is too close is asked once a tile, not once a pair. A third is in lab.c: positions travel
 * home while the next ones are computed. slides/EXPERT.md tells what each is worth.
 */
#include "lab.h"

#define MG ((real)10)        // G times the mass of a body
#define TAU ((real)0.001)    // one step of time, in seconds
#define NEAREST ((real)0.01) // closer pairs, in metres, do not attract
#define BODIES 4             // of a thread
#define WARPS 4              // of a block, all at work on the same bodies
#define GROUP (32 * BODIES)  // bodies of a block
#define MOST_SHARES 32

typedef struct alignas(2 * sizeof(real)) Vector {
  real x, y;
} Vector;

/* ---- is anybody too close? -------------------------------------------------------------------- */

/* Lengths are measured in a unit so large that the weight of a pair nearer than NEAREST, 1/d³, is more than a number can
 * hold. It becomes infinite, so the sum does, or NaN: one look at the sum finds what took a comparison for each pair, and
 * an instruction of ten. As a power of two the unit costs no digit. It ends at 0.0197 m (double: 0.0124 m): some pairs
 * are looked at twice for nothing. */
#define UNIT (sizeof(real) == sizeof(float) ? (real)0x1p-37 : (real)0x1p-335)

// As in task 4: denormal numbers are taken for 0, their reciprocal roots for infinite.
inline __device__ float inverse_root(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}
inline __device__ double inverse_root(double x) { return rsqrt(x); }

/* Nine instructions for a pair. With care it is asked how near, and no product can be infinite. */
template <bool with_care> inline __device__ void add_pull(Vector &sum, Vector to, Vector from) {
  real dx = from.x - to.x, dy = from.y - to.y, d2 = dx * dx + dy * dy;
  real root = inverse_root(d2), weight = root * root * root;
  if (!with_care) {
    sum.x += dx * weight;
    sum.y += dy * weight;
  } else if (d2 >= NEAREST * UNIT * (NEAREST * UNIT)) {
    sum.x += dx * root * (root * root);
    sum.y += dy * root * (root * root);
  }
}

/* What the bodies of one tile add to the sums of a thread's. */
inline __device__ void add_tile(Vector (&sum)[BODIES], const Vector (&r)[BODIES],
                                const Vector (&tile)[32]) {
  Vector pulls[BODIES] = {};
  bool good = true;
#pragma unroll
  for (int k = 0; k < 32; k++)
#pragma unroll
    for (int b = 0; b < BODIES; b++)
      add_pull<false>(pulls[b], r[b], tile[k]);
#pragma unroll
  for (int b = 0; b < BODIES; b++)
    good = good && fabs(pulls[b].x) + fabs(pulls[b].y) < (real)INFINITY;
  if (!good) {
    for (int b = 0; b < BODIES; b++)
      pulls[b] = {0, 0};
#pragma unroll 1
    for (int k = 0; k < 32; k++)
#pragma unroll
      for (int b = 0; b < BODIES; b++)
        add_pull<true>(pulls[b], r[b], tile[k]);
  }
#pragma unroll
  for (int b = 0; b < BODIES; b++)
    sum[b] = {sum[b].x + pulls[b].x, sum[b].y + pulls[b].y};
}

/* ---- shares ----------------------------------------------------------------------------------- */

/* Block (g, s) adds up what share s of all tiles does to group g. Its part goes to `parts`, and the last block of a group
 * to come adds them all, in an order that is the same in every run. came[g] counts them, and is 0 again at the end. */
extern "C" __global__ void __launch_bounds__(32 * WARPS, 4)
    step_expert(const Vector *R, Vector *next, Vector *V, int n, Vector *parts, unsigned *came) {
  __shared__ __align__(16) Vector tile[WARPS][32];
  __shared__ Vector part[WARPS][GROUP];
  __shared__ bool last;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, start = blockIdx.x * GROUP;
  int tiles = CEIL_DIV(n, 32), warps = WARPS * gridDim.y;
  Vector r[BODIES], sum[BODIES] = {};
  for (int b = 0; b < BODIES; b++) {
    r[b] = R[min(start + 32 * b + lane, n - 1)];
    r[b] = {r[b].x * UNIT, r[b].y * UNIT};
  }
  for (int t = blockIdx.y * WARPS + warp; t < tiles; t += warps) {
    // Past the end stands a body so far away that its pull vanishes.
    Vector from = 32 * t + lane < n ? R[32 * t + lane] : Vector{(real)1e17, 0};
    tile[warp][lane] = {from.x * UNIT, from.y * UNIT};
    __syncwarp();
    add_tile(sum, r, tile[warp]);
    __syncwarp();
  }
  for (int b = 0; b < BODIES; b++)
    part[warp][32 * b + lane] = sum[b];
  __syncthreads();
  int mine = threadIdx.x, i = start + mine, shares = gridDim.y;
  Vector a = {0, 0};
  for (int w = 0; w < WARPS; w++)
    a = {a.x + part[w][mine].x, a.y + part[w][mine].y};
  if (shares > 1) {
    if (i < n)
      parts[blockIdx.y * n + i] = a;
    __threadfence();
    __syncthreads();
    if (mine == 0) {
      last = atomicInc(&came[blockIdx.x], shares - 1) == (unsigned)shares - 1; // then 0 again
      __threadfence();
    }
    __syncthreads();
    if (!last)
      return;
    a = {0, 0};
    for (int s = 0; s < shares && i < n; s++)
      a = {a.x + parts[s * n + i].x, a.y + parts[s * n + i].y};
  }
  if (i < n) {
    const real scale = MG * (UNIT * UNIT);
    Vector from = R[i], v = V[i];
    a = {scale * a.x, scale * a.y};
    next[i] = {from.x + v.x * TAU + a.x * TAU * TAU / 2, from.y + v.y * TAU + a.y * TAU * TAU / 2};
    V[i] = {v.x + a.x * TAU, v.y + a.y * TAU};
  }
}

/* In how many shares each group's work is done: such that the last blocks leave the least of the
 * card idle. A round of blocks takes as long as one warp's tiles do, and one for beginning and end. */
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

/* `workspace` holds so many bytes, all 0 in the beginning. */
extern "C" size_t expert_bytes(int n) {
  return MOST_SHARES * (size_t)n * sizeof(Vector) + CEIL_DIV(n, GROUP) * sizeof(unsigned);
}

/* All on the device: bodies at R are at `next` a step of time later. */
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
