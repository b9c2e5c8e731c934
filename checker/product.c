/* Is a matrix product right? Inputs come from the harness's own fill with the same seed, gold is
 * computed here in double, and an element counts as right within the rounding that k multiply-adds
 * in its type can have: so one missing term is seen, and no honest order of summation is refused.
 */
#include "checker.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

/* Which elements of C, for one sentence: how many and the smallest rectangle around them. */
typedef struct Region {
  size_t count, first_row, last_row, first_column, last_column;
} Region;

static Region region_of(const unsigned char *flags, size_t rows, size_t columns) {
  Region r = {0, rows, 0, columns, 0};
  for (size_t row = 0; row < rows; row++)
    for (size_t column = 0; column < columns; column++) {
      if (!flags[row * columns + column])
        continue;
      r.count++;
      r.first_row = row < r.first_row ? row : r.first_row;
      r.last_row = row > r.last_row ? row : r.last_row;
      r.first_column = column < r.first_column ? column : r.first_column;
      r.last_column = column > r.last_column ? column : r.last_column;
    }
  return r;
}

/* Does it fill whole rows (or whole columns) at the far end, and nothing else? */
static bool last_rows(const Region *r, size_t rows, size_t columns) {
  return r->count && r->last_row + 1 == rows && r->count == (rows - r->first_row) * columns;
}

static bool last_columns(const Region *r, size_t rows, size_t columns) {
  return r->count && r->last_column + 1 == columns &&
         r->count == (columns - r->first_column) * rows;
}

/* ---- the product ---------------------------------------------------------------------------- */

static double *numbers(size_t count) {
  double *all = calloc(count, sizeof *all);
  if (!all)
    bad_input("not enough memory for a matrix of %zu elements", count);
  return all;
}

static double *copy_as_double(const void *from, size_t bytes, size_t count) {
  double *to = numbers(count);
  for (size_t i = 0; i < count; i++)
    to[i] = bytes == sizeof(float) ? (double)((const float *)from)[i] : ((const double *)from)[i];
  return to;
}

static void sum_magnitudes(const Product *p, double *magnitude) {
  for (size_t row = 0; row < p->m; row++)
    for (size_t i = 0; i < p->k; i++) {
      double a = fabs(p->a[row * p->k + i]);
      for (size_t column = 0; column < p->n; column++)
        magnitude[row * p->n + column] += a * fabs(p->b[i * p->n + column]);
    }
}

static Product product_make(const ProductRun *what, const Check *check) {
  int size[MAX_SIZES] = {(int)what->m, (int)what->k, (int)what->n};
  size_t bytes = check_element_bytes(check);
  Recipe recipe = {FILL_UNIFORM, check->settings->seed};
  Instance instance = instance_make(&matmul_problem, size, bytes, recipe);
  instance_gold(&instance);
  Product p = {.m = what->m,
               .k = what->k,
               .n = what->n,
               .a = copy_as_double(instance.operand[MATMUL_A], bytes, what->m * what->k),
               .b = copy_as_double(instance.operand[MATMUL_B], bytes, what->k * what->n),
               .gold = copy_as_double(instance.gold, sizeof(double), what->m * what->n),
               .magnitude = numbers(what->m * what->n),
               .unit = bytes == sizeof(float) ? FLT_EPSILON : DBL_EPSILON};
  sum_magnitudes(&p, (double *)p.magnitude);
  instance_free(&instance);
  return p;
}

static void product_free(Product *p) {
  free((double *)p->a);
  free((double *)p->b);
  free((double *)p->gold);
  free((double *)p->magnitude);
}

/* ---- what is wrong with it ------------------------------------------------------------------ */

static size_t first_flag(const unsigned char *flags) {
  size_t first = 0;
  while (!flags[first])
    first++;
  return first;
}

