/* The elements of an operand, found again by their numbers; and of many places where something else is computed than belongs
 * there, what they have in common: a condition on their coordinates, a formula of where from.
 */
#include "probe.h"

#include <stdlib.h>
#include <string.h>

const char *findings_coordinates[] = {"row", "column", "i"};

/* Where a coordinate may come from: what stands first in its tile, and a place in there. */
typedef struct From {
  int base, inner;
  size_t outer_tile, tile;
  long more;
  bool backwards; /* more - base */
} From;

static int by_value(const void *a, const void *b) {
  double x = ((const Code *)a)->value, y = ((const Code *)b)->value;
  return (x > y) - (x < y);
}

Side side_make(const JudgedRun *run, int operand) {
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

bool side_find(const Side *s, double value, Item *item) {
  size_t low = 0, high = s->rows * s->columns;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->codes[middle].value < value * (1 - 1e-7))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == s->rows * s->columns || !same_number(s->codes[low].value, value))
    return false;
  *item = (Item){s->codes[low].at / s->columns, s->codes[low].at % s->columns, 1};
  return true;
}

void findings_note(Findings *f, Astray astray) {
  if (f->count == f->room) {
    f->room = f->room ? 2 * f->room : 1024;
    f->all = realloc(f->all, f->room * sizeof *f->all);
    if (!f->all)
      bad_input("out of memory");
  }
  f->all[f->count++] = astray;
  f->of[astray.kind]++;
}

const Astray *findings_example(const Findings *f, Kind kind) {
  size_t x = 0, best = f->count;
  for (; x < f->count; x++)
    if (f->all[x].kind == kind &&
        (best == f->count || f->all[x].row + f->all[x].column + f->all[x].i <
                                 f->all[best].row + f->all[best].column + f->all[best].i))
      best = x;
  return &f->all[best];
}

void side_put_number(const Side *s, size_t row, size_t column, char *out, size_t size) {
  if (s->columns == 1)
    snprintf(out, size, "%s(%zu)", s->name, row);
  else
    snprintf(out, size, "%s(%zu,%zu)", s->name, row, column);
}

static size_t coordinate(const Astray *a, int by) {
  return by == BY_ROW ? a->row : by == BY_COLUMN ? a->column : by == BY_I ? a->i : 0;
}

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
    snprintf(out, size, "%s %% %zu", findings_coordinates[by], tile);
  else
    snprintf(out, size, "%s", findings_coordinates[by]);
}

/* "where i < column % 32:": what a comparison of two findings_coordinates lets in. */
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
void findings_where(const Probe *p, const Findings *f, Kind kind, char *out, size_t size) {
  const size_t counts[] = {p->m, p->n, p->k};
  const Astray *example = findings_example(f, kind);
  unsigned char *in[3];
  size_t at = 0;
  for (size_t d = 0; d < 3; d++)
    if (!(in[d] = calloc(counts[d], 1)))
      bad_input("out of memory");
  bool exact = mark_places(p, f, kind, NULL, in) == f->of[kind];
  out[0] = '\0';
  for (size_t d = 0; d < 3 && exact; d++) {
    char one[80];
    exact = condition(in[d], counts[d], findings_coordinates[d], one, sizeof one);
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
    if (!condition(in[2], p->k, findings_coordinates[BY_I], one, sizeof one))
      first_runs(in[2], p->k, findings_coordinates[BY_I], one, sizeof one);
    side_put_number(&(Side){.name = p->output_name, .columns = p->n}, example->row, example->column,
                    sum, sizeof sum);
    snprintf(out, size, "in the sum of %s%s%s, and of others:", sum, one[0] ? " where " : "", one);
  }
  for (size_t d = 0; d < 3; d++)
    free(in[d]);
}

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

bool findings_at_home(const Findings *f, Kind kind, size_t which, int home) {
  return always(f, kind, which, &(From){.base = home});
}

static void from_name(const From *from, char *out, size_t size) {
  const char *base = from->base == BY_NOTHING ? "" : findings_coordinates[from->base];
  if (from->backwards) {
    snprintf(out, size, "%ld - %s", from->more, base);
    return;
  }
  if (from->tile && from->inner == BY_NOTHING)
    snprintf(out, size, "%s - %s %% %zu", base, base, from->outer_tile);
  else if (from->tile && from->base != BY_NOTHING)
    snprintf(out, size, "%s - %s %% %zu + %s %% %zu", base, base, from->outer_tile,
             findings_coordinates[from->inner], from->tile);
  else if (from->tile)
    snprintf(out, size, "%s %% %zu", findings_coordinates[from->inner], from->tile);
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
  const Astray *some[3] = {findings_example(f, kind)};
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

bool findings_from(const Findings *f, Kind kind, size_t which, int home, char *out, size_t size) {
  From from;
  bool all = find_from(f, kind, which, home, 0, &from);
  if (!all && !find_from(f, kind, which, home, 20, &from))
    return false;
  size_t at = (size_t)snprintf(out, size, "%s", all ? "" : "mostly ");
  from_name(&from, out + at, size - at);
  return true;
}

/* "A(row, i)"; of a vector "v(i)". */
void side_put_element(const Side *s, const char *row, const char *column, char *out, size_t size) {
  if (s->columns == 1)
    snprintf(out, size, "%s(%s)", s->name, row);
  else
    snprintf(out, size, "%s(%s, %s)", s->name, row, column);
}
