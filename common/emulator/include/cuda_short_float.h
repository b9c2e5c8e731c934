/* Implements a 16-bit floating-point type, for single values and for pairs of values in a word:
 * storage, conversions, arithmetic, comparisons, functions, shuffles and atomics. Functions,
 * shuffles and atomics exist only on the device. cuda_fp16.h and cuda_bf16.h include this file
 * after they have defined these macros:
 *
 *   CUDA_SHORT, CUDA_SHORT2, CUDA_SHORT_RAW   the types
 *   CUDA_SHORT_NAME      the type's name within names of functions
 *   CUDA_SHORT_PTX       the type's name in PTX
 *   CUDA_SHORT_DIGITS    digits of its significand, with the leading one
 *   CUDA_SHORT_LEAST     exponent of its smallest normal number
 *   CUDA_SHORT_INFINITY  infinity as bits
 *   CUDA_SHORT_LIMIT     the smallest power of two that is too large */
#define CUDA_PASTED(before, name, after) before##name##after
#define CUDA_PASTE(before, name, after) CUDA_PASTED(before, name, after)
#define CUDA_NAMED(before, after) CUDA_PASTE(before, CUDA_SHORT_NAME, after)
#define CUDA_HALF static __inline__ __host__ __device__ __attribute__((unused))
#define CUDA_HALF_DEVICE static __inline__ __device__ __attribute__((unused))

struct CUDA_SHORT_RAW {
  unsigned short x;
};

/* ---- conversions on the host ----------------------------------------------------------------- */
/* Rounds a double to the 16-bit type and returns the bits. `mode` is the letter that PTX uses for
 * the rounding mode: n rounds to nearest, ties to even; z to zero; m down; p up. */
static __inline__ __attribute__((unused)) unsigned short CUDA_NAMED(cuda_, _round)(double value,
                                                                                   char mode) {
  unsigned short sign = __builtin_signbit(value) ? 0x8000 : 0;
  double magnitude = __builtin_fabs(value);
  if (magnitude != magnitude)
    return 0x7fff; /* the bits of the device's NaN */
  if (magnitude == __builtin_inf())
    return sign | CUDA_SHORT_INFINITY;
  /* A value that is too large rounds like a value just above the midpoint between the largest
   * number and CUDA_SHORT_LIMIT. */
  if (magnitude >= CUDA_SHORT_LIMIT)
    magnitude = CUDA_SHORT_LIMIT * (1 - __builtin_ldexp(1, -CUDA_SHORT_DIGITS - 2));
  int exponent = CUDA_SHORT_LEAST + 1;
  if (magnitude >= __builtin_ldexp(1, CUDA_SHORT_LEAST))
    __builtin_frexp(magnitude, &exponent);
  double units = __builtin_ldexp(magnitude, CUDA_SHORT_DIGITS - exponent);
  unsigned whole = (unsigned)units;
  double rest = units - whole;
  if (mode == 'n' ? rest > 0.5 || (rest == 0.5 && whole % 2)
                  : rest > 0 && mode == (sign ? 'm' : 'p'))
    whole++;
  exponent -= CUDA_SHORT_LEAST + 1;
  return (unsigned short)(sign | (((unsigned)exponent << (CUDA_SHORT_DIGITS - 1)) + whole));
}

static __inline__ __attribute__((unused)) float CUDA_NAMED(cuda_, _value)(unsigned short bits) {
  const unsigned int one = 1u << (CUDA_SHORT_DIGITS - 1), largest = CUDA_SHORT_INFINITY / one;
  unsigned int exponent = bits / one & largest, digits = bits & (one - 1);
  float value =
      exponent == largest
          ? (digits ? __builtin_nanf("") : __builtin_inff())
          : __builtin_ldexpf((float)(exponent ? digits | one : digits),
                             (int)(exponent ? exponent : 1) + CUDA_SHORT_LEAST - CUDA_SHORT_DIGITS);
  return bits & 0x8000u ? -value : value;
}

/* Converts to an integer of type T and clamps to its range, as the PTX instruction cvt does. */
template <class T>
static T CUDA_NAMED(cuda_, _whole)(unsigned short bits, char mode, double low, double high, T nan) {
  double value = CUDA_NAMED(cuda_, _value)(bits);
  if (value != value)
    return nan;
  value = mode == 'n'   ? __builtin_rint(value)
          : mode == 'z' ? __builtin_trunc(value)
          : mode == 'm' ? __builtin_floor(value)
                        : __builtin_ceil(value);
  return value <= low ? (T)low : value >= high ? (T)(unsigned long long)high : (T)value;
}

