// The test of math_float.cu and math_double.cu: compares every function of CUDA's math library with
// a reference in the next wider type. The error must be within the maximum ulp error of the
// programming guide ("Mathematical Functions"). The including program defines T, the wider type W,
// FN(name) and BOUND(single, double).
//
// The arguments are special values, numbers of every size, and many numbers in critical ranges.
#ifndef MATH_BOUNDS_H
#define MATH_BOUNDS_H

#include "check.h"
#include <climits>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

// ---- references for functions that C++ does not have --------------------------------------------
static const W pi = 3.141592653589793238462643383279502884L;

static W sin_pi(W x) {
  W r = std::remainder(x, (W)2); // without rounding
  if (std::fabs(r) > (W)0.5)
    r = std::copysign((W)1, r) - r;
  return r == 0 ? std::copysign((W)0, x) : std::sin(pi * r);
}
static W cos_pi(W x) {
  W r = std::fabs(std::remainder(x, (W)2));
  return r == (W)0.5 ? 0 : r < (W)0.25 ? std::cos(pi * r) : std::sin(pi * ((W)0.5 - r));
}

// Returns the x in [low, high] at which the decreasing function equals y, by bisection.
template <class F> static W solve(F falling, W y, W low, W high) {
  for (W middle = (low + high) / 2; middle != low && middle != high; middle = (low + high) / 2)
    (falling(middle) > y ? low : high) = middle;
  return low;
}
static W erfc_inverse(W y);
static W erf_inverse(W y) {
  if (!(std::fabs(y) < 1))
    return std::fabs(y) == 1 ? std::copysign((W)INFINITY, y) : (W)NAN;
  if (std::fabs(y) > (W)0.5)
    return std::copysign(erfc_inverse(1 - std::fabs(y)), y);
  if (std::fabs(y) < (W)1e-4)
    return std::sqrt(pi) / 2 * y * (1 + pi / 12 * y * y * (1 + 7 * pi / 40 * y * y));
  return std::copysign(solve([](W x) { return -std::erf(x); }, -std::fabs(y), 0, 1), y);
}
static W erfc_inverse(W y) {
  if (!(y > 0 && y < 2))
    return y == 0 ? (W)INFINITY : y == 2 ? -(W)INFINITY : (W)NAN;
  if (y > (W)0.5 && y < (W)1.5)
    return erf_inverse(1 - y);
  return y > 1 ? -erfc_inverse(2 - y) : solve([](W x) { return std::erfc(x); }, y, 0, 120);
}
// Returns exp(x²) erfc(x). x² is split into two numbers, so that no digit is lost.
static W erfc_scaled(W x) {
  if (x < -40)
    return INFINITY;
  if (!(x < 25)) {
    W sum = 1, term = 1;
    for (int k = 1; k < 20; k++)
      sum += term *= -(2 * k - 1) / (2 * x * x);
    return sum / std::sqrt(pi) / x;
  }
  W high = (float)x;
  return std::exp(high * high) * std::exp((x - high) * (x + high)) * std::erfc(x);
}
static W bessel_i(int order, W x) {
  if (std::isinf(x))
    return order ? x : std::fabs(x);
  W half = x / 2, term = order ? half : 1, sum = term;
  for (int k = 1; k < 3000 && std::fabs(term) > (W)1e-22 * std::fabs(sum); k++)
    sum += term *= half * half / ((W)k * (k + order));
  return sum;
}

static W whole_log(W x) {
  return x != x || x == 0 ? (W)INT_MIN : std::isinf(x) ? (W)INT_MAX : (W)std::ilogb(x);
}
// Returns true if x fits in an int.
__host__ __device__ static inline bool fits(double x) { return x > -2e9 && x < 2e9; }
__host__ __device__ static inline bool regular(T x, T y) {
  return x - x == 0 && y - y == 0 && y != 0;
}

