/* The functions that arithmetic.def uses. They compute with the values of one lane and have no side
 * effects, so they can be tested without a machine. */
#ifndef MACHINE_ARITH_H
#define MACHINE_ARITH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../ptx/video.h"

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;

static inline u32 f32_bits(f32 v) {
  u32 bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}
static inline u64 f64_bits(f64 v) {
  u64 bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}
static inline f32 f32_of(u32 bits) {
  f32 v;
  memcpy(&v, &bits, sizeof v);
  return v;
}
/* Replaces any NaN by 0x7fffffff, the only NaN that the device produces as a single-precision
 * result. */
static inline f32 one_nan(f32 v) { return v == v ? v : f32_of(0x7fffffff); }
static inline f64 f64_of(u64 bits) {
  f64 v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* ---- narrow floating point: kept in 16 bits, computed in float or double --------------------- */
/* Converts a half to float. The function has no branches, so the compiler vectorises a loop over
 * lanes. It avoids operations on subnormal floats, which take about a hundred times as long on a
 * host CPU. */
static inline f32 half_to_float(u16 h) {
  u32 exponent = h & 0x7c00, fraction = h & 0x3ff;
  u32 normal = (u32)(h & 0x7fff) << 13;
  normal += exponent == 0x7c00 ? (u32)(255 - 31) << 23 : (u32)(127 - 15) << 23;
  u32 tiny = f32_bits((f32)(s32)fraction * 0x1p-24f);
  return f32_of((exponent ? normal : tiny) | (u32)(h & 0x8000) << 16);
}

/* Rounds the magnitude of `value` to a narrow format and returns the bits of the result.
 * `fraction`: number of fraction bits. `least`: smallest exponent of normal numbers. `top`: larger
 * values are replaced by this value, which rounds to infinity. The current rounding mode applies:
 * adding `large` shifts out the bits below the last fraction bit, and a carry propagates into the
 * exponent. */
static inline u32 narrow_units(f64 value, int fraction, int least, f64 top) {
  u64 sign = f64_bits(value) & UINT64_C(1) << 63, size = f64_bits(value) & ~sign;
  size = size < f64_bits(top) ? size : f64_bits(top);
  s64 exponent = (s64)(size >> 52), smallest = 1023 + least;
  exponent = exponent > smallest ? exponent : smallest;
  u64 large = (u64)(exponent + 52 - fraction) << 52;
  f64 sum = f64_of(size | sign) + f64_of(large | sign);
  u64 units = (f64_bits(sum) & ~sign) - large;
  return (u32)((u64)(exponent - smallest) << fraction) + (u32)units;
}

/* f64_nan encodes a narrow NaN in the low 16 bits of a double, and narrow_nan decodes it. If these
 * bits are zero, as in the NaN of a float that was widened to double, narrow_nan returns 0x7fff,
 * the usual NaN of narrow formats. */
static inline u32 narrow_nan(u64 bits) { return bits & 0xffff ? bits & 0xffff : 0x7fff; }
static inline f64 f64_nan(f64 value, u16 nan) {
  return value == value ? value
                        : f64_of(UINT64_C(0x7ff8) << 48 | nan | (f64_bits(value) >> 48 & 0x8000));
}

static inline u16 half_from_double(f64 value) {
  u64 size = f64_bits(value) & INT64_MAX;
  u32 bits = narrow_units(value, 10, -14, 65528);
  bits = size == UINT64_C(0x7ff) << 52 ? 0x7c00 : bits;
  bits |= (u32)(f64_bits(value) >> 48) & 0x8000;
  return (u16)(size > UINT64_C(0x7ff) << 52 ? narrow_nan(size) : bits);
}

static inline f32 bf16_to_float(u16 bits) { return f32_of((u32)bits << 16); }
static inline u16 bf16_from_double(f64 value) {
  u64 size = f64_bits(value) & INT64_MAX;
  u32 bits = narrow_units(value, 7, -126, 0x1.ff8p127);
  bits = size == UINT64_C(0x7ff) << 52 ? 0x7f80 : bits;
  bits |= (u32)(f64_bits(value) >> 48) & 0x8000;
  return (u16)(size > UINT64_C(0x7ff) << 52 ? narrow_nan(size) : bits);
}

/* Pairs of halves or bfloat16s in one word. The first value of the pair is in the low bits. */
static inline f32 low_half(u32 pair) { return half_to_float((u16)pair); }
static inline f32 high_half(u32 pair) { return half_to_float((u16)(pair >> 16)); }
static inline u32 halves(f64 low, f64 high) {
  return half_from_double(low) | (u32)half_from_double(high) << 16;
}
static inline f32 low_bf16(u32 pair) { return f32_of(pair << 16); }
static inline f32 high_bf16(u32 pair) { return f32_of(pair & 0xffff0000); }
static inline u32 bf16s(f64 low, f64 high) {
  return bf16_from_double(low) | (u32)bf16_from_double(high) << 16;
}

/* Rounds a float to ten fraction bits, which tensor cores use: in the current rounding mode
 * (tf32_from_float), or to nearest with ties away from zero (tf32_away). */
static inline f32 tf32_from_float(f32 value) {
  u64 sign = f64_bits(value) & UINT64_C(1) << 63, exponent = f64_bits(value) >> 52 & 0x7ff;
  exponent = exponent > 1023 - 126 ? exponent : 1023 - 126;
  f64 large = f64_of(sign | (exponent + 52 - 10) << 52), rounded = ((f64)value + large) - large;
  u32 bits = f32_bits((f32)rounded) | (u32)(sign >> 32);
  return value - value == 0 ? f32_of(bits) : value == value ? value : f32_of(0x7fffe000);
}
static inline f32 tf32_away(f32 value) {
  return f32_of((f32_bits(value) + (value - value == 0 ? 0x1000 : 0)) & ~(u32)0x1fff);
}

/* Returns product + c in double, rounded to odd: the last bit is set if the sum is inexact. If this
 * result is rounded to a narrow format, the result is the same as for the exact sum. The product of
 * two narrow numbers is exact in double. */
static inline f64 sum_to_odd(f64 product, f64 c) {
  f64 sum = product + c, from_product = sum - c, from_c = sum - from_product;
  f64 rest = (product - from_product) + (c - from_c);
  u64 bits = f64_bits(sum), step = (rest > 0) == (sum > 0) ? 1 : UINT64_MAX;
  step = rest != 0 ? step : 0;
  step = sum - sum == 0 ? step : 0;
  return f64_of(bits + (bits & 1 ? 0 : step));
}

/* Arithmetic on halves and bfloat16s that have been widened to float. */
static inline f64 plus(f32 a, f32 b) { return (f64)a + b; }
static inline f64 minus(f32 a, f32 b) { return (f64)a - b; }
static inline f64 times(f32 a, f32 b) { return (f64)a * b; }
/* fma on halves. If the sum in double is inexact, the error does not affect the final rounding.
 * bfloat16 has a larger range of exponents, so fma_bf16 needs sum_to_odd. */
static inline f64 fma_f16(f32 a, f32 b, f32 c) { return (f64)a * b + c; }
static inline f64 fma_bf16(f32 a, f32 b, f32 c) { return sum_to_odd((f64)a * b, c); }
static inline f64 fma_relu_f16(f32 a, f32 b, f32 c) {
  f64 sum = fma_f16(a, b, c);
  return sum <= 0 ? 0 : sum;
}
static inline f64 fma_relu_bf16(f32 a, f32 b, f32 c) {
  f64 sum = fma_bf16(a, b, c);
  return sum <= 0 ? 0 : sum;
}

/* Conversions from integers that round only once. On a CPU without a conversion of unsigned
 * numbers, compilers emit code that computes 0 as a difference, and this is -0 when rounding down.
 * These functions avoid such code. */
static inline f64 f64_from_u32(u32 v) { return (f64)(s32)(v >> 1) * 2 + (s32)(v & 1); }
static inline f64 f64_from_u64(u64 v) {
  return f64_from_u32((u32)(v >> 32)) * 0x1p32 + f64_from_u32((u32)v);
}
static inline f32 f32_from_u32(u32 v) { return (f32)f64_from_u32(v); }
static inline f32 f32_from_u64(u64 v) { return (f32)v; }
/* Conversions to double that round to odd, like sum_to_odd. */
static inline f64 odd_u32(u32 v) { return f64_from_u32(v); }
static inline f64 odd_u64(u64 v) {
  return f64_from_u64(v >> 53 ? (v & ~UINT64_C(4095)) | (u64)((v & 4095) != 0) << 12 : v);
}
#define FROM_WHOLE(t)                                                                              \
  static inline f32 f32_from_##t(t v) { return (f32)v; }                                           \
  static inline f64 f64_from_##t(t v) { return (f64)v; }
FROM_WHOLE(u8)
FROM_WHOLE(s8)
FROM_WHOLE(u16)
FROM_WHOLE(s16)
FROM_WHOLE(s32)
FROM_WHOLE(s64)
#undef FROM_WHOLE
static inline f64 odd_u8(u8 v) { return v; }
static inline f64 odd_s8(s8 v) { return v; }
static inline f64 odd_u16(u16 v) { return v; }
static inline f64 odd_s16(s16 v) { return v; }
static inline f64 odd_s32(s32 v) { return v; }
static inline f64 odd_s64(s64 v) { return v < 0 ? -odd_u64(0 - (u64)v) : odd_u64((u64)v); }

/* Comparisons of halves. Those with the suffix u return true if an operand is NaN. */
#define COMPARE(name, test)                                                                        \
  static inline int half_##name(float a, float b) { return test; }
COMPARE(eq, a == b)
COMPARE(ne, a<b || a> b)
COMPARE(lt, a < b)
COMPARE(le, a <= b)
COMPARE(gt, a > b)
COMPARE(ge, a >= b)
COMPARE(equ, !(a < b || a > b))
COMPARE(neu, a != b)
COMPARE(ltu, !(a >= b))
COMPARE(leu, !(a > b))
COMPARE(gtu, !(a <= b))
COMPARE(geu, !(a < b))
COMPARE(num, a == a && b == b)
COMPARE(nan, a != a || b != b)
#undef COMPARE
static inline u32 masks(int low, int high) {
  return (low ? 0xffff : 0u) | (high ? 0xffff0000u : 0u);
}

/* ---- integers -------------------------------------------------------------------------------- */
#define MUL_HI(t, wide, bits)                                                                      \
  static inline t mul_hi_##t(t a, t b) { return (t)((wide)a * (wide)b >> bits); }
MUL_HI(u16, u32, 16)
MUL_HI(s16, s32, 16)
MUL_HI(u32, u64, 32)
MUL_HI(s32, s64, 32)
MUL_HI(u64, unsigned __int128, 64)
MUL_HI(s64, __int128, 64)
#undef MUL_HI

/* Division. x / 0 and x % 0 give all ones. For types of up to 32 bits the quotient is computed in
 * double, because vector units support division in double. After truncation the quotient is
 * exact. */
static inline u32 u32_cut(f64 v) {
  /* Every vector unit has conversions to s32, but not all have conversions to u32. */
  s32 low = (s32)(v < 0x1p31 ? v : v - 0x1p31);
  return (u32)low + (v < 0x1p31 ? 0 : 0x80000000u);
}
#define DIVIDE_UNSIGNED(t)                                                                         \
  static inline t div_##t(t a, t b) {                                                              \
    u32 q = u32_cut(f64_from_u32(a) / f64_from_u32(b ? b : 1));                                    \
    return b ? (t)q : (t) ~(t)0;                                                                   \
  }                                                                                                \
  static inline t rem_##t(t a, t b) { return b ? (t)(a - (u32)div_##t(a, b) * b) : (t) ~(t)0; }
