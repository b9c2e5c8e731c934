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
  const char *output_name;
  size_t m, k, n;
  Side side[2];
  const ResultFile *output; /* of 2 * k + 2 runs */
  size_t strange;           /* sums of which the terms are not known */
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

/* What the sum of (row, column) shows where operand `lit` is 1 in its line i. False: no such elements. */
static bool shown(const Probe *p, int lit, size_t row, size_t column, size_t i, Item *items) {
  size_t at = ((2 * i + (size_t)lit) * p->m + row) * p->n + column;
  return p->output->states[at] == ELEMENT_VALUE &&
         read_items(&p->side[!lit], p->output->values[at], lit ? row : i, lit ? i : column, items);
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

/* A term that was added; what belongs there and counts once is nothing to note. */
static void add_term(Findings *f, size_t row, size_t column, const size_t at[4], double weight,
                     bool *there) {
  Astray astray = {.row = row, .column = column, .i = at[2], .weight = weight};
  bool belongs = at[0] == row && at[1] == at[2] && at[3] == column;
  memcpy(astray.at, at, sizeof astray.at);
  astray.kind = belongs ? KIND_TIMES : KIND_SURPLUS;
  if (belongs)
    there[at[2]] = true;
  if (!belongs || weight != 1)
    note(f, astray);
}

/* What one side shows of a sum, term by term, and that all of it is from one column (row) of the other side: does the
 * other side show the same? lit: the operand that is 1 where `items` were read. */
static bool other_side_agrees(const Probe *p, int lit, size_t row, size_t column, const Item *items,
                              size_t line) {
  const Side *other = &p->side[lit];
  for (size_t l = 0; l < p->k; l++) {
    double sum = 0, magnitude = 0;
    for (size_t x = 0; x < p->k * ITEMS; x++) {
      const Item *item = &items[x];
      if (item->weight == 0 || (lit ? item->column : item->row) != l)
        continue;
      size_t i = x / ITEMS;
      double one = item->weight * (lit ? other->values[i * other->columns + line]
                                       : other->values[line * other->columns + i]);
      sum += one;
      magnitude += fabs(one);
    }
    size_t at = ((2 * l + !lit) * p->m + row) * p->n + column;
    if (p->output->states[at] != ELEMENT_VALUE ||
        !(fabs(p->output->values[at] - sum) <= 4e-7 * magnitude))
      return false;
  }
  return true;
}

/* The terms of a sum as one side shows them; false: it does not, or the other contradicts. */
static bool from_one_side(Probe *p, int lit, size_t row, size_t column, Item *items, Findings *f,
                          bool *there) {
  size_t lines = lit ? p->side[1].columns : p->side[0].rows, home = lit ? column : row, line = home;
  for (size_t i = 0; i < p->k; i++)
    if (!shown(p, lit, row, column, i, &items[i * ITEMS]))
      return false;
  for (size_t tried = 0; !other_side_agrees(p, lit, row, column, items, line); tried++)
    if (tried == lines || (line = tried) == lines)
      return false;
  for (size_t x = 0; x < p->k * ITEMS; x++) {
    size_t i = x / ITEMS;
    const size_t a[4] = {items[x].row, items[x].column, i, line};
    const size_t b[4] = {line, i, items[x].row, items[x].column};
    if (items[x].weight != 0)
      add_term(f, row, column, lit ? a : b, items[x].weight, there);
  }
  return true;
}

/* What both sides show, each in part. */
static bool from_both_sides(Probe *p, size_t row, size_t column, Findings *f, bool *there) {
  for (size_t i = 0; i < p->k; i++) {
    Item a[ITEMS], b[ITEMS];
    if (!shown(p, 1, row, column, i, a))
      return false;
    for (size_t x = 0; x < ITEMS; x++) {
      if (a[x].weight == 0)
        continue;
      if (!shown(p, 0, row, column, a[x].column, b))
        return false;
      for (size_t y = 0; y < ITEMS; y++)
        if (b[y].weight != 0 && b[y].row == i)
          add_term(f, row, column, (const size_t[]){a[x].row, a[x].column, b[y].row, b[y].column},
                   a[x].weight, there);
    }
  }
  return true;
}

/* All terms of one sum. */
static void look_into(Probe *p, size_t row, size_t column, Findings *f) {
  size_t begin = f->count;
  Item *items = calloc(p->k * ITEMS, sizeof *items);
  bool *there = calloc(p->k, sizeof *there);
  if (!items || !there)
    bad_input("out of memory");
  bool known = from_one_side(p, 1, row, column, items, f, there) ||
               from_one_side(p, 0, row, column, items, f, there) ||
               from_both_sides(p, row, column, f, there);
  for (size_t i = 0; i < p->k && known; i++)
    if (!there[i])
      note(f, (Astray){.kind = KIND_MISSING, .row = row, .column = column, .i = i});
  if (known) {
    pair_up(f, begin);
  } else {
    for (; f->count > begin; f->count--)
      f->of[f->all[f->count - 1].kind]--;
    p->strange++;
  }
  free(items);
  free(there);
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

/* Where a coordinate may come from: what stands first in its tile, and a place in there. */
enum { BY_ROW, BY_COLUMN, BY_I, BY_NOTHING };
typedef struct From {
  int base, inner;
  size_t outer_tile, tile;
  long more;
  bool backwards; /* more - base */
} From;

static const char *coordinates[] = {"row", "column", "i"};

static size_t coordinate(const Astray *a, int by) {
  return by == BY_ROW ? a->row : by == BY_COLUMN ? a->column : by == BY_I ? a->i : 0;
}

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

static bool relates(const Astray *a, const int by[2], const size_t tile[2], size_t sign) {
  size_t left = coordinate(a, by[0]), right = coordinate(a, by[1]);
  left = tile[0] ? left % tile[0] : left;
  right = tile[1] ? right % tile[1] : right;
  return sign == 0   ? left < right
         : sign == 1 ? left <= right
         : sign == 2 ? left > right
                     : left >= right;
}

static void put_side(int by, size_t tile, char *out, size_t size) {
  if (tile)
    snprintf(out, size, "%s %% %zu", coordinates[by], tile);
  else
    snprintf(out, size, "%s", coordinates[by]);
}

/* "where i < column % 32:": what a comparison of two coordinates lets in. */
static bool relation(const Probe *p, const Findings *f, Kind kind, char *out, size_t size) {
  static const size_t tiles[] = {0, 32, 16, 8, 128, 64, 256, 1024};
  enum { TILES = sizeof tiles / sizeof *tiles, RELATIONS = 4 };
  static const char *const signs[RELATIONS] = {"<", "<=", ">", ">="};
  for (size_t which = 0; which < 6 * TILES * TILES * RELATIONS; which++) {
    size_t pair = which % 6, t[2] = {tiles[which / 6 % TILES], tiles[which / 6 / TILES % TILES]};
    size_t sign = which / 6 / TILES / TILES, members = 0, checked = 0;
    int by[2] = {(int)pair / 2, ((int)pair / 2 + 1 + (int)pair % 2) % 3};
    if (by[0] != BY_I && by[1] != BY_I && kind == KIND_SURPLUS)
      continue;
    bool holds = true;
    Astray one = {0};
    for (size_t x = 0; x < f->count + 1 && holds; x++) {
      /* All that were found, and then how many there are. */
      if (x < f->count && f->all[x].kind != kind)
        continue;
      if (x < f->count)
        holds = relates(&f->all[x], by, t, sign);
      checked = x;
    }
    if (!holds || checked != f->count)
      continue;
    for (one.row = 0; one.row < p->m && members <= f->of[kind]; one.row++)
      for (one.column = 0; one.column < p->n; one.column++)
        for (one.i = 0; one.i < p->k; one.i++)
          members += relates(&one, by, t, sign);
    if (members != f->of[kind])
      continue;
    char left[40], right[40];
    put_side(by[0], t[0], left, sizeof left);
    put_side(by[1], t[1], right, sizeof right);
    snprintf(out, size, "where %s %s %s:", left, signs[sign], right);
    return true;
  }
  return false;
}

/* "where row % 32 >= 16, i = 7:", of the findings of a kind; where that takes too many words, of one sum. */
static void put_where(const Probe *p, const Findings *f, Kind kind, char *out, size_t size) {
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
    exact = condition(in[d], counts[d], coordinates[d], one, sizeof one);
    if (one[0] && at < size)
      at += (size_t)snprintf(out + at, size - at, "%s%s", at ? ", " : "where ", one);
  }
  if (at && exact && at < size)
    snprintf(out + at, size - at, ":");
  if (!exact && relation(p, f, kind, out, size)) {
    exact = true;
  } else if (!exact) {
    char one[80], sum[60];
    mark_places(p, f, kind, example, in);
    if (!condition(in[2], p->k, coordinates[BY_I], one, sizeof one))
      first_runs(in[2], p->k, coordinates[BY_I], one, sizeof one);
    put_number(&(Side){.name = p->output_name, .columns = p->n}, example->row, example->column, sum,
               sizeof sum);
    snprintf(out, size, "in the sum of %s%s%s, and of others:", sum, one[0] ? " where " : "", one);
  }
  for (size_t d = 0; d < 3; d++)
    free(in[d]);
}

/* ---- what instead ------------------------------------------------------------------------------ */

static long from_value(const From *from, const Astray *a) {
  size_t base = coordinate(a, from->base), inner = coordinate(a, from->inner);
  if (from->outer_tile)
    base -= base % from->outer_tile;
  if (from->backwards)
    return from->more - (long)base;
  return (long)(base + (from->tile ? inner % from->tile : 0)) + from->more;
}

/* Is coordinate `which` of all findings of a kind that, or of all but one in `spare`? */
static bool mostly(const Findings *f, Kind kind, size_t which, const From *from, size_t spare) {
  size_t others = 0, most = spare ? f->of[kind] / spare : 0;
  for (size_t x = 0; x < f->count && others <= most; x++)
    others += f->all[x].kind == kind && (long)f->all[x].at[which] != from_value(from, &f->all[x]);
  return others <= most;
}

static bool always(const Findings *f, Kind kind, size_t which, const From *from) {
  return mostly(f, kind, which, from, 0);
}

static void from_name(const From *from, char *out, size_t size) {
  const char *base = from->base == BY_NOTHING ? "" : coordinates[from->base];
  if (from->backwards) {
    snprintf(out, size, "%ld - %s", from->more, base);
    return;
  }
  if (from->tile && from->inner == BY_NOTHING)
    snprintf(out, size, "%s - %s %% %zu", base, base, from->outer_tile);
  else if (from->tile && from->base != BY_NOTHING)
    snprintf(out, size, "%s - %s %% %zu + %s %% %zu", base, base, from->outer_tile,
             coordinates[from->inner], from->tile);
  else if (from->tile)
    snprintf(out, size, "%s %% %zu", coordinates[from->inner], from->tile);
  else if (from->base == BY_NOTHING || from->more == 0)
    snprintf(out, size, from->base == BY_NOTHING ? "%.0s%ld" : "%s", base, from->more);
  else
    snprintf(out, size, "%s %c %ld", base, from->more < 0 ? '-' : '+', labs(from->more));
}

/* The simplest that fits; spare: nearly. */
static bool find_from(const Findings *f, Kind kind, size_t which, int home, size_t spare,
                      From *from) {
  static const size_t tiles[] = {32, 16, 8, 4, 128, 64, 256, 1024};
  enum { TILES = sizeof tiles / sizeof *tiles };
  const Astray *some[3] = {example_of(f, kind)};
  const int order[] = {home, BY_ROW, BY_COLUMN, BY_I, BY_NOTHING};
  for (size_t x = 0, told = 0; x < f->count; x++)
    if (f->all[x].kind == kind && told++ == f->of[kind] / 2)
      some[1] = &f->all[x];
  for (size_t x = 0; x < f->count; x++)
    if (f->all[x].kind == kind)
      some[2] = &f->all[x];
  for (size_t way = 0; way < 3; way++)
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
      for (size_t e = 0; e < (spare ? 3 : 1); e++) {
        *from = (From){.base = order[k], .backwards = way == 2};
        from->more = way == 0 ? 0 : (long)some[e]->at[which] - from_value(from, some[e]);
        if ((way == 1 || order[k] != BY_NOTHING) && mostly(f, kind, which, from, spare))
          return true;
      }
  for (int base = BY_NOTHING; base >= BY_ROW; base--)
    for (int inner = BY_ROW; inner <= BY_NOTHING; inner++)
      for (size_t t = 0; t < TILES; t++)
        for (size_t o = 0; o < (base == BY_NOTHING ? 1 : TILES); o++) {
          *from = (From){base, inner, base == BY_NOTHING ? 0 : tiles[o], tiles[t], 0, false};
          if ((inner != BY_NOTHING || (base != BY_NOTHING && t == 0)) &&
              mostly(f, kind, which, from, spare))
            return true;
        }
  return false;
}

static bool put_from(const Findings *f, Kind kind, size_t which, int home, char *out, size_t size) {
  From from;
  bool all = find_from(f, kind, which, home, 0, &from);
  if (!all && !find_from(f, kind, which, home, 20, &from))
    return false;
  size_t at = (size_t)snprintf(out, size, "%s", all ? "" : "mostly ");
  from_name(&from, out + at, size - at);
  return true;
}

/* "A(row, i)"; of a vector "v(i)". */
static void put_element(const Side *s, const char *row, const char *column, char *out,
                        size_t size) {
  if (s->columns == 1)
    snprintf(out, size, "%s(%s)", s->name, row);
  else
    snprintf(out, size, "%s(%s, %s)", s->name, row, column);
}

/* Are they all terms of the sum of one other element, for each element? */
static bool whole_sums(const Findings *f, Kind kind) {
  const Astray *last = NULL;
  for (size_t x = 0; x < f->count; x++) {
    const Astray *one = &f->all[x];
    if (one->kind != kind)
      continue;
    if (one->at[1] != one->i || one->at[2] != one->i ||
        (last && last->row == one->row && last->column == one->column &&
         (last->at[0] != one->at[0] || last->at[3] != one->at[3])))
      return false;
    last = one;
  }
  return true;
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
    at += (size_t)snprintf(list + at, sizeof list - at,
                           "%sC(%zu,%zu) holds what belongs in C(%zu,%zu)", told++ ? ", " : "",
                           one->row, one->column, one->at[0], one->at[3]);
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
  bool whole = p->n > 1 && whole_sums(f, kind);
  if (whole && known[0] && known[1])
    verdict_cause(verdict,
                  "%s C(row, column) holds what belongs in C(%s, %s): does each output have its "
                  "own row of A, column of B, sum, and place where it is stored?",
                  where, place[0], place[3]);
  else if (whole)
    say_moved(f, verdict);
  else if (a && b)
    verdict_cause(verdict, "%s the product of %s and %s is added where that of %s and %s belongs",
                  where, element[0], element[1], home[0], home[1]);
  else
    verdict_cause(verdict,
                  "%s %s is taken where %s belongs: which index is loaded, stored or read?", where,
                  element[b], home[b]);
}

/* The findings of a kind, in one sentence, and the first of them as a line. */
static void say(const Probe *p, const Findings *f, Kind kind, const char *place, Verdict *verdict) {
  char where[200], product[100], mine[2][60], theirs[2][60], sum[60];
  const Astray *one = example_of(f, kind);
  const Side output = {.name = p->output_name, .columns = p->n};
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
  json_object_foreach(
      log->kernels, kernel,
      event) if (log_access(log, kernel, problem_inputs(run->subject->problem), true, &access))
      place_format(place, size, access.file, access.line);
}

/* Where one operand is 0 a sum of products is 0: what is there all the same? lit: the operand that is 0. */
static bool say_alone(const Probe *p, const char *place, Verdict *verdict) {
  for (size_t lit = 0; lit < 2; lit++)
    for (size_t e = 0; e < p->m * p->n; e++) {
      size_t at = (2 * p->k + lit) * p->m * p->n + e;
      const Side *side = &p->side[!lit];
      char sum[60], mine[60];
      Item item;
      if (p->output->states[at] != ELEMENT_VALUE || p->output->values[at] == 0 ||
          !find_code(side, p->output->values[at], &item))
        continue;
      put_number(&(Side){.name = p->output_name, .columns = p->n}, e / p->n, e % p->n, sum,
                 sizeof sum);
      put_number(side, item.row, item.column, mine, sizeof mine);
      verdict_line(verdict, place, "%s has %s in it even where all of %s is 0", sum, mine,
                   p->side[lit].name);
      verdict_cause(verdict,
                    "an element of %s is in the sum alone, without a factor of %s: only products "
                    "belong there",
                    side->name, p->side[lit].name);
      return true;
    }
  return false;
}

/* A sentence that holds everywhere has nothing before it. */
static void trim(Verdict *verdict) {
  size_t blank = strspn(verdict->cause, " ");
  memmove(verdict->cause, verdict->cause + blank, strlen(verdict->cause + blank) + 1);
}

static bool conclude(Probe *p, const char *place, Verdict *verdict) {
  if (say_alone(p, place, verdict))
    return true;
  Findings f = {0};
  Kind most = KIND_OTHER;
  for (size_t row = 0; row < p->m; row++)
    for (size_t column = 0; column < p->n; column++)
      look_into(p, row, column, &f);
  for (Kind kind = 0; kind < KINDS; kind++)
    most = f.of[kind] > f.of[most] ? kind : most;
  bool known = f.count > 0 && p->strange * 20 <= p->m * p->n;
  if (known) {
    say(p, &f, most, place, verdict);
    trim(verdict);
  }
  free(f.all);
  return known;
}

static Trial start(Check *check, const JudgedRun *run, size_t probes) {
  char extra[40];
  JudgedRun lit = *run;
  snprintf(extra, sizeof extra, "--probes=%zu", probes);
  lit.fill = FILL_LIT;
  return judged_start(check, &lit, extra);
}

static bool take_apart_sums(Check *check, const JudgedRun *run, Verdict *verdict) {
  const Problem *problem = run->subject->problem;
  Probe p = {.output_name = problem->operands[problem_inputs(problem)].name,
             .side = {side_make(run, 0), side_make(run, 1)}};
  p.m = p.side[0].rows;
  p.k = p.side[0].columns;
  p.n = p.side[1].columns;
  char place[200];
  Trial trial = start(check, run, 2 * p.k + 2);
  p.output = &trial.output;
  place_of_store(run, &trial.log, place, sizeof place);
  bool known = trial.output.there && trial.output.rows == (2 * p.k + 2) * p.m &&
               trial.output.columns == p.n && conclude(&p, place, verdict);
  for (size_t s = 0; s < 2; s++) {
    free(p.side[s].codes);
    free(p.side[s].values);
  }
  trial_free(&trial);
  return known;
}

/* ---- bodies ------------------------------------------------------------------------------------ */

/* What body k, alone, does to body i: so many times what it should, along that and across; and at which distance. */
typedef struct Pull {
  size_t body, k;
  double along, across, distance;
  double wanted[2], got[2];
} Pull;

static Pull pull_of(const JudgedRun *run, size_t element_bytes, const ResultFile *output, size_t n,
                    size_t body, size_t k) {
  const Recipe recipe = {FILL_LIT, k};
  const Problem *problem = run->subject->problem;
  double r[2], by[2], d2 = 0, size = 0;
  Pull pull = {.body = body, .k = k};
  for (size_t c = 0; c < 2; c++) {
    r[c] = problem->fill(&recipe, run->size, NBODY_R0, body, c);
    by[c] = problem->fill(&recipe, run->size, NBODY_R0, k, c);
    if (element_bytes == sizeof(float)) {
      r[c] = (float)r[c];
      by[c] = (float)by[c];
    }
    d2 += (by[c] - r[c]) * (by[c] - r[c]);
  }
  pull.distance = sqrt(d2);
  for (size_t c = 0; c < 2; c++) {
    size_t at = ((k * 2 + 1) * n + body) * 2 + c;
    pull.wanted[c] = NBODY_MG * NBODY_TAU * NBODY_TAU / 2 * (by[c] - r[c]) / (d2 * pull.distance);
    pull.got[c] = output->states[at] == ELEMENT_VALUE ? output->values[at] - r[c] : NAN;
    size += pull.wanted[c] * pull.wanted[c];
  }
  pull.along = (pull.got[0] * pull.wanted[0] + pull.got[1] * pull.wanted[1]) / size;
  pull.across = (pull.got[1] * pull.wanted[0] - pull.got[0] * pull.wanted[1]) / size;
  return pull;
}

static bool about(double a, double b) { return fabs(a - b) <= 0.02 * fmax(1, fabs(b)); }

/* Pulls that count so or so many times. */
static bool say_which_pull(const Pull *pulls, size_t count, size_t n, const char *place,
                           Verdict *verdict) {
  Findings f = {0};
  char where[200], line[120];
  for (size_t x = 0; x < count; x++) {
    const Pull *one = &pulls[x];
    double times = round(one->along);
    bool plain = about(one->along, times) && about(one->across, 0);
    if (plain && times != 1)
      note(&f, (Astray){.kind = times == 0 ? KIND_MISSING : KIND_TIMES,
                        .row = one->body,
                        .i = one->k,
                        .weight = times});
    if (!plain) {
      free(f.all);
      return false;
    }
  }
  size_t told = f.count;
  Kind kind = f.of[KIND_MISSING] >= f.of[KIND_TIMES] ? KIND_MISSING : KIND_TIMES;
  if (told > 0 && told < count) {
    /* Of itself a body shows nothing here: that pair counts as one of the others. */
    for (size_t i = 0; i < n; i++) {
      size_t like = 0;
      for (size_t x = 0; x < f.count; x++)
        like += f.all[x].kind == kind && f.all[x].i == i;
      if (like * 2 > n)
        note(&f, (Astray){.kind = kind, .row = i, .i = i, .weight = 1});
    }
    Probe p = {.output_name = "body ", .m = n, .k = n, .n = 1};
    const Astray *one = example_of(&f, kind);
    if (kind == KIND_MISSING)
      snprintf(line, sizeof line, "body %zu does not pull body %zu", one->i, one->row);
    else
      snprintf(line, sizeof line, "body %zu pulls body %zu %.0f times as much as it should", one->i,
               one->row, one->weight);
    coordinates[BY_ROW] = "i";
    coordinates[BY_I] = "k";
    put_where(&p, &f, kind, where, sizeof where);
    coordinates[BY_ROW] = "row";
    coordinates[BY_I] = "i";
    verdict_line(verdict, place, "%s", line);
    verdict_cause(verdict,
                  kind == KIND_MISSING ? "%s the pull of body k on body i is not in its sum"
                                       : "%s the pull of body k on body i is in its sum "
                                         "more than once, or with another sign",
                  where);
  }
  free(f.all);
  return told > 0 && told < count;
}

/* A pull that falls with another power of the distance, or along other axes. */
static bool say_which_law(const Pull *pulls, size_t count, const char *place, Verdict *verdict) {
  size_t none = 0;
  for (size_t x = 0; x < count; x++)
    none += pulls[x].got[0] == 0 && pulls[x].got[1] == 0;
  if (none == count) {
    verdict_cause(
        verdict, "no body pulls another one: with two bodies apart from each other, neither moves");
    return true;
  }
  const Pull *shown = &pulls[0]; /* the one that is off most */
  for (size_t x = 1; x < count; x++)
    if (hypot(pulls[x].along - 1, pulls[x].across) > hypot(shown->along - 1, shown->across))
      shown = &pulls[x];
  const double part = NBODY_MG * NBODY_TAU * NBODY_TAU / 2;
  verdict_line(verdict, place,
               "at a distance of (%.3f, %.3f) body %zu pulls by MG * (%.4g, %.4g), wanted is MG * "
               "(%.4g, %.4g)",
               shown->wanted[0] / part * pow(shown->distance, 3),
               shown->wanted[1] / part * pow(shown->distance, 3), shown->k, shown->got[0] / part,
               shown->got[1] / part, shown->wanted[0] / part, shown->wanted[1] / part);
  double power = NAN, factor[2][2] = {{0}}, xx = 0, xy = 0, yy = 0, of[2][2] = {{0}};
  bool falls = true, mixes = true;
  const Pull *one = &pulls[0], *other = one;
  for (size_t x = 0; x < count && other == one; x++)
    other = fabs(pulls[x].distance / one->distance - 1) > 0.5 ? &pulls[x] : one;
  if (one->along > 0 && other->along > 0 && other != one)
    power = round(log(other->along / one->along) / log(other->distance / one->distance));
  double scale = one->along / pow(one->distance, power);
  for (size_t x = 0; x < count; x++) {
    const Pull *p = &pulls[x];
    double expected = scale * pow(p->distance, power);
    falls &= fabs(p->along - expected) <= 0.05 * fabs(expected) &&
             fabs(p->across) <= 0.05 * fabs(expected);
    xx += p->wanted[0] * p->wanted[0];
    xy += p->wanted[0] * p->wanted[1];
    yy += p->wanted[1] * p->wanted[1];
    for (size_t c = 0; c < 2; c++) {
      of[c][0] += p->got[c] * p->wanted[0];
      of[c][1] += p->got[c] * p->wanted[1];
    }
  }
  if (falls && power != 0) {
    verdict_cause(verdict,
                  "r_k - r_i is divided by the power %.0f of the distance: the law wants its cube",
                  3 - power);
    return true;
  }
  for (size_t c = 0; c < 2; c++) {
    factor[c][0] = (of[c][0] * yy - of[c][1] * xy) / (xx * yy - xy * xy);
    factor[c][1] = (of[c][1] * xx - of[c][0] * xy) / (xx * yy - xy * xy);
  }
  for (size_t x = 0; x < count && mixes; x++)
    for (size_t c = 0; c < 2; c++) {
      const Pull *p = &pulls[x];
      double expected = factor[c][0] * p->wanted[0] + factor[c][1] * p->wanted[1];
      mixes &= fabs(p->got[c] - expected) <= 0.02 * hypot(p->wanted[0], p->wanted[1]);
    }
  if (mixes)
    verdict_cause(verdict,
                  "a pull (x, y) comes out as (%.3g x %+.3g y, %.3g x %+.3g y): who has which "
                  "coordinate and which factor?",
                  factor[0][0], factor[0][1], factor[1][0], factor[1][1]);
  return mixes;
}

static bool take_apart_pulls(Check *check, const JudgedRun *run, Verdict *verdict) {
  size_t n = (size_t)run->size[NBODY_N], count = 0;
  JudgedRun step = *run;
  Pull *pulls = calloc(n * n, sizeof *pulls);
  char place[200];
  bool known = false;
  step.size[NBODY_STEPS] = 1;
  if (!pulls)
    bad_input("out of memory");
  Trial trial = start(check, &step, n);
  place_of_store(run, &trial.log, place, sizeof place);
  if (trial.output.there && trial.output.rows * trial.output.columns == 4 * n * n) {
    for (size_t k = 0; k < n; k++)
      for (size_t body = 0; body < n; body++)
        if (body != k)
          pulls[count++] = pull_of(&step, check_element_bytes(check), &trial.output, n, body, k);
    known = say_which_pull(pulls, count, n, place, verdict) ||
            say_which_law(pulls, count, place, verdict);
  }
  free(pulls);
  trial_free(&trial);
  return known;
}

/* ---- elements that are only moved ------------------------------------------------------------ */

/* Of one operand: which of its elements stands where another belongs? The others are all 1. */
static bool moved_elements(Check *check, const JudgedRun *run, int operand, Findings *f, Probe *p) {
  JudgedRun lit = *run;
  lit.fill = FILL_LIT;
  lit.seed = 2 * LIT_ALL + !operand;
  Side *side = &p->side[operand];
  Recipe recipe = {FILL_LIT, lit.seed};
  Instance instance =
      instance_make(run->subject->problem, run->size, check_element_bytes(check), recipe);
  instance_gold(&instance);
  Trial trial = judged_start(check, &lit, NULL);
  unsigned char *seen = calloc(side->rows * side->columns, 1);
  size_t count = trial.output.there ? trial.output.rows * trial.output.columns : 0, strange = 0;
  for (size_t at = 0; at < count && seen; at++) {
    Item belongs, stands = {0};
    double got = trial.output.values[at];
    if (!find_code(side, instance.gold[at], &belongs) ||
        seen[belongs.row * side->columns + belongs.column])
      continue;
    seen[belongs.row * side->columns + belongs.column] = 1;
    if (trial.output.states[at] != ELEMENT_VALUE || (got != 0 && !find_code(side, got, &stands)))
      strange++;
    else if (got == 0 || stands.row != belongs.row || stands.column != belongs.column)
      note(f, (Astray){.kind = got == 0 ? KIND_MISSING : KIND_OTHER,
                       .row = belongs.row,
                       .column = belongs.column,
                       .at = {stands.row, stands.column, 0, 0}});
  }
  free(seen);
  instance_free(&instance);
  trial_free(&trial);
  p->m = side->rows;
  p->n = side->columns;
  return count > 0 && f->count > 0 && strange * 20 <= count;
}

static void say_moved_elements(const Probe *p, const Side *side, const Findings *f,
                               Verdict *verdict) {
  Kind kind = f->of[KIND_OTHER] >= f->of[KIND_MISSING] ? KIND_OTHER : KIND_MISSING;
  const Astray *one = example_of(f, kind);
  char where[200], place[2][80], mine[60], theirs[60], element[200], home[40];
  bool known = put_from(f, kind, 0, BY_ROW, place[0], sizeof place[0]) &
               put_from(f, kind, 1, BY_COLUMN, place[1], sizeof place[1]);
  put_where(p, f, kind, where, sizeof where);
  if (strncmp(where, "in the sum", 10) == 0)
    snprintf(where, sizeof where, "in some places");
  put_number(side, one->row, one->column, theirs, sizeof theirs);
  put_number(side, one->at[0], one->at[1], mine, sizeof mine);
  put_element(side, "row", "column", home, sizeof home);
  if (known)
    put_element(side, place[0], place[1], element, sizeof element);
  else
    snprintf(element, sizeof element, "another element of %s", side->name);
  if (kind == KIND_MISSING) {
    verdict_line(verdict, "", "0 stands where %s belongs", theirs);
    verdict_cause(verdict, "%s %s is missing: which guard, or which store, leaves it out?", where,
                  home);
  } else {
    verdict_line(verdict, "", "%s stands where %s belongs", mine, theirs);
    verdict_cause(verdict, "%s %s stands where %s belongs: which index is loaded, stored or read?",
                  where, element, home);
  }
  trim(verdict);
}

/* Where another element stands tells more than where there is none, since the other operand's may be missing there. */
static bool take_apart_moves(Check *check, const JudgedRun *run, Verdict *verdict) {
  int inputs = problem_inputs(run->subject->problem);
  Findings f[2] = {{0}};
  Probe p[2] = {{.output_name = "", .k = 1}, {.output_name = "", .k = 1}};
  bool known[2] = {false, false};
  for (int i = 0; i < inputs && i < 2; i++) {
    p[i].side[i] = side_make(run, i);
    known[i] = moved_elements(check, run, i, &f[i], &p[i]);
  }
  int tells = known[1] &&
              (!known[0] || f[1].of[KIND_OTHER] > f[0].of[KIND_OTHER] ||
               (f[1].of[KIND_OTHER] == 0 && f[0].of[KIND_OTHER] == 0 && f[1].count < f[0].count));
  if (known[tells])
    say_moved_elements(&p[tells], &p[tells].side[tells], &f[tells], verdict);
  for (int i = 0; i < inputs && i < 2; i++) {
    free(f[i].all);
    free(p[i].side[i].codes);
    free(p[i].side[i].values);
  }
  return known[tells];
}

bool probe_explains(Check *check, const JudgedRun *run, Verdict *verdict) {
  return run->subject->pulls   ? take_apart_pulls(check, run, verdict)
         : run->subject->moves ? take_apart_moves(check, run, verdict)
                               : take_apart_sums(check, run, verdict);
}