// ---- the functions: F(name, device expression of x y z n, reference of x y z n, ulps) ----------
// x is the argument; functions of several arguments use y and z, or the small integer n.
#define FUNCTIONS(F)                                                                               \
  F(sqrt, FN(sqrt)(x), std::sqrt((T)x), 0)                                                         \
  F(rsqrt, FN(rsqrt)(x), 1 / std::sqrt(x), BOUND(2, 1))                                            \
  F(cbrt, FN(cbrt)(x), std::cbrt(x), 1)                                                            \
  F(rcbrt, FN(rcbrt)(x), 1 / std::cbrt(x), 1)                                                      \
  F(hypot, FN(hypot)(x, y), std::hypot(x, y), BOUND(3, 2))                                         \
  F(rhypot, FN(rhypot)(x, y), 1 / std::hypot(x, y), BOUND(2, 1))                                   \
  F(norm3d, FN(norm3d)(x, y, z), std::hypot(std::hypot(x, y), z), BOUND(3, 2))                     \
  F(rnorm3d, FN(rnorm3d)(x, y, z), 1 / std::hypot(std::hypot(x, y), z), BOUND(2, 1))               \
  F(norm4d, FN(norm4d)(x, y, z, x), std::hypot(std::hypot(x, y), std::hypot(z, x)), BOUND(3, 2))   \
  F(exp, FN(exp)(x), std::exp(x), BOUND(2, 1))                                                     \
  F(exp2, FN(exp2)(x), std::exp2(x), BOUND(2, 1))                                                  \
  F(exp10, FN(exp10)(x), std::pow((W)10, x), BOUND(2, 1))                                          \
  F(expm1, FN(expm1)(x), std::expm1(x), 1)                                                         \
  F(log, FN(log)(x), std::log(x), 1)                                                               \
  F(log2, FN(log2)(x), std::log2(x), 1)                                                            \
  F(log10, FN(log10)(x), std::log10(x), BOUND(2, 1))                                               \
  F(log1p, FN(log1p)(x), std::log1p(x), 1)                                                         \
  F(sin, FN(sin)(x), std::sin(x), 2)                                                               \
  F(cos, FN(cos)(x), std::cos(x), 2)                                                               \
  F(tan, FN(tan)(x), std::tan(x), BOUND(4, 2))                                                     \
  F(sinpi, FN(sinpi)(x), sin_pi(x), 2)                                                             \
  F(cospi, FN(cospi)(x), cos_pi(x), 2)                                                             \
  F(asin, FN(asin)(x), std::asin(x), BOUND(4, 2))                                                  \
  F(acos, FN(acos)(x), std::acos(x), BOUND(3, 2))                                                  \
  F(atan, FN(atan)(x), std::atan(x), 2)                                                            \
  F(atan2, FN(atan2)(x, y), std::atan2(x, y), BOUND(3, 2))                                         \
  F(sinh, FN(sinh)(x), std::sinh(x), BOUND(3, 2))                                                  \
  F(cosh, FN(cosh)(x), std::cosh(x), BOUND(2, 1))                                                  \
  F(tanh, FN(tanh)(x), std::tanh(x), BOUND(2, 1))                                                  \
  F(asinh, FN(asinh)(x), std::asinh(x), BOUND(3, 3))                                               \
  F(acosh, FN(acosh)(x), std::acosh(x), BOUND(4, 3))                                               \
  F(atanh, FN(atanh)(x), std::atanh(x), BOUND(3, 2))                                               \
  F(pow, FN(pow)(x, y), std::pow(x, y), BOUND(4, 2))                                               \
  F(pow_mild, FN(pow)(FN(fabs)(x), T(n) / 8), std::pow(std::fabs(x), (W)n / 8), BOUND(4, 2))       \
  F(erf, FN(erf)(x), std::erf(x), 2)                                                               \
  F(erfc, FN(erfc)(x), std::erfc(x), BOUND(4, 5))                                                  \
  F(erfinv, FN(erfinv)(x), erf_inverse(x), BOUND(2, 5))                                            \
  F(erfcinv, FN(erfcinv)(x), erfc_inverse(x), BOUND(4, 6))                                         \
  F(erfcx, FN(erfcx)(x), erfc_scaled(x), 4)                                                        \
  F(normcdf, FN(normcdf)(x), std::erfc(-x / std::sqrt((W)2)) / 2, 5)                               \
  F(normcdfinv, FN(normcdfinv)(x), -std::sqrt((W)2) * erfc_inverse(2 * x), BOUND(5, 8))            \
  F(tgamma, FN(tgamma)(x), std::tgamma(x), BOUND(5, 10))                                           \
  F(lgamma, x > -12 && x < -2 ? 0 : FN(lgamma)(x), x > -12 && x < -2 ? 0 : std::lgamma(x),         \
    BOUND(6, 4))                                                                                   \
  F(cyl_bessel_i0, FN(cyl_bessel_i0)(x), bessel_i(0, x), 6)                                        \
  F(cyl_bessel_i1, FN(cyl_bessel_i1)(x), bessel_i(1, x), 6)                                        \
  F(fma, FN(fma)(x, y, z), std::fma((T)x, (T)y, (T)z), 0)                                          \
  F(fmod, FN(fmod)(x, y), std::fmod(x, y), 0)                                                      \
  F(remainder, FN(remainder)(x, y), std::remainder(x, y), 0)                                       \
  F(fdim, FN(fdim)(x, y), std::fdim((T)x, (T)y), 0)                                                \
  F(fmin, FN(fmin)(x, y) + T(0), std::fmin(x, y) + 0, 0)                                           \
  F(fmax, FN(fmax)(x, y) + T(0), std::fmax(x, y) + 0, 0)                                           \
  F(fabs, FN(fabs)(x), std::fabs(x), 0)                                                            \
  F(copysign, FN(copysign)(x, y), std::copysign(x, y), 0)                                          \
  F(nextafter, FN(nextafter)(x, y), std::nextafter((T)x, (T)y), 0)                                 \
  F(floor, FN(floor)(x), std::floor(x), 0)                                                         \
  F(ceil, FN(ceil)(x), std::ceil(x), 0)                                                            \
  F(trunc, FN(trunc)(x), std::trunc(x), 0)                                                         \
  F(round, FN(round)(x), std::round(x), 0)                                                         \
  F(rint, FN(rint)(x), std::rint(x), 0)                                                            \
  F(nearbyint, FN(nearbyint)(x), std::nearbyint(x), 0)                                             \
  F(ldexp, FN(ldexp)(x, n), std::ldexp(x, n), 0)                                                   \
  F(scalbn, FN(scalbn)(x, 9 * n), std::ldexp(x, 9 * n), 0)                                         \
  F(scalbln, FN(scalbln)(x, -9l * n), std::ldexp(x, -9 * n), 0)                                    \
  F(logb, FN(logb)(x), std::logb(x), 0)                                                            \
  F(ilogb, T(FN(ilogb)(x)), whole_log(x), 0)                                                       \
  F(modf, (FN(modf)(x, &part), part), std::trunc(x), 0)                                            \
  F(modf_rest, FN(modf)(x, &part), std::isinf(x) ? std::copysign((W)0, x) : std::modf(x, &part),   \
    0)                                                                                             \
  F(frexp, FN(frexp)(x, &k), std::frexp(x, &k), 0)                                                 \
  F(frexp_exponent, (FN(frexp)(x, &k), x - x == 0 ? T(k) : 0),                                     \
    (std::frexp(x, &k), x - x == 0 ? (W)k : 0), 0)                                                 \
  F(sincos, (FN(sincos)(x, &part, &other), part), std::sin(x), 2)                                  \
  F(sincos_cos, (FN(sincos)(x, &part, &other), other), std::cos(x), 2)                             \
  F(sincospi, (FN(sincospi)(x, &part, &other), part), sin_pi(x), 2)                                \
  F(sincospi_cos, (FN(sincospi)(x, &part, &other), other), cos_pi(x), 2)                           \
  F(remquo, FN(remquo)(x, y, &k), std::remquo(x, y, &k), 0)                                        \
  F(remquo_bits, (FN(remquo)(x, y, &k), regular(x, y) ? T(k < 0 ? -(-k & 7) : k & 7) : 0),         \
    (std::remquo(x, y, &k), regular(x, y) ? (W)(k < 0 ? -(-k & 7) : k & 7) : 0), 0)                \
  F(lrint, fits(x) ? T(FN(lrint)(x)) : 0, fits(x) ? (W)std::lrint(x) : 0, 0)                       \
  F(llrint, fits(x) ? T(FN(llrint)(x)) : 0, fits(x) ? (W)std::llrint(x) : 0, 0)                    \
  F(lround, fits(x) ? T(FN(lround)(x)) : 0, fits(x) ? (W)std::lround(x) : 0, 0)                    \
  F(llround, fits(x) ? T(FN(llround)(x)) : 0, fits(x) ? (W)std::llround(x) : 0, 0)                 \
  F(classes, T(!!isnan(x) + 2 * !!isinf(x) + 4 * !!isfinite(x) + 8 * !!signbit(x)),                \
    (W)(std::isnan(x) + 2 * std::isinf(x) + 4 * std::isfinite(x) + 8 * std::signbit(x)), 0)