DIVIDE_UNSIGNED(u16)
DIVIDE_UNSIGNED(u32)
#undef DIVIDE_UNSIGNED
static inline u64 div_u64(u64 a, u64 b) { return b ? a / b : UINT64_MAX; }
static inline u64 rem_u64(u64 a, u64 b) { return b ? a % b : UINT64_MAX; }

/* In C, INT_MIN / -1 overflows. On the device the result wraps around. */
#define DIVIDE_SIGNED(t)                                                                           \
  static inline t div_##t(t a, t b) {                                                              \
    s32 q = (s32)((f64)a / (b == 0 || b == -1 ? 1 : b));                                           \
    return b == 0 ? (t)-1 : b == -1 ? (t)(0 - (u32)a) : (t)q;                                      \
  }                                                                                                \
  static inline t rem_##t(t a, t b) {                                                              \
    return b == 0 ? (t)-1 : (t)((u32)a - (u32)div_##t(a, b) * (u32)b);                             \
  }
DIVIDE_SIGNED(s16)
DIVIDE_SIGNED(s32)
#undef DIVIDE_SIGNED
static inline s64 div_s64(s64 a, s64 b) {
  return b == 0 ? -1 : b == -1 ? (s64)(0 - (u64)a) : a / b;
}
static inline s64 rem_s64(s64 a, s64 b) { return b == 0 ? -1 : b == -1 ? 0 : a % b; }

