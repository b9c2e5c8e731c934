/* Half precision, one value (__half) or two in a word (__half2): storage, conversions, arithmetic,
 * comparisons, functions, shuffles and atomics; all but the last two on both sides.
 *
 * Sums, products and quotients are computed in float and rounded once more, which gives the
 * correctly rounded half: float has more than twice its digits. Functions are float's, rounded.
 */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#define CUDA_HALF static __inline__ __host__ __device__ __attribute__((unused))
#define CUDA_HALF_DEVICE static __inline__ __device__ __attribute__((unused))

struct __half_raw {
  unsigned short x;
};

/* ---- conversions on the host ----------------------------------------------------------------- */
/* PTX's letters of rounding: n to the nearest, ties to even; z to zero; m down; p up. */
static __inline__ __attribute__((unused)) unsigned short cuda_half_round(double value, char mode) {
  unsigned short sign = __builtin_signbit(value) ? 0x8000 : 0;
  double magnitude = __builtin_fabs(value);
  if (magnitude != magnitude)
    return 0x7fff; /* the NaN that the device makes */
  if (magnitude == __builtin_inf())
    return sign | 0x7c00;
  if (magnitude >= 65536) /* as if just above the midpoint behind the largest half */
    magnitude = 65528;
  int exponent = -13;
  if (magnitude >= 6.103515625e-05)
    __builtin_frexp(magnitude, &exponent);
  double units = __builtin_ldexp(magnitude, 11 - exponent);
  unsigned whole = (unsigned)units;
  double rest = units - whole;
  if (mode == 'n' ? rest > 0.5 || (rest == 0.5 && whole % 2)
                  : rest > 0 && mode == (sign ? 'm' : 'p'))
    whole++;
  return (unsigned short)(sign | (((unsigned)(exponent + 13) << 10) + whole));
}

static __inline__ __attribute__((unused)) float cuda_half_value(unsigned short bits) {
  unsigned int exponent = bits >> 10 & 31, digits = bits & 1023u;
  float value = exponent == 31 ? (digits ? __builtin_nanf("") : __builtin_inff())
                               : __builtin_ldexpf((float)(exponent ? digits | 1024u : digits),
                                                  (int)(exponent ? exponent : 1) - 25);
  return bits & 0x8000u ? -value : value;
}

/* A whole number of type T, out of range the nearest one, as PTX's cvt has it. */
template <class T>
static T cuda_half_whole(unsigned short bits, char mode, double low, double high, T nan) {
  double value = cuda_half_value(bits);
  if (value != value)
    return nan;
  value = mode == 'n'   ? __builtin_rint(value)
          : mode == 'z' ? __builtin_trunc(value)
          : mode == 'm' ? __builtin_floor(value)
                        : __builtin_ceil(value);
  return value <= low ? (T)low : value >= high ? (T)(unsigned long long)high : (T)value;
}

