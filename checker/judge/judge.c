/* Is the result of a run right? Inputs come from the harness's own fill with the same seed, gold is
 * computed here in double, and an element counts as right within the margin that the subject allows
 * it: what rounding can do in its type and no more. So one missing term is seen, and no honest
 * order of summation is refused.
 */
#include "checker.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulator.h"
#include "harness/harness.h"

/* Which elements of the output, for one sentence: how many and the smallest rectangle around them.
 */
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

/* What a run is held against. */
typedef struct Expected {
  const JudgedRun *run;
  const Subject *subject;
  Instance instance; /* with gold */
  const char *name;  /* of the output */
  size_t rows, columns;
  double *margin;
  char lab[3]; /* its number */
} Expected;

static Expected expected_make(const JudgedRun *run, const Check *check) {
  Recipe recipe = {(Fill)run->fill, check->settings->seed};
  const Problem *problem = run->subject->problem;
  Expected e = {.run = run, .subject = run->subject};
  lab_number(check->settings->lab, e.lab);
  e.instance = instance_make(problem, run->size, check_element_bytes(check), recipe);
  instance_gold(&e.instance);
  Shape shape = operand_shape(problem, run->size, problem_inputs(problem));
  e.name = problem->operands[problem_inputs(problem)].name;
  e.rows = shape.rows;
  e.columns = shape.columns;
  e.margin = numbers(shape.rows * shape.columns);
  e.subject->margin(&e.instance, e.margin);
  return e;
}

static void expected_free(Expected *e) {
  instance_free(&e->instance);
  free(e->margin);
}

/* The variants of a lab compute the same products: the last ones stay, which is longer than anybody looks at one. */
static Expected expected(const JudgedRun *run, const Check *check) {
  enum { KEPT = 16 };
  static Expected kept[KEPT];
  static size_t next;
  const Subject *subject = run->subject;
  size_t i = 0;
  for (; i < KEPT; i++) {
    const Instance *x = &kept[i].instance;
    if (x->problem == subject->problem && kept[i].subject->margin == subject->margin &&
        x->element_bytes == check_element_bytes(check) && x->recipe.fill == (Fill)run->fill &&
        x->recipe.seed == check->settings->seed &&
        memcmp(x->size, run->size, (size_t)problem_sizes(subject->problem) * sizeof(int)) == 0)
      break;
  }
  if (i == KEPT) {
    i = next++ % KEPT;
    expected_free(&kept[i]);
    kept[i] = expected_make(run, check);
  }
  kept[i].run = run;
  kept[i].subject = subject;
  return kept[i];
}

double *numbers(size_t count) {
  double *all = calloc(count, sizeof *all);
  if (!all)
    bad_input("not enough memory for a matrix of %zu elements", count);
  return all;
}

/* ---- what is wrong with it ------------------------------------------------------------------ */

/* "C(3,4)", or "out(3)" of a vector. */
static const char *element_name(const Expected *e, size_t at) {
  static char name[64];
  if (e->subject->element)
    e->subject->element(&e->instance, at, name, sizeof name);
  else if (e->columns == 1)
    snprintf(name, sizeof name, "%s(%zu)", e->name, at);
  else
    snprintf(name, sizeof name, "%s(%zu,%zu)", e->name, at / e->columns, at % e->columns);
  return name;
}

static size_t first_flag(const unsigned char *flags) {
  size_t first = 0;
  while (!flags[first])
    first++;
  return first;
}

/* Is a line of `length` elements, `step` apart, wholly unwritten? */
static bool line_missing(const unsigned char *flags, size_t length, size_t step) {
  size_t at = 0;
  while (at < length && flags[at * step])
    at++;
  return at == length;
}

/* Are whole lines missing, and later ones there? Of `count` lines that begin `apart` from one another. */
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
  verdict_set(verdict, VERDICT_UNWRITTEN, "%s was never written: none of its %zu elements", e->name,
              e->rows * e->columns);
  if (e->run->own_launch)
    verdict_cause(verdict, "%s reaches the host only by a cudaMemcpy to the host, after the launch",
                  e->name);
  else
    verdict_cause(verdict, "%s", e->subject->never_stored);
}

/* How many elements a single kernel stored, some of them more than once; 0: nobody knows. */
static double elements_stored(const Expected *e, const Log *log) {
  const char *kernel;
  json_t *event;
  double stored = 0;
  json_object_foreach(log->kernels, kernel, event) stored +=
      log_counter(log, kernel, "global_store_bytes");
  return json_object_size(log->kernels) == 1 ? stored / (double)e->instance.element_bytes : 0;
}

/* Behind a whole first tile, where others are stored more than once: all blocks do the same, each at its place. */
static bool blocks_overlap(const Expected *e, const Region *r, bool bottom, bool right,
                           double stored) {
  enum { TILE = 32 };
  return e->columns > 1 && stored > (double)(e->rows * e->columns - r->count) &&
         ((bottom && r->first_row >= TILE) || (right && r->first_column >= TILE));
}

/* The usual cause depends on whose the grid is. */
static void blame_unwritten(Verdict *verdict, const Expected *e, bool only_a_corner, bool stripes,
                            bool again, bool overlap) {
  if (e->run->own_launch)
    verdict_cause(verdict, "%s", e->subject->grid_too_small);
  else if (stripes)
    verdict_cause(verdict, "whole rows or columns are missing between others that are there: a "
                           "thread's place is its block's number times blockDim, plus its own "
                           "number in the block");
  else if (only_a_corner)
    verdict_cause(verdict, "only one corner was written: does every block know which one it is, "
                           "and every thread its place in it, and is the guard that of the "
                           "matrix?");
  else if (again && !e->subject->element)
    verdict_cause(verdict, "several threads store the same elements, and nobody these: the number "
                           "of a thread's element takes all of its place, the block's times "
                           "blockDim and the thread's in it");
  else if ((verdict->explained = overlap))
    verdict_cause(
        verdict,
        "the first block's elements are there, others are stored by two blocks, and nobody "
        "stores these: how far from one another do two blocks begin?");
  else
    verdict_cause(verdict, "%s", e->subject->turned_away);
}

