/* What does a kernel compute instead? A sum of products is linear in either operand, so chosen inputs take it apart:
 * where the second operand is 1 in row i and 0 elsewhere, each sum shows the elements of the first that meet that
 * row; where the first is 1 in column i, those of the second. The numbers of the other operand tell
 * where they are from (FILL_LIT). What both show fits together to the terms that were really added up. Nothing is
 * guessed here: all that is said was seen.
 */
#include "checker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

enum { ITEMS = 2, EXPECTED = -1, NONE = -2 };

/* An element of an operand that a sum holds, so many times. */
typedef struct Item {
  size_t row, column;
  double weight; /* 0: there is none */
} Item;

/* The numbers of an operand, in order, to find them again. */
typedef struct Code {
  double value;
  size_t at;
} Code;

typedef struct Side {
  const char *name;
  size_t rows, columns;
  Code *codes;
  double *values;
} Side;

typedef struct Probe {
  size_t m, k, n;
  Side side[2];
  const ResultFile *output; /* of 2 * k + 1 runs */
  size_t strange;           /* numbers that are no such elements */
} Probe;

/* One place where something else is added than belongs there: in the sum of (row, column), for term i. */
typedef enum Kind { KIND_OTHER, KIND_MISSING, KIND_TIMES, KIND_SURPLUS, KINDS, KIND_GONE } Kind;
typedef struct Astray {
  Kind kind;
  size_t row, column, i;
  size_t at[4]; /* row and column in the one operand, in the other, of what was added */
  double weight;
} Astray;

typedef struct Findings {
  Astray *all;
  size_t count, room, of[KINDS];
} Findings;

/* ---- reading --------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
  double x = ((const Code *)a)->value, y = ((const Code *)b)->value;
  return (x > y) - (x < y);
}

static Side side_make(const JudgedRun *run, int operand) {
  const Problem *problem = run->subject->problem;
  Shape shape = operand_shape(problem, run->size, operand);
  size_t count = shape.rows * shape.columns;
  Recipe recipe = {FILL_LIT, (uint64_t)!operand};
  Side side = {.name = problem->operands[operand].name,
               .rows = shape.rows,
               .columns = shape.columns,
               .codes = calloc(count, sizeof(Code)),
               .values = numbers(count)};
  if (!side.codes)
    bad_input("not enough memory for %zu numbers", count);
  for (size_t at = 0; at < count; at++) {
    side.values[at] = fill_element(&recipe, operand, problem->operands[operand].linear,
                                   at / shape.columns, at % shape.columns);
    side.codes[at] = (Code){side.values[at], at};
  }
  qsort(side.codes, count, sizeof *side.codes, by_value);
  return side;
}

static bool same(double a, double b) { return fabs(a - b) <= 1.2e-7 * fabs(b); }

static bool find_code(const Side *s, double value, Item *item) {
  size_t low = 0, high = s->rows * s->columns;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->codes[middle].value < value * (1 - 1e-7))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == s->rows * s->columns || !same(s->codes[low].value, value))
    return false;
  *item = (Item){s->codes[low].at / s->columns, s->codes[low].at % s->columns, 1};
  return true;
}

/* Which elements is this number made of? The likeliest first: the one that belongs there, so or so many times; another
 * one; both; another one several times. */
static bool read_items(const Side *s, double value, size_t row, size_t column, Item *items) {
  const double expected = s->values[row * s->columns + column];
  Item *first = &items[0], *second = &items[1];
  memset(items, 0, ITEMS * sizeof *items);
  if (value == 0)
    return true;
  for (int times = 1; times <= 64; times++)
    for (int sign = 1; sign >= -1; sign -= 2)
      if (same(value, sign * times * expected)) {
        *first = (Item){row, column, sign * times};
        return true;
      }
  if (find_code(s, value, first))
    return true;
  if (find_code(s, value - expected, second)) {
    *first = (Item){row, column, 1};
    return true;
  }
  for (int times = -1; times <= 32; times++)
    if (times && find_code(s, value / times, first)) {
      first->weight = times;
      return true;
    }
  return false;
}

