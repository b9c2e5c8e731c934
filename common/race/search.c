/* Searches for an order that changes a number. Tries the shortest orders first: the ascending
 * order, then orders with one hold, then orders with two holds. A hold stops a warp before its
 * racing access, so that the other access is executed first.
 *
 * The first and the last candidate of a launch are tried first, then the candidates between them,
 * because a race often has an effect only in the first or the last iteration of a loop. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "race.h"

enum { PAIRS_MOST = 20000, LAUNCHES_MOST = 3, SINGLES_MOST = 4096, OF_TWO = 24, MORE_RUNS = 8 };

typedef struct Candidate {
  char hold[160];
  uint64_t launch;
  Pair pair;
} Candidate;

typedef struct Candidates {
  Candidate *all;
  size_t count;
} Candidates;

/* ---- comparing two runs ---------------------------------------------------------------------- */
static bool same_bytes(const TapeBuffer *a, const TapeBuffer *b) {
  return a->bytes == b->bytes && a->hash == b->hash &&
         (a->kept != b->kept || !memcmp(tape_bytes(a), tape_bytes(b), a->kept));
}

static uint64_t first_byte(const TapeBuffer *a, const TapeBuffer *b) {
  const uint8_t *x = tape_bytes(a), *y = tape_bytes(b);
  uint64_t at = 0;
  while (at < a->kept && at < b->kept && x[at] == y[at])
    at++;
  return at;
}

/* Returns the buffer at the same address after the last launch; `b` itself if there is none. */
static const TapeBuffer *at_the_end(const Outcome *o, const TapeBuffer *b) {
  const TapedLaunch *last = &o->tape.launches[o->tape.nlaunches - 1];
  for (size_t i = 0; i < last->nbuffers; i++)
    if (last->buffers[i]->address == b->address && last->buffers[i]->kept == b->kept)
      return last->buffers[i];
  return b;
}

/* Returns true if the number at offset `at` has the same value after the last launch. A number that
 * a later launch overwrites cannot be compared with the correct result. */
static bool stays(const Outcome *o, const TapeBuffer *b, uint64_t at, unsigned bytes) {
  return !memcmp(tape_bytes(b) + at, tape_bytes(at_the_end(o, b)) + at, bytes);
}

/* Finds a number that differs between the runs and is wrong in at least one of them. Prefers a
 * number that is correct in one run. */
static Difference judged(const Outcome *x, const TapeBuffer *a, const Outcome *y,
                         const TapeBuffer *b, const Gold *gold) {
  const unsigned bytes = gold_bytes(gold, a);
  Difference best = {0};
  for (uint64_t i = 0; i < gold->count; i++) {
    if (!memcmp(tape_bytes(a) + i * bytes, tape_bytes(b) + i * bytes, bytes))
      continue;
    const bool wrong = gold_differs(gold, i, buffer_number(a, i, bytes)),
               other = gold_differs(gold, i, buffer_number(b, i, bytes));
    const bool better = !best.any || (!best.clear && wrong != other) ||
                        (best.clear && !best.plain_is_wrong && wrong && !other);
    if ((wrong || other) && better && stays(x, a, i * bytes, bytes) &&
        stays(y, b, i * bytes, bytes))
      best = (Difference){.any = true,
                          .buffer = a,
                          .at = i * bytes,
                          .bytes = bytes,
                          .plain_is_wrong = wrong,
                          .clear = wrong != other};
  }
  return best;
}

/* Finds the number that differs between the runs and has the largest error. Used if the program
 * rejects the whole result although each number is within its tolerance. */
static Difference farthest(const TapeBuffer *a, const TapeBuffer *b, const Gold *gold,
                           bool plain_is_wrong) {
  const unsigned bytes = gold_bytes(gold, a);
  Difference best = {.buffer = a, .bytes = bytes, .plain_is_wrong = plain_is_wrong};
  double most = -1;
  for (uint64_t i = 0; i < gold->count; i++) {
    const double off = fabs(buffer_number(plain_is_wrong ? a : b, i, bytes) - gold->values[i]);
    if (!memcmp(tape_bytes(a) + i * bytes, tape_bytes(b) + i * bytes, bytes) || off <= most)
      continue;
    most = off;
    best.any = true;
    best.at = i * bytes;
  }
  return best;
}

