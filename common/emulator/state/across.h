/* From lane to lane: questions about 32 words, whatever the machine has for them. */
#ifndef STATE_ACROSS_H
#define STATE_ACROSS_H

#include <stdint.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

/* 32 truth values, each all ones or zero, as one mask of lanes; and back. */
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

/* How many different values do 32 lanes hold? Where the machine cannot tell: in every round each place of
 * a table goes to one lane, and those who hold the same as the winner are done. */
static inline unsigned lanes_distinct(const uint32_t *a) {
#ifdef __AVX512CD__
  const __m512i low = _mm512_loadu_si512(a), high = _mm512_loadu_si512(a + 16);
  const __m512i earlier_low = _mm512_conflict_epi32(low), earlier = _mm512_conflict_epi32(high);
  __mmask16 repeated = _mm512_test_epi32_mask(earlier, earlier);
  for (int i = 0; i < 16; i++)
    repeated |= _mm512_cmpeq_epi32_mask(high, _mm512_set1_epi32((int)a[i]));
  return 32 - (unsigned)__builtin_popcount(repeated) -
         (unsigned)__builtin_popcount(_mm512_test_epi32_mask(earlier_low, earlier_low));
#else
  uint32_t buffers[2][32], count = 0, n = 32;
  uint8_t given[256];
  for (unsigned round = 0; n; round++) {
    uint32_t *left = buffers[round % 2], rest = 0;
    for (uint32_t i = 0; i < n; i++)
      given[a[i] * 2654435761u >> 24] = (uint8_t)i;
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t winner = given[a[i] * 2654435761u >> 24];
      count += winner == i;
      left[rest] = a[i];
      rest += a[winner] != a[i];
    }
    a = left;
    n = rest;
  }
  return count;
#endif
}

/* to[lane] = from[index[lane]], indices below 32. */
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

#endif