/* What the sum of (row, column) shows where operand `lit` is 1 in its line i. */
static void shown(Probe *p, int lit, size_t row, size_t column, size_t i, Item *items) {
  size_t at = ((2 * i + (size_t)lit) * p->m + row) * p->n + column;
  double value = p->output->values[at];
  if (p->output->states[at] == ELEMENT_VALUE &&
      read_items(&p->side[!lit], value, lit ? row : i, lit ? i : column, items))
    return;
  memset(items, 0, ITEMS * sizeof *items);
  p->strange++;
}

/* ---- what was added -------------------------------------------------------------------------- */

static void note(Findings *f, Astray astray) {
  if (f->count == f->room) {
    f->room = f->room ? 2 * f->room : 1024;
    f->all = realloc(f->all, f->room * sizeof *f->all);
    if (!f->all)
      bad_input("out of memory");
  }
  f->all[f->count++] = astray;
  f->of[astray.kind]++;
}

/* Terms that were added though they do not belong there, and those that lack: two of them are one exchanged for the other
 * where half of it is right. */
static void pair_up(Findings *f, size_t begin) {
  for (size_t way = 0; way < 2; way++)
    for (size_t s = begin; s < f->count; s++) {
      Astray *surplus = &f->all[s];
      for (size_t k = begin; k < f->count && surplus->kind == KIND_SURPLUS; k++) {
        Astray *missing = &f->all[k];
        if (missing->kind != KIND_MISSING || missing->i != surplus->at[way ? 2 : 1] ||
            surplus->weight != 1)
          continue;
        f->of[KIND_MISSING]--;
        f->of[KIND_SURPLUS]--;
        f->of[KIND_OTHER]++;
        surplus->kind = KIND_OTHER;
        surplus->i = missing->i;
        missing->kind = KIND_GONE;
      }
    }
  size_t kept = begin;
  for (size_t x = begin; x < f->count; x++)
    if (f->all[x].kind != KIND_GONE)
      f->all[kept++] = f->all[x];
  f->count = kept;
}

/* All terms of one sum. */
static void look_into(Probe *p, size_t row, size_t column, Findings *f) {
  size_t begin = f->count;
  for (size_t i = 0; i < p->k; i++) {
    Item a[ITEMS], b[ITEMS];
    bool right = false;
    shown(p, 1, row, column, i, a);
    for (size_t x = 0; x < ITEMS; x++) {
      if (a[x].weight == 0)
        continue;
      shown(p, 0, row, column, a[x].column, b);
      for (size_t y = 0; y < ITEMS; y++) {
        if (b[y].weight == 0 || b[y].row != i)
          continue;
        Astray astray = {.row = row,
                         .column = column,
                         .i = i,
                         .at = {a[x].row, a[x].column, b[y].row, b[y].column},
                         .weight = a[x].weight};
        bool belongs =
            a[x].row == row && a[x].column == i && b[y].column == column && b[y].row == i;
        right |= belongs;
        astray.kind = belongs ? KIND_TIMES : KIND_SURPLUS;
        if (!belongs || a[x].weight != 1)
          note(f, astray);
      }
    }
    if (!right)
      note(f, (Astray){.kind = KIND_MISSING, .row = row, .column = column, .i = i});
  }
  pair_up(f, begin);
}

static const Astray *example_of(const Findings *f, Kind kind) {
  size_t x = 0, best = f->count;
  for (; x < f->count; x++)
    if (f->all[x].kind == kind &&
        (best == f->count || f->all[x].row + f->all[x].column + f->all[x].i <
                                 f->all[best].row + f->all[best].column + f->all[best].i))
      best = x;
  return &f->all[best];
}

static void put_number(const Side *s, size_t row, size_t column, char *out, size_t size) {
  if (s->columns == 1)
    snprintf(out, size, "%s(%zu)", s->name, row);
  else
    snprintf(out, size, "%s(%zu,%zu)", s->name, row, column);
}

