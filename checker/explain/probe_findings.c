/* Finds elements of an operand by their values, and describes many wrong terms in one sentence. The
 * sentence has a condition on the coordinates of the wrong terms, and a formula for the element
 * that the kernel used in these terms. */
#include "explain/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *findings_coordinates[] = {"row", "column", "i"};

static int by_value(const void *a, const void *b) {
  double x = ((const Code *)a)->value, y = ((const Code *)b)->value;
  return (x > y) - (x < y);
}

Side side_make(const JudgedRun *run, int operand) {
  const Problem *problem = run->subject->problem;
  Shape shape = operand_shape(problem, run->size, operand);
  size_t count = shape.rows * shape.columns;
  Recipe recipe = {FILL_LIT, (uint64_t)!operand};
  int named = problem->operands[operand].columns;
  Side side = {.name = problem->operands[operand].name,
               .rows = shape.rows,
               .columns = shape.columns,
               .codes = calloc(count, sizeof(Code)),
               .values = numbers(count)};
  if (!side.codes)
    bad_input("not enough memory for %zu numbers", count);
  if (named != ONE)
    side.stride = problem->size_names[named];
  for (int i = 0; i < problem_sizes(problem); i++)
    if (i != named && named != ONE && run->size[i] == run->size[named])
      side.stride = NULL;
  for (size_t at = 0; at < count; at++) {
    side.values[at] = fill_element(&recipe, operand, problem->operands[operand].linear,
                                   at / shape.columns, at % shape.columns);
    side.codes[at] = (Code){side.values[at], at};
  }
  qsort(side.codes, count, sizeof *side.codes, by_value);
  return side;
}

void sides_free(Probe *p) {
  for (size_t i = 0; i < sizeof p->side / sizeof *p->side; i++) {
    free(p->side[i].codes);
    free(p->side[i].values);
  }
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

/* Writes a condition for a set of numbers below `count`: "row % 32 >= 16". Writes "" if all numbers
 * are in the set. Returns false if the condition would be too long. */
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

/* Writes the first three ranges of a set that no short condition describes. */
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

/* Marks every row, column and index i that occurs in a finding of this kind. If `of` is not NULL,
 * uses only findings in the same sum as `of`. Returns the product of the three numbers of marked
 * rows, columns and indices. This product equals the number of findings if all combinations
 * occur. */
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

/* Writes a comparison of two coordinates that is true for exactly these findings: "Where i < column
 * % 32:". */
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
      /* The relation must be true for findings of this kind only, so other findings are skipped. */
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
    snprintf(out, size, "Where %s %s %s:", left, signs[sign], right);
    return true;
  }
  return false;
}

bool findings_where(const Probe *p, const Findings *f, Kind kind, char *out, size_t size) {
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
      at += (size_t)snprintf(out + at, size - at, "%s%s", at ? ", " : "Where ", one);
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
    const Said said = SAID(IN_SUM_AND_OTHERS, sum, one[0] ? " where " : "", one);
    said_text(&said, out, size);
  }
  for (size_t d = 0; d < 3; d++)
    free(in[d]);
  return exact;
}

/* ---- a formula for the origin of a wrong term ------------------------------------------------ */

/* A sum of multiples of 1, of row, column and i, and of these three modulo one or two tile sizes.
 * If `around` is set, the formula is this sum modulo `around`, plus the beginning of the tile that
 * contains the coordinate `base`. */
enum { PLAIN = 4, PARTS = PLAIN + 3 + 3, SAMPLES = 48 };
typedef struct Formula {
  /* The tile sizes; 0: unused. */
  size_t tile[2];
  double times[PARTS];
  /* The size of the tile within which the sum wraps around; 0: the sum does not wrap around. */
  size_t around;
  int base;
} Formula;

static double part(const Formula *m, const Astray *a, int k) {
  if (k < PLAIN)
    return k == 0 ? 1 : (double)coordinate(a, k - 1);
  return (double)(coordinate(a, (k - PLAIN) % 3) % m->tile[(k - PLAIN) / 3]);
}

static int parts_of(const Formula *m) {
  return PLAIN + (m->tile[0] ? 3 : 0) + (m->tile[1] ? 3 : 0);
}

static double formula_value(const Formula *m, const Astray *a) {
  double sum = 0, tile = (double)m->around;
  for (int k = 0; k < parts_of(m); k++)
    sum += m->times[k] != 0 ? m->times[k] * part(m, a, k) : 0;
  if (!m->around)
    return sum;
  size_t base = coordinate(a, m->base);
  return (double)(base - base % m->around) + sum - floor(sum / tile) * tile;
}

