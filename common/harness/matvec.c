/* The matrix-vector product out = M·v: its inputs and correct answer (gold), and two variants that
 * compute it on a CPU. */
#include <math.h>

#include "harness.h"

/* ---- gold ------------------------------------------------------------------------------------ */

typedef struct Gold {
  const Instance *instance;
  double *out;
} Gold;

static void gold_row(size_t row, void *context) {
  const Gold *gold = context;
  const Instance *instance = gold->instance;
  const void *M = instance->operand[MATVEC_MATRIX], *v = instance->operand[MATVEC_VECTOR];
  size_t columns = (size_t)instance->size[MATVEC_COLUMNS], bytes = instance->element_bytes;
  double sum = 0;
  for (size_t i = 0; i < columns; i++)
    sum += element_get(M, bytes, row * columns + i) * element_get(v, bytes, i);
  gold->out[row] = sum;
}

static void matvec_gold(const Instance *instance, double *output) {
  Gold gold = {instance, output};
  threads_for((size_t)instance->size[MATVEC_ROWS], threads_usable(), gold_row, &gold);
}

/* The bounds are the same as in matmul_tolerance, because each element of either product is a sum
 * of products. */
static double matvec_tolerance(const Instance *instance) {
  double terms = instance->size[MATVEC_COLUMNS];
  double bound = instance->element_bytes == sizeof(float) ? 1e-6 : 1e-14;
  if (instance->recipe.fill == FILL_LINEAR)
    bound *= 4;
  return bound * sqrt(fmax(1, terms / 1024));
}

static double matvec_flop(const int *size) {
  return 2.0 * size[MATVEC_ROWS] * size[MATVEC_COLUMNS];
}

/* Each element of M and v is read once and each element of out written once. No kernel can transfer
 * less. */
static double matvec_bytes(const int *size, size_t element_bytes) {
  double rows = size[MATVEC_ROWS], columns = size[MATVEC_COLUMNS];
  return (rows * columns + columns + rows) * (double)element_bytes;
}

const Problem matvec_problem = {
    .formula = "out = M·v",
    .size_names = {"rows", "cols"},
    .operands = {{"M", MATVEC_ROWS, MATVEC_COLUMNS, {1, 2}},
                 {"v", MATVEC_COLUMNS, ONE, {-1, 1}},
                 {"out", MATVEC_ROWS, ONE, {0, 0}}},
    .gold = matvec_gold,
    .tolerance = matvec_tolerance,
    .flop = matvec_flop,
    .bytes = matvec_bytes,
    .absolute = 1e-3,
    .averaged = 50,
};

/* ---- on the CPU ------------------------------------------------------------------------------ */

#define DEFINE_ROW(real)                                                                           \
  static void row_##real(size_t row, void *context) {                                              \
    const Run *run = context;                                                                      \
    size_t columns = (size_t)run->size[MATVEC_COLUMNS];                                            \
    const real *m = (const real *)run->operand[MATVEC_MATRIX] + row * columns;                     \
    const real *v = run->operand[MATVEC_VECTOR];                                                   \
    real sum = 0;                                                                                  \
    for (size_t i = 0; i < columns; i++)                                                           \
      sum += m[i] * v[i];                                                                          \
    ((real *)run->operand[MATVEC_OUT])[row] = sum;                                                 \
  }
DEFINE_ROW(float)
DEFINE_ROW(double)

static cudaError_t multiply(const Run *run, int threads) {
  threads_for((size_t)run->size[MATVEC_ROWS], threads,
              run->instance->element_bytes == sizeof(float) ? row_float : row_double, (void *)run);
  return cudaSuccess;
}

cudaError_t matvec_cpu(const Run *run) { return multiply(run, 1); }

cudaError_t matvec_threads(const Run *run) { return multiply(run, run->threads); }