/* Threads whose x and y are the same own the diagonal only. */
static bool only_diagonal(const Expected *e, const unsigned char *flags) {
  for (size_t at = 0; at < e->rows * e->columns; at++)
    if (!flags[at] != (at / e->columns == at % e->columns))
      return false;
  return e->rows > 1 && e->columns > 1;
}

/* Only the tiles on the diagonal, of blocks that take x and y of their place from one number. */
static bool only_diagonal_tiles(const Expected *e, const unsigned char *flags) {
  enum { TILE = 32 };
  for (size_t at = 0; at < e->rows * e->columns; at++)
    if (!flags[at] != (at / e->columns / TILE == at % e->columns / TILE))
      return false;
  return e->rows > TILE && e->columns > TILE;
}

/* One row and one column at the far end: threads inside were turned away, no block is missing. */
static bool last_of_both(const Region *r, const unsigned char *flags, size_t rows, size_t columns) {
  return rows > 1 && columns > 1 && r->count == rows + columns - 1 && flags[columns - 1] &&
         flags[(rows - 1) * columns] && flags[rows * columns - 1];
}

/* Of a vector: threads that the only kernel had, where they are fewer than elements; 0: they are not. */
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
  verdict_set(verdict, VERDICT_UNWRITTEN, "%zu of the %zu elements of %s were never written",
              r.count, all, e->name);
  bool border = last_of_both(&r, flags, e->rows, e->columns);
  double stored = elements_stored(e, log);
  bool stripes = e->columns > 1 && !e->subject->element &&
                 (missing_between(flags, e->rows, e->columns, e->columns, 1) ||
                  missing_between(flags, e->columns, 1, e->rows, e->columns));
  blame_unwritten(
      verdict, e, e->columns > 1 && !bottom && !right && !border && r.last_row + 1 == e->rows,
      stripes, stored >= 2 * (double)(all - r.count), blocks_overlap(e, &r, bottom, right, stored));
  if (e->run->own_launch && bottom && (all - r.count) * e->instance.element_bytes == all)
    verdict_cause(verdict,
                  "only one of %zu bytes arrived: cudaMemcpy takes a size in bytes, "
                  "elements times sizeof",
                  e->instance.element_bytes);
  double threads = too_few_threads(e, log);
  if (threads > 0) {
    verdict_line(verdict, "", "%.0f threads were launched for %zu elements", threads, e->rows);
    verdict_cause(verdict, "%s", e->subject->grid_too_small);
  }
  if (e->subject->element)
    verdict_line(verdict, "", "the first one is %s", element_name(e, first));
  else if (border)
    verdict_line(verdict, "", "the last row and the last column are missing");
  else if (only_diagonal(e, flags))
    verdict_cause(verdict, "only the diagonal was written: x and y are the same; one of them "
                           "comes from .x, the other from .y");
  else if (only_diagonal_tiles(e, flags))
    verdict_cause(
        verdict,
        "only the tiles on the diagonal were written: the place of a block has two numbers, "
        "blockIdx.x and blockIdx.y");
  else if (bottom)
    verdict_line(verdict, "", "%s %zu to %zu are missing", e->columns == 1 ? "elements" : "rows",
                 r.first_row, r.last_row);
  else if (right)
    verdict_line(verdict, "", "columns %zu to %zu are missing", r.first_column, r.last_column);
  else if (all - r.count == 1)
    verdict_cause(verdict, "one element was written: every thread must store its own");
  else
    verdict_line(verdict, "", "the first one is %s", element_name(e, first));
}

static void describe_nan(Verdict *verdict, const Expected *e, const unsigned char *flags) {
  Region r = region_of(flags, e->rows, e->columns);
  size_t all = e->rows * e->columns;
  if (r.count == all)
    verdict_set(verdict, VERDICT_NOT_A_NUMBER, "every element of %s is NaN", e->name);
  else
    verdict_set(verdict, VERDICT_NOT_A_NUMBER, "%zu of the %zu elements of %s are NaN", r.count,
                all, e->name);
  verdict_line(verdict, "", "the first one is %s", element_name(e, first_flag(flags)));
  if (e->run->fill == FILL_INFINITE) {
    verdict_line(
        verdict, "",
        "every other row of %s begins with an infinity here, which is none of the business of the "
        "rows between",
        e->instance.problem->operands[0].name);
    verdict_cause(verdict, "0 times infinity is not a number: beyond the end of a row stands 0 in "
                           "a tile, and nothing of "
                           "the next row");
    return;
  }
  verdict_cause(verdict, "%s",
                e->subject->not_a_number
                    ? e->subject->not_a_number
                    : "NaN comes from 0/0, or from a sum that starts with a value nothing wrote: "
                      "start it at 0");
}

/* As many digits as it takes to tell the two apart, six at least. */
static int digits_apart(double a, double b) {
  char first[40], second[40];
  int digits = 6;
  do {
    snprintf(first, sizeof first, "%.*g", digits, a);
    snprintf(second, sizeof second, "%.*g", digits, b);
  } while (strcmp(first, second) == 0 && ++digits < 18);
  return digits < 17 ? digits + 1 : 17;
}

/* Is every element off by no more than the roundings of a float? */
static bool digits_of_float(const Expected *e, const ResultFile *output) {
  const double wider = (double)FLT_EPSILON / DBL_EPSILON;
  bool all = e->instance.element_bytes == sizeof(double);
  for (size_t at = 0; at < e->rows * e->columns && all; at++)
    all = fabs(output->values[at] - e->instance.gold[at]) <= wider * e->margin[at];
  return all;
}