static const char *output_name(const Probe *p) { return p->n == 1 ? "out" : "C"; }

/* ---- where ------------------------------------------------------------------------------------ */

/* "row % 32 >= 16", of a set of numbers below `count`; "": all of them. False: there are no few words for it. */
static bool condition(const unsigned char *in, size_t count, const char *name, char *out,
                      size_t size) {
  static const size_t periods[] = {2, 4, 8, 16, 32, 64, 128, 256, 1024};
  size_t first = count, last = 0, members = 0;
  out[0] = '\0';
  for (size_t i = 0; i < count; i++)
    if (in[i]) {
      first = i < first ? i : first;
      last = i;
      members++;
    }
  if (members == count)
    return true;
  if (members == last - first + 1) {
    if (members == 1)
      snprintf(out, size, "%s = %zu", name, first);
    else if (first == 0)
      snprintf(out, size, "%s <= %zu", name, last);
    else if (last + 1 == count)
      snprintf(out, size, "%s >= %zu", name, first);
    else
      snprintf(out, size, "%s = %zu to %zu", name, first, last);
    return true;
  }
  for (size_t p = 0; p < sizeof periods / sizeof *periods && periods[p] < count; p++) {
    size_t period = periods[p], low = period, high = 0, residues = 0;
    bool periodic = true;
    for (size_t i = period; i < count && periodic; i++)
      periodic = in[i] == in[i - period];
    for (size_t i = 0; i < period; i++)
      if (in[i]) {
        low = i < low ? i : low;
        high = i;
        residues++;
      }
    if (!periodic || residues != high - low + 1)
      continue;
    if (residues == 1)
      snprintf(out, size, "%s %% %zu = %zu", name, period, low);
    else if (low == 0)
      snprintf(out, size, "%s %% %zu <= %zu", name, period, high);
    else if (high + 1 == period)
      snprintf(out, size, "%s %% %zu >= %zu", name, period, low);
    else
      snprintf(out, size, "%s %% %zu = %zu to %zu", name, period, low, high);
    return true;
  }
  snprintf(out, size, "%s = %zu to %zu", name, first, last);
  return false;
}

/* The same of a set that needs more words: where it begins. */
static void first_runs(const unsigned char *in, size_t count, const char *name, char *out,
                       size_t size) {
  size_t at = (size_t)snprintf(out, size, "%s =", name), runs = 0;
  for (size_t i = 0, end; i < count && at < size; i = end + 1) {
    for (end = i; end < count && in[end]; end++)
      ;
    if (end == i)
      continue;
    if (++runs > 3) {
      snprintf(out + at, size - at, " ...");
      return;
    }
    at += (size_t)snprintf(out + at, size - at, "%s %zu", runs > 1 ? "," : "", i);
    if (end > i + 1 && at < size)
      at += (size_t)snprintf(out + at, size - at, " to %zu", end - 1);
  }
}

/* Which rows, columns and terms the findings of a kind are in; of = one: those in its sum alone. Returns how many. */
static size_t mark_places(const Probe *p, const Findings *f, Kind kind, const Astray *of,
                      unsigned char *in[3]) {
  const size_t counts[] = {p->m, p->n, p->k};
  size_t members = 1;
  for (size_t d = 0; d < 3; d++)
    memset(in[d], 0, counts[d]);
  for (size_t x = 0; x < f->count; x++) {
    const Astray *one = &f->all[x];
    if (one->kind == kind && (!of || (one->row == of->row && one->column == of->column)))
      in[0][one->row] = in[1][one->column] = in[2][one->i] = 1;
  }
  for (size_t d = 0; d < 3; d++) {
    size_t some = 0;
    for (size_t i = 0; i < counts[d]; i++)
      some += in[d][i];
    members *= some;
  }
  return members;
}

