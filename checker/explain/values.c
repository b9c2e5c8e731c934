/* Judges the elements of a result, and describes the wrong elements: their rows, columns, tiles and
 * values. */
#include "explain/judge.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A set of elements of the output: their number and the smallest rectangle that contains them. */
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

/* Returns true if the region consists of the last rows, all complete. last_columns does the same
 * for columns. */
static bool last_rows(const Region *r, size_t rows, size_t columns) {
  return r->count && r->last_row + 1 == rows && r->count == (rows - r->first_row) * columns;
}

static bool last_columns(const Region *r, size_t rows, size_t columns) {
  return r->count && r->last_column + 1 == columns &&
         r->count == (columns - r->first_column) * rows;
}

enum { NAME_BYTES = 64 };

/* Writes "C(3,4)", or "out(3)" for an element of a vector. */
static const char *element_name(const Expected *e, size_t at, char name[NAME_BYTES]) {
  if (e->subject->element)
    e->subject->element(&e->instance, at, name, NAME_BYTES);
  else if (e->columns == 1)
    snprintf(name, NAME_BYTES, "%s(%zu)", e->name, at);
  else
    snprintf(name, NAME_BYTES, "%s(%zu,%zu)", e->name, at / e->columns, at % e->columns);
  return name;
}

static size_t first_flag(const unsigned char *flags) {
  size_t first = 0;
  while (!flags[first])
    first++;
  return first;
}

/* Returns true if all elements of a line are unwritten. The line has `length` elements, `step`
 * apart. */
static bool line_missing(const unsigned char *flags, size_t length, size_t step) {
  size_t at = 0;
  while (at < length && flags[at * step])
    at++;
  return at == length;
}

/* Returns true if a whole line is missing and a later line is not missing. There are `count` lines,
 * whose first elements are `apart` elements apart. */
static bool missing_between(const unsigned char *flags, size_t count, size_t apart, size_t length,
                            size_t step) {
  bool missing = false;
  for (size_t i = 0; i < count; i++) {
    bool now = line_missing(flags + i * apart, length, step);
    if (missing && !now)
      return true;
    missing |= now;
  }
  return false;
}

static void describe_nothing(Verdict *verdict, const Expected *e) {
  verdict_set(verdict, VERDICT_UNWRITTEN, SAID(NONE_WRITTEN, e->name, e->rows * e->columns));
  if (e->run->own_launch)
    verdict_cause(verdict, SAID(NOT_COPIED_BACK, e->name));
  else
    verdict_cause(verdict, said_plain(e->subject->never_stored));
}

/* Returns the number of elements that the only kernel stored; an element that is stored twice
 * counts twice. 0: the number is unknown, for example because several kernels ran. */
static double elements_stored(const Expected *e, const Log *log) {
  const char *kernel;
  json_t *event;
  double stored = 0;
  json_object_foreach(log->kernels, kernel, event) stored +=
      log_counter(log, kernel, "global_store_bytes");
  return json_object_size(log->kernels) == 1 ? stored / (double)e->instance.element_bytes : 0;
}

/* Returns true if the blocks begin too close to each other. In this case some elements are stored
 * twice, and others after the first tile are never stored. */
static bool blocks_overlap(const Expected *e, const Region *r, bool bottom, bool right,
                           double stored) {
  enum { TILE = 32 };
  return e->columns > 1 && stored > (double)(e->rows * e->columns - r->count) &&
         ((bottom && r->first_row >= TILE) || (right && r->first_column >= TILE));
}

/* The number of threads of the only kernel in x (`across`) and in y (`down`). all: the threads
 * cover the output if a block is a tile and x is the column. */
typedef struct Cover {
  const char *kernel;
  size_t across, down;
  bool all;
} Cover;

static Cover cover_of(const Expected *e, const Log *log) {
  enum { TILE = 32 };
  Cover c = {.kernel = json_object_iter_key(json_object_iter(log->kernels))};
  const json_t *grid = json_object_get(json_object_get(log->kernels, c.kernel), "grid");
  c.across = TILE * (size_t)json_integer_value(json_array_get(grid, 0));
  c.down = TILE * (size_t)json_integer_value(json_array_get(grid, 1));
  c.all = json_object_size(log->kernels) == 1 && log_block_is(log, c.kernel, TILE, TILE) &&
          c.across >= e->columns && c.down >= e->rows;
  return c;
}