/* What the values alone cannot tell apart stays open. */
static void blame_suspects(Verdict *verdict) {
  const Suspects *s = &verdict->suspects;
  verdict->explained = s->count > 0;
  if (s->count == 1)
    verdict_cause(verdict, "%s", s->sentence[0]);
  else if (s->count > 1)
    verdict_cause(verdict, "either %s; or %s", s->sentence[0], s->sentence[1]);
}

/* Are the wrong ones all off by the same? Their sums do not start at 0. */
static void suspect_start(const Expected *e, const ResultFile *output, const unsigned char *flags,
                          Suspects *found) {
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
  if (told >= 4 && fabs(off) > 8 * e->margin[first])
    suspects_add(found, "these elements are all off by %.3g: at what do their sums start?", off);
}

static void describe_wrong(Verdict *verdict, const Expected *e, const ResultFile *output,
                           const unsigned char *flags) {
  Region r = region_of(flags, e->rows, e->columns);
  size_t first = first_flag(flags), all = e->rows * e->columns;
  double got = output->values[first], gold = e->instance.gold[first];
  int digits = digits_apart(got, gold);
  verdict_set(verdict, VERDICT_WRONG, "%s is %.*g, expected %.*g", element_name(e, first), digits,
              got, digits, gold);
  verdict_line(verdict, "", "%zu of %zu elements are wrong", r.count, all);
  if (e->subject->remark)
    e->subject->remark(&e->instance, output, verdict);
  if (e->run->fill == FILL_WHOLE) {
    /* A list of runs ends with these: the same sizes came out right before. */
    verdict->suspects.few = true;
    verdict_cause(
        verdict, "with other numbers these sizes come out right; here they are 0 to 9, and 0 among "
                 "them: does a loop or a condition look at the value of an element?");
    return;
  }
  if (digits_of_float(e, output))
    suspects_add(&verdict->suspects,
                 "off by no more than a float rounds: a variable, a tile or a function is for "
                 "float, where all that is computed has to be real");
  else
    e->subject->suspect(&e->instance, e->margin, output, &verdict->suspects);
  if (!verdict->suspects.count)
    suspect_start(e, output, flags, &verdict->suspects);
  verdict->suspects.few |=
      all < 4 || e->run->fill == FILL_INFINITE; /* where slips give no numbers */
  if (e->subject->by_hand)
    verdict_cause(verdict, e->subject->by_hand, e->lab, e->run->variant);
  blame_suspects(verdict);
  if (verdict->explained || e->subject->element)
    return;
  if (last_rows(&r, e->rows, e->columns) && r.count < all)
    verdict_cause(verdict, "right up to %s %zu: what is different from there on?",
                  e->columns == 1 ? "element" : "row", r.first_row - 1);
  else if (last_columns(&r, e->rows, e->columns) && r.count < all)
    verdict_cause(verdict, "right up to column %zu: what is different from there on?",
                  r.first_column - 1);
}