/* ---- both sides: one instruction here, the functions above there ----------------------------- */
#ifdef __CUDA_ARCH__
#define CUDA_TO_HALF(instruction, constraint, value, mode)                                         \
  unsigned short bits;                                                                             \
  __asm__("cvt.r" #mode ".f16." instruction " %0, %1;" : "=h"(bits) : constraint(value));          \
  return bits
#define CUDA_FROM_HALF(T, instruction, constraint, bits)                                           \
  T value;                                                                                         \
  __asm__("cvt." instruction ".f16 %0, %1;" : "=" constraint(value) : "h"(bits));                  \
  return value
#define CUDA_WHOLE(T, instruction, constraint, bits, mode, low, high, nan)                         \
  CUDA_FROM_HALF(T, "r" #mode "i." instruction, constraint, bits)
#else
#define CUDA_TO_HALF(instruction, constraint, value, mode)                                         \
  return cuda_half_round((double)(value), #mode[0])
#define CUDA_FROM_HALF(T, instruction, constraint, bits) return cuda_half_value(bits)
#define CUDA_WHOLE(T, instruction, constraint, bits, mode, low, high, nan)                         \
  return cuda_half_whole<T>(bits, #mode[0], low, high, nan)
#endif

CUDA_HALF unsigned short cuda_half_bits(float v) { CUDA_TO_HALF("f32", "f", v, n); }
CUDA_HALF unsigned short cuda_half_bits(double v) { CUDA_TO_HALF("f64", "d", v, n); }
CUDA_HALF float cuda_half_float(unsigned short bits) { CUDA_FROM_HALF(float, "f32", "f", bits); }

struct __half {
  unsigned short bits;
  __half() = default;
  __host__ __device__ __half(__half_raw raw) : bits(raw.x) {}
  __host__ __device__ __half(float value) : bits(cuda_half_bits(value)) {}
  __host__ __device__ __half(double value) : bits(cuda_half_bits(value)) {}
#define CUDA_HALF_MADE_OF(T)                                                                       \
  __host__ __device__ __half(T value) : bits(cuda_half_bits((double)value)) {}
  CUDA_HALF_MADE_OF(short)
  CUDA_HALF_MADE_OF(unsigned short)
  CUDA_HALF_MADE_OF(int)
  CUDA_HALF_MADE_OF(unsigned int)
  CUDA_HALF_MADE_OF(long)
  CUDA_HALF_MADE_OF(unsigned long)
  CUDA_HALF_MADE_OF(long long)
  CUDA_HALF_MADE_OF(unsigned long long)
#undef CUDA_HALF_MADE_OF
  __host__ __device__ operator __half_raw() const { return __half_raw{bits}; }
  __host__ __device__ operator float() const { return cuda_half_float(bits); }
};
typedef __half half;

struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(const __half &low, const __half &high) : x(low), y(high) {}
};
typedef __half2 half2;

CUDA_HALF unsigned short __half_as_ushort(__half value) { return value.bits; }
CUDA_HALF short __half_as_short(__half value) { return (short)value.bits; }
CUDA_HALF __half __ushort_as_half(unsigned short bits) { return __half(__half_raw{bits}); }
CUDA_HALF __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }
CUDA_HALF float __half2float(__half value) { return value; }
CUDA_HALF __half __float2half(float value) { return __half(value); }
CUDA_HALF __half __double2half(double value) { return __half(value); }

/* Rounding: CUDA's letters, PTX's letter. Whole numbers: name, type, PTX's name, constraint of inline
 * assembly, range, what NaN becomes. */
#define CUDA_HALF_ROUNDINGS(MAKE, ...)                                                             \
  MAKE(rn, n, __VA_ARGS__)                                                                         \
  MAKE(rz, z, __VA_ARGS__) MAKE(rd, m, __VA_ARGS__) MAKE(ru, p, __VA_ARGS__)
#define CUDA_HALF_FROM(rounding, mode, name, T, ptx, constraint)                                   \
  CUDA_HALF unsigned short cuda_##name##2half_##rounding(T v) {                                    \
    CUDA_TO_HALF(ptx, constraint, v, mode);                                                        \
  }                                                                                                \
  CUDA_HALF __half __##name##2half_##rounding(T v) {                                               \
    return __ushort_as_half(cuda_##name##2half_##rounding(v));                                     \
  }
#define CUDA_HALF_TO(rounding, mode, name, T, ptx, constraint, low, high, nan)                     \
  CUDA_HALF T __half2##name##_##rounding(__half h) {                                               \
    CUDA_WHOLE(T, ptx, constraint, h.bits, mode, low, high, nan);                                  \
  }
#define CUDA_HALF_WHOLE(name, T, ptx, constraint, low, high, nan)                                  \
  CUDA_HALF_ROUNDINGS(CUDA_HALF_FROM, name, T, ptx, constraint)                                    \
  CUDA_HALF_ROUNDINGS(CUDA_HALF_TO, name, T, ptx, constraint, low, high, nan)
CUDA_HALF_ROUNDINGS(CUDA_HALF_FROM, float, float, "f32", "f")
CUDA_HALF_WHOLE(short, short, "s16", "h", -32768.0, 32767.0, 0)
CUDA_HALF_WHOLE(ushort, unsigned short, "u16", "h", 0.0, 65535.0, 0)
CUDA_HALF_WHOLE(int, int, "s32", "r", -2147483648.0, 2147483647.0, 0)
CUDA_HALF_WHOLE(uint, unsigned int, "u32", "r", 0.0, 4294967295.0, 0)
CUDA_HALF_WHOLE(ll, long long, "s64", "l", -9223372036854775808.0, 9223372036854774784.0,
                (long long)0x8000000000000000ull)
CUDA_HALF_WHOLE(ull, unsigned long long, "u64", "l", 0.0, 18446744073709549568.0,
                0x8000000000000000ull)

CUDA_HALF __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
CUDA_HALF __half2 make_half2(__half x, __half y) { return __half2(x, y); }
CUDA_HALF __half2 __half2half2(__half x) { return __half2(x, x); }
CUDA_HALF __half2 __float2half2_rn(float x) { return __half2(x, x); }
CUDA_HALF __half2 __floats2half2_rn(float x, float y) { return __half2(x, y); }
CUDA_HALF __half2 __float22half2_rn(float2 v) { return __half2(v.x, v.y); }
CUDA_HALF float2 __half22float2(__half2 v) { return make_float2(v.x, v.y); }
CUDA_HALF float __low2float(__half2 v) { return v.x; }
CUDA_HALF float __high2float(__half2 v) { return v.y; }
CUDA_HALF __half __low2half(__half2 v) { return v.x; }
CUDA_HALF __half __high2half(__half2 v) { return v.y; }
CUDA_HALF __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
CUDA_HALF __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
CUDA_HALF __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
CUDA_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
CUDA_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

