/* Half precision: storage, conversions and arithmetic, on both sides. Sums, products and quotients
 * are computed in float and rounded once, which gives the correctly rounded half: float has more
 * than twice its digits. Fused multiply-add rounds twice here, except where float is exact.
 */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#define CUDA_HALF static __inline__ __host__ __device__ __attribute__((unused))

struct __half_raw {
  unsigned short x;
};

/* Bits of the half nearest to a float, ties to even. */
CUDA_HALF unsigned short cuda_half_bits(float value) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  unsigned int all;
  __builtin_memcpy(&all, &value, sizeof all);
  unsigned int sign = all >> 16 & 0x8000u, rest = all & 0x7fffffffu;
  if (rest > 0x7f800000u)
    return 0x7fff; /* the NaN that the device makes */
  if (rest >= 0x477ff000u)
    return (unsigned short)(sign | 0x7c00u);
  /* Adding the right power of two lets the float unit round at the half's last digit. */
  float magnitude, anchor;
  unsigned int exponent = rest >> 23 < 113 ? 113 : rest >> 23, shifted = (exponent + 13) << 23;
  __builtin_memcpy(&magnitude, &rest, sizeof rest);
  __builtin_memcpy(&anchor, &shifted, sizeof shifted);
  volatile float sum = magnitude + anchor;
  float rounded = sum;
  unsigned int digits;
  __builtin_memcpy(&digits, &rounded, sizeof digits);
  return (unsigned short)(sign | (((exponent - 113) << 10) + (digits & 0x7fffffu)));
#endif
}

CUDA_HALF float cuda_half_value(unsigned short bits) {
#ifdef __CUDA_ARCH__
  float value;
  __asm__("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
#else
  unsigned int exponent = bits >> 10 & 31, digits = bits & 1023u;
  float value = exponent == 31 ? (digits ? __builtin_nanf("") : __builtin_inff())
                               : __builtin_ldexpf((float)(exponent ? digits | 1024u : digits),
                                                  (int)(exponent ? exponent : 1) - 25);
  return bits & 0x8000u ? -value : value;
#endif
}

struct __half {
  unsigned short bits;
  __half() = default;
  __host__ __device__ __half(float value) : bits(cuda_half_bits(value)) {}
  __host__ __device__ __half(double value) : bits(cuda_half_bits((float)value)) {}
  __host__ __device__ __half(int value) : bits(cuda_half_bits((float)value)) {}
  __host__ __device__ __half(__half_raw raw) : bits(raw.x) {}
  __host__ __device__ operator __half_raw() const { return __half_raw{bits}; }
  __host__ __device__ operator float() const { return cuda_half_value(bits); }
};
typedef __half half;

struct __align__(4) __half2 {
  __half x, y;
};
typedef __half2 half2;

CUDA_HALF __half __float2half(float value) { return __half(value); }
CUDA_HALF __half __float2half_rn(float value) { return __half(value); }
CUDA_HALF __half __double2half(double value) { return __half(value); }
CUDA_HALF __half __int2half_rn(int value) { return __half(value); }
CUDA_HALF float __half2float(__half value) { return cuda_half_value(value.bits); }
CUDA_HALF unsigned short __half_as_ushort(__half value) { return value.bits; }
CUDA_HALF short __half_as_short(__half value) { return (short)value.bits; }
CUDA_HALF __half __ushort_as_half(unsigned short bits) { return __half(__half_raw{bits}); }
CUDA_HALF __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }

CUDA_HALF __half2 __halves2half2(__half x, __half y) { return __half2{x, y}; }
CUDA_HALF __half2 make_half2(__half x, __half y) { return __half2{x, y}; }
CUDA_HALF __half2 __half2half2(__half x) { return __half2{x, x}; }
CUDA_HALF __half2 __float2half2_rn(float x) { return __half2{__half(x), __half(x)}; }
CUDA_HALF __half2 __floats2half2_rn(float x, float y) { return __half2{__half(x), __half(y)}; }
CUDA_HALF __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
CUDA_HALF float2 __half22float2(__half2 v) { return make_float2(v.x, v.y); }
CUDA_HALF float __low2float(__half2 v) { return v.x; }
CUDA_HALF float __high2float(__half2 v) { return v.y; }
CUDA_HALF __half __low2half(__half2 v) { return v.x; }
CUDA_HALF __half __high2half(__half2 v) { return v.y; }

/* name, its operator, assignment; named for one half and, with a 2, for a pair */
#define CUDA_HALF_ARITHMETIC(name, symbol)                                                         \
  CUDA_HALF __half name(__half a, __half b) { return __half((float)a symbol(float) b); }           \
  CUDA_HALF __half2 name##2(__half2 a, __half2 b) {                                                \
    return __half2{name(a.x, b.x), name(a.y, b.y)};                                                \
  }                                                                                                \
  CUDA_HALF __half operator symbol(__half a, __half b) { return name(a, b); }                      \
  CUDA_HALF __half &operator symbol##=(__half &a, __half b) { return a = name(a, b); }             \
  CUDA_HALF __half2 operator symbol(__half2 a, __half2 b) { return name##2(a, b); }
CUDA_HALF_ARITHMETIC(__hadd, +)
CUDA_HALF_ARITHMETIC(__hsub, -)
CUDA_HALF_ARITHMETIC(__hmul, *)
CUDA_HALF_ARITHMETIC(__hdiv, /)
CUDA_HALF __half __hneg(__half a) { return __ushort_as_half(a.bits ^ 0x8000); }
CUDA_HALF __half operator-(__half a) { return __hneg(a); }
CUDA_HALF __half __hfma(__half a, __half b, __half c) { return __half(__builtin_fmaf(a, b, c)); }
CUDA_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#define CUDA_HALF_COMPARE(name, symbol)                                                            \
  CUDA_HALF bool name(__half a, __half b) { return (float)a symbol(float) b; }                     \
  CUDA_HALF bool operator symbol(__half a, __half b) { return name(a, b); }
CUDA_HALF_COMPARE(__heq, ==)
CUDA_HALF_COMPARE(__hne, !=)
CUDA_HALF_COMPARE(__hlt, <)
CUDA_HALF_COMPARE(__hle, <=)
CUDA_HALF_COMPARE(__hgt, >)
CUDA_HALF_COMPARE(__hge, >=)
#endif

#endif
