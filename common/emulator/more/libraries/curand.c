/* The host functions of cuRAND. The generator is Philox 4x32-10 (Salmon, Moraes, Dror, Shaw:
 * "Parallel random numbers: as easy as 1, 2, 3", 2011), which computes four numbers from a key and
 * a counter. The numbers are computed on the host and copied to the device. */
#include "curand.h"

#include "../random.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct curandGenerator_st {
  /* position: number of 32-bit numbers used so far, plus the offset. */
  uint64_t seed, position;
  /* The position of the first number that was generated with this seed. */
  uint64_t from;
  bool made_any;
  /* The value of the counter from which `numbers` was computed. */
  uint64_t counter;
  uint32_t numbers[4];
  bool to_host;
  cudaStream_t stream;
  curandGenerator_t next;
};
static curandGenerator_t generators;                     /* the generators that exist */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects `generators` */

/* ---- the generator --------------------------------------------------------------------------- */
static void philox(uint64_t key, uint64_t counter, uint32_t out[4]) {
  uint32_t c[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), 0, 0};
  uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
  for (int round = 0; round < 10; round++) {
    const uint64_t first = UINT64_C(0xD2511F53) * c[0], second = UINT64_C(0xCD9E8D57) * c[2];
    const uint32_t next[4] = {(uint32_t)(second >> 32) ^ c[1] ^ k[0], (uint32_t)second,
                              (uint32_t)(first >> 32) ^ c[3] ^ k[1], (uint32_t)first};
    memcpy(c, next, sizeof c);
    k[0] += 0x9E3779B9u, k[1] += 0xBB67AE85u;
  }
  memcpy(out, c, sizeof c);
}

static uint32_t next_number(curandGenerator_t g) {
  const uint64_t counter = g->position / 4;
  if (g->position % 4 == 0 || counter != g->counter)
    philox(g->seed, counter, g->numbers);
  g->counter = counter;
  return g->numbers[g->position++ % 4];
}

static float uniform(curandGenerator_t g) { return ((float)(next_number(g) >> 8) + 1) * 0x1p-24f; }
static double uniform_double(curandGenerator_t g) {
  const uint64_t high = next_number(g), low = next_number(g);
  return ((double)((high << 32 | low) >> 11) + 1) * 0x1p-53;
}

/* Computes two normal numbers with the Box-Muller transform. */
static void normal_pair(curandGenerator_t g, double out[2]) {
  const double radius = sqrt(-2 * log(uniform_double(g))),
               angle = 2 * 3.14159265358979323846 * uniform_double(g);
  out[0] = radius * cos(angle), out[1] = radius * sin(angle);
}

/* Returns a Poisson-distributed number. Knuth's algorithm multiplies uniform numbers. lambda is
 * split into parts of at most 500, so that exp() does not underflow. */
static unsigned poisson(curandGenerator_t g, double lambda) {
  unsigned count = 0;
  for (double left = lambda; left > 0; left -= 500)
    for (double limit = exp(left < 500 ? -left : -500), product = uniform_double(g);
         product > limit; count++)
      product *= uniform_double(g);
  return count;
}

/* ---- the calls ------------------------------------------------------------------------------- */
static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool to_host) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  *generator = NULL;
  if (type >= CURAND_RNG_QUASI_DEFAULT || type < CURAND_RNG_PSEUDO_DEFAULT) {
    if (type >= CURAND_RNG_QUASI_DEFAULT && type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64)
      fprintf(stderr, "curandCreateGenerator: the emulated device has no quasi-random numbers\n");
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (!to_host && cudaFree(NULL) != cudaSuccess)
    return CURAND_STATUS_INITIALIZATION_FAILED;
  *generator = calloc(1, sizeof **generator);
  if (!*generator)
    return CURAND_STATUS_ALLOCATION_FAILED;
  (*generator)->to_host = to_host;
  pthread_mutex_lock(&lock);
  (*generator)->next = generators;
  generators = *generator;
  pthread_mutex_unlock(&lock);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, true);
}

/* Returns true if the generator exists. A program may pass an uninitialised variable, so the handle
 * is only compared. */
static bool is_known(curandGenerator_t generator) {
  pthread_mutex_lock(&lock);
  curandGenerator_t each = generators;
  while (each && each != generator)
    each = each->next;
  pthread_mutex_unlock(&lock);
  return each != NULL;
}