/* Unwritten comes before NaN before wrong: the first explains the next. */
static bool judge_values(Verdict *verdict, const Expected *e, const Trial *trial) {
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
    bool open = !isfinite(e->instance.gold[at]); /* infinities among the inputs */
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

/* Two stores of different lines that meet in one word of shared memory: no barrier would mend that. */
static bool arrays_overlap(const Log *log) {
  const json_t *report = log_report(log, "error");
  return strcmp(text_at(report, "space"), "shared") == 0 &&
         strcmp(text_at(report, "did"), "wrote it") == 0 &&
         strcmp(text_at(report, "other_did"), "wrote it") == 0 &&
         number_at(report, "line") != number_at(report, "other_line");
}

/* An index of 16 bits goes on from 32767 with -32768, in elements or in rows. */
static bool wrapped_around(const Expected *e, const char *sentence) {
  const char *at = strstr(sentence, ": element -");
  long long element = at ? strtoll(at + strlen(": element -"), NULL, 10) : 0, rows = 0;
  for (int i = 0; i < problem_sizes(e->instance.problem); i++)
    rows += element == 32768LL * e->instance.size[i];
  return element == 32768 || (element && rows);
}

/* One kernel reads what others have to store: do these store at all? Else they are not begun. */
static void judge_not_stored(Verdict *verdict, const Expected *e, const Log *log,
                             const json_t *report) {
  const Subject *subject = e->subject;
  const char *kernel, *reader = text_at(report, "kernel");
  json_t *event;
  size_t others = 0, idle = 0;
  const char *other = "";
  json_object_foreach(log->kernels, kernel, event) if (strcmp(kernel, reader) != 0) {
    other = kernel;
    others++;
    idle += !(log_counter(log, kernel, "global_store_requests") > 0);
  }
  if (others > 0 && idle == others) {
    verdict->line_count = 0;
    verdict_set(verdict, VERDICT_UNWRITTEN, "%s was never written: %s stores nothing there",
                subject->stores, other);
    verdict_cause(verdict, "%s is not begun, or its guard lets nobody in: %s", other,
                  subject->not_stored);
  } else {
    verdict_cause(verdict, "%s",
                  others == 0          ? subject->read_back
                  : e->run->own_launch ? subject->grid_too_small
                                       : subject->not_stored);
  }
}

/* Dynamic shared memory that is shorter than the block has threads: its bytes were counted as elements. */
static bool launched_in_elements(const Expected *e, const Log *log, const json_t *report) {
  const char *kernel = text_at(report, "kernel");
  double threads = log_counter(log, kernel, "threads") / log_counter(log, kernel, "blocks");
  double bytes = log_shared_bytes(log, kernel);
  return log_dynamic_bytes(log, kernel) == bytes && bytes > 0 &&
         bytes < threads * (double)e->instance.element_bytes;
}

/* Where blocks have a thread for each element of a tile of the output: does this thread's element lie in it? EITHER: it
 * depends on whether x runs along rows. */
typedef enum Side { SIDE_UNKNOWN, SIDE_INSIDE, SIDE_OUTSIDE, SIDE_EITHER } Side;
static size_t coordinate(const json_t *report, const char *of, size_t i) {
  return (size_t)json_integer_value(json_array_get(json_object_get(report, of), i));
}

static Side own_row(const Expected *e, const Log *log, const json_t *report) {
  const char *kernel = text_at(report, "kernel");
  double threads = log_counter(log, kernel, "threads");
  size_t width = (size_t)(threads / log_counter(log, kernel, "blocks"));
  size_t own = coordinate(report, "block", 0) * width + coordinate(report, "thread", 0);
  if (!log_block_is(log, kernel, (int)width, 1))
    return SIDE_UNKNOWN;
  if (threads >= 32 * (double)e->rows) /* a warp for each */
    own /= 32;
  return own < e->rows ? SIDE_INSIDE : SIDE_OUTSIDE;
}

static Side own_element(const Expected *e, const Log *log, const json_t *report) {
  enum { TILE = 32 };
  size_t at[2];
  if (e->columns == 1)
    return own_row(e, log, report);
  if (!log_block_is(log, text_at(report, "kernel"), TILE, TILE))
    return SIDE_UNKNOWN;
  for (size_t i = 0; i < 2; i++)
    at[i] = TILE * coordinate(report, "block", i) + coordinate(report, "thread", i);
  bool upright = at[0] < e->columns && at[1] < e->rows;
  bool turned = at[1] < e->columns && at[0] < e->rows;
  return upright && turned ? SIDE_INSIDE : upright || turned ? SIDE_EITHER : SIDE_OUTSIDE;
}

static void blame_outside(Verdict *verdict, const Expected *e, const Log *log,
                          const json_t *report) {
  Side side = own_element(e, log, report);
  if (strcmp(text_at(report, "space"), "shared") == 0) {
    if (launched_in_elements(e, log, report))
      verdict_cause(verdict,
                    "the launch asks for %.0f bytes of shared memory, fewer than one "
                    "element for each thread has: the third number in <<< >>> counts "
                    "bytes: an element for each thread, times sizeof(real)",
                    log_shared_bytes(log, text_at(report, "kernel")));
    else if (log_shared_bytes(log, text_at(report, "kernel")) > 0)
      verdict_cause(verdict, "an index runs past its array: how many elements are declared, and "
                             "which index is the largest?");
  } else if (wrapped_around(e, verdict->headline))
    verdict_cause(verdict, "after 32767 a number of 16 bits goes on with -32768: take an int");
  else if (side == SIDE_UNKNOWN && strstr(verdict->headline, "; its rows are 0 to "))
    verdict_cause(
        verdict,
        "a row that is not there, or a column behind the end of the last row, which is the "
        "same place: is each held against its own size?");
  else if (side == SIDE_INSIDE)
    verdict_cause(verdict,
                  "the thread's own element lies inside of %s: look at the index that is "
                  "read or written here: its guard, its row stride, and where its loop ends",
                  e->name);
  else if (side == SIDE_OUTSIDE && log_shared_bytes(log, text_at(report, "kernel")) > 0 &&
           strcmp(text_at(report, "buffer"), e->name) != 0)
    /* Threads that share tiles and barriers have to go on. */
    verdict_cause(
        verdict,
        "this element lies outside of %s: nothing is read there, and a 0 takes its place "
        "in the tile or the sum. But the thread goes on: the others of its block wait for "
        "it at their barriers",
        text_at(report, "buffer"));
  else if (side == SIDE_OUTSIDE)
    verdict_cause(verdict,
                  "the thread's own element lies outside of %s, where nothing is to be "
                  "done: the guard lets it in, or there is none",
                  e->name);
  else if (side == SIDE_EITHER)
    verdict_cause(verdict,
                  "whether the thread's own element lies inside of %s depends on which of x and y "
                  "counts rows: index, guard and grid have to agree, and each is compared with its "
                  "own size",
                  e->name);
}

static void blame_undefined(Verdict *verdict, const Expected *e, const json_t *report) {
  if (strcmp(text_at(report, "space"), "shared") == 0)
    verdict_cause(verdict, "no thread has stored this element before: either the loads do not fill "
                           "the whole array, or an index or loop goes on behind what they filled");
  else if (strcmp(text_at(report, "buffer"), e->name) == 0)
    verdict_cause(verdict,
                  "%s is only stored, and holds nothing before: begin the sum with 0 and "
                  "store it with =, not +=",
                  e->name);
}

/* A copy of so many bytes as another matrix has. */
static void blame_size(Verdict *verdict, const Expected *e) {
  static const char there[] = " bytes are there, ";
  const char *at = strstr(verdict->headline, there), *begin = at;
  while (begin && begin > verdict->headline && isdigit((unsigned char)begin[-1]))
    begin--;
  size_t has = at ? strtoul(begin, NULL, 10) : 0;
  size_t asked = at ? strtoul(at + strlen(there), NULL, 10) : 0;
  const Operand *all = e->instance.problem->operands;
  const Operand *right = NULL, *wrong = NULL;
  for (int i = 0; at && i <= problem_inputs(e->instance.problem); i++) {
    right = operand_bytes(&e->instance, i) == has ? &all[i] : right;
    wrong = operand_bytes(&e->instance, i) == asked ? &all[i] : wrong;
  }
  if (right && wrong)
    verdict_cause(verdict, "%zu bytes has %s, and %zu bytes %s: each has a size of its own", asked,
                  wrong->name, has, right->name);
}

/* The observers' own words are made for any kernel. */
static bool judge_report(Verdict *verdict, const Expected *e, const Log *log) {
  const Subject *subject = e->subject;
  char on_output[64];
  if (verdict_report(verdict, log, "error"))
    return true;
  const json_t *report = log_report(log, "error");
  bool race = verdict_is_race(verdict);
  bool outside = verdict->kind == VERDICT_OUT_OF_BOUNDS;
  snprintf(on_output, sizeof on_output, " on %s,", e->name);
  if (outside)
    blame_outside(verdict, e, log, report);
  else if (verdict->kind == VERDICT_UNINITIALISED && subject->not_stored &&
           strcmp(text_at(report, "buffer"), subject->stores) == 0)
    judge_not_stored(verdict, e, log, report);
  else if (verdict->kind == VERDICT_UNINITIALISED)
    blame_undefined(verdict, e, report);
  blame_size(verdict, e);
  if (subject->blame)
    subject->blame(&e->instance, report, verdict);
  if (race && arrays_overlap(log))
    verdict_cause(
        verdict,
        "two stores of different lines hit the same word: does an index run past the end of its "
        "array into the next one, or has an array too few rows?");
  if (e->run->own_launch && (race || outside) && subject->launched_wrongly)
    verdict_cause(verdict, "%s", subject->launched_wrongly);
  else if (race && strstr(verdict->headline, on_output) && subject->stored_twice)
    verdict_cause(verdict, "%s", subject->stored_twice);
  return false;
}

/* ---- where it comes from -------------------------------------------------------------------- */

/* Is there nothing to tell apart: the same number all over, or an input? */
static bool commonplace(const Expected *e, const ResultFile *output) {
  size_t count = e->rows * e->columns, same = 1;
  while (same < count && output->values[same] == output->values[0])
    same++;
  for (int i = 0; same < count && i < problem_inputs(e->instance.problem); i++)
    if (operand_bytes(&e->instance, i) == count * output->element_bytes &&
        emulator_hash(e->instance.operand[i], count * output->element_bytes) == output->hash)
      return true;
  return same >= count;
}

/* Right, but whose work is it? */
static bool judge_origin(Verdict *verdict, const Expected *e, const Trial *trial, bool on_gpu) {
  const ResultFile *output = &trial->output;
  if (!on_gpu && json_object_size(trial->log.kernels) == 0) {
    verdict_set(verdict, VERDICT_NOT_LAUNCHED,
                "the result is right, but a kernel was never launched");
    verdict_cause(verdict, "%s has to be computed on the device", e->name);
    return false;
  }
  size_t bytes = e->rows * e->columns * output->element_bytes;
  LogOrigin origin = log_origin(&trial->log, bytes, output->hash);
  if (e->subject->finished_by_host || origin == ORIGIN_UNKNOWN || origin == ORIGIN_DEVICE)
    return true;
  if (origin == ORIGIN_HOST) {
    verdict_say(verdict, VERDICT_NOT_RETURNED);
    verdict_cause(verdict,
                  "computed by the host? No cudaMemcpy to the host brought these bytes: %s has "
                  "to stay as the kernel stored it",
                  e->name);
  } else if (!commonplace(e, output)) {
    verdict_say(verdict, VERDICT_SENT);
    verdict_cause(verdict,
                  "these very bytes were copied to the device: %s has to be computed there",
                  e->name);
  }
  return verdict->headline[0] == '\0';
}

/* Numbers that are right and were not computed are known from elsewhere. */
static bool judge_operations(Verdict *verdict, const Expected *e, const Log *log) {
  const char *kernel;
  json_t *event;
  double done = 0, needed = e->subject->operations ? e->subject->operations(&e->instance) : 0;
  json_object_foreach(log->kernels, kernel, event) done += log_counter(log, kernel, "flop");
  if (done >= needed)
    return true;
  verdict_say(verdict, VERDICT_NOT_COMPUTED);
  verdict_cause(verdict, "%s takes %.0f additions and multiplications, the kernels did %.0f",
                e->name, needed, done);
  return false;
}

/* Who only reads has no need of atomic operations, and no counter of loads would see that. */
static bool judge_inputs(Verdict *verdict, const Expected *e, const Log *log) {
  const char *kernel;
  json_t *event;
  LogAccess access;
  char place[200];
  if (e->run->own_launch)
    return true; /* whose parameters are whatever it likes */
  json_object_foreach(log->kernels, kernel, event) {
    for (int i = 0; i < problem_inputs(e->instance.problem); i++) {
      if (!log_atomic(log, kernel, i, &access))
        continue;
      const char *name = e->instance.problem->operands[i].name;
      verdict_set(verdict, VERDICT_ATOMIC_INPUT, "%s has atomic operations on %s, an input", kernel,
                  name);
      place_format(place, sizeof place, access.file, access.line);
      verdict_line(verdict, place, "here");
      verdict_cause(verdict, "read %s as any other memory: what loads cost is counted", name);
      return false;
    }
  }
  return true;
}

/* A replay gives the device other inputs than host code has seen, and knows which elements are neither. */
static bool judge_written(Verdict *verdict, const Expected *e, const Log *log) {
  if (log->sent > 0)
    verdict_line(verdict, "", "%.0f elements that the host made were copied to the device",
                 log->sent);
  if (log->written == 0)
    return false;
  if (json_object_size(log->kernels) == 0)
    verdict_set(verdict, VERDICT_NOT_LAUNCHED, "the host wrote %s: a kernel was never launched",
                e->name);
  else
    verdict_set(verdict, VERDICT_NOT_RETURNED,
                "%.0f elements of %s come from the host: it is not what the device returned",
                log->written, e->name);
  verdict_cause(verdict,
                "computed by the host? No copy from the device brought these bytes: %s has to stay "
                "as the kernel stored it",
                e->name);
  return false;
}

/* The host's heap after a copy of more bytes than it has there. */
static void blame_copy(Verdict *verdict, const Expected *e, const Log *log) {
  const json_t *report = log_report(log, "unwritten-copy");
  const char *of = strstr(text_at(report, "sentence"), " of the ");
  double bytes = of ? strtod(of + strlen(" of the "), NULL) : 0;
  double right = (double)(e->rows * e->columns * e->instance.element_bytes);
  if (verdict->kind != VERDICT_CRASH || !e->run->own_launch || bytes <= right)
    return;
  char place[200];
  place_format(place, sizeof place, text_at(report, "file"), (int)number_at(report, "line"));
  verdict_line(verdict, place, "%.0f bytes are copied to the host here, %s has %.0f there", bytes,
               e->name, right);
  verdict_cause(verdict, "a copy takes as many bytes as elements times sizeof(real): what lies "
                         "behind the end belongs to others");
  for (int i = 0; i < problem_inputs(e->instance.problem); i++)
    if (bytes == (double)operand_bytes(&e->instance, i))
      verdict_cause(verdict, "so many bytes has %s: %s has a size of its own",
                    e->instance.problem->operands[i].name, e->name);
}

static bool ended_well(Check *check, const Expected *e, const Trial *trial) {
  if (verdict_ending(&check->verdict, trial, check->settings->on_gpu))
    return true;
  blame_copy(&check->verdict, e, &trial->log);
  return false;
}

static bool judge(Check *check, const Expected *e, const Trial *trial) {
  Verdict *verdict = &check->verdict;
  return judge_report(verdict, e, &trial->log) && ended_well(check, e, trial) &&
         verdict_output(verdict, trial, e->rows, e->columns, check_element_bytes(check)) &&
         (judge_values(verdict, e, trial) || judge_written(verdict, e, &trial->log)) &&
         judge_origin(verdict, e, trial, check->settings->on_gpu) &&
         judge_inputs(verdict, e, &trial->log) &&
         (check->settings->on_gpu || judge_operations(verdict, e, &trial->log)) &&
         (!e->run->own_launch || (verdict_report(verdict, &trial->log, "leak") &&
                                  verdict_report(verdict, &trial->log, "error-ignored")));
}

/* ---- runs ----------------------------------------------------------------------------------- */

static bool is_wrong(const Verdict *verdict) { return verdict->kind == VERDICT_WRONG; }

static bool right_with(Check *check, const JudgedRun *run, const char *extra, Trial *trial) {
  *trial = judged_start(check, run, extra);
  Expected e = expected(run, check);
  bool right = judge(check, &e, trial);
  if (!right)
    check_again_run(check, run, extra ? extra : "");
  return right;
}

/* Numbers that the host made are right for no inputs but those that it has seen: with these it shows what they are. */
static void judge_as_seen(Check *check, const JudgedRun *run, const char *extra) {
  const Settings *settings = check->settings;
  Settings seen = *settings;
  Verdict with_others = check->verdict;
  Trial trial;
  seen.seed = seed_of(settings, SEED_SHOWN);
  check->settings = &seen;
  memset(&check->verdict, 0, sizeof check->verdict);
  if (right_with(check, run, extra, &trial)) {
    verdict_say(&check->verdict, VERDICT_SENT);
    verdict_cause(&check->verdict,
                  "with other inputs the host sends the same numbers to the device");
  } else if (is_wrong(&check->verdict)) {
    check->verdict = with_others;
  }
  trial_free(&trial);
  check->settings = settings;
}

static bool right_after(Check *check, const JudgedRun *run, const char *extra, Trial *kept) {
  Trial trial;
  bool right = right_with(check, run, extra, &trial);
  if (is_wrong(&check->verdict) && trial.log.sent > 0)
    judge_as_seen(check, run, extra);
  if (kept)
    *kept = trial;
  else
    trial_free(&trial);
  return right;
}

bool judged_right(Check *check, const JudgedRun *run, Trial *kept) {
  return right_after(check, run, NULL, kept);
}

/* The smallest of the runs; with all sizes above `least`. */
static const JudgedRun *smallest(const JudgedRun *runs, size_t count, int least) {
  const JudgedRun *best = runs;
  double best_work = INFINITY;
  for (size_t i = 0; i < count; i++) {
    double work = 1;
    for (int k = 0; k < problem_sizes(runs[i].subject->problem); k++)
      work *= runs[i].size[k] > least ? runs[i].size[k] : INFINITY;
    if (work < best_work) {
      best_work = work;
      best = &runs[i];
    }
  }
  return best;
}

static int common_divisor(int a, int b) { return b ? common_divisor(b, a % b) : a; }

/* The size before the k-th that is as large in all runs of a list; k: there is none. */
static int twin_of(const JudgedRun *runs, size_t count, int k) {
  for (int other = 0; other < k; other++) {
    size_t same = 0;
    while (same < count && runs[same].size[other] == runs[same].size[k])
      same++;
    if (same == count)
      return other;
  }
  return k;
}

/* At sizes that nobody knows before: who wrote for those of the list alone, or leaves out what only others have, cannot know
 * these. They are as whole as the list's own, and as square. */
static JudgedRun drawn(const Check *check, const JudgedRun *runs, size_t count) {
  enum { DRAWS_MOST = 1000 };
  JudgedRun run = {
      .subject = runs->subject, .variant = runs->variant, .own_launch = runs->own_launch};
  const Subject *subject = run.subject;
  double work = INFINITY;
  for (unsigned draw = 0; draw < DRAWS_MOST && !(work <= subject->drawn_work); draw++) {
    work = 1;
    for (int k = 0; k < problem_sizes(subject->problem); k++) {
      int step = 0, twin = twin_of(runs, count, k), largest = 0, most = subject->drawn_most[k];
      for (size_t i = 0; i < count; i++) {
        step = common_divisor(runs[i].size[k], step);
        largest = runs[i].size[k] > largest ? runs[i].size[k] : largest;
      }
      if (step > 1 && 2 * largest < most) /* of a first task, which is about whole tiles */
        most = 2 * largest;
      unsigned steps = (unsigned)(most / step);
      unsigned which = draw * MAX_SIZES + (unsigned)k;
      run.size[k] = twin < k ? run.size[twin] : step;
      if (twin == k && steps > 1)
        run.size[k] *= 1 + (int)seed_draw(check->settings->seed, run.variant, which, steps);
      work *= run.size[k];
    }
  }
  return work <= subject->drawn_work ? run : *smallest(runs, count, 1);
}

/* Whoever is right has to be right at other sizes, and in a process that computed something else before. */
typedef enum OnceMore { ONCE_MORE_RIGHT, ONCE_MORE_WRONG, WRONG_AT_OTHER_SIZES } OnceMore;
static OnceMore at_drawn_sizes(Check *check, const JudgedRun *runs, size_t count, JudgedRun *last) {
  const JudgedRun *small = smallest(runs, count, 0);
  char extra[80] = " --rehearse=";
  size_t at = strlen(extra);
  *last = drawn(check, runs, count);
  for (int i = 0; i < problem_sizes(small->subject->problem); i++)
    at += (size_t)snprintf(extra + at, sizeof extra - at, "%s%s=%d", i ? "," : "",
                           small->subject->problem->size_names[i], small->size[i]);
  if (!check->settings->on_gpu && right_after(check, last, extra, NULL))
    return ONCE_MORE_RIGHT;
  Verdict *verdict = &check->verdict, after_others = *verdict;
  memset(verdict, 0, sizeof *verdict);
  if (!judged_right(check, last, NULL)) {
    verdict_line(verdict, "", "these sizes were drawn by the grading's seed, %u",
                 check->settings->seed);
    return WRONG_AT_OTHER_SIZES;
  }
  if (check->settings->on_gpu)
    return ONCE_MORE_RIGHT;
  *verdict = after_others;
  verdict_line(verdict, "",
               "one process computes three times here, first on other sizes, then on these");
  verdict_cause(verdict,
                "the first run of a process comes out right: something static keeps what belongs "
                "to one call, a buffer, a size, or a flag that it was done");
  verdict->explained = true;
  return ONCE_MORE_WRONG;
}

/* Each file has other sizes there, so what these runs take compares with nobody's. */
static OnceMore once_more(Check *check, const JudgedRun *runs, size_t count, JudgedRun *last) {
  json_t *kernels = check->kernels;
  check->kernels = NULL;
  OnceMore how = at_drawn_sizes(check, runs, count, last);
  check->kernels = kernels;
  return how;
}

static bool may_be(const Suspects *suspects, const char *sentence) {
  if ((suspects->rows_silent && strncmp(sentence, "row ", 4) == 0) ||
      (suspects->formulas_silent && strncmp(sentence, FORMULA, strlen(FORMULA)) == 0) ||
      (suspects->weights_silent && strncmp(sentence, WEIGHED, strlen(WEIGHED)) == 0))
    return true;
  for (size_t i = 0; i < suspects->count; i++)
    if (strcmp(suspects->sentence[i], sentence) == 0)
      return true;
  for (size_t i = 0; i < suspects->silent_count; i++)
    if (strcmp(suspects->silent[i], sentence) == 0)
      return true;
  return false;
}

/* What one run shows and the other does not contradict. */
static void keep_common(Suspects *suspects, const Suspects *others) {
  Suspects common = {.weights_silent = suspects->weights_silent && others->weights_silent,
                     .formulas_silent = suspects->formulas_silent && others->formulas_silent,
                     .rows_silent = suspects->rows_silent && others->rows_silent};
  if (others->few)
    return;
  for (int side = 0; side < 2; side++) {
    const Suspects *one = side ? others : suspects, *other = side ? suspects : others;
    for (size_t i = 0; i < one->count; i++)
      if (may_be(other, one->sentence[i])) {
        suspects_add(&common, "%s", one->sentence[i]);
        if (strcmp(common.sentence[common.count - 1], one->sentence[i]) == 0)
          common.shows_above[common.count - 1] = one->shows_above[i];
      }
  }
  for (size_t i = 0; i < suspects->silent_count; i++)
    if (may_be(others, suspects->silent[i]))
      suspects_judge(&common, ALIBI_SILENT, suspects->silent[i]);
  *suspects = common;
}

static size_t elements_of_output(const JudgedRun *run) {
  const Problem *problem = run->subject->problem;
  Shape shape = operand_shape(problem, run->size, problem_inputs(problem));
  return shape.rows * shape.columns;
}

/* Operations that it takes to take a run apart; infinitely many: it cannot be done. */
static double work_to_probe(const JudgedRun *run) {
  const Subject *subject = run->subject;
  double all = (double)elements_of_output(run), n = (double)run->size[NBODY_N];
  if (run->fill != FILL_UNIFORM || (run->own_launch && !subject->pulls))
    return INFINITY;
  if (subject->pulls)
    return 4 * n * n * n;
  double terms = (double)operand_shape(subject->problem, run->size, 0).columns;
  return subject->sums ? 2 * terms * terms * all : subject->moves ? all : INFINITY;
}

static bool is_among(const char *const *all, size_t count, const char *sentence) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(all[i], sentence) == 0)
      return true;
  return false;
}