static inline u16 sum_u16(u16 a, u16 b) { return (u16)(a + b); }
#define MIN_MAX(t)                                                                                 \
  static inline t min_##t(t a, t b) { return a < b ? a : b; }                                      \
  static inline t max_##t(t a, t b) { return a > b ? a : b; }
MIN_MAX(u16)
MIN_MAX(s16)
#undef MIN_MAX
static inline s16 min_relu_s16(s16 a, s16 b) { return max_s16(min_s16(a, b), 0); }
static inline s16 max_relu_s16(s16 a, s16 b) { return max_s16(max_s16(a, b), 0); }

static inline s32 clamp_s32(s64 v) {
  return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (s32)v;
}

/* Conversions between integer types that saturate. */
#define CLAMP_SIGNED(d, s, low, high)                                                              \
  static inline d clamp_##d##_##s(s v) {                                                           \
    s64 wide = v, least = (s64)(low);                                                              \
    u64 size = (u64)wide, most = (u64)(high);                                                      \
    return wide < 0 ? (wide < least ? (d)(low) : (d)v) : size > most ? (d)(high) : (d)v;           \
  }
#define CLAMP_UNSIGNED(d, s, low, high)                                                            \
  static inline d clamp_##d##_##s(s v) {                                                           \
    u64 size = v, most = (u64)(high);                                                              \
    return size > most ? (d)(high) : (d)v;                                                         \
  }