static void describe_nothing(Verdict *verdict, const ProductRun *what, size_t all) {
  verdict_set(verdict, "unwritten", "C was never written: none of its %zu elements", all);
  if (what->own_launch)
    verdict_cause(verdict, "C reaches the host only by a cudaMemcpy to the host, after the launch");
  else
    verdict_cause(verdict, "the kernel has to store its sum in C(row,column)");
}

/* The usual cause depends on whose the grid is. */
static void blame_unwritten(Verdict *verdict, const ProductRun *what, bool only_a_corner) {
  if (what->own_launch)
    verdict_cause(verdict, "the grid has too few blocks: round up with CEIL_DIV, and give x and y "
                           "the sizes that the kernel's x and y run over");
  else if (only_a_corner)
    verdict_cause(verdict, "only one corner was written: does every block know which one it is, "
                           "and every thread its place in it?");
  else
    verdict_cause(verdict, "the guard turns threads away that are inside: compare the row with m "
                           "and the column with n");
}

static void describe_unwritten(Verdict *verdict, const ProductRun *what, const ResultFile *output,
                               const unsigned char *flags) {
  size_t rows = output->rows, columns = output->columns, all = rows * columns;
  Region r = region_of(flags, rows, columns);
  if (r.count == all) {
    describe_nothing(verdict, what, all);
    return;
  }
  size_t first = first_flag(flags);
  bool bottom = last_rows(&r, rows, columns), right = last_columns(&r, rows, columns);
  verdict_set(verdict, "unwritten", "%zu of the %zu elements of C were never written", r.count,
              all);
  blame_unwritten(verdict, what, !bottom && !right && r.last_row + 1 == rows);
  if (bottom)
    verdict_line(verdict, "", "rows %zu to %zu are missing", r.first_row, r.last_row);
  else if (right)
    verdict_line(verdict, "", "columns %zu to %zu are missing", r.first_column, r.last_column);
  else if (all - r.count == 1)
    verdict_cause(verdict, "one element was written: every thread must store its own");
  else
    verdict_line(verdict, "", "the first one is C(%zu,%zu)", first / columns, first % columns);
}

static void describe_nan(Verdict *verdict, const ResultFile *output, const unsigned char *flags) {
  Region r = region_of(flags, output->rows, output->columns);
  size_t all = output->rows * output->columns, first = first_flag(flags);
  if (r.count == all)
    verdict_set(verdict, "nan", "every element of C is NaN");
  else
    verdict_set(verdict, "nan", "%zu of the %zu elements of C are NaN", r.count, all);
  verdict_line(verdict, "", "the first one is C(%zu,%zu)", first / output->columns,
               first % output->columns);
  verdict_cause(verdict,
                "NaN comes from 0/0, or from a sum that starts with a value nothing wrote: "
                "start it at 0");
}

static void describe_wrong(Verdict *verdict, const Product *p, const ResultFile *output,
                           const unsigned char *flags) {
  Region r = region_of(flags, output->rows, output->columns);
  const char *suspect = suspect_find(p, output);
  size_t first = first_flag(flags);
  verdict_set(verdict, "wrong", "C(%zu,%zu) is %.6g, expected %.6g", first / p->n, first % p->n,
              output->values[first], p->gold[first]);
  verdict_line(verdict, "", "%zu of %zu elements are wrong", r.count, p->m * p->n);
  verdict->explained = suspect != NULL;
  if (suspect)
    verdict_cause(verdict, "%s", suspect);
  else if (last_rows(&r, p->m, p->n) && r.count < p->m * p->n)
    verdict_cause(verdict, "right up to row %zu: what is different from there on?",
                  r.first_row - 1);
  else if (last_columns(&r, p->m, p->n) && r.count < p->m * p->n)
    verdict_cause(verdict, "right up to column %zu: what is different from there on?",
                  r.first_column - 1);
}