/* Selects the number that a formula has to give. stride 0: the coordinate at[which] of an element.
 * Otherwise the element's index in memory, with rows of `stride` elements. */
typedef struct Number {
  size_t which, stride;
} Number;

static double number_of(const Number *n, const Astray *a) {
  return (double)(n->stride ? a->at[n->which] * n->stride + a->at[n->which + 1] : a->at[n->which]);
}

/* Returns a finding of a kind for which the formula is wrong; NULL: there is no such finding. If
 * `spare` is not 0, also returns NULL if the formula is wrong for at most one finding in
 * `spare`. */
static const Astray *contradicts(const Findings *f, Kind kind, const Number *n, const Formula *m,
                                 size_t spare) {
  size_t others = 0, most = spare ? f->of[kind] / spare : 0;
  for (size_t x = 0; x < f->count; x++)
    if (f->all[x].kind == kind && number_of(n, &f->all[x]) != formula_value(m, &f->all[x]) &&
        ++others > most)
      return &f->all[x];
  return NULL;
}

/* Finds a formula that gives these samples, by Gaussian elimination. A part that depends linearly
 * on earlier parts gets the factor 0. Returns false if there is no formula with integer factors. */
static bool solve(const Astray *const *sample, size_t count, const Number *n, const int *order,
                  Formula *m) {
  double a[SAMPLES][PARTS + 1];
  int used = parts_of(m), column_of[PARTS];
  size_t rank = 0;
  for (size_t r = 0; r < count; r++) {
    for (int k = 0; k < used; k++)
      a[r][k] = part(m, sample[r], order[k]);
    a[r][used] = number_of(n, sample[r]);
  }
  memset(m->times, 0, sizeof m->times);
  for (int k = 0; k < used && rank < count; k++) {
    size_t best = rank;
    for (size_t r = rank; r < count; r++)
      best = fabs(a[r][k]) > fabs(a[best][k]) ? r : best;
    if (fabs(a[best][k]) < 1e-6)
      continue;
    for (int c = 0; c <= used; c++) {
      double one = a[best][c];
      a[best][c] = a[rank][c];
      a[rank][c] = one;
    }
    for (size_t r = 0; r < count; r++) {
      double times = r == rank ? 0 : a[r][k] / a[rank][k];
      for (int c = k; c <= used && times != 0; c++)
        a[r][c] -= times * a[rank][c];
    }
    column_of[rank++] = k;
  }
  for (size_t r = rank; r < count; r++)
    if (fabs(a[r][used]) > 1e-4)
      return false;
  for (size_t r = 0; r < rank; r++) {
    double times = a[r][used] / a[r][column_of[r]];
    if (fabs(times - round(times)) > 1e-5)
      return false;
    m->times[order[column_of[r]]] = round(times);
  }
  return true;
}

/* Returns the finding of this kind with index n modulo the number of such findings. */
static const Astray *nth(const Findings *f, Kind kind, size_t n) {
  n %= f->of[kind];
  for (size_t x = 0; x < f->count; x++)
    if (f->all[x].kind == kind && n-- == 0)
      return &f->all[x];
  return f->all;
}

/* Returns true if a formula fits all findings. Solves for a few samples, and then again with each
 * finding that contradicts the formula. If `spare` is not 0, solves only once. */
static bool fits(const Findings *f, Kind kind, const Number *n, const int *order, size_t spare,
                 Formula *m) {
  const Astray *sample[SAMPLES];
  size_t count = 0, few = (size_t)parts_of(m) + 2;
  for (size_t at = 7; count < few; at = at * 1103515245 + 12345)
    sample[count++] = nth(f, kind, at >> 16);
  for (; count < SAMPLES && solve(sample, count, n, order, m); count++)
    if (!(sample[count] = contradicts(f, kind, n, m, spare)))
      return true;
    else if (spare)
      return false;
  return false;
}

static size_t terms_of(const Formula *m) {
  size_t terms = 0;
  for (int k = 0; k < PARTS; k++)
    terms += m->times[k] != 0;
  return terms;
}

static const size_t tiles[] = {32, 16, 8, 4, 128, 64, 256, 1024};
enum { TILES = sizeof tiles / sizeof *tiles };

