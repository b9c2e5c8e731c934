/* cuRAND's device side for clang: the default generator, XORWOW, with the numbers that the toolkit
 * gives for the same seed, subsequence and offset.
 *
 * Marsaglia's xorshift on five words plus a counter ("Xorshift RNGs", 2003). Its step is linear over
 * bits, so that n steps are one polynomial in the step, x^n modulo the characteristic polynomial:
 * a table holds x^(2^k), and a jump applies those that n's binary digits name. Subsequences are 2^67
 * steps apart. Not here: the other generators, and the host's library curand.h.
 */
#ifndef CURAND_KERNEL_H
#define CURAND_KERNEL_H

#if __has_include(<curand.h>)
#include <curand.h>
#endif
#include "cuda_runtime.h"

#define CURAND_HERE static __attribute__((device, nodebug, unused)) inline

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double; /* is there a second number from the last pair? */
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

#ifdef __CUDA__
/* ---- jumps ----------------------------------------------------------------------------------- */
#define CURAND_SUBSEQUENCE 67 /* 2^67 steps */

static __attribute__((device)) const unsigned int curand_powers[CURAND_SUBSEQUENCE + 64][5] = {
#include "curand_powers.def"
};

CURAND_HERE void curand_step(unsigned int *v) {
  unsigned int t = v[0] ^ v[0] >> 2;
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

/* v = the sum of those v, v after one step, v after two ... that the polynomial names. */
CURAND_HERE void curand_apply(unsigned int *v, const unsigned int *polynomial) {
  unsigned int sum[5] = {0, 0, 0, 0, 0};
  for (int i = 0; i < 160; i++) {
    unsigned int chosen = 0 - (polynomial[i / 32] >> (i % 32) & 1);
    for (int k = 0; k < 5; k++)
      sum[k] ^= v[k] & chosen;
    curand_step(v);
  }
  for (int k = 0; k < 5; k++)
    v[k] = sum[k];
}

CURAND_HERE void curand_jump(unsigned int *v, unsigned long long n, int first) {
  for (int k = first; n; n >>= 1, k++)
    if (n & 1)
      curand_apply(v, curand_powers[k]);
}

CURAND_HERE void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
  curand_jump(state->v, n, 0);
  state->d += 362437u * (unsigned int)n;
}

CURAND_HERE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
  curand_jump(state->v, n, CURAND_SUBSEQUENCE); /* the counter is back where it was */
}

/* ---- the generator --------------------------------------------------------------------------- */
CURAND_HERE void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStateXORWOW_t *state) {
  unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

CURAND_HERE unsigned int curand(curandStateXORWOW_t *state) {
  curand_step(state->v);
  state->d += 362437u;
  return state->v[4] + state->d;
}

/* ---- distributions --------------------------------------------------------------------------- */
/* From 0 (not reached) to 1: the middles of 2^32 or 2^53 pieces. */
CURAND_HERE float curand_uniform(curandStateXORWOW_t *state) {
  return fmaf((float)curand(state), 0x1p-32f, 0x1p-33f);
}

CURAND_HERE unsigned long long curand_53_bits(curandStateXORWOW_t *state) {
  unsigned long long low = curand(state), high = curand(state);
  return low ^ high << (53 - 32);
}

CURAND_HERE double curand_uniform_double(curandStateXORWOW_t *state) {
  return fma((double)curand_53_bits(state), 0x1p-53, 0x1p-54);
}

/* Box and Muller: two normal numbers from two uniform ones. */
CURAND_HERE float2 curand_normal2(curandStateXORWOW_t *state) {
  const float turn = 0x1p-32f * 6.2831855f;
  float radius = sqrtf(-2.0f * logf(curand_uniform(state)));
  float angle = fmaf((float)curand(state), turn, turn / 2), sine, cosine;
  __sincosf(angle, &sine, &cosine);
  return make_float2(radius * sine, radius * cosine);
}

CURAND_HERE double2 curand_normal2_double(curandStateXORWOW_t *state) {
  double radius = sqrt(-2.0 * log(curand_uniform_double(state)));
  double angle = fma((double)curand_53_bits(state), 0x1p-52, 0x1p-53), sine, cosine;
  sincospi(angle, &sine, &cosine);
  return make_double2(radius * sine, radius * cosine);
}

CURAND_HERE float2 curand_log_normal2(curandStateXORWOW_t *state, float mean, float deviation) {
  float2 pair = curand_normal2(state);
  return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}

CURAND_HERE double2 curand_log_normal2_double(curandStateXORWOW_t *state, double mean,
                                              double deviation) {
  double2 pair = curand_normal2_double(state);
  return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));
}

/* The second number of a pair is kept for the next call of the same kind. */
#define CURAND_ONE_OF_A_PAIR(T, name, flag, extra, kind, pair, parameters, ...)                    \
  CURAND_HERE T name parameters {                                                                  \
    if (state->flag == kind) {                                                                     \
      state->flag = 0;                                                                             \
      return state->extra;                                                                         \
    }                                                                                              \
    T##2 both = pair(__VA_ARGS__);                                                                 \
    state->flag = kind;                                                                            \
    state->extra = both.y;                                                                         \
    return both.x;                                                                                 \
  }
CURAND_ONE_OF_A_PAIR(float, curand_normal, boxmuller_flag, boxmuller_extra, 1, curand_normal2,
                     (curandStateXORWOW_t * state), state)
CURAND_ONE_OF_A_PAIR(double, curand_normal_double, boxmuller_flag_double, boxmuller_extra_double, 1,
                     curand_normal2_double, (curandStateXORWOW_t * state), state)
CURAND_ONE_OF_A_PAIR(float, curand_log_normal, boxmuller_flag, boxmuller_extra, 2,
                     curand_log_normal2, (curandStateXORWOW_t * state, float mean, float deviation),
                     state, mean, deviation)
CURAND_ONE_OF_A_PAIR(double, curand_log_normal_double, boxmuller_flag_double,
                     boxmuller_extra_double, 2, curand_log_normal2_double,
                     (curandStateXORWOW_t * state, double mean, double deviation), state, mean,
                     deviation)
#undef CURAND_ONE_OF_A_PAIR
#endif

#endif