/* Returns true if the grid is computed for a kernel in which x is the column, but in this kernel x
 * is the row. Then exactly the elements without a thread are missing. The number of sectors of the
 * stores confirms the mistake: 32 elements in a row fill at most 8 sectors, even in double. */
static bool grid_against_kernel(const Expected *e, const Log *log, const unsigned char *flags) {
  enum { SECTORS_IN_A_ROW = 9 };
  const Cover c = cover_of(e, log);
  LogAccess stores;
  bool same = e->run->own_launch && c.all &&
              log_access(log, c.kernel, problem_inputs(e->instance.problem), true, &stores) &&
              stores.sectors > SECTORS_IN_A_ROW * stores.requests;
  for (size_t at = 0; at < e->rows * e->columns && same; at++)
    same = !flags[at] == (at / e->columns < c.across && at % e->columns < c.down);
  return same;
}

/* Adds the usual cause, which depends on whether the student's code computed the grid. */
static void blame_unwritten(Verdict *verdict, const Expected *e, bool only_a_corner, bool stripes,
                            bool again, bool overlap) {
  if (e->run->own_launch)
    verdict_cause(verdict, said_plain(e->subject->grid_too_small));
  else if (stripes)
    verdict_cause(verdict, SAID(PLACE_WITHOUT_BLOCK_WIDTH));
  else if (only_a_corner)
    verdict_cause(verdict, SAID(ONLY_ONE_CORNER));
  else if (again && !e->subject->element)
    verdict_cause(verdict, SAID(SAME_ELEMENTS_AGAIN));
  else if (overlap)
    verdict_proven(verdict, SAID(BLOCKS_OVERLAP));
  else
    verdict_cause(verdict, said_plain(e->subject->turned_away));
}

/* Returns true if only the diagonal is written: each thread used the same number for row and
 * column. */
static bool only_diagonal(const Expected *e, const unsigned char *flags) {
  for (size_t at = 0; at < e->rows * e->columns; at++)
    if (!flags[at] != (at / e->columns == at % e->columns))
      return false;
  return e->rows > 1 && e->columns > 1;
}

/* Returns true if only the tiles on the diagonal are written: each block used the same number for
 * its row and column of tiles. */
static bool only_diagonal_tiles(const Expected *e, const unsigned char *flags) {
  enum { TILE = 32 };
  for (size_t at = 0; at < e->rows * e->columns; at++)
    if (!flags[at] != (at / e->columns / TILE == at % e->columns / TILE))
      return false;
  return e->rows > TILE && e->columns > TILE;
}

/* Returns true if exactly the last row and the last column are missing. Then a guard excludes the
 * threads of these elements, and the grid has enough blocks. */
static bool last_of_both(const Region *r, const unsigned char *flags, size_t rows, size_t columns) {
  return rows > 1 && columns > 1 && r->count == rows + columns - 1 && flags[columns - 1] &&
         flags[(rows - 1) * columns] && flags[rows * columns - 1];
}

/* Returns the number of threads if only one kernel ran and the output is a vector with more
 * elements than threads; otherwise 0. */
static double too_few_threads(const Expected *e, const Log *log) {
  const char *kernel;
  json_t *event;
  double threads = 0;
  json_object_foreach(log->kernels, kernel, event) threads += log_counter(log, kernel, "threads");
  return e->columns == 1 && json_object_size(log->kernels) == 1 && threads < (double)e->rows
             ? threads
             : 0;
}