/* Where a run came out right, no slip was at work that would have given other values. */
static void keep_uncontradicted(Check *check, const JudgedRun *run, Suspects *suspects) {
  size_t kept = 0;
  Suspects others = {.listed_only = true};
  if (!suspects->count || !(work_to_probe(run) <= 4e8))
    return;
  Trial trial = judged_start(check, run, NULL);
  Expected e = expected(run, check);
  if (trial.output.there && trial.output.rows == e.rows && trial.output.columns == e.columns)
    run->subject->suspect(&e.instance, e.margin, &trial.output, &others);
  size_t terms = operand_shape(run->subject->problem, run->size, 0).columns;
  for (size_t i = 0; i < suspects->count; i++) {
    const char *sentence = suspects->sentence[i];
    size_t above = suspects->shows_above[i];
    if ((above && terms > above) ||
        (is_among(others.contradicted, others.contradicted_count, sentence) &&
         !is_among(others.silent, others.silent_count, sentence)))
      continue;
    suspects->shows_above[kept] = above;
    memmove(suspects->sentence[kept++], sentence, sizeof suspects->sentence[0]);
  }
  suspects->count = kept;
  trial_free(&trial);
}

/* Of two runs that went wrong, which says more? An access out of bounds ends the kernel, and with
 * it the values that could tell why; and wrong values say less than an observer that saw how they
 * came about. A slip is named that gives the values of all of them. */