#define CLAMP_TO_EACH(CLAMP, s)                                                                    \
  CLAMP(u8, s, 0, UINT8_MAX)                                                                       \
  CLAMP(s8, s, INT8_MIN, INT8_MAX)                                                                 \
  CLAMP(u16, s, 0, UINT16_MAX)                                                                     \
  CLAMP(s16, s, INT16_MIN, INT16_MAX)                                                              \
  CLAMP(u32, s, 0, UINT32_MAX)                                                                     \
  CLAMP(s32, s, INT32_MIN, INT32_MAX)                                                              \
  CLAMP(u64, s, 0, UINT64_MAX)                                                                     \
  CLAMP(s64, s, INT64_MIN, INT64_MAX)
CLAMP_TO_EACH(CLAMP_UNSIGNED, u8)
CLAMP_TO_EACH(CLAMP_SIGNED, s8)
CLAMP_TO_EACH(CLAMP_UNSIGNED, u16)
CLAMP_TO_EACH(CLAMP_SIGNED, s16)
CLAMP_TO_EACH(CLAMP_UNSIGNED, u32)
CLAMP_TO_EACH(CLAMP_SIGNED, s32)
CLAMP_TO_EACH(CLAMP_UNSIGNED, u64)
CLAMP_TO_EACH(CLAMP_SIGNED, s64)
#undef CLAMP_SIGNED
#undef CLAMP_UNSIGNED
#undef CLAMP_TO_EACH

/* Converts a floating-point value that has been rounded to an integer. Values out of range
 * saturate. The result for NaN has only the top bit set if the source or the target has 64 bits;
 * otherwise it is 0. Source: PTX ISA, cvt; an H200 gives the same results. */
