/* Defines the functions of CUDA's math library that the C library does not have. The functions
 * compute in double. builtins.def lists them. */
#ifndef MACHINE_SPECIAL_H
#define MACHINE_SPECIAL_H

#include <limits.h>
#include <math.h>

#define SPECIAL_PI 3.14159265358979323846
#define SPECIAL_2_SQRT_PI 1.12837916709551257390

/* Uses lgamma_r, because lgamma() writes to the global variable `signgam`. */
static inline double special_lgamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

static inline double special_frexp_mantissa(double x) {
  int exponent;
  return frexp(x, &exponent);
}

static inline int special_frexp_exponent(double x) {
  int exponent = 0;
  frexp(x, &exponent);
  return isfinite(x) ? exponent : 0;
}

/* Returns the exponent of x, as ilogb(). Handles 0, infinity and NaN separately, because C does not
 * specify ilogb() for them. */
static inline int special_ilogb(double x) {
  return isnan(x) || x == 0 ? INT_MIN : isinf(x) ? INT_MAX : ilogb(x);
}

static inline int special_remquo(double x, double y) {
  int quotient = 0;
  remquo(x, y, &quotient);
  return quotient;
}

/* Returns sin(pi x). The remainder is exact, so no precision is lost before the multiplication. */
static inline double special_sinpi(double x) {
  double r = remainder(x, 2);
  if (fabs(r) > 0.5)
    r = copysign(1, r) - r;
  return sin(SPECIAL_PI * r);
}

static inline double special_cospi(double x) {
  double r = fabs(remainder(x, 2));
  return r < 0.25 ? cos(SPECIAL_PI * r) : sin(SPECIAL_PI * (0.5 - r));
}

/* Returns a first approximation of erfinv(x) from 1 - x*x by Winitzki's formula, which is accurate
 * to three digits. */
static inline double special_erfinv_guess(double one_minus_square) {
  const double a = 0.147;
  double l = log(one_minus_square), t = 2 / (SPECIAL_PI * a) + l / 2;
  return sqrt(sqrt(t * t - l / a) - t);
}

/* Returns an improved x after one step of Halley's iteration, which triples the number of correct
 * digits. `error`: erf(x) minus the value that it should have. The function uses long double
 * because erfc of a large argument is close to the smallest double. */
static inline long double special_halley(long double x, long double error) {
  long double u = error / (SPECIAL_2_SQRT_PI * expl(-x * x));
  return x - u / (1 + x * u);
}

static inline double special_erfinv(double y);
static inline double special_erfcinv(double y) {
  if (!(y > 0 && y < 2))
    return y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
  if (y > 0.5 && y < 1.5)
    return special_erfinv(1 - y);
  if (y > 1)
    return -special_erfcinv(2 - y);
  long double x = special_erfinv_guess(y * (2 - y));
  for (int i = 0; i < 4; i++)
    x = special_halley(x, y - erfcl(x));
  return (double)x;
}

static inline double special_erfinv(double y) {
  if (!(fabs(y) <= 0.5))
    return copysign(special_erfcinv(1 - fabs(y)), y);
  if (fabs(y) < 1e-9)
    return y / SPECIAL_2_SQRT_PI;
  long double x = copysign(special_erfinv_guess((1 - y) * (1 + y)), y);
  for (int i = 0; i < 3; i++)
    x = special_halley(x, erfl(x) - y);
  return (double)x;
}

static inline double special_normcdf(double x) {
  return (double)(0.5L * erfcl(-0.70710678118654752440L * x));
}

/* Returns exp(x*x) erfc(x). For large x the function uses the asymptotic series. For smaller x it
 * splits x*x, so that the rounding error of x*x does not affect the exponential. */
static inline double special_erfcx(double x) {
  if (x < -30)
    return INFINITY;
  if (x < 25) {
    long double high = (float)x, rest = x - high;
    return (double)(expl(high * high) * expl(rest * (x + high)) * erfcl(x));
  }
  double sum = 1, term = 1;
  for (int k = 1; k < 9; k++)
    sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum * (SPECIAL_2_SQRT_PI / 2) / x;
}

/* Returns the modified Bessel function I of order 0 or 1. All terms of the power series have the
 * same sign, so the sum has no cancellation. */
static inline double special_bessel_i(int order, double x) {
  long double half = x / 2, term = order ? half : 1, sum = term;
  if (fabs(x) > 720)
    return isnan(x) ? x : order ? copysign(INFINITY, x) : INFINITY;
  for (int k = 1; k < 2000 && fabsl(term) > 1e-20L * fabsl(sum); k++)
    sum += term *= half * half / ((long double)k * (k + order));
  return (double)sum;
}

/* Returns the length of a vector. The square of any double is representable in long double. */
static inline long double special_length(double x, double y, double z, double w) {
  if (isinf(x) || isinf(y) || isinf(z) || isinf(w))
    return INFINITY;
  long double a = x, b = y, c = z, d = w;
  return sqrtl(a * a + b * b + c * c + d * d);
}

#endif