/* "where row % 32 >= 16, i = 7:", of the findings of a kind; where that takes too many words, of one sum. */
static void put_where(const Probe *p, const Findings *f, Kind kind, char *out, size_t size) {
  static const char *const names[] = {"row", "column", "i"};
  const size_t counts[] = {p->m, p->n, p->k};
  const Astray *example = example_of(f, kind);
  unsigned char *in[3];
  size_t at = 0;
  for (size_t d = 0; d < 3; d++)
    if (!(in[d] = calloc(counts[d], 1)))
      bad_input("out of memory");
  bool exact = mark_places(p, f, kind, NULL, in) == f->of[kind];
  out[0] = '\0';
  for (size_t d = 0; d < 3 && exact; d++) {
    char one[80];
    exact = condition(in[d], counts[d], names[d], one, sizeof one);
    if (one[0] && at < size)
      at += (size_t)snprintf(out + at, size - at, "%s%s", at ? ", " : "where ", one);
  }
  if (at && exact && at < size)
    snprintf(out + at, size - at, ":");
  if (!exact) {
    char one[80], sum[60];
    mark_places(p, f, kind, example, in);
    if (!condition(in[2], p->k, "i", one, sizeof one))
      first_runs(in[2], p->k, "i", one, sizeof one);
    put_number(&(Side){.name = output_name(p), .columns = p->n}, example->row, example->column, sum,
               sizeof sum);
    snprintf(out, size, "in the sum of %s%s%s, and of others:", sum, one[0] ? " where " : "", one);
  }
  for (size_t d = 0; d < 3; d++)
    free(in[d]);
}

/* ---- what instead ------------------------------------------------------------------------------ */

/* Where a coordinate may come from: what stands first in its tile, and a place in there. */
enum { BY_ROW, BY_COLUMN, BY_I, BY_NOTHING };
typedef struct From {
  int base, inner;
  size_t outer_tile, tile;
  long more;
} From;

static const char *const coordinates[] = {"row", "column", "i"};

static size_t coordinate(const Astray *a, int by) {
  return by == BY_ROW ? a->row : by == BY_COLUMN ? a->column : by == BY_I ? a->i : 0;
}

static long from_value(const From *from, const Astray *a) {
  size_t base = coordinate(a, from->base), inner = coordinate(a, from->inner);
  if (from->outer_tile)
    base -= base % from->outer_tile;
  return (long)(base + (from->tile ? inner % from->tile : 0)) + from->more;
}

/* Is coordinate `which` of all findings of a kind that? */
static bool always(const Findings *f, Kind kind, size_t which, const From *from) {
  for (size_t x = 0; x < f->count; x++)
    if (f->all[x].kind == kind && (long)f->all[x].at[which] != from_value(from, &f->all[x]))
      return false;
  return true;
}

static void from_name(const From *from, char *out, size_t size) {
  const char *base = from->base == BY_NOTHING ? "" : coordinates[from->base];
  if (from->tile && from->base != BY_NOTHING)
    snprintf(out, size, "%s - %s %% %zu + %s %% %zu", base, base, from->outer_tile,
             coordinates[from->inner], from->tile);
  else if (from->tile)
    snprintf(out, size, "%s %% %zu", coordinates[from->inner], from->tile);
  else if (from->base == BY_NOTHING || from->more == 0)
    snprintf(out, size, from->base == BY_NOTHING ? "%.0s%ld" : "%s", base, from->more);
  else
    snprintf(out, size, "%s %c %ld", base, from->more < 0 ? '-' : '+', labs(from->more));
}