static void take_better(Verdict *first, const Verdict *later, bool *any) {
  bool seen = verdict_is_race(later) || later->kind == VERDICT_UNINITIALISED;
  if (is_wrong(first) && seen && !first->suspects.count) {
    *first = *later;
  } else if (is_wrong(later) && *any) {
    keep_common(&first->suspects, &later->suspects);
  } else if (is_wrong(later)) {
    first->suspects = later->suspects;
    *any = true;
  }
}

/* No slip is left that gives all the values. */
static void leave_open(const Check *check, Verdict *verdict, const JudgedRun *run,
                       bool right_before) {
  const char *by_hand = run->subject->by_hand;
  char number[3];
  lab_number(check->settings->lab, number);
  verdict->explained = false;
  if (right_before)
    verdict_cause(verdict, "other sizes or inputs came out right: what is different here?");
  else
    verdict_cause(verdict, by_hand ? by_hand : "%.0s%.0s", number, run->variant);
}

/* The run that the verdict shows, if it is taken apart in no time and shows a pattern; else of those that went wrong the
 * largest that is, or the smallest. */
static const JudgedRun *to_probe(const JudgedRun *runs, const JudgedRun *shown, const bool *wrong,
                                 size_t count) {
  const double quick = 1.2e8, most = 4e8;
  const JudgedRun *best = NULL;
  double best_work = 0, first = work_to_probe(shown);
  /* Of tiles a single step may show too little. */
  bool vector = shown->subject->moves && problem_sizes(shown->subject->problem) == 1;
  if ((first > 1e5 || vector) && first <= quick)
    return shown;
  for (size_t i = 0; i < count; i++) {
    double work = wrong[i] ? work_to_probe(&runs[i]) : INFINITY;
    bool better =
        !best || (work <= quick ? work > best_work || best_work > quick : work < best_work);
    if (better && work <= most) {
      best_work = work;
      best = &runs[i];
    }
  }
  return best;
}

