/* The matrix product C = A·B: its inputs and correct answer (gold), and two variants that compute
 * it on a CPU. */
#include <math.h>
#include <stdlib.h>

#include "harness.h"

/* ---- gold ------------------------------------------------------------------------------------ */

typedef struct Gold {
  const Instance *instance;
  /* B, converted to double. */
  double *B;
  double *C;
} Gold;

/* Computes a row of C in double, as a sum of rows of B. Each element adds its terms in order of
 * i. */
static void gold_row(size_t row, void *context) {
  const Gold *gold = context;
  const int *size = gold->instance->size;
  size_t k = (size_t)size[MATMUL_K], n = (size_t)size[MATMUL_N];
  double *c = gold->C + row * n;
  for (size_t j = 0; j < n; j++)
    c[j] = 0;
  for (size_t i = 0; i < k; i++) {
    const double *b = gold->B + i * n;
    double a =
        element_get(gold->instance->operand[MATMUL_A], gold->instance->element_bytes, row * k + i);
    for (size_t j = 0; j < n; j++)
      c[j] += a * b[j];
  }
}

static void matmul_gold(const Instance *instance, double *output) {
  size_t m = (size_t)instance->size[MATMUL_M];
  size_t b_count = operand_bytes(instance, MATMUL_B) / instance->element_bytes;
  Gold gold = {instance, malloc(b_count * sizeof(double)), output};
  if (!gold.B)
    die("out of memory: choose smaller sizes");
  for (size_t i = 0; i < b_count; i++)
    gold.B[i] = element_get(instance->operand[MATMUL_B], instance->element_bytes, i);
  threads_for(m, threads_usable(), gold_row, &gold);
  free(gold.B);
}

/* The bound is the lecture's 1e-6 for float, and 1e-14 for double. Rounding errors of a sum of k
 * terms grow like the square root of k. At k = 4096 they would exceed 1e-6 even in a correct
 * result, so the bound grows beyond 1024 terms. The linear fill repeats from row to row, and its
 * rounding errors do not average out: a correct result had an error of 2e-6. */
static double matmul_tolerance(const Instance *instance) {
  double terms = instance->size[MATMUL_K];
  double bound = instance->element_bytes == sizeof(float) ? 1e-6 : 1e-14;
  if (instance->recipe.fill == FILL_LINEAR)
    bound *= 4;
  return bound * sqrt(fmax(1, terms / 1024));
}

static double matmul_flop(const int *size) {
  return 2.0 * size[MATMUL_M] * size[MATMUL_K] * size[MATMUL_N];
}

const Problem matmul_problem = {
    .formula = "C = A·B",
    .size_names = {"m", "k", "n"},
    .operands = {{"A", MATMUL_M, MATMUL_K, {1, 2}},
                 {"B", MATMUL_K, MATMUL_N, {-1, 1}},
                 {"C", MATMUL_M, MATMUL_N, {0, 0}}},
    .gold = matmul_gold,
    .tolerance = matmul_tolerance,
    .flop = matmul_flop,
};

/* ---- on the CPU ------------------------------------------------------------------------------ */

typedef struct Product {
  /* Bt is the transpose of B, n×k. */
  const void *A, *Bt;
  void *C;
  size_t k, n;
} Product;

/* Computes element number `index` of C: the product of a row of A and a row of Bt. */
#define DEFINE_ELEMENT(real)                                                                       \
  static void element_##real(size_t index, void *context) {                                        \
    const Product *p = context;                                                                    \
    const real *a = (const real *)p->A + index / p->n * p->k;                                      \
    const real *b = (const real *)p->Bt + index % p->n * p->k;                                     \
    real sum = 0;                                                                                  \
    for (size_t i = 0; i < p->k; i++)                                                              \
      sum += a[i] * b[i];                                                                          \
    ((real *)p->C)[index] = sum;                                                                   \
  }
DEFINE_ELEMENT(float)
DEFINE_ELEMENT(double)

static void *transposed(const Run *run) {
  size_t k = (size_t)run->size[MATMUL_K], n = (size_t)run->size[MATMUL_N];
  size_t bytes = run->instance->element_bytes;
  void *Bt = malloc(n * k * bytes);
  for (size_t row = 0; Bt && row < k; row++)
    for (size_t column = 0; column < n; column++)
      element_set(Bt, bytes, column * k + row,
                  element_get(run->operand[MATMUL_B], bytes, row * n + column));
  return Bt;
}

static cudaError_t multiply(const Run *run, int threads) {
  Product product = {.A = run->operand[MATMUL_A],
                     .Bt = transposed(run),
                     .C = run->operand[MATMUL_C],
                     .k = (size_t)run->size[MATMUL_K],
                     .n = (size_t)run->size[MATMUL_N]};
  if (!product.Bt)
    return cudaErrorMemoryAllocation;
  threads_for((size_t)run->size[MATMUL_M] * product.n, threads,
              run->instance->element_bytes == sizeof(float) ? element_float : element_double,
              &product);
  free((void *)product.Bt);
  return cudaSuccess;
}

cudaError_t matmul_cpu(const Run *run) { return multiply(run, 1); }

cudaError_t matmul_threads(const Run *run) { return multiply(run, run->threads); }