/* Searches for a formula that wraps around within a tile: "(i + column) % 32". */
static bool find_turned(const Findings *f, Kind kind, const Number *n, bool simple, Formula *m) {
  const Astray *one = findings_example(f, kind);
  bool varies[BY_NOTHING + 1] = {[BY_NOTHING] = true};
  for (size_t x = 0; x < f->count; x++)
    for (int by = BY_ROW; by < BY_NOTHING; by++)
      varies[by] |= f->all[x].kind == kind && coordinate(&f->all[x], by) != coordinate(one, by);
  for (size_t way = 0; way < 27 * TILES * 4; way++) {
    *m = (Formula){.around = tiles[way / 27 % TILES], .base = BY_NOTHING - (int)(way / 27 / TILES)};
    if (!varies[m->base])
      continue;
    for (size_t k = 0, rest = way; k < 3; k++, rest /= 3)
      m->times[1 + k] = (double)(rest % 3) - 1;
    double off = number_of(n, one) - formula_value(m, one), tile = (double)m->around;
    m->times[0] = off - floor(off / tile) * tile;
    size_t steps = terms_of(m) - (m->times[0] != 0);
    for (int by = BY_ROW; by < BY_NOTHING; by++)
      steps += m->times[1 + by] != 0 && !varies[by] ? 3 : 0;
    bool upwards = m->times[1] + m->times[2] + m->times[3] == 1;
    if (steps > 0 && steps <= 3 && (steps == 1 && upwards) == simple &&
        !contradicts(f, kind, n, m, 0))
      return true;
  }
  return false;
}

/* Finds the simplest formula that fits. home: the right coordinate. spare: if it is not 0, the
 * formula may be wrong for one finding in `spare`. Returns false if no formula fits. */
static bool find_formula(const Findings *f, Kind kind, const Number *n, int home, size_t spare,
                         Formula *m) {
  for (size_t sets = 0; sets <= TILES * TILES; sets++) {
    if (sets == 1 && !spare && find_turned(f, kind, n, true, m))
      return true;
    size_t first = sets ? (sets - 1) % TILES : 0, second = sets ? (sets - 1) / TILES : 0;
    *m = (Formula){.tile = {sets ? tiles[first] : 0, second ? tiles[second] : 0}};
    if (second && (first >= second || spare))
      continue;
    for (int way = 0; way < 2; way++) {
      int order[PARTS] = {way ? 0 : home + 1, way ? home + 1 : 0}, filled = 2;
      for (int k = 1; k < PLAIN; k++)
        if (k != home + 1)
          order[filled++] = k;
      for (int k = PLAIN; k < PARTS; k++)
        order[filled++] = k;
      if (fits(f, kind, n, order, spare, m) && terms_of(m) <= 4)
        return true;
    }
  }
  return !spare && find_turned(f, kind, n, false, m);
}

bool findings_at_home(const Findings *f, Kind kind, size_t which, int home) {
  Formula m = {.times = {0}};
  m.times[1 + home] = 1;
  return !contradicts(f, kind, &(Number){which, 0}, &m, 0);
}

/* Writes one term: " + 4 * row % 32". If `side` has a name for the factor, writes the name. */
static size_t put_term(const Formula *m, int k, const Side *side, bool first, char *out,
                       size_t size) {
  double times = fabs(m->times[k]);
  size_t at = (size_t)snprintf(out, size, "%s",
                               m->times[k] < 0 ? (first ? "-" : " - ")
                               : first         ? ""
                                               : " + ");
  const char *stride =
      side && side->stride && times == (double)side->columns && times > 1 ? side->stride : NULL;
  if (k == 0)
    return at + (size_t)(stride ? snprintf(out + at, size - at, "%s", stride)
                                : snprintf(out + at, size - at, "%.0f", times));
  const char *name = findings_coordinates[(k - 1) % 3];
  size_t tile = k < PLAIN ? 0 : m->tile[(k - PLAIN) / 3];
  bool factor = times != 1;
  at += (size_t)snprintf(out + at, size - at, factor && tile ? "(%s" : "%s", name);
  if (tile)
    at += (size_t)snprintf(out + at, size - at, factor ? " %% %zu)" : " %% %zu", tile);
  if (stride)
    at += (size_t)snprintf(out + at, size - at, " * %s", stride);
  else if (factor)
    at += (size_t)snprintf(out + at, size - at, " * %.0f", times);
  return at;
}

/* Writes a coordinate whose factor within a tile differs from its factor for whole tiles, "(row -
 * row % 32) * n + (row % 32) * 32", and removes it from the formula. */
static size_t put_in_tile(Formula *m, int by, const Side *side, char *out, size_t size) {
  double whole = m->times[1 + by], within = whole + m->times[PLAIN + by];
  const char *name = findings_coordinates[by];
  char stride[40];
  if (!m->tile[0] || !(whole > 1 && within > 0 && within < whole))
    return 0;
  if (side && side->stride && whole == (double)side->columns)
    snprintf(stride, sizeof stride, "%s", side->stride);
  else
    snprintf(stride, sizeof stride, "%.0f", whole);
  m->times[1 + by] = m->times[PLAIN + by] = 0;
  return (size_t)snprintf(out, size, "(%s - %s %% %zu) * %s + (%s %% %zu) * %.0f", name, name,
                          m->tile[0], stride, name, m->tile[0], within);
}

