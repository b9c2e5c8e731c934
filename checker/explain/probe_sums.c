/* Probes for sums of products. These probes find which elements a kernel multiplies and how often
 * it adds each product. */
#include "explain/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finds the elements whose sum is this value. Tries the likely cases first: the correct element,
 * once or several times; another element; the correct element and another element; another element
 * several times. */
static bool read_items(const Side *s, double value, size_t row, size_t column, Item *items) {
  const double expected = s->values[row * s->columns + column];
  Item *first = &items[0], *second = &items[1];
  memset(items, 0, ITEMS * sizeof *items);
  if (value == 0)
    return true;
  for (int times = 1; times <= 64; times++)
    for (int sign = 1; sign >= -1; sign -= 2)
      if (same_number(value, sign * times * expected)) {
        *first = (Item){row, column, sign * times};
        return true;
      }
  if (side_find(s, value, first))
    return true;
  if (side_find(s, value - expected, second)) {
    *first = (Item){row, column, 1};
    return true;
  }
  for (int times = -1; times <= 32; times++)
    if (times && side_find(s, value / times, first)) {
      first->weight = times;
      return true;
    }
  return false;
}

/* In one of the probes, the elements of line i of operand `lit` are 1, and its other elements are
 * 0. So each output element of this probe is a sum of elements of the other operand. Finds the
 * elements in the sum for element (row, column). Returns false if no elements explain its value. */
static bool shown(const Probe *p, int lit, size_t row, size_t column, size_t i, Item *items) {
  size_t at = ((2 * i + (size_t)lit) * p->m + row) * p->n + column;
  return p->output->states[at] == ELEMENT_VALUE &&
         read_items(&p->side[!lit], p->output->values[at], lit ? row : i, lit ? i : column, items);
}

/* Pairs each wrong term with a missing term. If both terms have one factor in common, the wrong
 * term replaces the missing term. by_second: compares the second factor first. */
