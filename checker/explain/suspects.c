/* Finds the mistake that explains a wrong matrix product. Each suspect is a formula for the result
 * that a common mistake gives. A suspect that agrees with every element becomes a hypothesis. If a
 * mistake reads outside of its matrix, the device skips the access and the value is unknown. Such
 * elements are not compared, but enough other elements must agree. */
#include "explain/suspects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* TILE is the side of a tile in all labs. DEPTH is the number of terms of one step in the last task
 * of lab 04. */
enum { TILE = 32, DEPTH = 8 };

/* ---- terms ----------------------------------------------------------------------------------- */

static double product(const Product *p, size_t a, size_t b) {
  return a < p->m * p->k && b < p->k * p->n ? p->a[a] * p->b[b] : NAN;
}

static double right(const Product *p, size_t row, size_t column, size_t i) {
  return p->a[row * p->k + i] * p->b[i * p->n + column];
}

static double a_in(const Product *p, size_t row, size_t column) {
  return row < p->m && column < p->k ? p->a[row * p->k + column] : 0;
}

static double b_in(const Product *p, size_t row, size_t column) {
  return row < p->k && column < p->n ? p->b[row * p->n + column] : 0;
}

static size_t like(size_t first, size_t second) { return first - first % TILE + second % TILE; }

/* Returns the term if the kernel exchanges the indices of both tiles. The last tile extends beyond
 * k, where an element with exchanged indices may be inside the matrix. */
static double turned(const Product *p, size_t row, size_t column, size_t i) {
  double term = 0;
  for (size_t j = i; j == i || (i + 1 == p->k && j % TILE); j++)
    term += a_in(p, like(row, j), like(j, row)) * b_in(p, like(j, column), like(column, j));
  return term;
}

/* Returns the term if the kernel multiplies a column of As by a row of Bs. */
static double exchanged(const Product *p, size_t row, size_t column, size_t i) {
  double term = 0;
  size_t inside = i % TILE, end = i + 1 == p->k ? i / TILE * TILE + TILE : i + 1;
  for (size_t j = i; j < end; j++, inside++)
    term += a_in(p, row - row % TILE + inside, like(i, column)) *
            b_in(p, like(i, row), column - column % TILE + inside);
  return term;
}

/* Returns how often a term is added if the unused elements of the tiles in the last, short step
 * still hold the numbers of the previous step. */
static double stale(const Product *p, size_t i) {
  size_t last = p->k / TILE * TILE, rest = p->k % TILE;
  return rest && i < last && i + TILE >= last + rest ? 2 : 1;
}

/* Returns how often a term is added if indices beyond k are clamped to k - 1. */
static double repeated(const Product *p, size_t i) {
  return i + 1 == p->k && p->k % TILE ? (double)(TILE - p->k % TILE + 1) : 1;
}

typedef enum Mistake {
#define HYPOTHESIS(name, says, term) MISTAKE_##name,
#include "explain/products.mistakes.def"
  MISTAKES
} Mistake;

static const SayId says[] = {
#define HYPOTHESIS(name, says, term) SAY_##says,
#include "explain/products.mistakes.def"
};

static double term_of(Mistake mistake, const Product *p, size_t row, size_t column, size_t i) {
#define only(condition) ((condition) ? right(p, row, column, i) : 0)
  switch (mistake) {
#define HYPOTHESIS(name, says, term)                                                               \
  case MISTAKE_##name:                                                                             \
    return term;
#include "explain/products.mistakes.def"
  default:
    return NAN;
  }
#undef only
}

/* ---- comparison with the output -------------------------------------------------------------- */

double product_rounding(const Product *p, size_t element) {
  return p->unit * (double)(p->k + 8) * p->magnitude[element];
}

bool product_near(const Product *p, size_t element, double got, double expected) {
  /* The comparison is false for NaN. */
  return fabs(got - expected) <= product_rounding(p, element);
}

/* Compares one element with the value that a mistake gives. Sets *told to true if the mistake gives
 * a known value for the element. */
static bool agrees(const Product *p, Mistake mistake, size_t row, size_t column, double got,
                   bool *told) {
  double sum = 0, magnitude = 0;
  for (size_t i = 0; i < p->k; i++) {
    double one = term_of(mistake, p, row, column, i);
    sum += one;
    magnitude += fabs(one);
  }
  *told = !isnan(sum);
  /* The tolerance covers the additions of one more tile, because some mistakes add a term twice in
   * places where the solution adds 0. */
  return !*told || fabs(got - sum) <= p->unit * (double)(p->k + TILE + 8) * magnitude;
}

/* Compares all elements with a mistake. ALIBI_NONE: the mistake explains at least one wrong
 * element, and agrees with so many elements that this cannot be chance. */
static Alibi alibi_of(const Product *p, const ResultFile *output, Mistake mistake) {
  size_t told = 0, wrong = 0;
  for (size_t at = 0; at < p->m * p->n; at++) {
    bool tells;
    if (output->states[at] != ELEMENT_VALUE)
      continue;
    if (!agrees(p, mistake, at / p->n, at % p->n, output->values[at], &tells))
      return ALIBI_CONTRADICTED;
    told += tells;
    wrong += tells && !product_near(p, at, output->values[at], p->gold[at]);
  }
  return wrong >= 1 && told >= 4 ? ALIBI_NONE : ALIBI_SILENT;
}

