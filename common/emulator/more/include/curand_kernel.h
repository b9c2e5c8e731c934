/* The device functions of cuRAND for clang, with the generators XORWOW (the default) and Philox
 * 4x32-10. For the same seed, subsequence and offset, they give the same numbers as the toolkit.
 * Other generators are not implemented.
 *
 * XORWOW is Marsaglia's xorshift on five words plus a counter ("Xorshift RNGs", 2003). A step is a
 * linear map over bits. Therefore n steps are the polynomial x^n in this map, modulo its
 * characteristic polynomial. curand_powers.def holds x^(2^k). A jump by n steps applies the powers
 * that correspond to the binary digits of n. Subsequences are 2^67 steps apart.
 *
 * Philox (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011) computes
 * four numbers from a counter of 128 bits, whose upper half is the subsequence. */
#ifndef CURAND_KERNEL_H
#define CURAND_KERNEL_H

#if __has_include(<curand.h>)
#include <curand.h>
#endif
#include "cuda_runtime.h"

#define CURAND_HERE static __attribute__((device, nodebug, unused)) inline

#ifdef __CUDA__
/* Reports to the emulated device which sequence a thread starts (more/random.c). */
extern "C" __attribute__((device)) void __lockstep_curand_init(unsigned long long seed,
                                                               unsigned long long subsequence,
                                                               unsigned long long offset);
#endif

struct curandStateXORWOW {
  unsigned int d, v[5];
  /* Nonzero: the second number of the last pair is stored in boxmuller_extra. */
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
  uint4 ctr, output; /* the counter, and the four numbers computed from it */
  uint2 key;
  unsigned int STATE; /* the number of elements of `output` that have been returned */
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#ifdef __CUDA__
/* ---- XORWOW: jumps --------------------------------------------------------------------------- */
#define CURAND_SUBSEQUENCE 67 /* 2^67 steps */

static __attribute__((device)) const unsigned int curand_powers[CURAND_SUBSEQUENCE + 64][5] = {
#include "curand_powers.def"
};

CURAND_HERE void curand_step(unsigned int *v) {
  unsigned int t = v[0] ^ v[0] >> 2;
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

/* Applies a polynomial to the state v: the new state is the sum (XOR) of the states of v after i
 * steps, for all terms x^i of the polynomial. */
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
  curand_jump(state->v, n, CURAND_SUBSEQUENCE); /* d is unchanged: 2^67 is 0 modulo 2^32 */
}

/* ---- XORWOW: numbers ------------------------------------------------------------------------- */
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
  __lockstep_curand_init(seed, subsequence, offset);
}

CURAND_HERE unsigned int curand(curandStateXORWOW_t *state) {
  curand_step(state->v);
  state->d += 362437u;
  return state->v[4] + state->d;
}

/* ---- Philox ---------------------------------------------------------------------------------- */
CURAND_HERE void curand_rounds(curandStatePhilox4_32_10_t *state) {
  uint4 c = state->ctr;
  uint2 k = state->key;
  for (int i = 0; i < 10; i++) {
    c = make_uint4(__umulhi(0xcd9e8d57u, c.z) ^ c.y ^ k.x, 0xcd9e8d57u * c.z,
                   __umulhi(0xd2511f53u, c.x) ^ c.w ^ k.y, 0xd2511f53u * c.x);
    k = make_uint2(k.x + 0x9e3779b9u, k.y + 0xbb67ae85u);
  }
  state->output = c;
}

/* Adds n to the 64-bit number high:low. Returns the carry. */
CURAND_HERE bool curand_add(unsigned int *high, unsigned int *low, unsigned long long n) {
  unsigned long long before = (unsigned long long)*high << 32 | *low, sum = before + n;
  *high = (unsigned int)(sum >> 32), *low = (unsigned int)sum;
  return sum < before;
}

CURAND_HERE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  curand_add(&state->ctr.w, &state->ctr.z, n);
  curand_rounds(state);
}

CURAND_HERE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  unsigned int taken = state->STATE + (unsigned int)(n % 4);
  state->STATE = taken % 4;
  bool carry = curand_add(&state->ctr.y, &state->ctr.x, n / 4 + taken / 4);
  skipahead_sequence(carry, state);
}

CURAND_HERE void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStatePhilox4_32_10_t *state) {
  *state = curandStatePhilox4_32_10_t();
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  __lockstep_curand_init(seed, subsequence, offset);
}