static void pair_up(Findings *f, size_t begin, bool by_second) {
  for (size_t way = by_second; way < 2u + by_second; way++)
    for (size_t s = begin; s < f->count; s++) {
      Astray *surplus = &f->all[s];
      for (size_t k = begin; k < f->count && surplus->kind == KIND_SURPLUS; k++) {
        Astray *missing = &f->all[k];
        if (missing->kind != KIND_MISSING || missing->i != surplus->at[way == 1 ? 2 : 1] ||
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

/* Records a term that was added, if it is wrong or is added more than once. Marks a right term in
 * `there`. */
static void add_term(Findings *f, size_t row, size_t column, const size_t at[4], double weight,
                     bool *there) {
  Astray astray = {.row = row, .column = column, .i = at[2], .weight = weight};
  bool belongs = at[0] == row && at[1] == at[2] && at[3] == column;
  memcpy(astray.at, at, sizeof astray.at);
  astray.kind = belongs ? KIND_TIMES : KIND_SURPLUS;
  if (belongs)
    there[at[2]] = true;
  if (!belongs || weight != 1)
    findings_note(f, astray);
}

/* items: the factors of a sum in one operand, found by the probes that set lines of operand `lit`
 * to 1. The probes that set lines of the other operand to 1 show the factors in operand `lit`.
 * Returns true if all of these factors are in row or column `line` of operand `lit`. */
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

/* Finds the terms of a sum with the probes of one operand. Returns false if these probes do not
 * show the terms, or if the probes of the other operand contradict the terms. */
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

/* Finds the terms of a sum by combining the probes of both operands: each shows one factor. */
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

/* Finds all terms of one sum and records the wrong terms. If the terms cannot be found, counts the
 * sum in p->strange. */
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
      findings_note(f, (Astray){.kind = KIND_MISSING, .row = row, .column = column, .i = i});
  if (known) {
    pair_up(f, begin, p->by_second);
  } else {
    for (; f->count > begin; f->count--)
      f->of[f->all[f->count - 1].kind]--;
    p->strange++;
  }
  free(items);
  free(there);
}

/* Returns true if each wrong element consists of all terms of one other element's sum. */
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

/* Adds a cause that names sums that are right but stored at the wrong place. */
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
  verdict_proven(verdict, SAID(SUMS_ELSEWHERE, list));
}

/* Returns true if the kernel uses each factor of a sum once, but combines the factors in another
 * order. In this case either factor of a product can be reported as wrong. */
static bool partners_exchanged(const Probe *p, const Findings *f, Kind kind, size_t which) {
  const Astray *of = findings_example(f, kind);
  unsigned char *times = calloc(p->k, 2);
  bool exchanged = times != NULL;
  for (size_t x = 0; x < f->count && exchanged; x++) {
    const Astray *one = &f->all[x];
    if (one->kind != kind || one->row != of->row || one->column != of->column)
      continue;
    exchanged = one->at[which] < p->k && !times[2 * one->i]++ && !times[2 * one->at[which] + 1]++;
  }
  for (size_t i = 0; i < p->k && exchanged; i++)
    exchanged = times[2 * i] == times[2 * i + 1];
  free(times);
  return exchanged;
}

/* Adds the cause that one or both factors are wrong, and names the elements that are used instead.
 * Returns false if no formula gives these elements, or if a formula for both factors is too
 * long. */
static bool say_other(const Probe *p, const Findings *f, Kind kind, const char *where,
                      Verdict *verdict) {
  static const int homes[] = {BY_ROW, BY_I, BY_I, BY_COLUMN};
  char place[2][160], element[2][400], home[2][40];
  bool other[4];
  for (size_t c = 0; c < 4; c++)
    other[c] = !findings_at_home(f, kind, c, homes[c]);
  side_put_element(&p->side[0], "row", "i", home[0], sizeof home[0]);
  side_put_element(&p->side[1], "i", "column", home[1], sizeof home[1]);
  bool a = other[0] || other[1], b = other[2] || other[3];
  bool whole = p->n > 1 && whole_sums(f, kind);
  bool known = true, plain = true;
  for (size_t c = 0; c < 4 && a && b && !whole; c++)
    plain = plain && findings_plain(f, kind, c, homes[c]);
  for (size_t s = 0; s < 2 && !whole && plain; s++)
    known &= findings_element(f, kind, s, &p->side[s], element[s], sizeof element[s]);
  if (whole && findings_from(f, kind, 0, BY_ROW, place[0], sizeof place[0]) &&
      findings_from(f, kind, 3, BY_COLUMN, place[1], sizeof place[1]))
    verdict_proven(verdict, SAID(SUM_OF_OTHER_ELEMENT, where, place[0], place[1]));
  else if (whole)
    say_moved(f, verdict);
  else if (!plain)
    verdict_proven(verdict, SAID(BOTH_FACTORS_OTHER, where, home[0], home[1]));
  else if (a && b)
    verdict_proven(verdict, SAID(OTHER_PRODUCT, where, element[0], element[1], home[0], home[1]));
  else if (!other[0] && !other[3] && partners_exchanged(p, f, kind, a ? 1 : 2))
    verdict_proven(verdict, SAID(FACTORS_MEET, where, element[0], element[1]));
  else
    verdict_proven(verdict, SAID(OTHER_FACTOR, where, element[b], home[b]));
  return known && plain;
}

/* Adds one cause for all findings of a kind, and a fact about one finding. Returns false if no
 * formula describes the findings. */
static bool say(const Probe *p, const Findings *f, Kind kind, const char *place, Verdict *verdict) {
  char where[200], product[100], mine[2][60], theirs[2][60], sum[60];
  const Astray *one = findings_example(f, kind);
  const Side output = {.name = p->output_name, .columns = p->n};
  findings_where(p, f, kind, where, sizeof where);
  side_put_number(&output, one->row, one->column, sum, sizeof sum);
  side_put_number(&p->side[0], one->row, one->i, theirs[0], sizeof theirs[0]);
  side_put_number(&p->side[1], one->i, one->column, theirs[1], sizeof theirs[1]);
  for (size_t s = 0; s < 2; s++)
    side_put_number(&p->side[s], one->at[2 * s], one->at[2 * s + 1], mine[s], sizeof mine[s]);
  snprintf(product, sizeof product, p->n == 1 ? "%s(row, i) * %s(i)" : "%s(row, i) * %s(i, column)",
           p->side[0].name, p->side[1].name);
  switch (kind) {
  case KIND_OTHER:
    verdict_fact(verdict, place,
                 SAID(HAS_PRODUCT_INSTEAD, sum, mine[0], mine[1], theirs[0], theirs[1]));
    return say_other(p, f, kind, where, verdict);
  case KIND_MISSING:
    verdict_fact(verdict, place, SAID(LACKS_PRODUCT, sum, theirs[0], theirs[1]));
    verdict_proven(verdict, SAID(NEVER_ADDED, where, product));
    break;
  case KIND_TIMES:
    verdict_fact(verdict, place, SAID(HAS_PRODUCT_TIMES, sum, theirs[0], theirs[1], one->weight));
    if (one->weight < 0)
      verdict_proven(verdict, SAID(IS_SUBTRACTED, where, product));
    else
      verdict_proven(verdict, SAID(ADDED_MORE_THAN_ONCE, where, product));
    break;
  default:
    verdict_fact(verdict, place, SAID(HAS_FOREIGN_PRODUCT, sum, mine[0], mine[1]));
    verdict_proven(verdict, SAID(FOREIGN_ADDED, where));
  }
  return true;
}

/* Adds the cause if an element of one operand is added without a factor: a sum is not 0 although
 * the other operand, `lit`, is 0 everywhere. */
static bool say_alone(const Probe *p, const char *place, Verdict *verdict) {
  for (size_t lit = 0; lit < 2; lit++)
    for (size_t e = 0; e < p->m * p->n; e++) {
      size_t at = (2 * p->k + lit) * p->m * p->n + e;
      const Side *side = &p->side[!lit];
      char sum[60], mine[60];
      Item item;
      if (p->output->states[at] != ELEMENT_VALUE || p->output->values[at] == 0 ||
          !side_find(side, p->output->values[at], &item))
        continue;
      side_put_number(&(Side){.name = p->output_name, .columns = p->n}, e / p->n, e % p->n, sum,
                      sizeof sum);
      side_put_number(side, item.row, item.column, mine, sizeof mine);
      verdict_fact(verdict, place, SAID(HAS_ELEMENT_ALONE, sum, mine, p->side[lit].name));
      verdict_proven(verdict, SAID(FACTOR_ALONE, side->name, p->side[lit].name));
      return true;
    }
  return false;
}

/* Finds the terms of all sums and adds the most frequent kind of mistake. Sets *more to false if no
 * formula describes this mistake. */
static bool take_apart(Probe *p, const char *place, Verdict *verdict, bool *more) {
  Findings f = {0};
  Kind most = KIND_OTHER;
  p->strange = 0;
  for (size_t row = 0; row < p->m; row++)
    for (size_t column = 0; column < p->n; column++)
      look_into(p, row, column, &f);
  for (Kind kind = 0; kind < KINDS; kind++)
    most = f.of[kind] > f.of[most] ? kind : most;
  bool known = f.count > 0 && p->strange * 20 <= p->m * p->n;
  if (known) {
    *more = say(p, &f, most, place, verdict);
  }
  free(f.all);
  return known;
}

/* Finds the terms and adds the cause. If no formula describes the wrong first factors, tries to
 * explain the mistake by wrong second factors. */
static bool conclude(Probe *p, const char *place, Verdict *verdict) {
  bool more = false, known;
  if (say_alone(p, place, verdict))
    return true;
  Verdict other = *verdict;
  known = take_apart(p, place, verdict, &more);
  if (known && !more) {
    p->by_second = true;
    if (take_apart(p, place, &other, &more) && more)
      *verdict = other;
  }
  return known;
}

/* Returns true if all probes together are quick. If the result has only one or two columns, most
 * lanes of a warp are idle, so each row is counted as 32 columns. */
static bool is_quick(const Probe *p, bool of_vector) {
  const double lanes = of_vector || p->n > 32 ? (double)p->n : 32;
  return (2.0 * (double)p->k + 2) * (double)(p->m * p->k) * lanes <= 1e9;
}

static bool take_sums(Check *check, const JudgedRun *run, Probe *p, Verdict *verdict) {
  char place[200];
  const size_t probes = 2 * p->k + 2;
  Trial trial = probe_start(check, run, probes);
  p->output = &trial.output;
  probe_place_of_store(run, &trial.log, place, sizeof place);
  bool known = trial.output.there && trial.output.rows == probes * p->m &&
               trial.output.columns == p->n && conclude(p, place, verdict);
  trial_free(&trial);
  return known;
}

bool probe_sums(Check *check, const JudgedRun *run, Verdict *verdict) {
  const Problem *problem = run->subject->problem;
  Probe p = {.output_name = problem->operands[problem_inputs(problem)].name,
             .side = {side_make(run, 0), side_make(run, 1)}};
  p.m = p.side[0].rows;
  p.k = p.side[0].columns;
  p.n = p.side[1].columns;
  bool known =
      is_quick(&p, problem->operands[1].columns == ONE) && take_sums(check, run, &p, verdict);
  sides_free(&p);
  return known;
}
