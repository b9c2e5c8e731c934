/* Lab 06, N bodies in the plane that attract one another. In each time step, one kernel computes
 * the accelerations of all bodies, and a second kernel moves the bodies.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab06` after each task. `make hint06` helps.
 */
#include "lab.h"

#define BLOCK 256            // threads per block
#define MG ((real)10)        // G times the mass of a body
#define TAU ((real)0.001)    // length of a time step, in seconds
#define NEAREST ((real)0.01) // in metres; pairs that are closer do not attract

// A vector in the plane, aligned so that one load or store moves both coordinates.
typedef struct alignas(2 * sizeof(real)) Vector {
  real x, y;
} Vector;

/* Returns the acceleration of a body at `to` by a body at `from`, not yet multiplied by MG. */
__device__ Vector pull(Vector to, Vector from) {
  Vector p = {0, 0};
  // DONE(1): The sum includes the body itself, at distance 0. The limit on the distance leaves that
  // pair out, so no test k != i is needed. Comparing squares avoids the square root for such pairs.
  real dx = from.x - to.x, dy = from.y - to.y, d2 = dx * dx + dy * dy;
  if (d2 >= NEAREST * NEAREST) {
    real weight = 1 / (d2 * sqrt(d2)); // one division for both coordinates
    p.x = dx * weight;
    p.y = dy * weight;
  }
  // END(1)
  return p;
}

/* R: the positions at this step. A: the accelerations to compute. A thread computes one body. */
extern "C" __global__ void accelerate(const Vector *R, Vector *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // DONE(1): The sum is kept in registers and multiplied once. All threads of a warp read the same
  // R[k] at the same time: one sector per load, but still n loads per thread.
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
  // DONE(2): Each thread accesses only its own body, so V can be updated in place. The position
  // is computed first: it needs the velocity from before the step.
  if (i < n) {
    Vector r = R[step * n + i], v = V[i], a = A[i];
    R[(step + 1) * n + i] = {r.x + v.x * TAU + a.x * TAU * TAU / 2,
                             r.y + v.y * TAU + a.y * TAU * TAU / 2};
    V[i] = {v.x + a.x * TAU, v.y + a.y * TAU};
  }
  // END(2)
}
EXPORT_KERNEL(move)

// DONE(3): A thread loads its own position once, and one position in each of the 10 phases. In the
// kernel of task 1 a thread needs 2561 loads.
#define PREDICT_GLOBAL_LOADS 11
// END(3)

/* The same as accelerate, with the positions staged in shared memory. */
extern "C" __global__ void accelerate_shared(const Vector *R, Vector *A, int n) {
  __shared__ Vector tile[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // DONE(4): Threads past the last body also load positions and reach the barriers. They compute
  // body 0 and discard the result. The last tile may be short: no thread reads beyond its end.
  Vector r = R[i < n ? i : 0], sum = {0, 0};
  for (int first = 0; first < n; first += BLOCK) {
    int count = min(BLOCK, n - first), mine = threadIdx.x;
    if (mine < count)
      tile[mine] = R[first + mine];
    __syncthreads(); // the tile is complete before it is read
    for (int k = 0; k < count; k++) {
      Vector p = pull(r, tile[k]);
      sum.x += p.x;
      sum.y += p.y;
    }
    __syncthreads(); // all reads are done before the tile is overwritten
  }
  if (i < n)
    A[i] = {MG * sum.x, MG * sum.y};
  // END(4)
}
EXPORT_KERNEL(accelerate_shared)

// DONE(5): A position is read from shared memory once and used for BODIES bodies. All warps of a
// block compute the same 32 · BODIES bodies, and each adds up its own share of every tile. So there
// are enough blocks for a large GPU even if there are few bodies.
#define BODIES 4 // bodies per thread in accelerate_fast
#define WARPS (BLOCK / 32)
#define BODIES_PER_BLOCK (32 * BODIES)

// The reciprocal root as one instruction. rsqrt on a float adds three more for numbers below 1e-38.
// Here such numbers are treated as 0, because pairs that close do not attract in any case.
inline __device__ float inverse_root(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}
inline __device__ double inverse_root(double x) { return rsqrt(x); }

// Adds the pulls of a body at `from` on the bodies `r` to `sum`. Sets `close` if a pair is too
// close. If `careful` is true, such a pair is ignored; otherwise the sum becomes wrong.
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

/* The same, as fast as you can make it. __launch_bounds__ says that two blocks on a multiprocessor
 * are enough, so the compiler may give each thread up to 128 registers. */
extern "C" __global__ void __launch_bounds__(BLOCK, 2)
    accelerate_fast(const Vector *R, Vector *A, int n) {
  // DONE(5): Thread `lane` of each warp has bodies start + lane, + 32, + 64, ... Each warp loads
  // the 32 positions that only its own lanes read, so __syncwarp is enough.
  __shared__ Vector tile[WARPS][32], part[WARPS][BODIES_PER_BLOCK];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, start = blockIdx.x * BODIES_PER_BLOCK;
  Vector r[BODIES], sum[BODIES];
  for (int b = 0; b < BODIES; b++) {
    r[b] = R[min(start + 32 * b + lane, n - 1)];
    sum[b] = {0, 0};
  }
  for (int first = 32 * warp; first < n; first += BLOCK) {
    // Past the end, the tile holds a body so far away that its pull is 0. So every tile is full,
    // and the loop over it has a fixed length.
    tile[warp][lane] = first + lane < n ? R[first + lane] : Vector{(real)1e18, 0};
    __syncwarp();
    // Few tiles contain a pair that is too close. So compute without the test, 10 instructions for
    // each pair, and compute a tile again if it has such a pair. A tile has its own sums: adding
    // small numbers to small ones first keeps more digits.
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
  // Adds up the sums of all warps, in the same order in every run.
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

/* R and A are device memory. The grid has just enough blocks for n bodies. */
extern "C" cudaError_t launch_fast(const Vector *R, Vector *A, int n) {
  accelerate_fast<<<CEIL_DIV(n, BODIES_PER_BLOCK), BLOCK>>>(R, A, n);
  return cudaGetLastError();
}