/* The simplest that fits. */
static bool put_from(const Findings *f, Kind kind, size_t which, int home, char *out, size_t size) {
  static const size_t tiles[] = {32, 16, 8, 4, 128, 64, 256, 1024};
  enum { TILES = sizeof tiles / sizeof *tiles };
  const Astray *one = example_of(f, kind);
  const int order[] = {home, BY_ROW, BY_COLUMN, BY_I, BY_NOTHING};
  for (size_t simple = 0; simple < 2; simple++)
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
      From from = {.base = order[k]};
      if (simple == 0 && order[k] == BY_NOTHING)
        continue;
      from.more = simple ? (long)one->at[which] - from_value(&from, one) : 0;
      if (always(f, kind, which, &from)) {
        from_name(&from, out, size);
        return true;
      }
    }
  for (int base = BY_NOTHING; base >= BY_ROW; base--)
    for (int inner = BY_ROW; inner < BY_NOTHING; inner++)
      for (size_t t = 0; t < TILES; t++)
        for (size_t o = 0; o < (base == BY_NOTHING ? 1 : TILES); o++) {
          From from = {base, inner, base == BY_NOTHING ? 0 : tiles[o], tiles[t], 0};
          if (always(f, kind, which, &from)) {
            from_name(&from, out, size);
            return true;
          }
        }
  snprintf(out, size, "?");
  return false;
}

/* "A(row, i)"; of a vector "v(i)". */
static void put_element(const Side *s, const char *row, const char *column, char *out,
                        size_t size) {
  if (s->columns == 1)
    snprintf(out, size, "%s(%s)", s->name, row);
  else
    snprintf(out, size, "%s(%s, %s)", s->name, row, column);
}

/* Sums that are right, but those of other elements: which are where? */
static void say_moved(const Findings *f, Verdict *verdict) {
  char list[200];
  size_t at = 0, told = 0;
  const Astray *last = NULL;
  list[0] = '\0';
  for (size_t x = 0; x < f->count && told < 4 && at < sizeof list; x++) {
    const Astray *one = &f->all[x];
    if (one->kind != KIND_OTHER || (last && last->row == one->row && last->column == one->column) ||
        (told && x < told * f->count / 4))
      continue;
    at += (size_t)snprintf(list + at, sizeof list - at, "%sC(%zu,%zu) holds what belongs in C(%zu,%zu)",
                           told++ ? ", " : "", one->row, one->column, one->at[0], one->at[3]);
    last = one;
  }
  verdict_cause(verdict, "whole sums stand in other elements' places: %s", list);
}

/* Which factors are not those that belong there, and what they are. */
static void say_other(const Probe *p, const Findings *f, Kind kind, const char *where,
                      Verdict *verdict) {
  static const int homes[] = {BY_ROW, BY_I, BY_I, BY_COLUMN};
  char place[4][80], element[2][400], home[2][40];
  bool known[2] = {true, true}, other[4];
  for (size_t c = 0; c < 4; c++) {
    known[c / 2] &= put_from(f, kind, c, homes[c], place[c], sizeof place[c]);
    other[c] = !always(f, kind, c, &(From){.base = homes[c]});
  }
  put_element(&p->side[0], "row", "i", home[0], sizeof home[0]);
  put_element(&p->side[1], "i", "column", home[1], sizeof home[1]);
  for (size_t s = 0; s < 2; s++)
    if (known[s])
      put_element(&p->side[s], place[2 * s], place[2 * s + 1], element[s], sizeof element[s]);
    else
      snprintf(element[s], sizeof element[s], "another element of %s", p->side[s].name);
  bool a = other[0] || other[1], b = other[2] || other[3];
  if (!other[1] && !other[2] && p->n > 1 && known[0] && known[1])
    verdict_cause(verdict,
                  "%s C(row, column) holds what belongs in C(%s, %s): does each output have its "
                  "own row of A, column of B, sum, and place where it is stored?",
                  where, place[0], place[3]);
  else if (!other[1] && !other[2] && p->n > 1)
    say_moved(f, verdict);
  else if (a && b)
    verdict_cause(verdict, "%s the product of %s and %s is added where that of %s and %s belongs",
                  where, element[0], element[1], home[0], home[1]);
  else
    verdict_cause(verdict, "%s %s is taken where %s belongs: which index is loaded, stored or read?",
                  where, element[b], home[b]);
}