#define FROM_FLOAT(t, low, high, cut)                                                              \
  static inline t t##_from_float(double v, bool wide) {                                            \
    double least = v > (double)(low) ? v : (double)(low);                                          \
    double inside = least < (double)(high) ? least : (double)(low);                                \
    t whole = least < (double)(high) ? (t)cut(inside) : (t)(high);                                 \
    return v != v ? (t)(wide ? UINT64_C(1) << (8 * sizeof(t) - 1) : 0) : whole;                    \
  }                                                                                                \
  static inline t t##_from_f16(double v) { return t##_from_float(v, sizeof(t) == 8); }             \
  static inline t t##_from_bf16(double v) { return t##_from_float(v, sizeof(t) == 8); }            \
  static inline t t##_from_f32(double v) { return t##_from_float(v, sizeof(t) == 8); }             \
  static inline t t##_from_f64(double v) { return t##_from_float(v, true); }
FROM_FLOAT(u8, 0, UINT8_MAX, (s32))
FROM_FLOAT(s8, INT8_MIN, INT8_MAX, (s32))
FROM_FLOAT(u16, 0, UINT16_MAX, (s32))
FROM_FLOAT(s16, INT16_MIN, INT16_MAX, (s32))
FROM_FLOAT(u32, 0, UINT32_MAX, u32_cut)
FROM_FLOAT(s32, INT32_MIN, INT32_MAX, (s32))
FROM_FLOAT(u64, 0, UINT64_MAX, (u64))
FROM_FLOAT(s64, INT64_MIN, INT64_MAX, (s64))
#undef FROM_FLOAT

/* Multiplies 24-bit factors. Returns the complete product. */
static inline u64 mul24_u32(u32 a, u32 b) { return (u64)(a & 0xffffff) * (b & 0xffffff); }
static inline s64 mul24_s32(s32 a, s32 b) {
  return (s64)((s32)((u32)a << 8) >> 8) * ((s32)((u32)b << 8) >> 8);
}

/* ---- bits ------------------------------------------------------------------------------------ */
static inline u32 reverse_bits(u32 v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(v);
}

static inline u32 highest_bit(u64 v) { return v ? 63 - (u32)__builtin_clzll(v) : ~0u; }

/* Extracts the bits [start, start + length) of v. Bits above the top bit of v count as zero (u) or
 * as copies of the sign (s). The 32-bit functions use only the lowest byte of start and length. */
static inline u64 field_u64(u64 v, u32 start, u32 length) {
  u64 field = start < 64 ? v >> (start & 63) : 0;
  u64 ones = (UINT64_C(1) << (length & 63)) - 1;
  return length < 64 ? field & ones : field;
}
static inline s64 field_s64(s64 v, u32 start, u32 length) {
  s64 field = v >> (start < 63 ? start : 63);
  u32 above = (64 - length) & 63;
  s64 cut = (s64)((u64)field << above) >> above;
  return length == 0 ? 0 : length < 64 ? cut : field;
}
static inline u32 field_u32(u32 v, u32 start, u32 length) {
  start &= 255, length &= 255;
  u32 field = start < 32 ? v >> (start & 31) : 0;
  u32 ones = (UINT32_C(1) << (length & 31)) - 1;
  return length < 32 ? field & ones : field;
}
static inline s32 field_s32(s32 v, u32 start, u32 length) {
  return (s32)field_s64(v, start & 255, length & 255);
}

/* Inserts the low bits of `field` into `into`. The two lowest bytes of `where` are the start bit
 * and the length. */
#define INSERT(t, width)                                                                           \
  static inline t insert_##t(t field, t into, u32 where) {                                         \
    u32 start = where & 255, length = where >> 8 & 255, place = start & (width - 1);               \
    t ones = length < width ? (t)((t)1 << (length & (width - 1))) - 1 : ~(t)0;                     \
    t mask = start < width ? (t)(ones << place) : 0;                                               \
    return (into & ~mask) | ((t)(field << place) & mask);                                          \
  }
INSERT(u32, 32)
INSERT(u64, 64)
#undef INSERT

