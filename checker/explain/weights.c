/* Which terms of the sums count, and how often? Where all elements of an output add up the same terms, each
 * wrongly counted by the same factor, these factors are the solution of linear equations with many more rows
 * than unknowns. Terms are taken one by one, or in groups as loops and warps have them. What comes out as
 * whole numbers and gives every element within its rounding is no guess.
 */
#include "explain/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUPS_MOST = 96, PHRASE = 120, WARP = 32 };

/* The group of term i: i / each % of_so_many. */
typedef struct Grouping {
  size_t each, count;
  bool cyclic; /* i % 32, i % 256 */
} Grouping;

static size_t group_of(const Grouping *g, size_t i) { return i / g->each % g->count; }

static void add_up(const Sums *s, const Grouping *g, size_t element, double *groups) {
  for (size_t k = 0; k < g->count; k++)
    groups[k] = 0;
  for (size_t i = 0; i < s->terms; i++)
    groups[group_of(g, i)] += s->term(s->data, element, i);
}

bool weights_solve(double *a, double *w, size_t n) {
  for (size_t j = 0; j < n; j++) {
    double scale = a[j * n + j];
    for (size_t i = j; i < n; i++) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; k++)
        sum -= a[i * n + k] * a[j * n + k];
      if (i == j && !(sum > 1e-9 * scale))
        return false;
      a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
    }
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++)
      w[i] -= a[i * n + k] * w[k];
    w[i] /= a[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++)
      w[i] -= a[k * n + i] * w[k];
    w[i] /= a[i * n + i];
  }
  return true;
}

/* Least squares over some elements, evenly spread. */
static bool fit(const Sums *s, const Grouping *g, double *weight) {
  const ResultFile *output = s->output;
  size_t n = g->count, used = 0, step = 1 + s->elements / (8 * n + 64);
  double *a = numbers(n * n), row[GROUPS_MOST];
  for (size_t k = 0; k < n; k++)
    weight[k] = 0;
  for (size_t at = 0; at < s->elements; at += step) {
    if (output->states[at] != ELEMENT_VALUE)
      continue;
    add_up(s, g, at, row);
    for (size_t i = 0; i < n; i++) {
      for (size_t k = 0; k <= i; k++)
        a[i * n + k] += row[i] * row[k];
      weight[i] += row[i] * output->values[at];
    }
    used++;
  }
  bool solved = used >= 2 * n + 8 && weights_solve(a, weight, n);
  free(a);
  return solved;
}

/* Whole numbers that give every element. */
static bool proven(const Sums *s, const Grouping *g, double *weight) {
  const ResultFile *output = s->output;
  double row[GROUPS_MOST], most = 1;
  size_t wrong = 0;
  for (size_t k = 0; k < g->count; k++) {
    if (!(fabs(weight[k] - round(weight[k])) < 0.2) || fabs(weight[k]) > 1024)
      return false;
    weight[k] = round(weight[k]);
    most = fmax(most, fabs(weight[k]));
  }
  for (size_t at = 0; at < s->elements; at++) {
    double sum = 0;
    if (output->states[at] != ELEMENT_VALUE)
      continue;
    add_up(s, g, at, row);
    for (size_t k = 0; k < g->count; k++)
      sum += weight[k] * row[k];
    if (!(fabs(output->values[at] - sum) <= 2 * most * s->margin[at]))
      return false;
    wrong += !(fabs(output->values[at] - s->gold[at]) <= s->margin[at]);
  }
  return wrong >= 1;
}

static const char *times(double weight) {
  static char text[24];
  if (weight == 0)
    return "never";
  if (weight == 1 || weight == 2)
    return weight == 1 ? "once" : "twice";
  if (weight == -1)
    return "with the wrong sign";
  snprintf(text, sizeof text, "%.0f times", weight);
  return text;
}

/* The weight that most groups have. */
static double usual_of(const Grouping *g, const double *weight) {
  double usual = weight[0];
  size_t best = 0;
  for (size_t i = 0; i < g->count; i++) {
    size_t like = 0;
    for (size_t k = 0; k < g->count; k++)
      like += weight[k] == weight[i];
    if (like > best || (like == best && weight[i] == 1)) {
      best = like;
      usual = weight[i];
    }
  }
  return usual;
}

/* "24 to 31 count never": each run of groups whose weight is not the usual one. False: too many for a sentence. */
static bool describe(const Sums *s, const Grouping *g, const double *weight, char *out,
                     size_t size) {
  double usual = usual_of(g, weight);
  size_t at = 0, runs = 0, last = g->cyclic ? g->count * g->each - 1 : s->terms - 1;
  for (size_t from = 0, to; from < g->count; from = to) {
    for (to = from; to < g->count && weight[to] == weight[from]; to++)
      ;
    size_t first = from * g->each, end = to * g->each - 1 < last ? to * g->each - 1 : last;
    if (weight[from] == usual)
      continue;
    if (++runs > 3 || at >= size)
      return false;
    at += (size_t)snprintf(out + at, size - at, "%s%zu", runs > 1 ? ", " : "", first);
    if (end > first && at < size)
      at += (size_t)snprintf(out + at, size - at, " to %zu", end);
    if (at < size)
      at += (size_t)snprintf(out + at, size - at, " count %s", times(weight[from]));
  }
  if (at < size)
    at += (size_t)snprintf(out + at, size - at, ", all others %s", times(usual));
  return runs > 0 && at < size;
}

void weights_find(const Sums *s, Hypotheses *found) {
  const Grouping groupings[] = {
      {1, WARP, true},                                         /* by lane */
      {s->block, (s->terms + s->block - 1) / s->block, false}, /* by tile */
      {WARP, s->block / WARP, true},                           /* by warp, in a tile */
      {1, s->terms, false},                                    /* one by one */
  };
  char what[PHRASE];
  double weight[GROUPS_MOST];
  bool asked = false;
  for (size_t i = 0; i < sizeof groupings / sizeof *groupings; i++) {
    const Grouping *g = &groupings[i];
    /* So few terms are the lanes themselves. */
    if (g->count < 2 || g->count > GROUPS_MOST || s->elements < 2 * g->count + 8 ||
        s->terms <= WARP)
      continue;
    asked = true;
    if (fit(s, g, weight) && proven(s, g, weight) && describe(s, g, weight, what, sizeof what)) {
      char period[24] = "";
      if (g->cyclic)
        snprintf(period, sizeof period, " %% %zu", g->count * g->each);
      char terms[40];
      snprintf(terms, sizeof terms, "%s%s", s->index, period);
      hypotheses_add(found, SAID(TERMS_MISCOUNTED, terms, what));
      return;
    }
  }
  found->weights_silent |= !asked;
}