/* Unwritten comes before NaN before wrong: the first explains the next. */
static bool judge_values(Verdict *verdict, const ProductRun *what, const Product *p,
                         const ResultFile *output) {
  size_t count = p->m * p->n, found[3] = {0, 0, 0};
  unsigned char *flags[3];
  for (size_t i = 0; i < 3; i++)
    if (!(flags[i] = calloc(count, 1)))
      bad_input("not enough memory for a matrix of %zu elements", count);
  for (size_t at = 0; at < count; at++) {
    unsigned char state = output->states[at];
    size_t class = state == ELEMENT_POISON ? 0 : state == ELEMENT_NAN ? 1 : 2;
    bool bad = class < 2 || !product_near(p, at, output->values[at], p->gold[at]);
    flags[class][at] = bad;
    found[class] += bad;
  }
  if (found[0])
    describe_unwritten(verdict, what, output, flags[0]);
  else if (found[1])
    describe_nan(verdict, output, flags[1]);
  else if (found[2])
    describe_wrong(verdict, p, output, flags[2]);
  for (size_t i = 0; i < 3; i++)
    free(flags[i]);
  return found[0] + found[1] + found[2] == 0;
}

static bool judge(Check *check, const ProductRun *what, const Product *p, const Trial *trial) {
  Verdict *verdict = &check->verdict;
  size_t bytes = check_element_bytes(check);
  return verdict_report(verdict, &trial->log, "error") &&
         verdict_ending(verdict, trial, check->settings->on_gpu) &&
         verdict_output(verdict, trial, p->m, p->n, bytes) &&
         judge_values(verdict, what, p, &trial->output) &&
         (!what->own_launch || (verdict_report(verdict, &trial->log, "leak") &&
                                verdict_report(verdict, &trial->log, "error-ignored")));
}

bool product_right(Check *check, const ProductRun *what, Trial *kept) {
  char text[4][24];
  snprintf(text[0], sizeof text[0], "%zu", what->m);
  snprintf(text[1], sizeof text[1], "%zu", what->k);
  snprintf(text[2], sizeof text[2], "%zu", what->n);
  snprintf(text[3], sizeof text[3], "%u", check->settings->seed);
  const char *arguments[] = {"--variant", what->variant, "--m",    text[0], "--k", text[1],
                             "--n",       text[2],       "--seed", text[3], NULL};
  Trial trial = check_start(check, arguments);
  Product product = product_make(what, check);
  bool right = judge(check, what, &product, &trial);
  if (!right)
    check_again(check, "--variant %s --m %zu --k %zu --n %zu", what->variant, what->m, what->k,
                what->n);
  product_free(&product);
  if (kept)
    *kept = trial;
  else
    trial_free(&trial);
  return right;
}

/* Of two runs that went wrong, which says more? An access out of bounds ends the kernel, and with
 * it the values that could tell why; and wrong values say less than an observer that saw how they
 * came about. */
static void take_better(Verdict *first, const Verdict *later) {
  bool wrong = strcmp(first->kind, "wrong") == 0;
  bool seen = strncmp(later->kind, "race", 4) == 0 || strcmp(later->kind, "uninitialised") == 0;
  if (later->explained)
    snprintf(first->cause, sizeof first->cause, "%s", later->cause);
  else if (wrong && seen)
    *first = *later;
  else
    return;
  first->explained = true;
}

bool product_all_right(Check *check, const ProductRun *runs, size_t count) {
  size_t i = 0;
  while (i < count && product_right(check, &runs[i], NULL))
    i++;
  if (i == count)
    return true;
  Verdict first = check->verdict;
  bool wrong = strcmp(first.kind, "wrong") == 0, right_before = i > 0;
  bool may_improve = wrong || strcmp(first.kind, "out-of-bounds") == 0;
  for (i++; i < count && may_improve && !first.explained; i++) {
    memset(&check->verdict, 0, sizeof check->verdict);
    if (!product_right(check, &runs[i], NULL))
      take_better(&first, &check->verdict);
  }
  if (wrong && right_before && !first.explained)
    verdict_cause(&first, "smaller ones came out right: is a size written into the file?");
  check->verdict = first;
  return false;
}
