/* Matrix products as a Subject of judge.c: the margin of an element, and the mistakes that explain
 * a wrong element (suspects.c). The margin of a sum of k products is the rounding error of k
 * multiply-adds. */
#include "explain/suspects.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

static double *copy_as_double(const Instance *instance, int operand, size_t count) {
  double *to = numbers(count);
  for (size_t i = 0; i < count; i++)
    to[i] = element_get(instance->operand[operand], instance->element_bytes, i);
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

static Product product_make(const Instance *instance) {
  size_t m = (size_t)instance->size[MATMUL_M], k = (size_t)instance->size[MATMUL_K];
  size_t n = (size_t)instance->size[MATMUL_N];
  Product p = {.m = m,
               .k = k,
               .n = n,
               .a = copy_as_double(instance, MATMUL_A, m * k),
               .b = copy_as_double(instance, MATMUL_B, k * n),
               .gold = instance->gold,
               .magnitude = numbers(m * n),
               .unit = instance->element_bytes == sizeof(float) ? FLT_EPSILON : DBL_EPSILON};
  sum_magnitudes(&p, (double *)p.magnitude);
  return p;
}

static void product_free(Product *p) {
  free((double *)p->a);
  free((double *)p->b);
  free((double *)p->magnitude);
}

static void product_margin(const Instance *instance, double *margin) {
  Product p = product_make(instance);
  for (size_t at = 0; at < p.m * p.n; at++)
    margin[at] = product_rounding(&p, at);
  product_free(&p);
}

static void product_suspect(const Instance *instance, const double *margin,
                            const ResultFile *output, Hypotheses *suspects) {
  Product p = product_make(instance);
  (void)margin;
  suspects_find(&p, output, suspects);
  product_free(&p);
}

/* Explains reads past a tile. In the labs, a thread of the block owns 1, 2 or 4 elements of the
 * tile. */
static void product_blame(const Instance *instance, const json_t *report, Verdict *verdict) {
  enum { TILE = 32 };
  double threads = TILE * TILE * ceil((double)instance->size[MATMUL_M] / TILE) *
                   ceil((double)instance->size[MATMUL_N] / TILE);
  for (int each = 1; each <= 4; each *= 2)
    if (verdict_past_tile(verdict, report, "k", threads / each, instance->size[MATMUL_K], TILE))
      return;
}

/* Returns the number of additions and multiplications of all sums. A sum of k products may begin
 * with its first product, so it needs k - 1 additions. */
static double product_operations(const Instance *instance) {
  return (2.0 * instance->size[MATMUL_K] - 1) * instance->size[MATMUL_M] * instance->size[MATMUL_N];
}

static const Subject product_subject = {
    .problem = &matmul_problem,
    .margin = product_margin,
    .suspect = product_suspect,
    .blame = product_blame,
    .sums = true,
    .operations = product_operations,
    .drawn_most = {300, 1200, 300},
    .drawn_work = 400000,
    .never_stored = SAY_NEVER_STORED,
    .grid_too_small = SAY_TOO_FEW_THREADS,
    .turned_away = SAY_GUARD_TOO_NARROW,
    .stored_twice = SAY_STORED_TWICE,
    .launched_wrongly = SAY_LAUNCHED_WRONGLY,
    .by_hand = SAY_FOLLOW_BY_HAND,
};

static JudgedRun judged(const ProductRun *run) {
  return (JudgedRun){.subject = &product_subject,
                     .variant = run->variant,
                     .size = {(int)run->m, (int)run->k, (int)run->n},
                     .own_launch = run->own_launch,
                     .fill = run->fill,
                     .drawn = run->drawn};
}

ProductRun product_drawn(const Check *check, const char *variant, size_t side, size_t depth,
                         bool whole) {
  const int tile = (int)side, step = (int)depth;
  const SizeRange rows =
      whole ? (SizeRange){tile, tile, tile + 128} : (SizeRange){tile + 1, 1, tile + 96};
  const SizeRange terms = whole ? (SizeRange){96, step, 256} : (SizeRange){65, 1, 200};
  const JudgedRun run =
      judged_drawn(check, (JudgedRun){.subject = &product_subject, .variant = variant},
                   (const SizeRange[]){rows, terms, rows}, 300000 + 100.0 * tile * tile);
  const int *size = run.size;
  return (ProductRun){variant, (size_t)size[MATMUL_M], (size_t)size[MATMUL_K],
                      (size_t)size[MATMUL_N], .drawn = true};
}

bool product_right(Check *check, const ProductRun *what, Trial *kept) {
  JudgedRun run = judged(what);
  return judged_right(check, &run, kept);
}

/* Returns true if each element is the sum of its first `terms` products. Does not compare the last
 * row and the last column. */
static bool sums_end_at(const Product *p, const ResultFile *output, size_t terms) {
  for (size_t row = 0; row + 1 < p->m; row++)
    for (size_t column = 0; column + 1 < p->n; column++) {
      const size_t at = row * p->n + column;
      double sum = p->gold[at];
      for (size_t i = terms; i < p->k; i++)
        sum -= p->a[row * p->k + i] * p->b[i * p->n + column];
      if (output->states[at] != ELEMENT_VALUE ||
          !(fabs(output->values[at] - sum) <= product_rounding(p, at)))
        return false;
    }
  return true;
}

static bool right_inside(const Check *check, const JudgedRun *run, size_t step,
                         const ResultFile *output) {
  const Recipe recipe = {(Fill)run->fill, check->settings->run.seed};
  Instance instance = instance_make(&matmul_problem, run->size, check_element_bytes(check), recipe);
  instance_gold(&instance);
  Product p = product_make(&instance);
  const bool whole = output->there && output->rows == p.m && output->columns == p.n;
  const bool right =
      whole && (sums_end_at(&p, output, p.k) || (step && (sums_end_at(&p, output, p.k - 1) ||
                                                          sums_end_at(&p, output, p.k - step))));
  product_free(&p);
  instance_free(&instance);
  return right;
}

bool product_right_inside(Check *check, const ProductRun *what, size_t step, Trial *kept) {
  const JudgedRun run = judged(what);
  Trial trial;
  bool right = judged_right(check, &run, &trial);
  const VerdictKind kind = check->verdict.kind;
  if (!right && (kind == VERDICT_WRONG || kind == VERDICT_UNWRITTEN) &&
      !log_report(&trial.log, "error") && right_inside(check, &run, step, &trial.output)) {
    memset(&check->verdict, 0, sizeof check->verdict);
    check_again_run(check, &run, "");
    memcpy(check->last, check->verdict.again, sizeof check->last);
    check->verdict.again[0] = '\0';
    right = true;
  }
  if (kept)
    *kept = trial;
  else
    trial_free(&trial);
  return right;
}

bool product_all_right(Check *check, const ProductRun *what, size_t count) {
  JudgedRun runs[RUNS_MOST];
  if (count > RUNS_MOST)
    bad_input("%zu runs in one task: raise RUNS_MOST", count);
  for (size_t i = 0; i < count; i++)
    runs[i] = judged(&what[i]);
  return judged_all_right(check, runs, count);
}

bool product_counted(Check *check, const Log *log, const char *kernel) {
  return traffic_alone(check, log, kernel) &&
         traffic_traced(check, log, kernel, MATMUL_C, "A, B and C");
}

bool product_host_tells(Check *check, const HostSide *side, const ProductRun *what,
                        const Log *usual) {
  JudgedRun run = judged(what);
  return host_tells_failures(check, side, &run, usual);
}

bool product_host_counts(Check *check, const HostSide *side, const ProductRun *what) {
  JudgedRun run = judged(what);
  return host_counts_bytes(check, side, &run);
}
