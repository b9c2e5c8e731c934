/* Compares results with the correct answer. Each comparison is written as !(x <= bound) and not as
 * x > bound, so that NaN counts as wrong. If infinite inputs make the expected element infinite or
 * NaN, any value is accepted. */
#include <math.h>

#include "harness.h"

/* The error of one element may exceed the bound of the whole matrix by this factor, because the
 * terms of some sums nearly cancel. A larger error is not due to rounding. */
static const double ELEMENT_MARGIN = 32;

static double root_mean_square(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    if (isfinite(values[i]))
      sum += values[i] * values[i];
  return count ? sqrt(sum / (double)count) : 0;
}

static void note_difference(Comparison *c, size_t index, size_t columns, double expected,
                            double got, bool unwritten) {
  if (c->differing < MAX_DIFFERENCES) {
    c->first[c->differing].row = index / columns;
    c->first[c->differing].column = index % columns;
    c->first[c->differing].expected = expected;
    c->first[c->differing].got = got;
    c->first[c->differing].unwritten = unwritten;
  }
  c->differing++;
  c->unwritten += unwritten;
  c->nan += isnan(got) && !unwritten;
}

static double margin_of(double expected, double scale, double bound) {
  return ELEMENT_MARGIN * bound * (scale + fabs(expected));
}

void compare_margins(const double *expected, size_t count, double bound, double *margins) {
  const double scale = root_mean_square(expected, count);
  for (size_t i = 0; i < count; i++)
    margins[i] = margin_of(expected[i], scale, bound);
}

Comparison compare(const void *got, size_t element_bytes, const double *expected, Shape shape,
                   double bound) {
  Comparison c = {.bound = bound, .elements = shape.rows * shape.columns};
  double scale = root_mean_square(expected, c.elements), squares = 0;
  for (size_t i = 0; i < c.elements; i++) {
    double value = element_get(got, element_bytes, i), off = fabs(value - expected[i]);
    if (!isfinite(expected[i]) && !element_is_poison(got, element_bytes, i))
      continue;
    squares += off * off;
    if (!(off <= margin_of(expected[i], scale, bound)))
      note_difference(&c, i, shape.columns, expected[i], value,
                      element_is_poison(got, element_bytes, i));
  }
  c.norm = c.elements ? sqrt(squares / (double)c.elements) : 0;
  if (scale > 0)
    c.norm /= scale;
  c.right = c.norm <= bound && c.differing == 0;
  return c;
}

void comparison_absolute(Comparison *c, const void *got, size_t element_bytes,
                         const double *expected, double absolute) {
  c->absolute = absolute;
  for (size_t i = 0; i < c->elements; i++) {
    double off = isfinite(expected[i]) ? fabs(element_get(got, element_bytes, i) - expected[i]) : 0;
    c->within += off <= absolute;
    if (!(off <= c->largest) && !isnan(c->largest))
      c->largest = off;
  }
}

void comparison_print(FILE *file, const char *variant, const Comparison *c) {
  if (c->elements && c->unwritten == c->elements) {
    fprintf(file, "%s: nothing was written: all %zu elements are unchanged\n", variant,
            c->elements);
    return;
  }
  fprintf(file, "%s: relative L2 norm %.3g, allowed %.3g\n  %zu of %zu elements differ%s", variant,
          fabs(c->norm), c->bound, c->differing, c->elements, /* fabs: nan, not -nan */
          c->differing == 1 ? "s" : "");
  if (c->unwritten)
    fprintf(file, "; never written: %zu", c->unwritten);
  if (c->nan)
    fprintf(file, "; NaN: %zu", c->nan);
  fprintf(file, "\n");
  if (c->differing)
    fprintf(file, "  %7s %7s %16s %16s\n", "row", "column", "expected", "got");
  for (size_t i = 0; i < c->differing && i < MAX_DIFFERENCES; i++) {
    fprintf(file, "  %7zu %7zu %16.8g ", c->first[i].row, c->first[i].column, c->first[i].expected);
    if (c->first[i].unwritten)
      fprintf(file, "%16s\n", "not written");
    else
      fprintf(file, "%16.8g\n", c->first[i].got);
  }
  if (c->differing > MAX_DIFFERENCES)
    fprintf(file, "  and %zu more\n", c->differing - MAX_DIFFERENCES);
}