/* Returns a mask of `length` ones that starts at bit `start`. */
static inline u32 bit_mask(u32 start, u32 length) {
  u32 ones = length < 32 ? (UINT32_C(1) << (length & 31)) - 1 : UINT32_MAX;
  return start < 32 ? ones << (start & 31) : 0;
}
/* Returns the lowest `bits` bits, zero- or sign-extended. */
static inline u32 extend(u32 v, u32 bits, bool is_signed) {
  u32 kept = bits < 32 ? bits : 32, ones = bit_mask(0, kept);
  u32 sign = is_signed && kept && v >> (kept - 1) & 1 ? ~ones : 0;
  return (v & ones) | sign;
}

static inline u32 permute_bytes(u32 a, u32 b, u32 selectors) {
  u64 bytes = (u64)b << 32 | a;
  u32 result = 0;
  for (int i = 0; i < 4; i++) {
    u32 selector = selectors >> 4 * i & 15;
    u32 byte = (u32)(bytes >> 8 * (selector & 7)) & 255;
    if (selector & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}

/* Return the byte selectors of a prmt mode: four bytes forward (f4e) or backward (b4e), one byte
 * replicated (rc8), clamped at the left (ecl) or right (ecr) edge, one half replicated (rc16). */
static inline u32 permute_f4e(u32 c) { return 0x3210 + (c & 3) * 0x1111; }
static inline u32 permute_b4e(u32 c) {
  u32 n = c & 3;
  return n | ((n - 1) & 7) << 4 | ((n - 2) & 7) << 8 | ((n - 3) & 7) << 12;
}
static inline u32 permute_rc8(u32 c) { return (c & 3) * 0x1111; }
static inline u32 permute_ecl(u32 c) {
  u32 selectors = 0;
  for (u32 i = 0; i < 4; i++)
    selectors |= (i > (c & 3) ? i : c & 3) << 4 * i;
  return selectors;
}
static inline u32 permute_ecr(u32 c) {
  u32 selectors = 0;
  for (u32 i = 0; i < 4; i++)
    selectors |= (i < (c & 3) ? i : c & 3) << 4 * i;
  return selectors;
}
static inline u32 permute_rc16(u32 c) { return c & 1 ? 0x3232 : 0x1010; }

static inline u32 funnel_left(u32 low, u32 high, u32 n) {
  return (u32)((((u64)high << 32 | low) << (n & 63)) >> 32);
}
static inline u32 nth_set(u32 bits, u32 from, s32 n) {
  if (n == INT32_MIN)
    /* INT32_MIN has no positive counterpart. */
    return 0;
  int step = n < 0 ? -1 : 1;
  u32 left = n < 0 ? 0 - (u32)n : (u32)n;
  if (n == 0)
    return from < 32 && bits >> from & 1 ? from : UINT32_MAX;
  for (int at = (int)from; at >= 0 && at < 32; at += step)
    if ((bits >> at & 1) && --left == 0)
      return (u32)at;
  return UINT32_MAX;
}
static inline u32 funnel_right(u32 low, u32 high, u32 n) {
  return (u32)(((u64)high << 32 | low) >> (n & 63));
}

static inline u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 i = 0; i < 8; i++)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

/* Dot products of bytes or 16-bit integers. The suffix names the signedness of a and b: in dp4a_us,
 * a is unsigned and b is signed. */
#define DOT(name, D, x, X, y, Y)                                                                   \
  static inline D dp4a_##name(u32 a, u32 b, D c) {                                                 \
    u32 sum = (u32)c;                                                                              \
    for (int i = 0; i < 32; i += 8)                                                                \
      sum += (u32)((s32)(x##8)(a >> i) * (s32)(y##8)(b >> i));                                     \
    return (D)sum;                                                                                 \
  }                                                                                                \
  static inline D dp2a_##name(u32 a, u32 b, D c) {                                                 \
    u32 low = (u32)(x##16)a * (u32)(y##8)b, high = (u32)(x##16)(a >> 16) * (u32)(y##8)(b >> 8);    \
    return (D)((u32)c + low + high);                                                               \
  }
DOT(uu, u32, u, U, u, U)
DOT(us, s32, u, U, s, S)
DOT(su, s32, s, S, u, U)
DOT(ss, s32, s, S, s, S)
#undef DOT

/* ---- video instructions: one number, two halves or four bytes of each operand ---------------- */
static inline unsigned video_width(unsigned part) {
  return part >= VIDEO_HALF ? 16 : part >= VIDEO_BYTE ? 8 : 32;
}
static inline unsigned video_start(unsigned part) {
  return part >= VIDEO_HALF ? 16 * (part & 1) : part >= VIDEO_BYTE ? 8 * (part & 3) : 0;
}
static inline s64 video_field(u32 v, unsigned start, unsigned width, bool is_signed) {
  u32 field = extend(v >> start, width, is_signed);
  return is_signed ? (s32)field : (s64)field;
}
static inline s64 video_clamp(s64 v, unsigned width, bool is_signed) {
  s64 most = (INT64_C(1) << (is_signed ? width - 1 : width)) - 1, least = is_signed ? -most - 1 : 0;
  return v < least ? least : v > most ? most : v;
}

static inline bool video_test(s64 a, s64 b, VideoCompare compare) {
  switch (compare) {
  case VIDEO_EQ:
    return a == b;
  case VIDEO_NE:
    return a != b;
  case VIDEO_LT:
    return a < b;
  case VIDEO_LE:
    return a <= b;
  case VIDEO_GT:
    return a > b;
  default:
    return a >= b;
  }
}

static inline s64 video_compute(VideoOperation operation, s64 a, s64 b, s64 imm) {
  unsigned shift = imm & VIDEO_WRAP ? (u64)b & 31 : (u64)b < 32 ? (unsigned)b : 32;
  switch (operation) {
  case VIDEO_SUM:
    return a + b;
  case VIDEO_DIFFERENCE:
    return a - b;
  case VIDEO_DISTANCE:
    return a < b ? b - a : a - b;
  case VIDEO_MINIMUM:
    return a < b ? a : b;
  case VIDEO_MAXIMUM:
    return a > b ? a : b;
  case VIDEO_AVERAGE:
    return (a + b + (a + b >= 0)) >> 1;
  case VIDEO_TEST:
    return video_test(a, b, (VideoCompare)(imm >> VIDEO_COMPARE & 7));
  case VIDEO_LEFT:
    return (s64)(u32)((u64)a << shift);
  default:
    return a >> shift;
  }
}

/* Executes a video instruction with one result: selects a part of a and a part of b, computes,
 * saturates, and combines the result with c. */
static inline u32 video_one(VideoOperation operation, u32 a, u32 b, u32 c, s64 imm) {
  unsigned part_a = imm >> VIDEO_SELECT_A & 15, part_b = imm >> VIDEO_SELECT_B & 15;
  unsigned place = imm >> VIDEO_PLACE & 15, start = video_start(place), width = video_width(place);
  bool is_signed = imm & VIDEO_SIGNED_D;
  s64 x = video_field(a, video_start(part_a), video_width(part_a), imm & VIDEO_SIGNED_A);
  s64 y = video_field(b, video_start(part_b), video_width(part_b), imm & VIDEO_SIGNED_B);
  s64 v = video_compute(operation, x, y, imm);
  if (imm & VIDEO_SATURATE)
    v = video_clamp(v, width, is_signed);
  s64 other = imm & VIDEO_SIGNED_A ? (s32)c : (s64)c;
  switch ((VideoSecond)(imm >> VIDEO_SECOND & 3)) {
  case VIDEO_ADD:
    return (u32)v + c;
  case VIDEO_MIN:
    return (u32)(v < other ? v : other);
  case VIDEO_MAX:
    return (u32)(v > other ? v : other);
  default:
    return (c & ~bit_mask(start, width)) | ((u32)v << start & bit_mask(start, width));
  }
}

/* Executes a video instruction with two or four results. Each result uses selected bytes or halves
 * of a and b. */
static inline u32 video_parts(VideoOperation operation, unsigned parts, u32 a, u32 b, u32 c,
                              s64 imm) {
  unsigned width = 32 / parts, places = imm >> VIDEO_PLACE & 15;
  u32 result = c;
  for (unsigned i = 0; i < parts; i++) {
    unsigned from_a = imm >> (VIDEO_SELECT_A + 4 * i) & 15,
             from_b = imm >> (VIDEO_SELECT_B + 4 * i) & 15;
    s64 x =
        video_field(from_a < parts ? a : b, from_a % parts * width, width, imm & VIDEO_SIGNED_A);
    s64 y =
        video_field(from_b < parts ? a : b, from_b % parts * width, width, imm & VIDEO_SIGNED_B);
    s64 v = video_compute(operation, x, y, imm);
    if (imm & VIDEO_SATURATE)
      v = video_clamp(v, width, imm & VIDEO_SIGNED_D);
    if (!(places >> i & 1))
      continue;
    if (imm >> VIDEO_SECOND & 3)
      result += (u32)v;
    else
      result = (result & ~bit_mask(i * width, width)) |
               ((u32)v << i * width & bit_mask(i * width, width));
  }
  return result;
}

static inline u32 video_mad(u32 a, u32 b, u32 c, s64 imm) {
  unsigned part_a = imm >> VIDEO_SELECT_A & 15, part_b = imm >> VIDEO_SELECT_B & 15;
  s64 x = video_field(a, video_start(part_a), video_width(part_a), imm & VIDEO_SIGNED_A);
  s64 y = video_field(b, video_start(part_b), video_width(part_b), imm & VIDEO_SIGNED_B);
  bool is_signed = imm & (VIDEO_SIGNED_A | VIDEO_SIGNED_B);
  __int128 sum = (__int128)x * y + (is_signed ? (s64)(s32)c : (s64)c);
  s64 most = is_signed ? INT32_MAX : UINT32_MAX, least = is_signed ? INT32_MIN : 0;
  if (imm & VIDEO_SATURATE)
    sum = sum < least ? least : sum > most ? most : sum;
  return (u32)sum;
}

/* ---- floating point -------------------------------------------------------------------------- */
/* If one operand is NaN, min and max return the other operand, and min_nan and max_nan return NaN.
 * All these functions order -0 below +0. The xorsign variants compare magnitudes, and their result
 * has the sign of the product of the operands. */
#define MIN_MAX(t)                                                                                 \
  static inline t min_##t(t a, t b) {                                                              \
    t zero = t##_of(t##_bits(a) | t##_bits(b)), least = a < b ? a : a == b ? zero : b;             \
    return b == b ? least : a;                                                                     \
  }                                                                                                \
  static inline t max_##t(t a, t b) {                                                              \
    t zero = t##_of(t##_bits(a) & t##_bits(b)), most = a > b ? a : a == b ? zero : b;              \
    return b == b ? most : a;                                                                      \
  }