/* Returns true if each element `at` has the expected value of element from(at), and at least four
 * elements are compared. If from(at) is SIZE_MAX, the element is not compared. */
static bool moved(const Product *p, const ResultFile *output,
                  size_t (*from)(const Product *, size_t at)) {
  size_t told = 0;
  for (size_t at = 0; at < p->m * p->n; at++) {
    size_t other = from(p, at);
    if (output->states[at] != ELEMENT_VALUE || other >= p->m * p->n)
      continue;
    if (!product_near(p, other, output->values[at], p->gold[other]))
      return false;
    told++;
  }
  return told >= 4 && p->m > 1 && p->n > 1;
}

/* Returns the element whose value is stored at `at` if the kernel exchanges row and column when it
 * stores C, with rows of m elements (by_columns_of_m) or of n elements (by_columns_of_n). */
static size_t by_columns_of_m(const Product *p, size_t at) { return at % p->m * p->n + at / p->m; }

static size_t by_columns_of_n(const Product *p, size_t at) {
  return at % p->n < p->m && at / p->n < p->n ? at % p->n * p->n + at / p->n : SIZE_MAX;
}

static size_t tile_by_tile(const Product *p, size_t at) {
  size_t row = like(at / p->n, at % p->n), column = like(at % p->n, at / p->n);
  return row < p->m && column < p->n ? row * p->n + column : SIZE_MAX;
}

/* Returns true if the output has the numbers of `matrix` in the same order. If `matrix` is NULL,
 * returns true if all numbers are integers. */
static bool equals(const double *matrix, size_t count, const Product *p, const ResultFile *output) {
  size_t told = 0;
  for (size_t at = 0; at < p->m * p->n && at < count; at++) {
    if (output->states[at] != ELEMENT_VALUE)
      continue;
    if (output->values[at] != (matrix ? matrix[at] : floor(output->values[at])))
      return false;
    told++;
  }
  return told >= 4;
}

static bool all_zero(const Product *p, const ResultFile *output) {
  size_t told = 0;
  for (size_t at = 0; at < p->m * p->n; at++) {
    if (output->states[at] == ELEMENT_VALUE && output->values[at] != 0)
      return false;
    told += output->states[at] == ELEMENT_VALUE;
  }
  return told > 0;
}

/* Compares the output with a product whose tiles have a constant instead of 0 beyond the edge. Each
 * index i beyond the edge adds the square of the constant to every sum. */
static Alibi alibi_of_constant(const Product *p, const ResultFile *output, double *square) {
  size_t told = 0, beyond = p->k % TILE ? TILE - p->k % TILE : 0;
  double least = -INFINITY, most = INFINITY, rounding = 0;
  for (size_t at = 0; at < p->m * p->n; at++) {
    if (output->states[at] != ELEMENT_VALUE || !isfinite(p->gold[at]))
      continue;
    double off = output->values[at] - p->gold[at];
    double margin = product_rounding(p, at) + p->unit * (TILE + 8) * fabs(off);
    if (!isfinite(off))
      return ALIBI_CONTRADICTED;
    least = fmax(least, off - margin);
    most = fmin(most, off + margin);
    rounding = fmax(rounding, margin);
    told++;
  }
  if (told < 4 || !beyond)
    return ALIBI_SILENT;
  *square = (least + most) / 2 / (double)beyond;
  return least <= most && fabs(least + most) / 2 > 4 * rounding ? ALIBI_NONE : ALIBI_CONTRADICTED;
}

static void suspect_constant(const Product *p, const ResultFile *output, Hypotheses *found) {
  double square = 0;
  char digits[40];
  Alibi alibi = alibi_of_constant(p, output, &square);
  /* The number has three digits, because the rounding of the sums differs between runs. */
  snprintf(digits, sizeof digits, "%.3g", square);
  if (alibi == ALIBI_NONE)
    hypotheses_add(found, SAID(EDGE_ADDS, (const char *)digits));
  else
    hypotheses_judge(found, alibi, SAY_EDGE_ADDS);
}

void suspects_find(const Product *p, const ResultFile *output, Hypotheses *found) {
  bool zero = all_zero(p, output);
  if (zero)
    hypotheses_add(found, SAID(ALL_ZERO));
  if (equals(NULL, SIZE_MAX, p, output))
    hypotheses_judge(found, zero ? ALIBI_SILENT : ALIBI_NONE, SAY_WHOLE_NUMBERS);
  if (equals(p->a, p->m * p->k, p, output) || equals(p->b, p->k * p->n, p, output))
    hypotheses_add(found, SAID(COPY_OF_INPUT));
  if (moved(p, output, by_columns_of_m) || moved(p, output, by_columns_of_n))
    hypotheses_add(found, SAID(C_TRANSPOSED));
  if (moved(p, output, tile_by_tile))
    hypotheses_add(found, SAID(C_TILES_TRANSPOSED));
  suspect_constant(p, output, found);
  for (Mistake mistake = 0; mistake < MISTAKES; mistake++)
    hypotheses_judge(found, alibi_of(p, output, mistake), says[mistake]);
}