static void describe_unwritten(Verdict *verdict, const Expected *e, const Log *log,
                               const unsigned char *flags) {
  size_t all = e->rows * e->columns;
  Region r = region_of(flags, e->rows, e->columns);
  if (r.count == all) {
    describe_nothing(verdict, e);
    return;
  }
  size_t first = first_flag(flags);
  bool bottom = last_rows(&r, e->rows, e->columns), right = last_columns(&r, e->rows, e->columns);
  verdict_set(verdict, VERDICT_UNWRITTEN, SAID(SOME_NOT_WRITTEN, r.count, all, e->name));
  bool border = last_of_both(&r, flags, e->rows, e->columns);
  double stored = elements_stored(e, log);
  bool stripes = e->columns > 1 && !e->subject->element &&
                 (missing_between(flags, e->rows, e->columns, e->columns, 1) ||
                  missing_between(flags, e->columns, 1, e->rows, e->columns));
  blame_unwritten(
      verdict, e, e->columns > 1 && !bottom && !right && !border && r.last_row + 1 == e->rows,
      stripes, stored >= 2 * (double)(all - r.count), blocks_overlap(e, &r, bottom, right, stored));
  if (e->columns > 1 && grid_against_kernel(e, log, flags))
    verdict_proven(verdict, SAID(GRID_AGAINST_KERNEL));
  else if (e->run->own_launch && stored > 0 && stored <= (double)(all - r.count) &&
           cover_of(e, log).all)
    verdict_cause(verdict, said_plain(e->subject->turned_away));
  if (e->run->own_launch && bottom && (all - r.count) * e->instance.element_bytes == all)
    verdict_cause(verdict, SAID(SIZE_IN_ELEMENTS, e->instance.element_bytes));
  double threads = too_few_threads(e, log);
  if (threads > 0) {
    verdict_fact(verdict, "", SAID(THREADS_FOR_ELEMENTS, threads, e->rows));
    verdict_cause(verdict, said_plain(e->subject->grid_too_small));
  }
  if (e->subject->element)
    verdict_fact(verdict, "", SAID(FIRST_IS, element_name(e, first, (char[NAME_BYTES]){0})));
  else if (border)
    verdict_fact(verdict, "", SAID(LAST_ROW_AND_COLUMN_MISSING));
  else if (only_diagonal(e, flags))
    verdict_cause(verdict, SAID(ONLY_DIAGONAL));
  else if (only_diagonal_tiles(e, flags))
    verdict_cause(verdict, SAID(ONLY_DIAGONAL_TILES));
  else if (bottom)
    verdict_fact(
        verdict, "",
        r.first_row == r.last_row
            ? SAID(ONE_MISSING, phrase(e->columns == 1 ? SAY_ELEMENT : SAY_ROW), r.first_row)
            : SAID(MISSING_FROM_TO, phrase(e->columns == 1 ? SAY_ELEMENTS : SAY_ROWS), r.first_row,
                   r.last_row));
  else if (right)
    verdict_fact(verdict, "",
                 r.first_column == r.last_column
                     ? SAID(ONE_COLUMN_MISSING, r.first_column)
                     : SAID(COLUMNS_MISSING, r.first_column, r.last_column));
  else if (all - r.count == 1)
    verdict_cause(verdict, SAID(ONE_ELEMENT_WRITTEN));
  else
    verdict_fact(verdict, "", SAID(FIRST_IS, element_name(e, first, (char[NAME_BYTES]){0})));
  if (e->subject->unwritten)
    e->subject->unwritten(&e->instance, flags, verdict);
}

static void describe_nan(Verdict *verdict, const Expected *e, const unsigned char *flags) {
  Region r = region_of(flags, e->rows, e->columns);
  size_t all = e->rows * e->columns;
  if (r.count == all)
    verdict_set(verdict, VERDICT_NOT_A_NUMBER, SAID(ALL_NAN, e->name));
  else
    verdict_set(verdict, VERDICT_NOT_A_NUMBER, SAID(SOME_NAN, r.count, all, e->name));
  verdict_fact(verdict, "",
               SAID(FIRST_IS, element_name(e, first_flag(flags), (char[NAME_BYTES]){0})));
  if (e->run->fill == FILL_INFINITE) {
    verdict_fact(verdict, "", SAID(ROWS_WITH_INFINITY, e->instance.problem->operands[0].name));
    verdict_cause(verdict, SAID(ZERO_TIMES_INFINITY));
    return;
  }
  verdict_cause(verdict,
                said_plain(e->subject->not_a_number ? e->subject->not_a_number : SAY_NAN_USUAL));
}

/* Returns the number of digits, at least seven, that are needed to print the two numbers
 * differently. */
static int digits_apart(double a, double b) {
  char first[40], second[40];
  int digits = 6;
  do {
    snprintf(first, sizeof first, "%.*g", digits, a);
    snprintf(second, sizeof second, "%.*g", digits, b);
  } while (strcmp(first, second) == 0 && ++digits < 18);
  return digits < 17 ? digits + 1 : 17;
}

/* Returns true if every element of a result in double has only the error of arithmetic in float. */
static bool digits_of_float(const Expected *e, const ResultFile *output) {
  const double wider = (double)FLT_EPSILON / DBL_EPSILON;
  bool all = e->instance.element_bytes == sizeof(double);
  for (size_t at = 0; at < e->rows * e->columns && all; at++)
    all = fabs(output->values[at] - e->instance.gold[at]) <= wider * e->margin[at];
  return all;
}

/* Adds the hypothesis that sums do not start at 0, if all wrong elements differ from gold by the
 * same number. */
