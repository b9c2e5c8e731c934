/* Which mistake explains a wrong matrix product? Each suspect is a formula for what a well-known
 * slip would have computed; one that agrees with every element is named. An element for which a
 * slip reads outside its matrix says nothing (the device skipped that access), but enough others
 * must remain.
 */
#include "explain/suspects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* One term of the sum of element (row, column) by some slip; false: it lies outside its matrix. */
typedef bool Term(const Product *, size_t row, size_t column, size_t i, double *term);

static bool multiply(const Product *p, size_t a, size_t b, double *term) {
  if (a >= p->m * p->k || b >= p->k * p->n)
    return false;
  *term = p->a[a] * p->b[b];
  return true;
}

static bool a_transposed(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return multiply(p, i * p->m + row, i * p->n + column, term);
}

static bool a_down_a_column(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return multiply(p, i * p->k + row, i * p->n + column, term);
}

static bool b_transposed(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return multiply(p, row * p->k + i, column * p->k + i, term);
}

static bool b_along_a_row(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return multiply(p, row * p->k + i, column * p->n + i, term);
}

static bool both_transposed(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return multiply(p, i * p->k + row, column * p->n + i, term);
}

static bool a_stride_n(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return multiply(p, row * p->n + i, i * p->n + column, term);
}

static bool a_stride_m(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return multiply(p, row * p->m + i, i * p->n + column, term);
}

static bool b_stride_k(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return multiply(p, row * p->k + i, i * p->k + column, term);
}

static bool b_stride_m(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return multiply(p, row * p->k + i, i * p->m + column, term);
}

static bool without_last(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return i + 1 >= p->k || multiply(p, row * p->k + i, i * p->n + column, term);
}

static bool without_first(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return i == 0 || multiply(p, row * p->k + i, i * p->n + column, term);
}

static bool only_last(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return i + 1 < p->k || multiply(p, row * p->k + i, i * p->n + column, term);
}

static bool up_to_n(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return i >= p->n || multiply(p, row * p->k + i, i * p->n + column, term);
}

static bool up_to_m(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return i >= p->m || multiply(p, row * p->k + i, i * p->n + column, term);
}

/* ---- slips of a product in tiles ---- */

enum { TILE = 32, DEPTH = 8 }; /* as in every lab; of a step of lab 04's last task */

static bool whole_tiles(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return i >= p->k / TILE * TILE || multiply(p, row * p->k + i, i * p->n + column, term);
}

static bool first_tile(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return multiply(p, row * p->k + i % TILE, i % TILE * p->n + column, term);
}

static bool own_places(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return i % TILE ||
         multiply(p, row * p->k + i + column % TILE, (i + row % TILE) * p->n + column, term);
}

/* What a tile holds: 0 outside of the matrix. */
static double a_at(const Product *p, size_t row, size_t column) {
  return row < p->m && column < p->k ? p->a[row * p->k + column] : 0;
}

static double b_at(const Product *p, size_t row, size_t column) {
  return row < p->k && column < p->n ? p->b[row * p->n + column] : 0;
}

/* In the tile of the first, where the second stands in its own. */
static size_t like(size_t first, size_t second) { return first - first % TILE + second % TILE; }

static bool a_tile_turned(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = a_at(p, like(row, i), like(i, row)) * b_at(p, i, column);
  return true;
}

static bool b_tile_turned(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = a_at(p, row, i) * b_at(p, like(i, column), like(column, i));
  return true;
}

/* The last tile goes on behind k, where what was turned may still be inside. */
static bool tiles_turned(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = a_at(p, like(row, i), like(i, row)) * b_at(p, like(i, column), like(column, i));
  if (i + 1 == p->k)
    for (size_t j = i + 1; j % TILE; j++)
      *term += a_at(p, like(row, j), like(j, row)) * b_at(p, like(j, column), like(column, j));
  return true;
}

static bool a_row_by_x(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = a_at(p, like(row, column), i) * b_at(p, i, column);
  return true;
}

static bool a_column_by_y(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = a_at(p, row, like(i, row)) * b_at(p, i, column);
  return true;
}