/* Returns product + c, rounded to odd: if the sum in double is inexact, its last bit is set. Then
 * the second rounding, to 16 bits, gives the correctly rounded result. `product` must be exact. */
static __inline__ __attribute__((unused)) double CUDA_NAMED(cuda_, _sum)(double product, double c) {
  double sum = product + c, part = sum - product, lost = (product - (sum - part)) + (c - part);
  unsigned long long bits;
  if (lost != lost || lost == 0)
    return sum;
  __builtin_memcpy(&bits, &sum, sizeof bits);
  if (!(bits & 1))
    bits += (lost > 0) == (sum > 0) ? 1 : -1ull;
  __builtin_memcpy(&sum, &bits, sizeof sum);
  return sum;
}

/* ---- on the device one instruction each, on the host the functions above --------------------- */
#ifdef __CUDA_ARCH__
#define CUDA_TO_HALF(instruction, constraint, value, mode)                                         \
  unsigned short bits;                                                                             \
  __asm__("cvt.r" #mode "." CUDA_SHORT_PTX "." instruction " %0, %1;"                              \
          : "=h"(bits)                                                                             \
          : constraint(value));                                                                    \
  return bits
#define CUDA_FROM_HALF(T, instruction, constraint, bits)                                           \
  T value;                                                                                         \
  __asm__("cvt." instruction "." CUDA_SHORT_PTX " %0, %1;" : "=" constraint(value) : "h"(bits));   \
  return value
