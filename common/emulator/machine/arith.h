/* The arithmetic behind ops.def: pure functions of one lane's values, testable without a machine.
 */
#ifndef MACHINE_ARITH_H
#define MACHINE_ARITH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

/* ---- half precision: kept in 16 bits, computed in float ---------------------------------------
 */
static inline float half_to_float(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 1023;
  if (exponent == 0) {
    float tiny = (float)mantissa * 0x1p-24f;
    return sign ? -tiny : tiny;
  }
  uint32_t bits = sign | (exponent == 31 ? 255u << 23 : (exponent + 112) << 23) | mantissa << 13;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* Rounds in the mode of the moment: the large number leaves no room for a fraction. (The compiler knows
 * of one mode only: it may compute rint() without the sign.) */
static inline uint16_t half_from_double(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  int exponent;
  if (isnan(value))
    return 0x7fff;
  if (isinf(value))
    return sign | 0x7c00;
  if (fabs(value) >=
      65536) /* beyond all halves: as if just above the midpoint behind the largest */
    value = copysign(65528, value);
  frexp(value, &exponent);
  if (exponent < -13 || value == 0) /* subnormal: count units of 2^-24 */
    exponent = -13;
  const double large = copysign(0x1p52, value);
  volatile double sum = ldexp(value, 11 - exponent) + large;
  uint32_t units = (uint32_t)fabs(sum - large); /* a carry moves on into the exponent */
  return (uint16_t)(sign | (((uint32_t)(exponent + 13) << 10) + units));
}

/* Two halves in one word, the lower one first. */
static inline float low_half(uint32_t pair) { return half_to_float((uint16_t)pair); }
static inline float high_half(uint32_t pair) { return half_to_float((uint16_t)(pair >> 16)); }
static inline uint32_t halves(double low, double high) {
  return half_from_double(low) | (uint32_t)half_from_double(high) << 16;
}

/* Comparisons of halves; those with u are true where one is NaN. */
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

/* ---- integers ----------------------------------------------------------------------------------
 */
#define MUL_HI(t, wide, bits)                                                                      \
  static inline t mul_hi_##t(t a, t b) { return (t)((wide)a * (wide)b >> bits); }
MUL_HI(u16, u32, 16)
MUL_HI(s16, s32, 16)
MUL_HI(u32, u64, 32)
MUL_HI(s32, s64, 32)
MUL_HI(u64, unsigned __int128, 64)
MUL_HI(s64, __int128, 64)
#undef MUL_HI

#define DIVIDE_UNSIGNED(t)                                                                         \
  static inline t div_##t(t a, t b) { return b ? (t)(a / b) : (t) ~(t)0; }                         \
  static inline t rem_##t(t a, t b) { return b ? (t)(a % b) : a; }
DIVIDE_UNSIGNED(u16)
DIVIDE_UNSIGNED(u32)
DIVIDE_UNSIGNED(u64)
#undef DIVIDE_UNSIGNED

/* Dividing the smallest number by -1 overflows in C; on the device it wraps. */
#define DIVIDE_SIGNED(t, u)                                                                        \
  static inline t div_##t(t a, t b) {                                                              \
    return b == 0 ? (t)-1 : b == -1 ? (t)(0 - (u)a) : (t)(a / b);                                  \
  }                                                                                                \
  static inline t rem_##t(t a, t b) { return b == 0 ? a : b == -1 ? 0 : (t)(a % b); }
DIVIDE_SIGNED(s16, u16)
DIVIDE_SIGNED(s32, u32)
DIVIDE_SIGNED(s64, u64)
#undef DIVIDE_SIGNED

static inline s32 clamp_s32(s64 v) {
  return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (s32)v;
}

/* Clamped conversion between integer types. Each value fits in __int128, so one comparison serves
 * all. */
#define CLAMP(d, s, low, high)                                                                     \
  static inline d clamp_##d##_##s(s v) {                                                           \
    __int128 wide = v;                                                                             \
    return wide < (__int128)(low) ? (d)(low) : wide > (__int128)(high) ? (d)(high) : (d)v;         \
  }
#define CLAMP_TO_EACH(s)                                                                           \
  CLAMP(u8, s, 0, UINT8_MAX)                                                                       \
  CLAMP(s8, s, INT8_MIN, INT8_MAX)                                                                 \
  CLAMP(u16, s, 0, UINT16_MAX)                                                                     \
  CLAMP(s16, s, INT16_MIN, INT16_MAX)                                                              \
  CLAMP(u32, s, 0, UINT32_MAX)                                                                     \
  CLAMP(s32, s, INT32_MIN, INT32_MAX)                                                              \
  CLAMP(u64, s, 0, UINT64_MAX)                                                                     \
  CLAMP(s64, s, INT64_MIN, INT64_MAX)
