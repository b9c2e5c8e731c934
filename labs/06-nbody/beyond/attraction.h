/* Lab 06, given: how bodies pull one another, for expert.cu, and how nobody is asked for each pair whether he is too close.
 *
 * Who includes it says before: BODIES, how many a thread has.
 */
#define NEAREST ((real)0.01) // closer pairs, in metres, do not attract

typedef struct alignas(2 * sizeof(real)) Vector {
  real x, y;
} Vector;
inline __device__ Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
inline __device__ Vector operator*(real factor, Vector a) { return {factor * a.x, factor * a.y}; }

/* Lengths are measured in a unit so large that the weight of a pair nearer than NEAREST, 1/d³, is more than a number can
 * hold. It becomes infinite, so the sum does, or NaN: one look at the sum finds what took a comparison for each pair, and
 * an instruction of ten. As a power of two the unit costs no digit. It ends at 0.0197 m (double: 0.0124 m): some pairs
 * are looked at twice for nothing. */
#define UNIT (sizeof(real) == sizeof(float) ? (real)0x1p-37 : (real)0x1p-335)

// As in task 5: denormal numbers are taken for 0, their reciprocal roots for infinite.
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