/* ---- arithmetic: named for one half and, with a 2, for a pair -------------------------------- */
CUDA_HALF __half cuda_half_clamp(__half v) { /* to [0, 1], NaN to 0 */
  return (float)v > 0 ? ((float)v < 1 ? v : __half(1.0f)) : __half(0.0f);
}
#define CUDA_HALF_PAIRS(name, name2)                                                               \
  CUDA_HALF __half2 name2(__half2 a, __half2 b) { return __half2(name(a.x, b.x), name(a.y, b.y)); }
#define CUDA_HALF_ARITHMETIC(name, symbol)                                                         \
  CUDA_HALF __half name(__half a, __half b) { return __half((float)a symbol(float) b); }           \
  CUDA_HALF __half name##_rn(__half a, __half b) { return name(a, b); }                            \
  CUDA_HALF __half name##_sat(__half a, __half b) { return cuda_half_clamp(name(a, b)); }          \
  CUDA_HALF_PAIRS(name, name##2)                                                                   \
  CUDA_HALF_PAIRS(name, name##2_rn)                                                                \
  CUDA_HALF_PAIRS(name##_sat, name##2_sat)                                                         \
  CUDA_HALF __half operator symbol(__half a, __half b) { return name(a, b); }                      \
  CUDA_HALF __half &operator symbol##=(__half &a, __half b) { return a = name(a, b); }             \
  CUDA_HALF __half2 operator symbol(__half2 a, __half2 b) { return name##2(a, b); }                \
  CUDA_HALF __half2 &operator symbol##=(__half2 &a, __half2 b) { return a = name##2(a, b); }
CUDA_HALF_ARITHMETIC(__hadd, +)
CUDA_HALF_ARITHMETIC(__hsub, -)
CUDA_HALF_ARITHMETIC(__hmul, *)
CUDA_HALF_ARITHMETIC(__hdiv, /)
CUDA_HALF_PAIRS(__hdiv, __h2div)
CUDA_HALF __half __hneg(__half a) { return __ushort_as_half(a.bits ^ 0x8000); }
CUDA_HALF __half __habs(__half a) { return __ushort_as_half(a.bits & 0x7fff); }
CUDA_HALF __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
CUDA_HALF __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
CUDA_HALF __half operator-(__half a) { return __hneg(a); }
CUDA_HALF __half2 operator-(__half2 a) { return __hneg2(a); }
CUDA_HALF __half operator+(__half a) { return a; }
CUDA_HALF __half &operator++(__half &a) { return a += __half(1.0f); }
CUDA_HALF __half &operator--(__half &a) { return a -= __half(1.0f); }
/* Exact in double, then rounded once. */
CUDA_HALF __half __hfma(__half a, __half b, __half c) {
  return __half((double)(float)a * (double)(float)b + (double)(float)c);
}
CUDA_HALF __half __hfma_sat(__half a, __half b, __half c) {
  return cuda_half_clamp(__hfma(a, b, c));
}
CUDA_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
CUDA_HALF __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}

/* ---- comparisons: those with u are true where one is NaN ------------------------------------- */
#define CUDA_HALF_COMPARE(name, test)                                                              \
  CUDA_HALF bool __h##name(__half l, __half r) {                                                   \
    float a = l, b = r;                                                                            \
    return test;                                                                                   \
  }                                                                                                \
  CUDA_HALF __half2 __h##name##2(__half2 a, __half2 b) {                                           \
    return __half2(__h##name(a.x, b.x) ? 1.0f : 0.0f, __h##name(a.y, b.y) ? 1.0f : 0.0f);          \
  }                                                                                                \
  CUDA_HALF bool __hb##name##2(__half2 a, __half2 b) {                                             \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                             \
  }
CUDA_HALF_COMPARE(eq, a == b)
CUDA_HALF_COMPARE(ne, a<b || a> b)
CUDA_HALF_COMPARE(lt, a < b)
CUDA_HALF_COMPARE(le, a <= b)
CUDA_HALF_COMPARE(gt, a > b)
CUDA_HALF_COMPARE(ge, a >= b)
CUDA_HALF_COMPARE(equ, !(a < b || a > b))
CUDA_HALF_COMPARE(neu, a != b)
CUDA_HALF_COMPARE(ltu, !(a >= b))
CUDA_HALF_COMPARE(leu, !(a > b))
CUDA_HALF_COMPARE(gtu, !(a <= b))
CUDA_HALF_COMPARE(geu, !(a < b))
CUDA_HALF bool operator==(__half a, __half b) { return __heq(a, b); }
CUDA_HALF bool operator!=(__half a, __half b) { return __hneu(a, b); }
CUDA_HALF bool operator<(__half a, __half b) { return __hlt(a, b); }
CUDA_HALF bool operator<=(__half a, __half b) { return __hle(a, b); }
CUDA_HALF bool operator>(__half a, __half b) { return __hgt(a, b); }
CUDA_HALF bool operator>=(__half a, __half b) { return __hge(a, b); }
CUDA_HALF bool operator==(__half2 a, __half2 b) { return __hbeq2(a, b); }
CUDA_HALF bool operator!=(__half2 a, __half2 b) { return __hbneu2(a, b); }
CUDA_HALF bool __hisnan(__half a) { return (a.bits & 0x7fff) > 0x7c00; }
CUDA_HALF int __hisinf(__half a) {
  return (a.bits & 0x7fff) == 0x7c00 ? (a.bits & 0x8000 ? -1 : 1) : 0;
}
CUDA_HALF __half __hmax(__half a, __half b) { return __half(__builtin_fmaxf(a, b)); }
CUDA_HALF __half __hmin(__half a, __half b) { return __half(__builtin_fminf(a, b)); }
CUDA_HALF_PAIRS(__hmax, __hmax2)
CUDA_HALF_PAIRS(__hmin, __hmin2)

/* ---- device only: functions, shuffles, atomics ----------------------------------------------- */
#define CUDA_HALF_FUNCTION(name, function)                                                         \
  CUDA_HALF_DEVICE __half h##name(__half a) { return __half(function((float)a)); }                 \
  CUDA_HALF_DEVICE __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }
CUDA_HALF_FUNCTION(sqrt, sqrtf)
CUDA_HALF_FUNCTION(rsqrt, rsqrtf)
CUDA_HALF_FUNCTION(rcp, 1.0f /)
CUDA_HALF_FUNCTION(exp, expf)
CUDA_HALF_FUNCTION(exp2, exp2f)
CUDA_HALF_FUNCTION(exp10, exp10f)
CUDA_HALF_FUNCTION(log, logf)
CUDA_HALF_FUNCTION(log2, log2f)
CUDA_HALF_FUNCTION(log10, log10f)
CUDA_HALF_FUNCTION(sin, sinf)
CUDA_HALF_FUNCTION(cos, cosf)
CUDA_HALF_FUNCTION(tanh, tanhf)
CUDA_HALF_FUNCTION(floor, floorf)
CUDA_HALF_FUNCTION(ceil, ceilf)
CUDA_HALF_FUNCTION(trunc, truncf)
CUDA_HALF_FUNCTION(rint, rintf)

CUDA_HALF_DEVICE unsigned cuda_half2_word(__half2 v) { return v.x.bits | (unsigned)v.y.bits << 16; }
CUDA_HALF_DEVICE __half2 cuda_half2_of(unsigned word) {
  return __half2(__ushort_as_half((unsigned short)word),
                 __ushort_as_half((unsigned short)(word >> 16)));
}
#define CUDA_HALF_SHUFFLE(name, Lane)                                                              \
  CUDA_HALF_DEVICE __half name(unsigned mask, __half v, Lane lane, int width = 32) {               \
    return __ushort_as_half((unsigned short)name(mask, (unsigned)v.bits, lane, width));            \
  }                                                                                                \
  CUDA_HALF_DEVICE __half2 name(unsigned mask, __half2 v, Lane lane, int width = 32) {             \
    return cuda_half2_of(name(mask, cuda_half2_word(v), lane, width));                             \
  }
CUDA_HALF_SHUFFLE(__shfl_sync, int)
CUDA_HALF_SHUFFLE(__shfl_up_sync, unsigned)
CUDA_HALF_SHUFFLE(__shfl_down_sync, unsigned)
CUDA_HALF_SHUFFLE(__shfl_xor_sync, int)

CUDA_HALF_DEVICE __half atomicAdd(__half *p, __half v) {
  unsigned short old;
  __asm__ volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(p), "h"(v.bits) : "memory");
  return __ushort_as_half(old);
}
CUDA_HALF_DEVICE __half2 atomicAdd(__half2 *p, __half2 v) {
  unsigned old;
  __asm__ volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                   : "=r"(old)
                   : "l"(p), "r"(cuda_half2_word(v))
                   : "memory");
  return cuda_half2_of(old);
}
CUDA_HALF_DEVICE __half __ldg(const __half *p) {
  return __ushort_as_half(__ldg((const unsigned short *)p));
}
CUDA_HALF_DEVICE __half2 __ldg(const __half2 *p) {
  return cuda_half2_of(__ldg((const unsigned int *)p));
}
#endif

#endif