static void suspect_start(const Expected *e, const ResultFile *output, const unsigned char *flags,
                          Hypotheses *found) {
  size_t count = e->rows * e->columns, first = first_flag(flags), told = 0;
  double off = output->values[first] - e->instance.gold[first];
  for (size_t at = 0; at < count; at++) {
    if (!flags[at])
      continue;
    if (!(fabs(output->values[at] - e->instance.gold[at] - off) <=
          e->margin[at] + e->margin[first]))
      return;
    told++;
  }
  char by[24];
  /* The number has three digits, so the text is the same for all runs. */
  snprintf(by, sizeof by, "%.3g", off);
  if (told >= 4 && fabs(off) > 8 * e->margin[first])
    hypotheses_add(found, SAID(OFF_BY_THE_SAME, by));
}

static void describe_wrong(Verdict *verdict, const Expected *e, const ResultFile *output,
                           const unsigned char *flags) {
  Region r = region_of(flags, e->rows, e->columns);
  size_t first = first_flag(flags), all = e->rows * e->columns;
  double got = output->values[first], gold = e->instance.gold[first];
  int digits = digits_apart(got, gold);
  char is[40], expected[40];
  snprintf(is, sizeof is, "%.*g", digits, got);
  snprintf(expected, sizeof expected, "%.*g", digits, gold);
  verdict_set(verdict, VERDICT_WRONG,
              SAID(ELEMENT_IS_EXPECTED, element_name(e, first, (char[NAME_BYTES]){0}),
                   (const char *)is, (const char *)expected));
  verdict_fact(verdict, "", SAID(ELEMENTS_WRONG, r.count, all));
  if (e->subject->remark)
    e->subject->remark(&e->instance, output, verdict);
  Hypotheses *found = e->hypotheses;
  if (e->run->fill == FILL_WHOLE) {
    /* A run with FILL_WHOLE is the last of its list, so the runs of the same sizes with other
     * inputs were right. */
    found->few = true;
    verdict_cause(verdict, SAID(WHOLE_NUMBERS_DIFFER));
    return;
  }
  if (e->subject->suspect)
    e->subject->suspect(&e->instance, e->margin, output, found);
  if (!found->count && digits_of_float(e, output))
    hypotheses_add(found, SAID(OFF_BY_FLOAT));
  if (!found->count)
    suspect_start(e, output, flags, found);
  /* With infinite inputs or few elements the values do not distinguish mistakes. */
  found->few |= all < 4 || e->run->fill == FILL_INFINITE;
  if (found->count || e->subject->element)
    return;
  if (last_rows(&r, e->rows, e->columns) && r.count < all)
    verdict_cause(verdict, SAID(RIGHT_UP_TO, phrase(e->columns == 1 ? SAY_ELEMENT : SAY_ROW),
                                r.first_row - 1));
  else if (last_columns(&r, e->rows, e->columns) && r.count < all)
    verdict_cause(verdict, SAID(RIGHT_UP_TO_COLUMN, r.first_column - 1));
}

/* Judges the elements. Reports unwritten elements first. If all elements are written, reports NaN.
 * If no element is NaN, reports wrong values. An unwritten element may cause a NaN, and a NaN may
 * cause wrong values. */
bool judge_values(Verdict *verdict, const Expected *e, const Trial *trial) {
  const ResultFile *output = &trial->output;
  size_t count = e->rows * e->columns, found[3] = {0, 0, 0};
  unsigned char *flags[3];
  for (size_t i = 0; i < 3; i++)
    if (!(flags[i] = calloc(count, 1)))
      bad_input("not enough memory for a matrix of %zu elements", count);
  for (size_t at = 0; at < count; at++) {
    unsigned char state = output->states[at];
    size_t class = state == ELEMENT_POISON ? 0 : state == ELEMENT_NAN ? 1 : 2;
    bool near = fabs(output->values[at] - e->instance.gold[at]) <= e->margin[at];
    /* Gold is not finite if the input has infinities: any value is accepted. */
    bool open = !isfinite(e->instance.gold[at]);
    bool bad = class == 0 || (!open && (class == 1 || !near));
    flags[class][at] = bad;
    found[class] += bad;
  }
  if (found[0])
    describe_unwritten(verdict, e, &trial->log, flags[0]);
  else if (found[1])
    describe_nan(verdict, e, flags[1]);
  else if (found[2])
    describe_wrong(verdict, e, output, flags[2]);
  for (size_t i = 0; i < 3; i++)
    free(flags[i]);
  return found[0] + found[1] + found[2] == 0;
}