/* Writes a formula: "row - row % 32 + column % 32". Positive terms are first; among the terms
 * modulo a tile, negative terms are first. */
static void put_formula(const Formula *formula, const Side *side, char *out, size_t size) {
  Formula copy = *formula, *m = &copy;
  size_t at = 0, put = 0, inner = 0;
  bool plain = m->times[1] > 0 || m->times[2] > 0 || m->times[3] > 0;
  char sum[160] = "";
  for (int by = BY_ROW; by < BY_NOTHING && !put; by++)
    put = inner = (at = put_in_tile(m, by, side, sum, sizeof sum)) > 0;
  for (int pass = 0; pass < 6; pass++) {
    /* A constant is written first if all other terms are negative, otherwise last. */
    bool number = pass == (m->times[0] > 0 && !plain ? 0 : 5);
    for (int k = number ? 0 : 1; k < (number ? 1 : PARTS) && at < sizeof sum; k++) {
      bool now = number || (k < PLAIN ? pass == (m->times[k] > 0 ? 1 : 2)
                                      : pass == (m->times[k] < 0 ? 3 : 4));
      if (m->times[k] == 0 || !now)
        continue;
      at += put_term(m, k, side, put++ == 0, sum + at, sizeof sum - at);
      inner++;
    }
  }
  if (put == 0)
    snprintf(sum, sizeof sum, "0");
  const char *base = m->around && m->base != BY_NOTHING ? findings_coordinates[m->base] : NULL;
  if (base)
    snprintf(out, size, inner > 1 ? "%s - %s %% %zu + (%s) %% %zu" : "%s - %s %% %zu + %s %% %zu",
             base, base, m->around, sum, m->around);
  else if (m->around)
    snprintf(out, size, inner > 1 ? "(%s) %% %zu" : "%s %% %zu", sum, m->around);
  else
    snprintf(out, size, "%s", sum);
}

static bool formula_of(const Findings *f, Kind kind, const Number *n, int home, const Side *side,
                       char *out, size_t size) {
  Formula m;
  bool all = find_formula(f, kind, n, home, 0, &m);
  if (!all && (n->stride || !find_formula(f, kind, n, home, 20, &m)))
    return false;
  size_t at = (size_t)snprintf(out, size, "%s", all ? "" : "mostly ");
  put_formula(&m, side, out + at, size - at);
  return true;
}

bool findings_plain(const Findings *f, Kind kind, size_t which, int home) {
  Formula m;
  return find_formula(f, kind, &(Number){which, 0}, home, 0, &m) && !m.around && terms_of(&m) <= 2;
}

bool findings_from(const Findings *f, Kind kind, size_t which, int home, char *out, size_t size) {
  return formula_of(f, kind, &(Number){which, 0}, home, NULL, out, size);
}

static bool element_of(const Findings *f, Kind kind, size_t s, const int homes[2], const Side *side,
                       char *out, size_t size) {
  char place[2][160];
  if (findings_from(f, kind, 2 * s, homes[0], place[0], sizeof place[0]) &&
      findings_from(f, kind, 2 * s + 1, homes[1], place[1], sizeof place[1])) {
    side_put_element(side, place[0], place[1], out, size);
    return true;
  }
  if (side->columns > 1 && formula_of(f, kind, &(Number){2 * s, side->columns}, homes[1], side,
                                      place[0], sizeof place[0])) {
    snprintf(out, size, "%s[%s]", side->name, place[0]);
    return true;
  }
  snprintf(out, size, "another element of %s", side->name);
  return false;
}

bool findings_element(const Findings *f, Kind kind, size_t s, const Side *side, char *out,
                      size_t size) {
  return element_of(f, kind, s, s ? (const int[]){BY_I, BY_COLUMN} : (const int[]){BY_ROW, BY_I},
                    side, out, size);
}

bool findings_move(const Findings *f, Kind kind, const Side *side, char *out, size_t size) {
  return element_of(f, kind, 0, (const int[]){BY_ROW, BY_COLUMN}, side, out, size);
}

void side_put_element(const Side *s, const char *row, const char *column, char *out, size_t size) {
  if (s->columns == 1)
    snprintf(out, size, "%s(%s)", s->name, row);
  else
    snprintf(out, size, "%s(%s, %s)", s->name, row, column);
}