static bool b_row_by_x(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = a_at(p, row, i) * b_at(p, like(i, column), column);
  return true;
}

static bool b_column_by_y(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = a_at(p, row, i) * b_at(p, i, like(column, row));
  return true;
}

/* Both tiles are the same memory, or loaded from the same matrix. */
static bool only_bs(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = b_at(p, like(i, row), like(column, i)) * b_at(p, i, column);
  return true;
}

/* A column of As and a row of Bs. */
static bool tiles_exchanged(const Product *p, size_t row, size_t column, size_t i, double *term) {
  size_t inside = i % TILE;
  *term = 0;
  for (size_t j = i; j < (i + 1 == p->k ? i / TILE * TILE + TILE : i + 1); j++, inside++)
    *term += a_at(p, row - row % TILE + inside, like(i, column)) *
             b_at(p, like(i, row), column - column % TILE + inside);
  return true;
}

/* Elements inside of a matrix of so many rows and columns: its own two sizes the other way round. */
static bool a_sizes_exchanged(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = row < p->k && i < p->m ? p->a[row * p->m + i] * p->b[i * p->n + column] : 0;
  return true;
}

static bool b_sizes_exchanged(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = i < p->n && column < p->k ? p->a[row * p->k + i] * p->b[i * p->k + column] : 0;
  return true;
}

static bool only_as(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = a_at(p, row, i) * a_at(p, like(row, i), like(i, column));
  return true;
}

/* A short last step leaves in the rest of its tiles what the step before had there. */
static bool stale_edge(const Product *p, size_t row, size_t column, size_t i, double *term) {
  size_t last = p->k / TILE * TILE, rest = p->k % TILE;
  bool inside = multiply(p, row * p->k + i, i * p->n + column, term);
  if (rest && i < last && i + TILE >= last + rest)
    *term *= 2;
  return inside;
}

/* Of the steps of so many products each, a short one included. */
static bool step_from_end(const Product *p, size_t i, size_t depth) {
  return i / depth == (p->k - 1) / depth;
}

static bool last_tile(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return !step_from_end(p, i, TILE) || multiply(p, row * p->k + i, i * p->n + column, term);
}

static bool no_last_tile(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return step_from_end(p, i, TILE) || multiply(p, row * p->k + i, i * p->n + column, term);
}

static bool no_last_step(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return step_from_end(p, i, DEPTH) || multiply(p, row * p->k + i, i * p->n + column, term);
}

static bool half_tiles(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return i % TILE >= TILE / 2 || multiply(p, row * p->k + i, i * p->n + column, term);
}

static bool doubled(const Product *p, size_t row, size_t column, size_t i, double *term) {
  bool inside = multiply(p, row * p->k + i, i * p->n + column, term);
  *term *= 2;
  return inside;
}

static bool added(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = p->a[row * p->k + i] + p->b[i * p->n + column];
  return true;
}

static bool subtracted(const Product *p, size_t row, size_t column, size_t i, double *term) {
  bool inside = multiply(p, row * p->k + i, i * p->n + column, term);
  *term = -*term;
  return inside;
}

static bool every_other(const Product *p, size_t row, size_t column, size_t i, double *term) {
  *term = 0;
  return i % 2 == 1 || multiply(p, row * p->k + i, i * p->n + column, term);
}

/* Both factors from the matrices x and y, each indexed in its place. */
static bool from(const double *x, size_t x_count, const double *y, size_t y_count, size_t a,
                 size_t b, double *term) {
  if (a >= x_count || b >= y_count)
    return false;
  *term = x[a] * y[b];
  return true;
}

static bool a_twice(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return from(p->a, p->m * p->k, p->a, p->m * p->k, row * p->k + i, i * p->n + column, term);
}

static bool b_twice(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return from(p->b, p->k * p->n, p->b, p->k * p->n, row * p->k + i, i * p->n + column, term);
}

static bool a_and_b_exchanged(const Product *p, size_t row, size_t column, size_t i, double *term) {
  return from(p->b, p->k * p->n, p->a, p->m * p->k, row * p->k + i, i * p->n + column, term);
}

