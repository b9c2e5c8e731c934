/* Lab 06, given: computes the pull between two bodies for expert.cu. This code does not compare the
 * distance of each pair with NEAREST.
 *
 * The including file defines BODIES, the number of bodies per thread.
 */
#define NEAREST ((real)0.01) // in metres; pairs that are closer do not attract

// A vector in the plane, aligned so that one load or store moves both coordinates.
typedef struct alignas(2 * sizeof(real)) Vector {
  real x, y;
} Vector;
inline __device__ Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
inline __device__ Vector operator*(real factor, Vector a) { return {factor * a.x, factor * a.y}; }

/* All positions are multiplied by UNIT, which makes distances so small that the weight 1/d³ of a
 * pair closer than NEAREST overflows to infinity. Then the sum becomes infinite or NaN. So one test
 * of the sum replaces a comparison for each pair, which would be one of ten instructions. UNIT is a
 * power of two, so the multiplication does not round. The weight overflows below 0.0197 m (0.0124 m
 * in double), so some pairs are computed a second time although they are not too close. */
#define UNIT (sizeof(real) == sizeof(float) ? (real)0x1p-37 : (real)0x1p-335)

// As in task 5, denormal numbers are treated as 0, and the result for them is infinity.
inline __device__ float inverse_root(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}
inline __device__ double inverse_root(double x) { return rsqrt(x); }

/* Adds one pull in nine instructions. If with_care is true, ignores pairs that are too close, and
 * multiplies in an order in which nothing overflows. */
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

/* Adds the pulls of all bodies in a tile to a thread's sums. */
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