static inline double bessel_j(int order, double x) { return order ? ::j1(x) : ::j0(x); }
static inline double bessel_y(int order, double x) { return order ? ::y1(x) : ::y0(x); }
static inline long double bessel_j(int order, long double x) { return order ? ::j1l(x) : ::j0l(x); }
static inline long double bessel_y(int order, long double x) { return order ? ::y1l(x) : ::y0l(x); }
#define BESSELS(F)                                                                                 \
  F(j0, FN(j0)(x), bessel_j(0, x), BOUND(9, 7))                                                    \
  F(j1, FN(j1)(x), bessel_j(1, x), BOUND(9, 7))                                                    \
  F(y0, FN(y0)(x), bessel_y(0, x), BOUND(9, 7))                                                    \
  F(y1, FN(y1)(x), bessel_y(1, x), BOUND(9, 7))

#define NUMBER(name, ...) N_##name,
enum { FUNCTIONS(NUMBER) BESSELS(NUMBER) COUNT, N = BOUND(4096, 2048), SPECIAL = 30 };

__host__ __device__ static inline int small(int t) { return t % 41 - 20; }

__global__ void compute(const T *in, T *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, n = small(t), k = 0;
  T x = in[t], y = in[(t * 7 + 3) % N], z = in[(t * 31 + 11) % N], part = 0, other = 0;
#define DO(name, device, reference, ulps) out[N_##name * N + t] = device;
  FUNCTIONS(DO)
  BESSELS(DO)
#undef DO
}

