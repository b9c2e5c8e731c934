/* Lab 06, N bodies in the plane that attract one another. In every step of time one kernel computes
 * the accelerations of all bodies, a second one moves them.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab06` after each task. `make hint06` helps.
 */
#include "lab.h"

#define BLOCK 256            // threads of a block
#define MG ((real)10)        // G times the mass of a body
#define TAU ((real)0.001)    // one step of time, in seconds
#define NEAREST ((real)0.01) // closer pairs, in metres, do not attract

// x and y side by side, aligned so that one load or store moves both.
typedef struct alignas(2 * sizeof(real)) Vector {
  real x, y;
} Vector;

/* What a body at `from` adds to the acceleration of a body at `to`, not yet multiplied by MG. */
__device__ Vector pull(Vector to, Vector from) {
  Vector p = {0, 0};
  // DONE(1): A body meets itself in the sum, too, at distance 0. The limit on the distance keeps
  // that pair out, so no k != i is needed. Its square saves a root where nothing attracts.
  real dx = from.x - to.x, dy = from.y - to.y, d2 = dx * dx + dy * dy;
  if (d2 >= NEAREST * NEAREST) {
    real weight = 1 / (d2 * sqrt(d2)); // one division for both coordinates
    p.x = dx * weight;
    p.y = dy * weight;
  }
  // END(1)
  return p;
}

/* R: the positions at this step. A: the accelerations to compute. One thread, one body. */
extern "C" __global__ void accelerate(const Vector *R, Vector *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // DONE(1): The sum grows in registers and is multiplied once. All threads of a warp read the same
  // R[k] at the same time: one sector a load, and yet n loads a thread.
  if (i < n) {
    Vector r = R[i], sum = {0, 0};
    for (int k = 0; k < n; k++) {
      Vector p = pull(r, R[k]);
      sum.x += p.x;
      sum.y += p.y;
    }
    A[i] = {MG * sum.x, MG * sum.y};
  }
  // END(1)
}
EXPORT_KERNEL(accelerate)

/* R: the positions at all steps; body i at step s is R[s * n + i]. V: the velocities. */
extern "C" __global__ void move(Vector *R, Vector *V, const Vector *A, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // DONE(2): Each thread touches its own body only, so V can be updated where it stands. The
  // position comes first: it needs the velocity from before the step.
  if (i < n) {
    Vector r = R[step * n + i], v = V[i], a = A[i];
    R[(step + 1) * n + i] = {r.x + v.x * TAU + a.x * TAU * TAU / 2,
                             r.y + v.y * TAU + a.y * TAU * TAU / 2};
    V[i] = {v.x + a.x * TAU, v.y + a.y * TAU};
  }
  // END(2)
}
EXPORT_KERNEL(move)

// DONE(3): One for its own position and one in each of the 10 phases, where task 1's kernel issues
// 2561.
#define PREDICT_GLOBAL_LOADS 11
// END(3)