static Difference in_buffers(const Outcome *x, const TapeBuffer *a, const Outcome *y,
                             const TapeBuffer *b, const Gold *gold) {
  if (same_bytes(a, b))
    return (Difference){0};
  if (gold && gold->count) {
    Difference d = {0};
    if (!gold_bytes(gold, a) || a->kept != b->kept)
      return d;
    d = judged(x, a, y, b, gold);
    if (!d.any && a == at_the_end(x, a) && (x->status == 1 || y->status == 1))
      d = farthest(a, b, gold, x->status == 1);
    d.clear = d.clear || x->status != y->status;
    return d;
  }
  const unsigned bytes =
      a->element == 1 || a->element == 2 || a->element == 8 ? (unsigned)a->element : 4;
  return (Difference){.any = true,
                      .buffer = a,
                      .at = first_byte(a, b) / bytes * bytes,
                      .bytes = bytes,
                      .clear = true};
}

Difference outcome_difference(const Outcome *a, const Outcome *b, const Gold *gold) {
  const size_t launches =
      a->tape.nlaunches < b->tape.nlaunches ? a->tape.nlaunches : b->tape.nlaunches;
  for (size_t i = 0; i < launches; i++) {
    const TapedLaunch *x = &a->tape.launches[i], *y = &b->tape.launches[i];
    for (size_t k = 0; k < x->nbuffers && k < y->nbuffers; k++) {
      Difference d = in_buffers(a, x->buffers[k], b, y->buffers[k], gold);
      d.launch = i;
      if (d.any)
        return d;
    }
  }
  if (gold && gold->count)
    return (Difference){0};
  return (Difference){.any = a->status != b->status, .said = a->said != b->said, .clear = true};
}

/* ---- candidates ------------------------------------------------------------------------------ */
static const char *const operations[] = {
    [TAPE_READS] = "read", [TAPE_WRITES] = "write", [TAPE_CHANGES] = "change"};

/* Writes a hold that stops the given lanes of a warp before access `a`, so that `other` is executed
 * first. */
static void hold_text(char out[160], uint64_t launch, const TapeAccess *a, const TapeAccess *other,
                      uint32_t lanes) {
  int n = snprintf(out, 160, "hold launch %" PRIu64 " block %" PRIu64 " warp %u", launch, a->block,
                   a->warp);
  if (lanes != UINT32_MAX)
    n += snprintf(out + n, 160 - (size_t)n, " lanes %x", lanes);
  snprintf(out + n, 160 - (size_t)n, " %s line %u time %u%s", operations[a->operation], a->line,
           a->time, a->block != other->block ? " blocks" : "");
}

static void add(Candidates *c, const TapedLaunch *l, const Pair *p, uint32_t lanes, bool second) {
  Candidate new = {.pair = *p, .launch = l->launch->number};
  hold_text(new.hold, new.launch, second ? p->second : p->first, second ? p->first : p->second,
            lanes);
  for (size_t i = c->count; i-- > 0 && i + 200 > c->count;)
    if (!strcmp(c->all[i].hold, new.hold))
      return;
  if (c->count < SINGLES_MOST)
    c->all[c->count++] = new;
}

static void add_pair(Candidates *c, const TapedLaunch *l, const Pair *p) {
  const bool one_warp = p->first->block == p->second->block && p->first->warp == p->second->warp;
  if (!one_warp) {
    add(c, l, p, UINT32_MAX, false);
    return;
  }
  add(c, l, p, 1u << p->first_lane, false);
  add(c, l, p, ~(1u << p->second_lane), false);
  if (p->first == p->second) /* stores of one instruction: the value of the last lane remains */
    add(c, l, p, 1u << p->second_lane, true);
}