static std::vector<T> arguments() {
  const T tiny = std::numeric_limits<T>::denorm_min(), least = std::numeric_limits<T>::min();
  const T most = std::numeric_limits<T>::max(), one = 1;
  const T special[SPECIAL / 2] = {0,
                                  tiny,
                                  least - tiny,
                                  least,
                                  most,
                                  INFINITY,
                                  NAN,
                                  (T)0.5,
                                  1,
                                  std::nextafter(one, (T)0),
                                  std::nextafter(one, (T)2),
                                  (T)1.5,
                                  2,
                                  (T)2.5,
                                  (T)(1u << 31)};
  const int exponents = BOUND(276, 2096), lowest = BOUND(-148, -1073);
  std::vector<T> in(N);
  unsigned long long state = 1;
  for (int t = 0; t < N; t++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    T u = (T)(state >> 11) / (T)(1ull << 53), sign = state >> 10 & 1 ? -1 : 1; // u in [0, 1]
    in[t] = t < SPECIAL  ? (t % 2 ? -1 : 1) * special[t / 2]
            : t % 8 < 2  ? sign * std::ldexp(1 + u, (int)(state >> 20) % exponents + lowest)
            : t % 8 == 2 ? sign * u
            : t % 8 == 3 ? sign * u * BOUND(100, 750)
            : t % 8 == 4 ? sign * u * 30
            : t % 8 == 5 ? 1 + sign * std::ldexp(u, -(t / 8 % 30))
            : t % 8 == 6 ? sign * (T)(t / 8) / 2
                         : sign * u * 8;
  }
  return in;
}

// Returns how many values of type T are between two numbers. NaN equals only NaN, +0 equals -0.
static double steps_between(T a, T b) {
  typedef std::conditional<sizeof(T) == 4, int, long long>::type Bits;
  Bits p, q;
  if (a != a || b != b)
    return a != a && b != b ? 0 : INFINITY;
  memcpy(&p, &a, sizeof a);
  memcpy(&q, &b, sizeof b);
  const Bits most = std::numeric_limits<Bits>::max();
  if ((p < 0) == (q < 0))
    return (double)(p > q ? p - q : q - p);
  return (double)(p & most) + (double)(q & most) + 0.25;
}

static int failures;

static void judge(const char *name, T got, T expected, double ulps, double absolute, T x, T y) {
  if (steps_between(got, expected) <= ulps || std::fabs((double)got - (double)expected) <= absolute)
    return;
  if (failures++ < 20)
    fprintf(stderr, "%s(%.17g, %.17g) = %.17g, expected %.17g: %g steps, %g allowed\n", name,
            (double)x, (double)y, (double)got, (double)expected, steps_between(got, expected),
            ulps);
}

int main() {
  std::vector<T> in = arguments(), out(COUNT * N);
  T *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, in.size() * sizeof(T)));
  CHECK(cudaMalloc(&d_out, out.size() * sizeof(T)));
  CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice));
  compute<<<N / 64, 64>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(T), cudaMemcpyDeviceToHost));
  for (int t = 0; t < N; t++) {
    int n = small(t), k = 0;
    W x = in[t], y = in[(t * 7 + 3) % N], z = in[(t * 31 + 11) % N], part;
#define JUDGE(name, device, reference, ulps)                                                       \
  judge(#name, out[N_##name * N + t], (T)(reference), ulps, -1, (T)x, (T)y);
    FUNCTIONS(JUDGE)
#undef JUDGE
    // For |x| < 8 the bound is in ulps; for larger |x| it is an absolute error.
#define JUDGE(name, device, reference, ulps)                                                       \
  judge(#name, out[N_##name * N + t], (T)(reference), std::fabs(x) < 8 ? ulps : 0,                 \
        std::fabs(x) < 8 ? -1 : BOUND(2.2e-6, 5e-12), (T)x, (T)y);
    BESSELS(JUDGE)
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  EXPECT(failures == 0);
  return done();
}

#endif