#define NEEDS(generator)                                                                           \
  if (!is_known(generator))                                                                        \
  return CURAND_STATUS_NOT_INITIALIZED
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  NEEDS(generator);
  pthread_mutex_lock(&lock);
  curandGenerator_t *at = &generators;
  while (*at && *at != generator)
    at = &(*at)->next;
  if (*at)
    *at = generator->next;
  pthread_mutex_unlock(&lock);
  free(generator);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int *version) {
  if (!version)
    return CURAND_STATUS_NOT_INITIALIZED;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  NEEDS(generator);
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  NEEDS(generator);
  generator->seed = seed;
  generator->position = 0;
  generator->made_any = false;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  NEEDS(generator);
  generator->position = offset;
  generator->made_any = false;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  NEEDS(generator);
  return order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_OUT_OF_RANGE;
}

/* Called before a generator generates its first numbers. Reports if another generator has generated
 * the same numbers. A host generator and a device generator with the same numbers are not reported,
 * because a program may compare them. */
static void look_for_others(curandGenerator_t g, const char *call) {
  if (g->made_any)
    return;
  g->made_any = true;
  g->from = g->position;
  pthread_mutex_lock(&lock);
  bool same = false;
  for (curandGenerator_t each = generators; each; each = each->next)
    same = same || (each != g && each->made_any && each->to_host == g->to_host &&
                    each->seed == g->seed && each->from <= g->from && g->from < each->position);
  pthread_mutex_unlock(&lock);
  if (same)
    emulator_same_generators(call);
}

static curandStatus_t deliver(curandGenerator_t g, void *out, void *made, size_t bytes) {
  curandStatus_t status = CURAND_STATUS_SUCCESS;
  if (g->to_host)
    memcpy(out, made, bytes);
  else if (bytes &&
           cudaMemcpyAsync(out, made, bytes, cudaMemcpyHostToDevice, g->stream) != cudaSuccess)
    status = CURAND_STATUS_LAUNCH_FAILURE;
  free(made);
  return status;
}

/* Defines the body of a function that generates `count` numbers. `fill`: a statement that computes
 * the elements of `made`. */
#define GENERATE(T, fill)                                                                          \
  NEEDS(g);                                                                                        \
  look_for_others(g, __func__);                                                                    \
  T *made = malloc(count * sizeof *made + 1);                                                      \
  if (!made)                                                                                       \
    return CURAND_STATUS_ALLOCATION_FAILED;                                                        \
  fill return deliver(g, out, made, count * sizeof *made)
#define EACH(number)                                                                               \
  for (size_t i = 0; i < count; i++)                                                               \
    made[i] = number;
#define PAIRS(T, number)                                                                           \
  for (size_t i = 0; i < count; i += 2) {                                                          \
    double pair[2];                                                                                \
    normal_pair(g, pair);                                                                          \
    for (size_t j = 0; j < 2; j++) {                                                               \
      const double x = mean + deviation * pair[j];                                                 \
      made[i + j] = (T)(number);                                                                   \
    }                                                                                              \
  }
#define EVEN_COUNT                                                                                 \
  if (count % 2)                                                                                   \
  return CURAND_STATUS_LENGTH_NOT_MULTIPLE

curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t count) {
  GENERATE(unsigned, EACH(next_number(g)));
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t count) {
  GENERATE(float, EACH(uniform(g)));
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t count) {
  GENERATE(double, EACH(uniform_double(g)));
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t count, float mean,
                                    float deviation) {
  EVEN_COUNT;
  GENERATE(float, PAIRS(float, x));
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t count,
                                          double mean, double deviation) {
  EVEN_COUNT;
  GENERATE(double, PAIRS(double, x));
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t count, float mean,
                                       float deviation) {
  EVEN_COUNT;
  GENERATE(float, PAIRS(float, exp(x)));
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t count,
                                             double mean, double deviation) {
  EVEN_COUNT;
  GENERATE(double, PAIRS(double, exp(x)));
}
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *out, size_t count,
                                     double lambda) {
  if (!(lambda > 0))
    return CURAND_STATUS_OUT_OF_RANGE;
  GENERATE(unsigned, EACH(poisson(g, lambda)));
}