static int by_report(const void *left, const void *right) {
  const Pair *a = left, *b = right;
  const bool errors[] = {race_is_error(a->race), race_is_error(b->race)};
  if (errors[0] != errors[1])
    return errors[0] ? -1 : 1;
  if (a->reported != b->reported)
    return a->reported ? -1 : 1;
  return a->first < b->first ? -1 : a->first > b->first;
}

/* Sorts the n candidates from index `from` on into the order 0, n - 1, n/2, n/4, 3n/4 ..., so that
 * the first candidates cover the whole range. */
static void spread(Candidates *c, size_t from) {
  const size_t n = c->count - from;
  Candidate *all = malloc((n + 1) * sizeof *all);
  bool *taken = calloc(n + 1, sizeof *taken);
  size_t count = 0;
  assert(all && taken);
#define TAKE(i)                                                                                    \
  if (n && !taken[i]) {                                                                            \
    taken[i] = true;                                                                               \
    all[count++] = c->all[from + (i)];                                                             \
  }
  TAKE(0)
  TAKE(n - 1)
  for (size_t parts = 2; count < n; parts *= 2)
    for (size_t k = 1; k < parts; k += 2)
      TAKE(k * n / parts)
#undef TAKE
  if (n)
    memcpy(c->all + from, all, n * sizeof *all);
  free(all);
  free(taken);
}

/* Lists the candidates of each launch: first the pairs of the reported threads, then the other
 * pairs in the order of spread(). */
static Candidates candidates_of(const Outcome *plain) {
  Candidates c = {malloc(SINGLES_MOST * sizeof *c.all), 0};
  assert(c.all);
  for (size_t i = 0, launches = 0; i < plain->tape.nlaunches && launches < LAUNCHES_MOST; i++) {
    const TapedLaunch *l = &plain->tape.launches[i];
    Pairs pairs = pairs_find(l, plain->races, plain->nraces, PAIRS_MOST);
    for (size_t k = 0; k < pairs.count; k++)
      pairs.all[k].launch = i;
    if (pairs.count)
      qsort(pairs.all, pairs.count, sizeof *pairs.all, by_report);
    size_t reported = 0;
    while (reported < pairs.count && pairs.all[reported].reported)
      add_pair(&c, l, &pairs.all[reported++]);
    const size_t from = c.count;
    for (size_t k = reported; k < pairs.count; k++)
      add_pair(&c, l, &pairs.all[k]);
    spread(&c, from);
    launches += pairs.count != 0;
    free(pairs.all);
  }
  return c;
}

/* ---- the search ------------------------------------------------------------------------------ */
static bool time_is_up(const Program *p) { return seconds_now() > p->deadline; }

/* Returns the access in run `o` that corresponds to `a`, and sets *event to its index; NULL if
 * there is none. */
static const TapeAccess *again(const Outcome *o, size_t launch, const TapeAccess *a,
                               size_t *event) {
  for (size_t i = 0; launch < o->tape.nlaunches && i < o->tape.launches[launch].nevents; i++) {
    const TapeAccess *b = tape_access(o->tape.launches[launch].events[i]);
    *event = i;
    if (b && b->block == a->block && b->warp == a->warp && b->line == a->line &&
        b->operation == a->operation && b->time == a->time)
      return b;
  }
  return NULL;
}

/* Called for an order that changed no number. Records whether the two accesses were executed in
 * reverse, and whether the read returned another value. */
static void note_pair(Found *f, const Outcome *held, const Pair *p) {
  size_t first = 0, second = 0;
  const TapeAccess *a = again(held, p->launch, p->first, &first),
                   *b = again(held, p->launch, p->second, &second);
  if (!a || !b || second > first)
    return;
  f->turned = true;
  const TapeAccess *before = p->first->operation == TAPE_READS ? p->first : p->second,
                   *now = p->first->operation == TAPE_READS ? a : b;
  if (before->operation == TAPE_READS && before->count == now->count)
    f->read_otherwise |=
        memcmp(before->value, now->value, before->count * TAPE_LANES * sizeof *now->value) != 0;
}