/* Where all that went wrong is too large: a whole tile of bodies, and a last one that is as short. */
static const JudgedRun *with_fewer_bodies(const JudgedRun *run, JudgedRun *fewer) {
  enum { TILE = 256 };
  *fewer = *run;
  fewer->size[NBODY_N] = TILE + run->size[NBODY_N] % TILE;
  return run->subject->pulls && run->fill == FILL_UNIFORM &&
                 fewer->size[NBODY_N] < run->size[NBODY_N]
             ? fewer
             : NULL;
}

/* What is said of a run of other sizes names them. */
static bool explained_by_probe(Check *check, const JudgedRun *shown, const JudgedRun *probed,
                               Verdict *verdict) {
  char sizes[80];
  size_t lines = verdict->line_count;
  if (!probe_explains(check, probed, verdict))
    return false;
  judged_sizes(probed, sizes, sizeof sizes);
  if (memcmp(probed->size, shown->size, sizeof shown->size) != 0 && lines < verdict->line_count) {
    char text[sizeof verdict->lines[0].text];
    VerdictLine *line = &verdict->lines[lines];
    snprintf(text, sizeof text, "with%.60s: %.120s", sizes, line->text);
    snprintf(line->text, sizeof line->text, "%s", text);
  }
  return true;
}

bool judged_all_right(Check *check, const JudgedRun *given, size_t count) {
  enum { RUNS_MOST = 64 };
  bool failed_at[RUNS_MOST] = {false}, right_at[RUNS_MOST] = {false};
  JudgedRun runs[RUNS_MOST];
  size_t i = 0;
  if (count >= RUNS_MOST)
    bad_input("%zu runs in one task: raise RUNS_MOST", count);
  memcpy(runs, given, count * sizeof *runs);
  while (i < count && judged_right(check, &runs[i], NULL))
    right_at[i++] = true;
  OnceMore last = i == count ? once_more(check, given, count, &runs[count]) : WRONG_AT_OTHER_SIZES;
  if (last != WRONG_AT_OTHER_SIZES)
    return last == ONCE_MORE_RIGHT;
  count += i == count;
  const JudgedRun *failed = &runs[i], *probed;
  failed_at[i] = is_wrong(&check->verdict);
  Verdict first = check->verdict;
  bool wrong = is_wrong(&first), right_before = i > 0, any = wrong, explained = first.explained;
  bool may_improve = wrong || first.kind == VERDICT_OUT_OF_BOUNDS;
  for (i++; i < count && may_improve; i++) {
    memset(&check->verdict, 0, sizeof check->verdict);
    right_at[i] = judged_right(check, &runs[i], NULL);
    failed_at[i] = is_wrong(&check->verdict);
    if (!right_at[i])
      take_better(&first, &check->verdict, &any);
  }
  for (i = 0; i < count && any; i++)
    if (right_at[i])
      keep_uncontradicted(check, &runs[i], &first.suspects);
  if (any && first.suspects.count)
    blame_suspects(&first);
  else if (wrong && is_wrong(&first) && failed->fill != FILL_WHOLE &&
           (explained || (right_before && !failed->subject->element)))
    leave_open(check, &first, failed, right_before);
  bool vague = true; /* rows in other places are told apart by what follows */
  for (size_t k = 0; k < first.suspects.count; k++)
    vague &= strncmp(first.suspects.sentence[k], "row ", 4) == 0 &&
             !strstr(first.suspects.sentence[k], "holds the sum of");
  JudgedRun fewer;
  if (is_wrong(&first) && vague && !check->settings->on_gpu &&
      ((probed = to_probe(runs, failed, failed_at, count)) ||
       (probed = with_fewer_bodies(failed, &fewer))))
    first.explained |= explained_by_probe(check, failed, probed, &first);
  check->verdict = first;
  return false;
}
