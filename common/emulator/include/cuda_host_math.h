/* The math functions that CUDA adds to the C library, for host code. With them, a program can
 * compute on the host what its kernels compute. For device code, they are declared in clang's
 * headers and implemented in machine/builtins.def. */
#ifndef CUDA_HOST_MATH_H
#define CUDA_HOST_MATH_H

#include "../machine/special.h"

#define CUDA_HOST static inline __host__ __attribute__((unused))
#define CUDA_HOST_MATH1(name, expression)                                                          \
  CUDA_HOST double name(double a) { return expression; }                                           \
  CUDA_HOST float name##f(float a) { return (float)name((double)a); }                              \
  CUDA_HOST float name(float a) { return name##f(a); }
CUDA_HOST_MATH1(rsqrt, 1 / sqrt(a))
CUDA_HOST_MATH1(rcbrt, (double)(1 / cbrtl(a)))
CUDA_HOST_MATH1(sinpi, special_sinpi(a))
CUDA_HOST_MATH1(cospi, special_cospi(a))
CUDA_HOST_MATH1(erfinv, special_erfinv(a))
CUDA_HOST_MATH1(erfcinv, special_erfcinv(a))
CUDA_HOST_MATH1(erfcx, special_erfcx(a))
CUDA_HOST_MATH1(normcdf, special_normcdf(a))
CUDA_HOST_MATH1(normcdfinv, -1.41421356237309504880 * special_erfcinv(2 * a))
CUDA_HOST float exp10(float a) { return exp10f(a); }

#define CUDA_HOST_SINCOSPI(T, f)                                                                   \
  CUDA_HOST void sincospi##f(T a, T *sine, T *cosine) {                                            \
    *sine = sinpi##f(a), *cosine = cospi##f(a);                                                    \
  }
CUDA_HOST_SINCOSPI(float, f)
CUDA_HOST_SINCOSPI(double, )

#define CUDA_HOST_CHOICE(T, small, large)                                                          \
  CUDA_HOST T small(T a, T b) { return b < a ? b : a; }                                            \
  CUDA_HOST T large(T a, T b) { return a < b ? b : a; }
CUDA_HOST_CHOICE(unsigned int, umin, umax)
CUDA_HOST_CHOICE(long long, llmin, llmax)
CUDA_HOST_CHOICE(unsigned long long, ullmin, ullmax)

#undef CUDA_HOST_CHOICE
#undef CUDA_HOST_SINCOSPI
#undef CUDA_HOST_MATH1
#undef CUDA_HOST
#endif