/* The findings of a kind, in one sentence, and the first of them as a line. */
static void say(const Probe *p, const Findings *f, Kind kind, const char *place,
                Verdict *verdict) {
  char where[200], product[100], mine[2][60], theirs[2][60], sum[60];
  const Astray *one = example_of(f, kind);
  const Side output = {.name = output_name(p), .columns = p->n};
  put_where(p, f, kind, where, sizeof where);
  put_number(&output, one->row, one->column, sum, sizeof sum);
  put_number(&p->side[0], one->row, one->i, theirs[0], sizeof theirs[0]);
  put_number(&p->side[1], one->i, one->column, theirs[1], sizeof theirs[1]);
  for (size_t s = 0; s < 2; s++)
    put_number(&p->side[s], one->at[2 * s], one->at[2 * s + 1], mine[s], sizeof mine[s]);
  snprintf(product, sizeof product, p->n == 1 ? "%s(row, i) * %s(i)" : "%s(row, i) * %s(i, column)",
           p->side[0].name, p->side[1].name);
  switch (kind) {
  case KIND_OTHER:
    verdict_line(verdict, place, "%s has %s * %s in it where %s * %s belongs", sum, mine[0],
                 mine[1], theirs[0], theirs[1]);
    say_other(p, f, kind, where, verdict);
    break;
  case KIND_MISSING:
    verdict_line(verdict, place, "%s lacks %s * %s", sum, theirs[0], theirs[1]);
    verdict_cause(verdict, "%s %s is never added", where, product);
    break;
  case KIND_TIMES:
    verdict_line(verdict, place, "%s has %s * %s in it %.0f times", sum, theirs[0], theirs[1],
                 one->weight);
    if (one->weight < 0)
      verdict_cause(verdict, "%s %s is subtracted", where, product);
    else
      verdict_cause(verdict, "%s %s is added more than once", where, product);
    break;
  default:
    verdict_line(verdict, place, "%s has %s * %s in it, which does not belong there", sum, mine[0],
                 mine[1]);
    verdict_cause(verdict, "%s something is added that belongs to other sums, or was added before",
                  where);
  }
}

/* ---- asking ------------------------------------------------------------------------------------ */

static void place_of_store(const JudgedRun *run, const Log *log, char *place, size_t size) {
  const char *kernel;
  json_t *event;
  LogAccess access;
  place[0] = '\0';
  json_object_foreach(log->kernels, kernel,
                      event) if (log_access(log, kernel, problem_inputs(run->subject->problem),
                                            true, &access))
      place_format(place, size, access.file, access.line);
}

static bool conclude(Probe *p, const char *place, Verdict *verdict) {
  Findings f = {0};
  Kind most = KIND_OTHER;
  for (size_t row = 0; row < p->m; row++)
    for (size_t column = 0; column < p->n; column++)
      look_into(p, row, column, &f);
  for (Kind kind = 0; kind < KINDS; kind++)
    most = f.of[kind] > f.of[most] ? kind : most;
  /* What is now and then two elements of one number is no reason for doubt. */
  bool known = f.count > 0 && p->strange * 20 <= f.count;
  if (known)
    say(p, &f, most, place, verdict);
  free(f.all);
  return known;
}

bool probe_explains(Check *check, const JudgedRun *run, Verdict *verdict) {
  Probe p = {.side = {side_make(run, 0), side_make(run, 1)}};
  p.m = p.side[0].rows;
  p.k = p.side[0].columns;
  p.n = p.side[1].columns;
  char extra[40], place[200];
  JudgedRun lit = *run;
  snprintf(extra, sizeof extra, "--probes=%zu", 2 * p.k + 1);
  lit.fill = FILL_LIT;
  Trial trial = judged_start(check, &lit, extra);
  p.output = &trial.output;
  place_of_store(run, &trial.log, place, sizeof place);
  bool known = trial.output.there && trial.output.rows == (2 * p.k + 1) * p.m &&
               trial.output.columns == p.n && conclude(&p, place, verdict);
  for (size_t s = 0; s < 2; s++) {
    free(p.side[s].codes);
    free(p.side[s].values);
  }
  trial_free(&trial);
  return known;
}