/* Indices beyond k lead to the last row and column once more, where 0 should be. */
static bool clamped(const Product *p, size_t row, size_t column, size_t i, double *term) {
  bool inside = multiply(p, row * p->k + i, i * p->n + column, term);
  if (i + 1 == p->k && p->k % TILE)
    *term *= (double)(TILE - p->k % TILE + 1);
  return inside;
}

static const struct {
  Term *term;
  SayId says;
} suspects[] = {
    {a_stride_n, SAY_A_STRIDE_N},
    {a_stride_m, SAY_A_STRIDE_M},
    {b_stride_k, SAY_B_STRIDE_K},
    {b_stride_m, SAY_B_STRIDE_M},
    {a_transposed, SAY_A_DOWN_A_COLUMN},
    {a_down_a_column, SAY_A_DOWN_A_COLUMN},
    {b_transposed, SAY_B_ALONG_A_ROW},
    {b_along_a_row, SAY_B_ALONG_A_ROW},
    {both_transposed, SAY_BOTH_TRANSPOSED},
    {only_last, SAY_ONLY_LAST_PRODUCT},
    {without_last, SAY_LAST_PRODUCT_MISSING},
    {without_first, SAY_FIRST_PRODUCT_MISSING},
    {up_to_n, SAY_SUM_ENDS_AT_N},
    {up_to_m, SAY_SUM_ENDS_AT_M},
    {whole_tiles, SAY_SHORT_TILE_MISSING},
    {first_tile, SAY_FIRST_TILES_AGAIN},
    {own_places, SAY_ONLY_OWN_LOADS},
    {tiles_turned, SAY_TILES_READ_ACROSS},
    {a_tile_turned, SAY_AS_INDICES_TURNED},
    {b_tile_turned, SAY_BS_INDICES_TURNED},
    {a_row_by_x, SAY_TAKEN_INSTEAD_A_ROW_BY_X},
    {a_column_by_y, SAY_TAKEN_INSTEAD_A_COLUMN_BY_Y},
    {b_row_by_x, SAY_TAKEN_INSTEAD_B_ROW_BY_X},
    {b_column_by_y, SAY_TAKEN_INSTEAD_B_COLUMN_BY_Y},
    {tiles_exchanged, SAY_TILES_EXCHANGED},
    {a_sizes_exchanged, SAY_A_SIZES_EXCHANGED},
    {b_sizes_exchanged, SAY_B_SIZES_EXCHANGED},
    {only_bs, SAY_AS_HOLDS_BS},
    {only_as, SAY_BS_HOLDS_AS},
    {stale_edge, SAY_EDGE_KEEPS_OLD},
    {clamped, SAY_EDGE_REPEATS},
    {last_tile, SAY_ONLY_LAST_TILE},
    {no_last_tile, SAY_LAST_TILE_MISSING},
    {no_last_step, SAY_LAST_STEP_MISSING},
    {half_tiles, SAY_HALF_OF_EACH_TILE},
    {doubled, SAY_ADDED_TWICE},
    {subtracted, SAY_SUBTRACTED},
    {every_other, SAY_EVERY_OTHER_PRODUCT},
    {a_twice, SAY_A_TIMES_A},
    {b_twice, SAY_B_TIMES_B},
    {a_and_b_exchanged, SAY_B_TIMES_A},
    {added, SAY_SUM_OF_SUMS},
};

double product_rounding(const Product *p, size_t element) {
  return p->unit * (double)(p->k + 8) * p->magnitude[element];
}

bool product_near(const Product *p, size_t element, double got, double expected) {
  return fabs(got - expected) <= product_rounding(p, element); /* NaN is not near */
}

/* Compares one element with a suspect; *told: the suspect has something to say about it. */
static bool agrees(const Product *p, Term *term, size_t row, size_t column, double got,
                   bool *told) {
  double sum = 0, one = 0, magnitude = 0;
  *told = true;
  for (size_t i = 0; i < p->k; i++) {
    if (!term(p, row, column, i, &one)) {
      *told = false;
      return true;
    }
    sum += one;
    magnitude += fabs(one);
  }
  /* A tile's worth of additions more: some slips repeat a term instead of adding 0. */
  return fabs(got - sum) <= p->unit * (double)(p->k + TILE + 8) * magnitude;
}

