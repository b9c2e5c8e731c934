/* 32 lanes as a few machine vectors, where the compiler's own loops are not good enough: questions
 * of the kind "is it so in every lane?". Written with the vector extension of GCC and clang, so any
 * 64-bit machine will do. */
#ifndef MACHINE_VECTOR_H
#define MACHINE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef uint32_t Vec32 __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint64_t Vec64 __attribute__((vector_size(32), aligned(8), may_alias));

static inline bool vec32_any(Vec32 v) {
#ifdef __AVX2__
  return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
  uint32_t any = 0;
  for (int i = 0; i < 8; i++)
    any |= v[i];
  return any != 0;
#endif
}

static inline bool vec64_any(Vec64 v) { return vec32_any((Vec32)v); }

/* 32 lanes of 4 or 8 bytes, which do not overlap. */
static inline void lanes_copy(uint8_t *to, const uint8_t *from, unsigned bytes) {
  Vec32 *target = (Vec32 *)(void *)to;
  const Vec32 *source = (const Vec32 *)(const void *)from;
  for (unsigned i = 0; i < bytes; i++)
    target[i] = source[i];
}

/* a[lane] == a[0] + lane * step for 32 lanes? */
static inline bool lanes_advance32(const uint32_t *a, uint32_t step) {
  const Vec32 *v = (const Vec32 *)(const void *)a;
  const Vec32 ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  Vec32 expected = a[0] + ramp * step, differ = {0};
  for (int i = 0; i < 4; i++, expected += 8 * step)
    differ |= v[i] ^ expected;
  return !vec32_any(differ);
}

static inline bool lanes_advance64(const uint64_t *a, uint64_t step) {
  const Vec64 *v = (const Vec64 *)(const void *)a;
  Vec64 expected = {a[0], a[0] + step, a[0] + 2 * step, a[0] + 3 * step}, differ = {0};
  for (int i = 0; i < 8; i++, expected += 4 * step)
    differ |= v[i] ^ expected;
  return !vec64_any(differ);
}

#endif
