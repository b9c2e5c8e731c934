/* Defines operations across the 32 lanes of a warp, with variants for AVX2 and AVX-512. */
#ifndef STATE_ACROSS_H
#define STATE_ACROSS_H

#include <stdint.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

/* lanes_from_truth converts 32 values, each all ones or 0, to a lane mask; truth_from_lanes does
 * the reverse. */
static inline uint32_t lanes_from_truth(const uint32_t *truth) {
  uint32_t lanes = 0;
#ifdef __AVX512F__
  for (int i = 0; i < 2; i++) {
    __m512i sixteen = _mm512_loadu_si512(truth + 16 * i);
    lanes |= (uint32_t)_mm512_test_epi32_mask(sixteen, sixteen) << 16 * i;
  }
#elif defined __AVX2__
  for (int i = 0; i < 4; i++) {
    __m256 eight = _mm256_loadu_ps((const float *)(const void *)(truth + 8 * i));
    lanes |= (uint32_t)_mm256_movemask_ps(eight) << 8 * i;
  }
#else
  for (int lane = 0; lane < 32; lane++)
    lanes |= (truth[lane] & 1) << lane;
#endif
  return lanes;
}
static inline void truth_from_lanes(uint32_t *truth, uint32_t lanes) {
  for (int lane = 0; lane < 32; lane++)
    truth[lane] = 0 - (lanes >> lane & 1);
}

/* Returns the lanes of `lanes` whose value a[lane] occurs in no lower lane of `lanes`. */
static inline uint32_t lanes_first(const uint32_t *a, uint32_t lanes) {
#ifdef __AVX512CD__
  const __m512i low = _mm512_loadu_si512(a), high = _mm512_loadu_si512(a + 16);
  const __m512i asked_low = _mm512_set1_epi32((int)(lanes & 0xffff));
  const __m512i asked_high = _mm512_set1_epi32((int)(lanes >> 16));
  uint32_t repeated = _mm512_test_epi32_mask(_mm512_conflict_epi32(high), asked_high);
  for (uint32_t i = 0; i < 16; i++)
    repeated |=
        _mm512_cmpeq_epi32_mask(high, _mm512_set1_epi32((int)a[i])) & (0 - (lanes >> i & 1));
  return lanes & ~(repeated << 16 | _mm512_test_epi32_mask(_mm512_conflict_epi32(low), asked_low));
#else
  uint32_t first = 0;
  for (int lane = 0; lane < 32; lane++) {
    uint32_t repeated = 0;
    for (int before = 0; before < 32; before++)
      repeated |= (before < lane) & (lanes >> before & 1) & (a[before] == a[lane]);
    first |= (repeated ^ 1) << lane;
  }
  return first & lanes;
#endif
}
/* Returns the number of lanes in `lanes` that have the most frequent value. */
static inline unsigned lanes_most_equal(const uint32_t *a, uint32_t lanes) {
  unsigned most = 0;
  for (; lanes; lanes &= ~lanes_first(a, lanes))
    most++;
  return most;
}

/* Sets to[lane] = from[index[lane]]. The indices are below 32. */
static inline void lanes_permute(uint32_t *to, const uint32_t *from, const uint32_t *index) {
#ifdef __AVX512F__
  const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + 16);
  for (int i = 0; i < 32; i += 16)
    _mm512_storeu_si512(to + i,
                        _mm512_permutex2var_epi32(low, _mm512_loadu_si512(index + i), high));
#else
  for (int lane = 0; lane < 32; lane++)
    to[lane] = from[index[lane]];
#endif
}

/* Sets to[lane] = from[index[lane] / 2]. */
static inline void lanes_permute64(uint64_t *to, const uint64_t *from, const uint32_t *index) {
#ifdef __AVX512F__
  const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + 8);
  for (int i = 0; i < 32; i += 8) {
    __m256i word = _mm256_loadu_si256((const __m256i *)(const void *)(index + i));
    __m512i pair = _mm512_srli_epi64(_mm512_cvtepu32_epi64(word), 1);
    _mm512_storeu_si512(to + i, _mm512_permutex2var_epi64(low, pair, high));
  }
#else
  for (int lane = 0; lane < 32; lane++)
    to[lane] = from[index[lane] / 2];
#endif
}

#endif