/* Enough elements that a chance agreement is out of the question, and no other way round. */
static Alibi alibi_of(const Product *p, const ResultFile *output, Term *term) {
  size_t told = 0, wrong = 0;
  for (size_t row = 0; row < p->m; row++)
    for (size_t column = 0; column < p->n; column++) {
      size_t at = row * p->n + column;
      bool says;
      if (output->states[at] != ELEMENT_VALUE)
        continue;
      if (!agrees(p, term, row, column, output->values[at], &says))
        return ALIBI_CONTRADICTED;
      told += says;
      wrong += says && !product_near(p, at, output->values[at], p->gold[at]);
    }
  return wrong >= 1 && told >= 4 ? ALIBI_NONE : ALIBI_SILENT;
}

/* Flat position column * stride + row holds element (row, column). */
static bool stored_transposed(const Product *p, const ResultFile *output, size_t stride) {
  size_t told = 0;
  for (size_t row = 0; row < p->m; row++)
    for (size_t column = 0; column < p->n; column++) {
      size_t at = column * stride + row, from = row * p->n + column;
      if (at >= p->m * p->n || output->states[at] != ELEMENT_VALUE)
        continue;
      if (!product_near(p, from, output->values[at], p->gold[from]))
        return false;
      told++;
    }
  return told >= 4 && p->m > 1 && p->n > 1;
}

/* In each block of the output by itself. */
static bool tiles_transposed(const Product *p, const ResultFile *output) {
  size_t told = 0;
  for (size_t at = 0; at < p->m * p->n; at++) {
    size_t row = at / p->n, column = at % p->n;
    size_t other_row = row / TILE * TILE + column % TILE, other = column / TILE * TILE + row % TILE;
    if (output->states[at] != ELEMENT_VALUE || other_row >= p->m || other >= p->n)
      continue;
    size_t from = other_row * p->n + other;
    if (!product_near(p, from, output->values[at], p->gold[from]))
      return false;
    told++;
  }
  return told >= 4;
}

static bool all_whole(const Product *p, const ResultFile *output) {
  size_t told = 0;
  for (size_t at = 0; at < p->m * p->n; at++) {
    if (output->states[at] != ELEMENT_VALUE)
      continue;
    if (output->values[at] != floor(output->values[at]))
      return false;
    told++;
  }
  return told >= 4;
}

/* The same numbers as in `matrix`, one after the other. */
static bool copy_of(const double *matrix, size_t count, const Product *p,
                    const ResultFile *output) {
  size_t told = 0;
  for (size_t at = 0; at < p->m * p->n && at < count; at++) {
    if (output->states[at] != ELEMENT_VALUE)
      continue;
    if (output->values[at] != matrix[at])
      return false;
    told++;
  }
  return told >= 4;
}

static bool all_zero(const Product *p, const ResultFile *output) {
  size_t told = 0;
  for (size_t at = 0; at < p->m * p->n; at++) {
    if (output->states[at] != ELEMENT_VALUE)
      continue;
    if (output->values[at] != 0)
      return false;
    told++;
  }
  return told > 0;
}

void suspects_find(const Product *p, const ResultFile *output, Hypotheses *found) {
  bool zero = all_zero(p, output);
  if (zero)
    hypotheses_add(found, SAID(ALL_ZERO));
  if (all_whole(p, output))
    hypotheses_judge(found, zero ? ALIBI_SILENT : ALIBI_NONE, SAY_WHOLE_NUMBERS);
  if (copy_of(p->a, p->m * p->k, p, output) || copy_of(p->b, p->k * p->n, p, output))
    hypotheses_add(found, SAID(COPY_OF_INPUT));
  if (stored_transposed(p, output, p->m) || stored_transposed(p, output, p->n))
    hypotheses_add(found, SAID(C_TRANSPOSED));
  if (tiles_transposed(p, output))
    hypotheses_add(found, SAID(C_TILES_TRANSPOSED));
  for (size_t i = 0; i < sizeof suspects / sizeof suspects[0]; i++)
    hypotheses_judge(found, alibi_of(p, output, suspects[i].term), suspects[i].says);
}