#define CUDA_WHOLE(T, instruction, constraint, bits, mode, low, high, nan)                         \
  CUDA_FROM_HALF(T, "r" #mode "i." instruction, constraint, bits)
#define CUDA_OF_TWO(a, b, instruction, value)                                                      \
  unsigned short bits;                                                                             \
  __asm__(instruction ".rn." CUDA_SHORT_PTX " %0, %1, %2;"                                         \
          : "=h"(bits)                                                                             \
          : "h"(a.bits), "h"(b.bits));                                                             \
  return CUDA_NAMED(__ushort_as_, )(bits)
#define CUDA_OF_THREE(a, b, c, instruction, value)                                                 \
  unsigned short bits;                                                                             \
  __asm__(instruction ".rn." CUDA_SHORT_PTX " %0, %1, %2, %3;"                                     \
          : "=h"(bits)                                                                             \
          : "h"(a.bits), "h"(b.bits), "h"(c.bits));                                                \
  return CUDA_NAMED(__ushort_as_, )(bits)
#else
#define CUDA_TO_HALF(instruction, constraint, value, mode)                                         \
  return CUDA_NAMED(cuda_, _round)((double)(value), #mode[0])
#define CUDA_FROM_HALF(T, instruction, constraint, bits) return CUDA_NAMED(cuda_, _value)(bits)
#define CUDA_WHOLE(T, instruction, constraint, bits, mode, low, high, nan)                         \
  return CUDA_NAMED(cuda_, _whole)<T>(bits, #mode[0], low, high, nan)
#define CUDA_OF_TWO(a, b, instruction, value) return CUDA_SHORT(value)
#define CUDA_OF_THREE(a, b, c, instruction, value) return CUDA_SHORT(value)
#endif

CUDA_HALF unsigned short CUDA_NAMED(cuda_, _bits)(float v) { CUDA_TO_HALF("f32", "f", v, n); }
CUDA_HALF unsigned short CUDA_NAMED(cuda_, _bits)(double v) { CUDA_TO_HALF("f64", "d", v, n); }
CUDA_HALF float CUDA_NAMED(cuda_, _float)(unsigned short bits) {
  CUDA_FROM_HALF(float, "f32", "f", bits);
}

struct CUDA_SHORT {
  unsigned short bits;
  CUDA_SHORT() = default;
  __host__ __device__ CUDA_SHORT(CUDA_SHORT_RAW raw) : bits(raw.x) {}
  __host__ __device__ CUDA_SHORT(float value) : bits(CUDA_NAMED(cuda_, _bits)(value)) {}
  __host__ __device__ CUDA_SHORT(double value) : bits(CUDA_NAMED(cuda_, _bits)(value)) {}
#define CUDA_HALF_MADE_OF(T)                                                                       \
  __host__ __device__ CUDA_SHORT(T value) : bits(CUDA_NAMED(cuda_, _bits)((double)value)) {}
  CUDA_HALF_MADE_OF(short)
  CUDA_HALF_MADE_OF(unsigned short)
  CUDA_HALF_MADE_OF(int)
  CUDA_HALF_MADE_OF(unsigned int)
  CUDA_HALF_MADE_OF(long)
  CUDA_HALF_MADE_OF(unsigned long)
  CUDA_HALF_MADE_OF(long long)
  CUDA_HALF_MADE_OF(unsigned long long)
#undef CUDA_HALF_MADE_OF
  __host__ __device__ operator CUDA_SHORT_RAW() const { return CUDA_SHORT_RAW{bits}; }
  __host__ __device__ operator float() const { return CUDA_NAMED(cuda_, _float)(bits); }
};

struct __align__(4) CUDA_SHORT2 {
  CUDA_SHORT x, y;
  CUDA_SHORT2() = default;
  __host__ __device__ CUDA_SHORT2(const CUDA_SHORT &low, const CUDA_SHORT &high)
      : x(low), y(high) {}
};

CUDA_HALF unsigned short CUDA_NAMED(__, _as_ushort)(CUDA_SHORT value) { return value.bits; }
CUDA_HALF short CUDA_NAMED(__, _as_short)(CUDA_SHORT value) { return (short)value.bits; }
CUDA_HALF CUDA_SHORT CUDA_NAMED(__ushort_as_, )(unsigned short bits) {
  return CUDA_SHORT(CUDA_SHORT_RAW{bits});
}
CUDA_HALF CUDA_SHORT CUDA_NAMED(__short_as_, )(short bits) {
  return CUDA_NAMED(__ushort_as_, )((unsigned short)bits);
}
CUDA_HALF float CUDA_NAMED(__, 2float)(CUDA_SHORT value) { return value; }
CUDA_HALF CUDA_SHORT CUDA_NAMED(__float2, )(float value) { return CUDA_SHORT(value); }
CUDA_HALF CUDA_SHORT CUDA_NAMED(__double2, )(double value) { return CUDA_SHORT(value); }

/* MAKE(suffix of CUDA's functions, PTX's rounding letter, other arguments). The other arguments
 * describe an integer type: name, type, PTX's name, constraint of inline assembly, range, result
 * for NaN. */
#define CUDA_HALF_ROUNDINGS(MAKE, ...)                                                             \
  MAKE(rn, n, __VA_ARGS__)                                                                         \
  MAKE(rz, z, __VA_ARGS__) MAKE(rd, m, __VA_ARGS__) MAKE(ru, p, __VA_ARGS__)
#define CUDA_HALF_FROM(rounding, mode, name, T, ptx, constraint)                                   \
  CUDA_HALF unsigned short CUDA_PASTE(cuda_##name##2, CUDA_SHORT_NAME, _##rounding)(T v) {         \
    CUDA_TO_HALF(ptx, constraint, v, mode);                                                        \
  }                                                                                                \
  CUDA_HALF CUDA_SHORT CUDA_PASTE(__##name##2, CUDA_SHORT_NAME, _##rounding)(T v) {                \
    return CUDA_NAMED(__ushort_as_, )(                                                             \
        CUDA_PASTE(cuda_##name##2, CUDA_SHORT_NAME, _##rounding)(v));                              \
  }
#define CUDA_HALF_TO(rounding, mode, name, T, ptx, constraint, low, high, nan)                     \
  CUDA_HALF T CUDA_PASTE(__, CUDA_SHORT_NAME, 2##name##_##rounding)(CUDA_SHORT h) {                \
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

CUDA_HALF CUDA_SHORT2 CUDA_NAMED(__halves2, 2)(CUDA_SHORT x, CUDA_SHORT y) {
  return CUDA_SHORT2(x, y);
}
CUDA_HALF CUDA_SHORT2 CUDA_NAMED(make_, 2)(CUDA_SHORT x, CUDA_SHORT y) { return CUDA_SHORT2(x, y); }
CUDA_HALF CUDA_SHORT2 CUDA_PASTE(CUDA_NAMED(__, 2), CUDA_SHORT_NAME, 2)(CUDA_SHORT x) {
  return CUDA_SHORT2(x, x);
}
CUDA_HALF CUDA_SHORT2 CUDA_NAMED(__float2, 2_rn)(float x) { return CUDA_SHORT2(x, x); }
CUDA_HALF CUDA_SHORT2 CUDA_NAMED(__floats2, 2_rn)(float x, float y) { return CUDA_SHORT2(x, y); }
CUDA_HALF CUDA_SHORT2 CUDA_NAMED(__float22, 2_rn)(float2 v) { return CUDA_SHORT2(v.x, v.y); }
CUDA_HALF float2 CUDA_NAMED(__, 22float2)(CUDA_SHORT2 v) { return make_float2(v.x, v.y); }
CUDA_HALF float __low2float(CUDA_SHORT2 v) { return v.x; }
CUDA_HALF float __high2float(CUDA_SHORT2 v) { return v.y; }
CUDA_HALF CUDA_SHORT CUDA_NAMED(__low2, )(CUDA_SHORT2 v) { return v.x; }
CUDA_HALF CUDA_SHORT CUDA_NAMED(__high2, )(CUDA_SHORT2 v) { return v.y; }
CUDA_HALF CUDA_SHORT2 CUDA_NAMED(__low2, 2)(CUDA_SHORT2 v) { return CUDA_SHORT2(v.x, v.x); }
CUDA_HALF CUDA_SHORT2 CUDA_NAMED(__high2, 2)(CUDA_SHORT2 v) { return CUDA_SHORT2(v.y, v.y); }
CUDA_HALF CUDA_SHORT2 __lowhigh2highlow(CUDA_SHORT2 v) { return CUDA_SHORT2(v.y, v.x); }
CUDA_HALF CUDA_SHORT2 CUDA_NAMED(__lows2, 2)(CUDA_SHORT2 a, CUDA_SHORT2 b) {
  return CUDA_SHORT2(a.x, b.x);
}
CUDA_HALF CUDA_SHORT2 CUDA_NAMED(__highs2, 2)(CUDA_SHORT2 a, CUDA_SHORT2 b) {
  return CUDA_SHORT2(a.y, b.y);
}

/* ---- arithmetic: named for one half and, with a 2, for a pair -------------------------------- */
CUDA_HALF CUDA_SHORT CUDA_NAMED(cuda_, _clamp)(CUDA_SHORT v) { /* to [0, 1]; NaN to 0 */
  return (float)v > 0 ? ((float)v < 1 ? v : CUDA_SHORT(1.0f)) : CUDA_SHORT(0.0f);
}
#define CUDA_HALF_PAIRS(name, name2)                                                               \
  CUDA_HALF CUDA_SHORT2 name2(CUDA_SHORT2 a, CUDA_SHORT2 b) {                                      \
    return CUDA_SHORT2(name(a.x, b.x), name(a.y, b.y));                                            \
  }
#define CUDA_HALF_ARITHMETIC(name, symbol)                                                         \
  CUDA_HALF CUDA_SHORT name##_rn(CUDA_SHORT a, CUDA_SHORT b) { return name(a, b); }                \
  CUDA_HALF CUDA_SHORT name##_sat(CUDA_SHORT a, CUDA_SHORT b) {                                    \
    return CUDA_NAMED(cuda_, _clamp)(name(a, b));                                                  \
  }                                                                                                \
  CUDA_HALF_PAIRS(name, name##2)                                                                   \
  CUDA_HALF_PAIRS(name, name##2_rn)                                                                \
  CUDA_HALF_PAIRS(name##_sat, name##2_sat)                                                         \
  CUDA_HALF CUDA_SHORT operator symbol(CUDA_SHORT a, CUDA_SHORT b) { return name(a, b); }          \
  CUDA_HALF CUDA_SHORT &operator symbol##=(CUDA_SHORT &a, CUDA_SHORT b) { return a = name(a, b); } \
  CUDA_HALF CUDA_SHORT2 operator symbol(CUDA_SHORT2 a, CUDA_SHORT2 b) { return name##2(a, b); }    \
  CUDA_HALF CUDA_SHORT2 &operator symbol##=(CUDA_SHORT2 &a, CUDA_SHORT2 b) {                       \
    return a = name##2(a, b);                                                                      \
  }
#define CUDA_HALF_EXACT(name, symbol, instruction)                                                 \
  CUDA_HALF CUDA_SHORT name(CUDA_SHORT a, CUDA_SHORT b) {                                          \
    CUDA_OF_TWO(a, b, instruction, (double)(float)a symbol(double)(float) b);                      \
  }                                                                                                \
  CUDA_HALF_ARITHMETIC(name, symbol)
CUDA_HALF_EXACT(__hadd, +, "add")
CUDA_HALF_EXACT(__hsub, -, "sub")
CUDA_HALF_EXACT(__hmul, *, "mul")
/* The significand of float has more than twice as many digits. Therefore rounding the float
 * quotient to 16 bits gives the correctly rounded quotient. */
CUDA_HALF CUDA_SHORT __hdiv(CUDA_SHORT a, CUDA_SHORT b) { return CUDA_SHORT((float)a / (float)b); }
CUDA_HALF_ARITHMETIC(__hdiv, /)
CUDA_HALF_PAIRS(__hdiv, __h2div)
CUDA_HALF CUDA_SHORT __hneg(CUDA_SHORT a) { return CUDA_NAMED(__ushort_as_, )(a.bits ^ 0x8000); }
CUDA_HALF CUDA_SHORT __habs(CUDA_SHORT a) { return CUDA_NAMED(__ushort_as_, )(a.bits & 0x7fff); }
CUDA_HALF CUDA_SHORT2 __hneg2(CUDA_SHORT2 a) { return CUDA_SHORT2(__hneg(a.x), __hneg(a.y)); }
CUDA_HALF CUDA_SHORT2 __habs2(CUDA_SHORT2 a) { return CUDA_SHORT2(__habs(a.x), __habs(a.y)); }
CUDA_HALF CUDA_SHORT operator-(CUDA_SHORT a) { return __hneg(a); }
CUDA_HALF CUDA_SHORT2 operator-(CUDA_SHORT2 a) { return __hneg2(a); }
CUDA_HALF CUDA_SHORT operator+(CUDA_SHORT a) { return a; }
CUDA_HALF CUDA_SHORT &operator++(CUDA_SHORT &a) { return a += CUDA_SHORT(1.0f); }
CUDA_HALF CUDA_SHORT &operator--(CUDA_SHORT &a) { return a -= CUDA_SHORT(1.0f); }
CUDA_HALF CUDA_SHORT __hfma(CUDA_SHORT a, CUDA_SHORT b, CUDA_SHORT c) {
  CUDA_OF_THREE(a, b, c, "fma",
                CUDA_NAMED(cuda_, _sum)((double)(float)a * (double)(float)b, (float)c));
}
CUDA_HALF CUDA_SHORT __hfma_sat(CUDA_SHORT a, CUDA_SHORT b, CUDA_SHORT c) {
  return CUDA_NAMED(cuda_, _clamp)(__hfma(a, b, c));
}
CUDA_HALF CUDA_SHORT2 __hfma2(CUDA_SHORT2 a, CUDA_SHORT2 b, CUDA_SHORT2 c) {
  return CUDA_SHORT2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
CUDA_HALF CUDA_SHORT2 __hfma2_sat(CUDA_SHORT2 a, CUDA_SHORT2 b, CUDA_SHORT2 c) {
  return CUDA_SHORT2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}

/* ---- comparisons: those with u are true if an operand is NaN --------------------------------- */
#define CUDA_HALF_COMPARE(name, test)                                                              \
  CUDA_HALF bool __h##name(CUDA_SHORT l, CUDA_SHORT r) {                                           \
    float a = l, b = r;                                                                            \
    return test;                                                                                   \
  }                                                                                                \
  CUDA_HALF CUDA_SHORT2 __h##name##2(CUDA_SHORT2 a, CUDA_SHORT2 b) {                               \
    return CUDA_SHORT2(__h##name(a.x, b.x) ? 1.0f : 0.0f, __h##name(a.y, b.y) ? 1.0f : 0.0f);      \
  }                                                                                                \
  CUDA_HALF unsigned int __h##name##2_mask(CUDA_SHORT2 a, CUDA_SHORT2 b) {                         \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);        \
  }                                                                                                \
  CUDA_HALF bool __hb##name##2(CUDA_SHORT2 a, CUDA_SHORT2 b) {                                     \
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
CUDA_HALF bool operator==(CUDA_SHORT a, CUDA_SHORT b) { return __heq(a, b); }
CUDA_HALF bool operator!=(CUDA_SHORT a, CUDA_SHORT b) { return __hneu(a, b); }
CUDA_HALF bool operator<(CUDA_SHORT a, CUDA_SHORT b) { return __hlt(a, b); }
CUDA_HALF bool operator<=(CUDA_SHORT a, CUDA_SHORT b) { return __hle(a, b); }
CUDA_HALF bool operator>(CUDA_SHORT a, CUDA_SHORT b) { return __hgt(a, b); }
CUDA_HALF bool operator>=(CUDA_SHORT a, CUDA_SHORT b) { return __hge(a, b); }
CUDA_HALF bool operator==(CUDA_SHORT2 a, CUDA_SHORT2 b) { return __hbeq2(a, b); }
CUDA_HALF bool operator!=(CUDA_SHORT2 a, CUDA_SHORT2 b) { return __hbneu2(a, b); }
CUDA_HALF bool __hisnan(CUDA_SHORT a) { return (a.bits & 0x7fff) > CUDA_SHORT_INFINITY; }
CUDA_HALF int __hisinf(CUDA_SHORT a) {
  return (a.bits & 0x7fff) == CUDA_SHORT_INFINITY ? (a.bits & 0x8000 ? -1 : 1) : 0;
}
CUDA_HALF CUDA_SHORT __hmax(CUDA_SHORT a, CUDA_SHORT b) {
  return CUDA_SHORT(__builtin_fmaxf(a, b));
}
CUDA_HALF CUDA_SHORT __hmin(CUDA_SHORT a, CUDA_SHORT b) {
  return CUDA_SHORT(__builtin_fminf(a, b));
}
CUDA_HALF_PAIRS(__hmax, __hmax2)
CUDA_HALF_PAIRS(__hmin, __hmin2)
CUDA_HALF CUDA_SHORT __hmax_nan(CUDA_SHORT a, CUDA_SHORT b) {
  return __hisnan(a) || __hisnan(b) ? CUDA_NAMED(__ushort_as_, )(0x7fff) : __hmax(a, b);
}
CUDA_HALF CUDA_SHORT __hmin_nan(CUDA_SHORT a, CUDA_SHORT b) {
  return __hisnan(a) || __hisnan(b) ? CUDA_NAMED(__ushort_as_, )(0x7fff) : __hmin(a, b);
}
CUDA_HALF_PAIRS(__hmax_nan, __hmax2_nan)
CUDA_HALF_PAIRS(__hmin_nan, __hmin2_nan)
CUDA_HALF CUDA_SHORT2 __hisnan2(CUDA_SHORT2 a) {
  return CUDA_SHORT2(CUDA_SHORT((float)__hisnan(a.x)), CUDA_SHORT((float)__hisnan(a.y)));
}

/* ---- device only: functions, shuffles, atomics; absent in plain C++ -------------------------- */
#ifdef __CUDACC__
#define CUDA_HALF_FUNCTION(name, function)                                                         \
  CUDA_HALF_DEVICE CUDA_SHORT h##name(CUDA_SHORT a) { return CUDA_SHORT(function((float)a)); }     \
  CUDA_HALF_DEVICE CUDA_SHORT2 h2##name(CUDA_SHORT2 a) {                                           \
    return CUDA_SHORT2(h##name(a.x), h##name(a.y));                                                \
  }
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

CUDA_HALF_DEVICE unsigned CUDA_NAMED(cuda_, 2_word)(CUDA_SHORT2 v) {
  return v.x.bits | (unsigned)v.y.bits << 16;
}
CUDA_HALF_DEVICE CUDA_SHORT2 CUDA_NAMED(cuda_, 2_of)(unsigned word) {
  return CUDA_SHORT2(CUDA_NAMED(__ushort_as_, )((unsigned short)word),
                     CUDA_NAMED(__ushort_as_, )((unsigned short)(word >> 16)));
}
#define CUDA_HALF_SHUFFLE(name, Lane)                                                              \
  CUDA_HALF_DEVICE CUDA_SHORT name(unsigned mask, CUDA_SHORT v, Lane lane, int width = 32) {       \
    return CUDA_NAMED(__ushort_as_, )((unsigned short)name(mask, (unsigned)v.bits, lane, width));  \
  }                                                                                                \
  CUDA_HALF_DEVICE CUDA_SHORT2 name(unsigned mask, CUDA_SHORT2 v, Lane lane, int width = 32) {     \
    return CUDA_NAMED(cuda_, 2_of)(name(mask, CUDA_NAMED(cuda_, 2_word)(v), lane, width));         \
  }
CUDA_HALF_SHUFFLE(__shfl_sync, int)
CUDA_HALF_SHUFFLE(__shfl_up_sync, unsigned)
CUDA_HALF_SHUFFLE(__shfl_down_sync, unsigned)
CUDA_HALF_SHUFFLE(__shfl_xor_sync, int)

CUDA_HALF_DEVICE CUDA_SHORT atomicAdd(CUDA_SHORT *p, CUDA_SHORT v) {
  unsigned short old;
  __asm__ volatile("atom.add.noftz." CUDA_SHORT_PTX " %0, [%1], %2;"
                   : "=h"(old)
                   : "l"(p), "h"(v.bits)
                   : "memory");
  return CUDA_NAMED(__ushort_as_, )(old);
}
CUDA_HALF_DEVICE CUDA_SHORT2 atomicAdd(CUDA_SHORT2 *p, CUDA_SHORT2 v) {
  unsigned old;
  __asm__ volatile("atom.add.noftz." CUDA_SHORT_PTX "x2 %0, [%1], %2;"
                   : "=r"(old)
                   : "l"(p), "r"(CUDA_NAMED(cuda_, 2_word)(v))
                   : "memory");
  return CUDA_NAMED(cuda_, 2_of)(old);
}
#define CUDA_HALF_LOAD(name)                                                                       \
  CUDA_HALF_DEVICE CUDA_SHORT name(const CUDA_SHORT *p) {                                          \
    return CUDA_NAMED(__ushort_as_, )(name((const unsigned short *)p));                            \
  }                                                                                                \
  CUDA_HALF_DEVICE CUDA_SHORT2 name(const CUDA_SHORT2 *p) {                                        \
    return CUDA_NAMED(cuda_, 2_of)(name((const unsigned int *)p));                                 \
  }
#define CUDA_HALF_STORE(name)                                                                      \
  CUDA_HALF_DEVICE void name(CUDA_SHORT *p, CUDA_SHORT v) { name((unsigned short *)p, v.bits); }   \
  CUDA_HALF_DEVICE void name(CUDA_SHORT2 *p, CUDA_SHORT2 v) {                                      \
    name((unsigned int *)p, CUDA_NAMED(cuda_, 2_word)(v));                                         \
  }
CUDA_HALF_LOAD(__ldg)
CUDA_HALF_LOAD(__ldca)
CUDA_HALF_LOAD(__ldcg)
CUDA_HALF_LOAD(__ldcs)
CUDA_HALF_LOAD(__ldlu)
CUDA_HALF_LOAD(__ldcv)
CUDA_HALF_STORE(__stwb)
CUDA_HALF_STORE(__stcg)
CUDA_HALF_STORE(__stcs)
CUDA_HALF_STORE(__stwt)
#undef CUDA_HALF_LOAD
#undef CUDA_HALF_STORE
#endif

#undef CUDA_PASTED
#undef CUDA_PASTE
#undef CUDA_NAMED
#undef CUDA_HALF
#undef CUDA_HALF_DEVICE
#undef CUDA_TO_HALF
#undef CUDA_FROM_HALF
#undef CUDA_WHOLE
#undef CUDA_OF_TWO
#undef CUDA_OF_THREE
#undef CUDA_HALF_ROUNDINGS
#undef CUDA_HALF_FROM
#undef CUDA_HALF_TO
#undef CUDA_HALF_WHOLE
#undef CUDA_HALF_PAIRS
#undef CUDA_HALF_ARITHMETIC
#undef CUDA_HALF_EXACT
#undef CUDA_HALF_COMPARE
#undef CUDA_HALF_FUNCTION
#undef CUDA_HALF_SHUFFLE
#undef CUDA_SHORT
#undef CUDA_SHORT2
#undef CUDA_SHORT_RAW
#undef CUDA_SHORT_NAME
#undef CUDA_SHORT_PTX
#undef CUDA_SHORT_DIGITS
#undef CUDA_SHORT_LEAST
#undef CUDA_SHORT_INFINITY
#undef CUDA_SHORT_LIMIT
