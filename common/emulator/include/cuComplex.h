/* CUDA's complex numbers (cuComplex, cuDoubleComplex) and their functions, for host and device, in
 * C and C++. */
#ifndef CU_COMPLEX_H
#define CU_COMPLEX_H
#define CU_COMPLEX_H_ /* the toolkit's include guard */

#include <math.h>

#include "host_defines.h"
#include "vector_types.h"

/* `f` is the suffix of the functions for float. Quotients and absolute values are computed with
 * scaled operands, so that no intermediate result overflows. */
#define CU_COMPLEX(Complex, pair, real, f, absolute, root)                                         \
  typedef pair Complex;                                                                            \
  static __inline__ __host__ __device__ Complex make_##Complex(real x, real y) {                   \
    Complex z;                                                                                     \
    z.x = x, z.y = y;                                                                              \
    return z;                                                                                      \
  }                                                                                                \
  static __inline__ __host__ __device__ real cuCreal##f(Complex z) { return z.x; }                 \
  static __inline__ __host__ __device__ real cuCimag##f(Complex z) { return z.y; }                 \
  static __inline__ __host__ __device__ Complex cuConj##f(Complex z) {                             \
    return make_##Complex(z.x, -z.y);                                                              \
  }                                                                                                \
  static __inline__ __host__ __device__ Complex cuCadd##f(Complex a, Complex b) {                  \
    return make_##Complex(a.x + b.x, a.y + b.y);                                                   \
  }                                                                                                \
  static __inline__ __host__ __device__ Complex cuCsub##f(Complex a, Complex b) {                  \
    return make_##Complex(a.x - b.x, a.y - b.y);                                                   \
  }                                                                                                \
  static __inline__ __host__ __device__ Complex cuCmul##f(Complex a, Complex b) {                  \
    return make_##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                           \
  }                                                                                                \
  static __inline__ __host__ __device__ Complex cuCdiv##f(Complex a, Complex b) {                  \
    real scale = 1 / (absolute(b.x) + absolute(b.y));                                              \
    real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                   \
    real size = 1 / (bx * bx + by * by);                                                           \
    return make_##Complex((ax * bx + ay * by) * size, (ay * bx - ax * by) * size);                 \
  }                                                                                                \
  static __inline__ __host__ __device__ real cuCabs##f(Complex z) {                                \
    real x = absolute(z.x), y = absolute(z.y), most = x > y ? x : y, least = x > y ? y : x;        \
    real part = most > 0 ? least / most : 0;                                                       \
    return isinf(most) ? most : most * root(1 + part * part);                                      \
  }                                                                                                \
  static __inline__ __host__ __device__ Complex cuCfma##f(Complex a, Complex b, Complex c) {       \
    return cuCadd##f(cuCmul##f(a, b), c);                                                          \
  }
CU_COMPLEX(cuFloatComplex, float2, float, f, fabsf, sqrtf)
CU_COMPLEX(cuDoubleComplex, double2, double, , fabs, sqrt)
#undef CU_COMPLEX

typedef cuFloatComplex cuComplex;
#define make_cuComplex make_cuFloatComplex
static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex(z.x, z.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}

#endif
