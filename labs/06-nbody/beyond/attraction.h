/* Lab 06, given: the pull between two bodies for expert.cu, without a test of each pair for the
 * smallest distance.
 *
 * The including file defines BODIES, the number of bodies of a thread.
 */
#define NEAREST ((real)0.01) // closer pairs, in metres, do not attract

typedef struct alignas(2 * sizeof(real)) Vector {
  real x, y;
} Vector;
inline __device__ Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
inline __device__ Vector operator*(real factor, Vector a) { return {factor * a.x, factor * a.y}; }

/* Lengths are measured in a unit so large that the weight 1/d³ of a pair closer than NEAREST
 * overflows to infinity. Then the sum becomes infinite or NaN. So one test of the sum replaces a
 * comparison for each pair, which would be one instruction of ten. The unit is a power of two, so
 * no digit is lost. The weight overflows below 0.0197 m (double: 0.0124 m), so some pairs are
 * computed a second time without need. */
#define UNIT (sizeof(real) == sizeof(float) ? (real)0x1p-37 : (real)0x1p-335)

// As in task 5, denormal numbers count as 0, and their reciprocal root is infinite.
inline __device__ float inverse_root(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}
inline __device__ double inverse_root(double x) { return rsqrt(x); }

/* Adds one pull, in nine instructions. with_care: leaves out pairs that are too close, and no
 * product overflows. */
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

/* Adds the pulls of the bodies of one tile to a thread's sums. */
__forceinline__ __device__ void add_tile(Vector (&sum)[BODIES], const Vector (&r)[BODIES],
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
#pragma unroll
  for (int b = 0; b < BODIES && !good; b++)
    pulls[b] = {0, 0};
#pragma unroll 1
  for (int k = 0; k < 32 && !good; k++)
#pragma unroll
    for (int b = 0; b < BODIES; b++)
      add_pull<true>(pulls[b], r[b], tile[k]);
#pragma unroll
  for (int b = 0; b < BODIES; b++)
    sum[b] = sum[b] + pulls[b];
}