CLAMP_TO_EACH(u8)
CLAMP_TO_EACH(s8)
CLAMP_TO_EACH(u16)
CLAMP_TO_EACH(s16)
CLAMP_TO_EACH(u32)
CLAMP_TO_EACH(s32)
CLAMP_TO_EACH(u64)
CLAMP_TO_EACH(s64)
#undef CLAMP
#undef CLAMP_TO_EACH

/* From floating point, already rounded to a whole number: out of range clamps. NaN becomes the top
 * bit alone if source or target has 64 bits, else 0. PTX's cvt says so, and an H200 does so. */
#define FROM_FLOAT(t, low, high)                                                                   \
  static inline t t##_from_float(double v, bool wide) {                                            \
    return v != v                ? (t)(wide ? UINT64_C(1) << (8 * sizeof(t) - 1) : 0)              \
           : v <= (double)(low)  ? (t)(low)                                                        \
           : v >= (double)(high) ? (t)(high)                                                       \
                                 : (t)v;                                                           \
  }                                                                                                \
  static inline t t##_from_f16(double v) { return t##_from_float(v, sizeof(t) == 8); }             \
  static inline t t##_from_f32(double v) { return t##_from_float(v, sizeof(t) == 8); }             \
  static inline t t##_from_f64(double v) { return t##_from_float(v, true); }
FROM_FLOAT(u8, 0, UINT8_MAX)
FROM_FLOAT(s8, INT8_MIN, INT8_MAX)
FROM_FLOAT(u16, 0, UINT16_MAX)
FROM_FLOAT(s16, INT16_MIN, INT16_MAX)
FROM_FLOAT(u32, 0, UINT32_MAX)
FROM_FLOAT(s32, INT32_MIN, INT32_MAX)
FROM_FLOAT(u64, 0, UINT64_MAX)
FROM_FLOAT(s64, INT64_MIN, INT64_MAX)
#undef FROM_FLOAT

/* ---- bits --------------------------------------------------------------------------------------
 */
static inline u32 reverse_bits(u32 v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(v);
}

static inline u32 highest_bit(u64 v) { return v ? 63 - (u32)__builtin_clzll(v) : ~0u; }

/* Bits [start, start + length) of a `width`-bit value; beyond the top the sign (or zero) continues.
 */
static inline u64 field_u64(u64 v, unsigned width, u32 start, u32 length, int is_signed) {
  start &= 255;
  length &= 255;
  u64 sign = 0;
  if (is_signed && length) {
    u32 top = start + length - 1;
    sign = v >> (top < width ? top : width - 1) & 1;
  }
  u64 field = 0;
  for (u32 i = 0; i < (length < 64 ? length : 64); i++)
    field |= (start + i < width ? v >> (start + i) & 1 : sign) << i;
  if (sign && length < 64)
    field |= ~UINT64_C(0) << length;
  return field;
}

static inline u64 insert_field(u64 field, u64 into, u32 start, u32 length, unsigned width) {
  if (start >= width || length == 0)
    return into;
  u64 ones = length >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << length) - 1;
  u64 mask = ones << start;
  return (into & ~mask) | (field << start & mask);
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

static inline u32 funnel_left(u32 low, u32 high, u32 n) {
  return (u32)((((u64)high << 32 | low) << (n & 63)) >> 32);
}
static inline u32 nth_set(u32 bits, u32 from, s32 n) {
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

static inline u32 dp4a_uu(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 32; i += 8)
    c += (a >> i & 255) * (b >> i & 255);
  return c;
}
static inline s32 dp4a_ss(u32 a, u32 b, s32 c) {
  u32 sum = (u32)c;
  for (int i = 0; i < 32; i += 8)
    sum += (u32)((s32)(s8)(a >> i) * (s8)(b >> i));
  return (s32)sum;
}

static inline u32 dp2a_uu(u32 a, u32 b, u32 c) {
  return c + (a & 0xffff) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}
static inline s32 dp2a_ss(u32 a, u32 b, s32 c) {
  u32 low = (u32)((s32)(s16)a * (s8)b), high = (u32)((s32)(s16)(a >> 16) * (s8)(b >> 8));
  return (s32)((u32)c + low + high);
}

/* ---- floating point ----------------------------------------------------------------------------
 */
/* min and max prefer a number to NaN and order -0 below +0. */
#define MIN_MAX(t)                                                                                 \
  static inline t min_##t(t a, t b) {                                                              \
    return a != a ? b : b != b ? a : a < b ? a : b < a ? b : signbit(a) ? a : b;                   \
  }                                                                                                \
  static inline t max_##t(t a, t b) {                                                              \
    return a != a ? b : b != b ? a : a > b ? a : b > a ? b : signbit(a) ? b : a;                   \
  }
MIN_MAX(f32)
MIN_MAX(f64)
#undef MIN_MAX

/* Computed in double and rounded once: within one unit in the last place, better than the device's
 * own. */
static inline f32 rsqrt_f32(f32 a) { return (f32)(1.0 / sqrt((f64)a)); }
static inline f64 rsqrt_f64(f64 a) { return 1.0 / sqrt(a); }

#endif