CURAND_HERE unsigned int curand(curandStatePhilox4_32_10_t *state) {
  uint4 all = state->output;
  unsigned int taken = state->STATE;
  if (taken == 3)
    skipahead(1, state);
  else
    state->STATE++;
  return taken == 0 ? all.x : taken == 1 ? all.y : taken == 2 ? all.z : all.w;
}

CURAND_HERE uint4 curand4(curandStatePhilox4_32_10_t *state) {
  uint4 four;
  four.x = curand(state), four.y = curand(state), four.z = curand(state), four.w = curand(state);
  return four;
}

/* ---- distributions --------------------------------------------------------------------------- */
/* Returns a number in (0, 1]: the middle of one of 2^32 or 2^53 intervals. */
template <typename State> CURAND_HERE float curand_uniform(State *state) {
  return fmaf((float)curand(state), 0x1p-32f, 0x1p-33f);
}

template <typename State> CURAND_HERE unsigned long long curand_53_bits(State *state) {
  unsigned long long low = curand(state), high = curand(state);
  return low ^ high << (53 - 32);
}

template <typename State> CURAND_HERE double curand_fine(State *state) {
  return fma((double)curand_53_bits(state), 0x1p-53, 0x1p-54);
}

template <typename State> CURAND_HERE double curand_uniform_double(State *state) {
  return curand_fine(state);
}

/* With Philox, a double is computed from one 32-bit number, and it can be 1. */
CURAND_HERE double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
  return fma((double)curand(state), 0x1p-32, 0x1p-32);
}

/* Computes two normal numbers from two uniform numbers with the Box-Muller transform. */
template <typename State> CURAND_HERE float2 curand_normal2(State *state) {
  const float turn = 0x1p-32f * 6.2831855f;
  float radius = sqrtf(-2.0f * logf(curand_uniform(state)));
  float angle = fmaf((float)curand(state), turn, turn / 2), sine, cosine;
  __sincosf(angle, &sine, &cosine);
  return make_float2(radius * sine, radius * cosine);
}

template <typename State> CURAND_HERE double2 curand_normal2_double(State *state) {
  double radius = sqrt(-2.0 * log(curand_fine(state)));
  double angle = fma((double)curand_53_bits(state), 0x1p-52, 0x1p-53), sine, cosine;
  sincospi(angle, &sine, &cosine);
  return make_double2(radius * sine, radius * cosine);
}

template <typename State>
CURAND_HERE float2 curand_log_normal2(State *state, float mean, float deviation) {
  float2 pair = curand_normal2(state);
  return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}

template <typename State>
CURAND_HERE double2 curand_log_normal2_double(State *state, double mean, double deviation) {
  double2 pair = curand_normal2_double(state);
  return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));
}

/* Defines a function that returns one number. It computes a pair, and stores the second number for
 * the next call for the same distribution. */
#define CURAND_ONE_OF_A_PAIR(T, name, flag, extra, kind, pair, parameters, ...)                    \
  template <typename State> CURAND_HERE T name parameters {                                        \
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
                     (State * state), state)
CURAND_ONE_OF_A_PAIR(double, curand_normal_double, boxmuller_flag_double, boxmuller_extra_double, 1,
                     curand_normal2_double, (State * state), state)
CURAND_ONE_OF_A_PAIR(float, curand_log_normal, boxmuller_flag, boxmuller_extra, 2,
                     curand_log_normal2, (State * state, float mean, float deviation), state, mean,
                     deviation)
CURAND_ONE_OF_A_PAIR(double, curand_log_normal_double, boxmuller_flag_double,
                     boxmuller_extra_double, 2, curand_log_normal2_double,
                     (State * state, double mean, double deviation), state, mean, deviation)
#undef CURAND_ONE_OF_A_PAIR

/* Functions that return four numbers, or two doubles of 53 bits, from one counter of Philox. */
CURAND_HERE float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  float4 four;
  four.x = curand_uniform(state), four.y = curand_uniform(state);
  four.z = curand_uniform(state), four.w = curand_uniform(state);
  return four;
}

CURAND_HERE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  double2 two;
  two.x = curand_fine(state), two.y = curand_fine(state);
  return two;
}

CURAND_HERE float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  float2 first = curand_normal2(state), second = curand_normal2(state);
  return make_float4(first.x, first.y, second.x, second.y);
}

CURAND_HERE float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean,
                                      float deviation) {
  float2 first = curand_log_normal2(state, mean, deviation),
         second = curand_log_normal2(state, mean, deviation);
  return make_float4(first.x, first.y, second.x, second.y);
}
#endif

#endif
