/* Processes the values of 32 lanes as a few SIMD vectors, for loops that compilers vectorise
 * poorly, such as tests whether all lanes satisfy a condition. The vector types are an extension of
 * GCC and clang that works on all CPUs. Only the functions that test a whole vector have variants
 * for AVX2 and AVX-512. */
#ifndef STATE_VECTOR_H
#define STATE_VECTOR_H

#include <stdbool.h>

#include "across.h"

#ifdef __AVX512F__
#define VECTOR_BYTES 64
#else
#define VECTOR_BYTES 32
#endif
typedef uint32_t Vec32 __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef uint64_t Vec64 __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));
typedef uint32_t HalfVec32 __attribute__((vector_size(VECTOR_BYTES / 2), aligned(4), may_alias));
typedef int32_t HalfVecS32 __attribute__((vector_size(VECTOR_BYTES / 2), aligned(4), may_alias));
typedef int64_t VecS64 __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));
/* The number of lanes per vector, and the number of vectors for 32 lanes. */
enum { VEC32_LANES = VECTOR_BYTES / 4, VEC64_LANES = VECTOR_BYTES / 8 };
enum { VECS32 = 32 / VEC32_LANES, VECS64 = 32 / VEC64_LANES };

static inline bool vec32_any(Vec32 v) {
#ifdef __AVX512F__
  return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#elif defined __AVX2__
  return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
  uint32_t any = 0;
  for (int i = 0; i < VEC32_LANES; i++)
    any |= v[i];
  return any != 0;
#endif
}
static inline bool vec64_any(Vec64 v) { return vec32_any((Vec32)v); }

static inline Vec32 vec32_ramp(void) {
  static const uint32_t ramp[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return *(const Vec32 *)(const void *)ramp;
}

static inline Vec64 vec64_ramp(void) {
  static const uint64_t ramp[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  return *(const Vec64 *)(const void *)ramp;
}

/* Selects a[lane] where mask[lane] is all ones, and b[lane] where it is 0. */
static inline Vec32 vec32_choose(Vec32 mask, Vec32 a, Vec32 b) { return (a & mask) | (b & ~mask); }

/* Copies 32 lanes of 4 or 8 bytes each. The areas must not overlap. */
static inline void lanes_copy(uint8_t *to, const uint8_t *from, unsigned bytes) {
  Vec32 *target = (Vec32 *)(void *)to;
  const Vec32 *source = (const Vec32 *)(const void *)from;
  for (unsigned i = 0; i < bytes / 4 * VECS32; i++)
    target[i] = source[i];
}

/* Returns true if a[lane] == a[0] + lane * step for all 32 lanes. */
static inline bool lanes_advance32(const uint32_t *a, uint32_t step) {
  const Vec32 *v = (const Vec32 *)(const void *)a;
  Vec32 expected = a[0] + vec32_ramp() * step, differ = {0};
  for (int i = 0; i < VECS32; i++, expected += VEC32_LANES * step)
    differ |= v[i] ^ expected;
  return !vec32_any(differ);
}

static inline bool lanes_advance64(const uint64_t *a, uint64_t step) {
  const Vec64 *v = (const Vec64 *)(const void *)a;
  Vec64 expected = a[0] + vec64_ramp() * step, differ = {0};
  for (int i = 0; i < VECS64; i++, expected += VEC64_LANES * step)
    differ |= v[i] ^ expected;
  return !vec64_any(differ);
}

/* Loops over the 32 lanes. The iterations are independent, so the compiler may vectorise the loop
 * even if it cannot prove that the operands do not alias. */
#ifdef __clang__
#define EACH_LANE                                                                                  \
  _Pragma("clang loop vectorize(assume_safety)") for (int lane = 0; lane < WARP_LANES; lane++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int lane = 0; lane < WARP_LANES; lane++)
#endif

#endif