/* The same as accelerate, with the positions staged in shared memory. */
extern "C" __global__ void accelerate_shared(const Vector *R, Vector *A, int n) {
  __shared__ Vector tile[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // DONE(4): Threads past the last body stay to load and to meet the barriers; they compute for
  // body 0 and drop the result. The last tile may be short: nobody reads beyond its end.
  Vector r = R[i < n ? i : 0], sum = {0, 0};
  for (int first = 0; first < n; first += BLOCK) {
    int count = min(BLOCK, n - first), mine = threadIdx.x;
    if (mine < count)
      tile[mine] = R[first + mine];
    __syncthreads(); // the tile is complete before anyone reads it
    for (int k = 0; k < count; k++) {
      Vector p = pull(r, tile[k]);
      sum.x += p.x;
      sum.y += p.y;
    }
    __syncthreads(); // everyone is done with it before it is overwritten
  }
  if (i < n)
    A[i] = {MG * sum.x, MG * sum.y};
  // END(4)
}
EXPORT_KERNEL(accelerate_shared)

// DONE(5): A position read from shared memory serves BODIES bodies while it is in registers. To
// keep a large GPU busy with few bodies, too, all warps of a block work on the same 32 · BODIES
// bodies, and each takes its own share of every tile.
#define BODIES 4 // of one thread, in accelerate_fast
#define WARPS (BLOCK / 32)
#define BODIES_PER_BLOCK (32 * BODIES)

// The reciprocal root as one instruction. rsqrt on a float adds three more for numbers below 1e-38:
// here these are taken for 0, and pairs so close do not attract anyway.
inline __device__ float inverse_root(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}
inline __device__ double inverse_root(double x) { return rsqrt(x); }

// Adds to `sum` what a body at `from` pulls at those in `r`. A pair too close is noted in `close`;
// `careful` leaves it out, else it spoils the sum.
inline __device__ void add_pulls(Vector *sum, const Vector *r, const Vector &from, bool careful,
                                 bool &close) {
#pragma unroll
  for (int b = 0; b < BODIES; b++) {
    real dx = from.x - r[b].x, dy = from.y - r[b].y, d2 = dx * dx + dy * dy;
    real root = inverse_root(d2), weight = root * root * root;
    close |= d2 < NEAREST * NEAREST;
    if (careful && d2 < NEAREST * NEAREST)
      weight = 0;
    sum[b].x += dx * weight;
    sum[b].y += dy * weight;
  }
}
// END(5)

/* The same once more, as fast as you can. Two blocks on a multiprocessor are enough: so the
 * compiler may give a thread up to 128 registers, and need not think of more blocks. */
extern "C" __global__ void __launch_bounds__(BLOCK, 2)
    accelerate_fast(const Vector *R, Vector *A, int n) {
  // DONE(5): Thread `lane` of each warp has bodies start + lane, + 32, + 64, ... Each warp stages
  // the 32 positions that it alone will read, so __syncwarp is all that it needs.
  __shared__ Vector tile[WARPS][32], part[WARPS][BODIES_PER_BLOCK];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, start = blockIdx.x * BODIES_PER_BLOCK;
  Vector r[BODIES], sum[BODIES];
  for (int b = 0; b < BODIES; b++) {
    r[b] = R[min(start + 32 * b + lane, n - 1)];
    sum[b] = {0, 0};
  }
  for (int first = 32 * warp; first < n; first += BLOCK) {
    // Past the end stands a body so far away that its pull vanishes: every tile is full, and the
    // loop over it has a fixed length.
    tile[warp][lane] = first + lane < n ? R[first + lane] : Vector{(real)1e18, 0};
    __syncwarp();
    // Nearly no tile has a pair that is too close. So compute without regard to it, 10 instructions
    // for each pair, and do a tile once more where there was one. A tile has its own sums: small
    // numbers are added to small ones first, and that saves digits.
    Vector pulls[BODIES] = {};
    bool close = false;
#pragma unroll
    for (int k = 0; k < 32; k++)
      add_pulls(pulls, r, tile[warp][k], false, close);
    if (close) {
      for (int b = 0; b < BODIES; b++)
        pulls[b] = {0, 0};
#pragma unroll 1
      for (int k = 0; k < 32; k++)
        add_pulls(pulls, r, tile[warp][k], true, close);
    }
    for (int b = 0; b < BODIES; b++) {
      sum[b].x += pulls[b].x;
      sum[b].y += pulls[b].y;
    }
    __syncwarp();
  }
  // The warps' shares, added in an order that is the same in every run.
  for (int b = 0; b < BODIES; b++)
    part[warp][32 * b + lane] = sum[b];
  __syncthreads();
  int mine = threadIdx.x, i = start + mine;
  if (mine < BODIES_PER_BLOCK && i < n) {
    Vector a = {0, 0};
    for (int w = 0; w < WARPS; w++) {
      a.x += part[w][mine].x;
      a.y += part[w][mine].y;
    }
    A[i] = {MG * a.x, MG * a.y};
  }
  // END(5)
}

/* R and A are the device's. The grid has just enough blocks for n bodies. */
extern "C" cudaError_t launch_fast(const Vector *R, Vector *A, int n) {
  accelerate_fast<<<CEIL_DIV(n, BODIES_PER_BLOCK), BLOCK>>>(R, A, n);
  return cudaGetLastError();
}