static void keep(Found *f, Outcome *held, const Candidate *c, Difference d) {
  if (f->found)
    outcome_free(&f->held);
  f->held = *held;
  f->found = true;
  f->pair = c->pair;
  f->difference = d;
}

/* Returns the rank of a difference; a higher rank is better. If the ascending order gives a wrong
 * result, a difference in which the number of that order is wrong ranks higher: the panels can then
 * show the ascending order, which is the shortest. */
static int rank(const Found *f, const Difference *d) {
  const bool shortest = !f->gold.count || f->plain.status == 0 || d->plain_is_wrong;
  return 1 + 2 * shortest + d->clear;
}

static bool is_clear(const Found *f) { return f->found && rank(f, &f->difference) == 4; }

static void try(Program *p, Found *f, const char *order, const Candidate *c) {
  Outcome held;
  outcome_run(p, order, &held);
  Difference d = outcome_difference(&f->plain, &held, &f->gold);
  const bool counts = !held.late && (d.any || (d.said && !p->babbles));
  if (counts && (!f->found || rank(f, &d) > rank(f, &f->difference))) {
    keep(f, &held, c, d);
  } else {
    f->within |= !held.late && f->gold.count && outcome_difference(&f->plain, &held, NULL).any;
    note_pair(f, &held, &c->pair);
    outcome_free(&held);
  }
}

static void try_singles(Program *p, Found *f, const Candidates *c) {
  size_t i = 0, since = 0;
  for (; i < c->count && !is_clear(f) && !time_is_up(p) && since < MORE_RUNS; i++) {
    try(p, f, c->all[i].hold, &c->all[i]);
    since += f->found;
  }
  f->exhausted = i == c->count;
}

/* Tries orders that execute the two accesses directly one after the other: both warps are stopped
 * before their access, and the warp of the first access continues first. */
static void try_neighbours(Program *p, Found *f, const Candidates *c) {
  const size_t most = c->count < OF_TWO ? c->count : OF_TWO;
  for (size_t i = 0; i < most && !f->found && !time_is_up(p); i++) {
    char order[ORDER_BYTES], second[160];
    const Pair *pair = &c->all[i].pair;
    const bool one_warp =
        pair->first->block == pair->second->block && pair->first->warp == pair->second->warp;
    hold_text(second, c->all[i].launch, pair->second, pair->first, UINT32_MAX);
    snprintf(order, sizeof order, "%s; %s", c->all[i].hold, second);
    if (!one_warp)
      try(p, f, order, &c->all[i]);
  }
}

static void try_twos(Program *p, Found *f, const Candidates *c) {
  const size_t most = c->count < OF_TWO ? c->count : OF_TWO;
  for (size_t i = 1; i < most && !f->found; i++)
    for (size_t k = 0; k < i && !f->found && !time_is_up(p); k++) {
      char order[ORDER_BYTES];
      snprintf(order, sizeof order, "%s; %s", c->all[k].hold, c->all[i].hold);
      try(p, f, order, &c->all[i]);
    }
}

/* Runs the program again in the ascending order. If its output differs, the output of other orders
 * cannot be compared. */
static void settle_text(Program *p, Found *f) {
  Outcome again;
  outcome_run(p, "plain", &again);
  if (again.said != f->plain.said)
    p->babbles = true;
  outcome_free(&again);
}

void search(Program *p, Found *f) {
  outcome_run(p, "plain", &f->plain);
  f->gold = gold_read(p->gold);
  if (!f->plain.nraces || f->plain.late)
    return;
  settle_text(p, f);
  Candidates c = candidates_of(&f->plain);
  f->candidates = c.count;
  try_singles(p, f, &c);
  try_neighbours(p, f, &c);
  try_twos(p, f, &c);
  free(c.all);
}
