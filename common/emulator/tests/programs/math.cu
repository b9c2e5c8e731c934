// Compares the math library on the device with that on the host, in float and double. The errors
// must be within the maximum that CUDA documents.
#include "check.h"
#include <cmath>
#include <vector>

// F(name, device expression for T, ulps, range): the host computes the same in a wider type.
#define FUNCTIONS(F)                                                                               \
  F(sin, sin(x), 4, -20, 20)                                                                       \
  F(cos, cos(x), 4, -20, 20)                                                                       \
  F(tan, tan(x), 6, -1.5, 1.5)                                                                     \
  F(asin, asin(x), 4, -1, 1)                                                                       \
  F(acos, acos(x), 4, -1, 1)                                                                       \
  F(atan, atan(x), 4, -9, 9)                                                                       \
  F(atan2, atan2(x, T(0.7)), 4, -9, 9)                                                             \
  F(sinh, sinh(x), 4, -5, 5)                                                                       \
  F(cosh, cosh(x), 4, -5, 5)                                                                       \
  F(tanh, tanh(x), 4, -5, 5)                                                                       \
  F(asinh, asinh(x), 4, -5, 5)                                                                     \
  F(acosh, acosh(x), 6, 1.1, 9)                                                                    \
  F(atanh, atanh(x), 6, -0.9, 0.9)                                                                 \
  F(exp, exp(x), 4, -20, 20)                                                                       \
  F(exp2, exp2(x), 4, -20, 20)                                                                     \
  F(expm1, expm1(x), 4, -1, 1)                                                                     \
  F(log, log(x), 4, 0.01, 90)                                                                      \
  F(log2, log2(x), 4, 0.01, 90)                                                                    \
  F(log10, log10(x), 4, 0.01, 90)                                                                  \
  F(log1p, log1p(x), 4, -0.5, 9)                                                                   \
  F(pow, pow(x, T(2.5)), 8, 0.1, 30)                                                               \
  F(sqrt, sqrt(x), 1, 0, 90)                                                                       \
  F(cbrt, cbrt(x), 4, -90, 90)                                                                     \
  F(hypot, hypot(x, T(3)), 4, -9, 9)                                                               \
  F(erf, erf(x), 4, -2, 2)                                                                         \
  F(erfc, erfc(x), 8, -2, 2)                                                                       \
  F(tgamma, tgamma(x), 12, 0.5, 9)                                                                 \
  F(lgamma, lgamma(x), 12, 2.5, 30)                                                                \
  F(fabs, fabs(x), 0, -9, 9)                                                                       \
  F(floor, floor(x), 0, -9, 9)                                                                     \
  F(ceil, ceil(x), 0, -9, 9)                                                                       \
  F(trunc, trunc(x), 0, -9, 9)                                                                     \
  F(round, round(x * 2) / 2, 0, -9, 9)                                                             \
  F(rint, rint(x * 2), 0, -9, 9)                                                                   \
  F(nearbyint, nearbyint(x), 0, -9, 9)                                                             \
  F(fmod, fmod(x, T(0.7)), 0, -9, 9)                                                               \
  F(remainder, remainder(x, T(0.7)), 0, -9, 9)                                                     \
  F(fma, fma(x, x, T(1)), 0, -9, 9)                                                                \
  F(fmin, fmin(x, T(0.5)), 0, -9, 9)                                                               \
  F(fmax, fmax(x, T(0.5)), 0, -9, 9)                                                               \
  F(fdim, fdim(x, T(0.5)), 0, -9, 9)                                                               \
  F(copysign, copysign(T(2), x), 0, -9, 9)                                                         \
  F(ldexp, ldexp(x, 3), 0, -9, 9)                                                                  \
  F(std_sin, std::sin(x), 4, -20, 20)                                                              \
  F(std_pow, std::pow(x, T(1.5)), 8, 0.1, 30)                                                      \
  F(std_abs, std::abs(x), 0, -9, 9)                                                                \
  F(minmax, min(max(x, T(-1)), T(1)), 0, -9, 9)

#define CASE(name, expression, ulps, low, high)                                                    \
  struct Case_##name {                                                                             \
    template <class T> static __host__ __device__ T f(T x) { return expression; }                  \
  };
FUNCTIONS(CASE)

template <class T, class C> __global__ void apply(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = C::template f<T>(x[i]);
}

// Returns one unit in the last place of x.
static double unit(float x) { return std::nextafter(std::fabs(x), INFINITY) - std::fabs(x); }
static double unit(double x) {
  return std::nextafter(std::fabs(x), (double)INFINITY) - std::fabs(x);
}

enum { N = 999 };
static int failures;