MIN_MAX(f32)
MIN_MAX(f64)
#undef MIN_MAX
static inline f32 min_nan(f32 a, f32 b) { return a != a || b != b ? NAN : min_f32(a, b); }
static inline f32 max_nan(f32 a, f32 b) { return a != a || b != b ? NAN : max_f32(a, b); }
static inline f32 xorsign(f32 a, f32 b, f32 magnitude) {
  return f32_of((f32_bits(magnitude) & INT32_MAX) |
                ((f32_bits(a) ^ f32_bits(b)) & ~(u32)INT32_MAX));
}
static inline f32 min_xorsign(f32 a, f32 b) { return xorsign(a, b, min_f32(fabsf(a), fabsf(b))); }
static inline f32 max_xorsign(f32 a, f32 b) { return xorsign(a, b, max_f32(fabsf(a), fabsf(b))); }
static inline f32 min_nan_xorsign(f32 a, f32 b) {
  return xorsign(a, b, min_nan(fabsf(a), fabsf(b)));
}
static inline f32 max_nan_xorsign(f32 a, f32 b) {
  return xorsign(a, b, max_nan(fabsf(a), fabsf(b)));
}
static inline f64 relu(f64 v) { return v <= 0 ? 0 : v; }

/* Returns 1 / sqrt(a), computed in double and rounded once. The error is below one unit in the last
 * place, which is less than the error of the device's own rsqrt. */
static inline f32 rsqrt_f32(f32 a) { return (f32)(1.0 / sqrt((f64)a)); }
static inline f64 rsqrt_f64(f64 a) { return 1.0 / sqrt(a); }

#endif