// One host function is used for all cases of a type, because compiling it for each case would take
// long.
template <class T>
static void run(const char *name, double ulps, double low, double high,
                void (*kernel)(const T *, T *, int), T (*on_host)(T)) {
  std::vector<T> x(N), y(N);
  for (int i = 0; i < N; i++)
    x[i] = T(low + (high - low) * i / (N - 1));
  T *dx, *dy;
  CHECK(cudaMalloc(&dx, N * sizeof(T)));
  CHECK(cudaMalloc(&dy, N * sizeof(T)));
  CHECK(cudaMemcpy(dx, x.data(), N * sizeof(T), cudaMemcpyHostToDevice));
  kernel<<<(N + 127) / 128, 128>>>(dx, dy, N);
  LAUNCHED();
  CHECK(cudaMemcpy(y.data(), dy, N * sizeof(T), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++) {
    T expected = on_host(x[i]);
    if (std::fabs((double)y[i] - (double)expected) <= ulps * unit(expected))
      continue;
    fprintf(stderr, "%s(%.17g), %zu bytes: %.17g, the host says %.17g\n", name, (double)x[i],
            sizeof(T), (double)y[i], (double)expected);
    failures++;
    break;
  }
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
}

// Checks identities of functions that the host does not have.
__global__ void identities(int *bad) {
  double a = 0.3, s, c, whole;
  float f = 0.3f, sf, cf;
  int e;
  sincos(a, &s, &c);
  sincosf(f, &sf, &cf);
  DEVICE_EXPECT(bad, fabs(s * s + c * c - 1) <= 1e-15);
  DEVICE_EXPECT(bad, fabsf(sf * sf + cf * cf - 1) <= 1e-6f);
  DEVICE_EXPECT(bad, fabs(sinpi(0.5) - 1) <= 0);
  DEVICE_EXPECT(bad, fabs(cospi(1.0) + 1) <= 0);
  DEVICE_EXPECT(bad, fabs(sinpi(a) - sin(a * 3.14159265358979323846)) <= 1e-15);
  DEVICE_EXPECT(bad, fabs(erf(erfinv(a)) - a) <= 1e-14);
  DEVICE_EXPECT(bad, fabs(erfc(erfcinv(1.9)) - 1.9) <= 1e-14);
  DEVICE_EXPECT(bad, fabs(normcdf(normcdfinv(a)) - a) <= 1e-14);
  DEVICE_EXPECT(bad, fabs(erfcx(3.0) - 0.17900115118138998) <= 1e-14);
  DEVICE_EXPECT(bad, fabs(rsqrt(4.0) - 0.5) <= 1e-15);
  DEVICE_EXPECT(bad, fabsf(rsqrtf(4.0f) - 0.5f) <= 1e-6f);
  DEVICE_EXPECT(bad, fabs(rcbrt(8.0) - 0.5) <= 1e-15);
  DEVICE_EXPECT(bad, fabs(rhypot(3.0, 4.0) - 0.2) <= 1e-15);
  DEVICE_EXPECT(bad, fabs(norm3d(1.0, 2.0, 2.0) - 3) <= 1e-14);
  DEVICE_EXPECT(bad, fabs(exp10(2.0) - 100) <= 1e-12);
  DEVICE_EXPECT(bad, fabsf(exp10f(2.0f) - 100) <= 1e-4f);
  DEVICE_EXPECT(bad, frexp(12.0, &e) == 0.75);
  DEVICE_EXPECT(bad, e == 4);
  DEVICE_EXPECT(bad, modf(-3.25, &whole) == -0.25);
  DEVICE_EXPECT(bad, whole == -3.0);
  DEVICE_EXPECT(bad, fabs(j0(1.0) - 0.76519768655796655) <= 1e-14);
  DEVICE_EXPECT(bad, fabs(y1(1.0) + 0.78121282130028868) <= 1e-14);
  DEVICE_EXPECT(bad, isnan(sqrt(-a)));
  DEVICE_EXPECT(bad, isinf(1 / (a - a)));
  DEVICE_EXPECT(bad, !isfinite(log(a - a)));
  DEVICE_EXPECT(bad, signbit(-0.0));
  DEVICE_EXPECT(bad, ilogb(9.0) == 3);
  DEVICE_EXPECT(bad, lrint(2.5) == 2);
  DEVICE_EXPECT(bad, lround(2.5) == 3);
  DEVICE_EXPECT(bad, llroundf(-2.5f) == -3);
  DEVICE_EXPECT(bad, fabsf(__sinf(f) - sinf(f)) <= 1e-5f);
  DEVICE_EXPECT(bad, fabsf(__expf(f) - expf(f)) <= 1e-5f);
  DEVICE_EXPECT(bad, fabsf(__logf(2.0f) - logf(2.0f)) <= 1e-5f);
  DEVICE_EXPECT(bad, fabsf(__powf(2.0f, 3.0f) - 8) <= 1e-4f);
}

int main() {
#define RUN(name, expression, ulps, low, high)                                                     \
  run<float>(#name, ulps, low, high, apply<float, Case_##name>, Case_##name::f<float>);            \
  run<double>(#name, ulps, low, high, apply<double, Case_##name>, Case_##name::f<double>);
  FUNCTIONS(RUN)
  int *d_bad;
  CHECK(cudaMalloc(&d_bad, sizeof *d_bad));
  CHECK(cudaMemset(d_bad, 0, sizeof *d_bad));
  identities<<<1, 1>>>(d_bad);
  LAUNCHED();
  expect_no_line(d_bad);
  CHECK(cudaFree(d_bad));
  EXPECT(failures == 0);
  return done();
}
