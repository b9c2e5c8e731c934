/* Chooses the two accesses that explain the wrong number. Both access the same word, each at one of
 * the two lines of a reported race, and their order differs between the two runs. choose() prefers
 * a pair whose read returns the value of the wrong loop iteration. Among such pairs it prefers one
 * in which the reading thread also wrote the wrong number.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "race.h"

enum { WARP = 32, LATER = 200000 };

/* ---- accesses in the order of time ----------------------------------------------------------- */
static bool at_race_line(const TapeAccess *a, const Outcome *o) {
  for (size_t i = 0; i < o->nraces; i++) {
    const Race *r = &o->races[i];
    if ((a->line == r->at.line && (a->operation == TAPE_WRITES) == r->at.wrote) ||
        (a->line == r->other.line && (a->operation == TAPE_WRITES) == r->other.wrote))
      return true;
  }
  return false;
}

/* Adds one Moment for each word that each active lane accesses. If an element is smaller than a
 * word, adds one for each element. */
static void add_moments(Moments *m, const TapeAccess *a, size_t event) {
  const unsigned step = a->element < 4 ? a->element : 4;
  for (uint32_t lane = 0; lane < WARP; lane++)
    for (unsigned at = 0; a->lanes >> lane & 1 && at < access_bytes(a); at += step) {
      if (m->count == m->room) {
        m->room = m->room ? 2 * m->room : 1024;
        m->all = realloc(m->all, m->room * sizeof *m->all);
        assert(m->all);
      }
      m->all[m->count++] = (Moment){.block = a->block,
                                    .address = a->address[lane] + at,
                                    .access = a,
                                    .event = event,
                                    .other = SIZE_MAX,
                                    .warp = a->warp,
                                    .lane = lane};
    }
}

static Moments moments_of(const TapedLaunch *l, const Outcome *races) {
  Moments m = {0};
  for (size_t i = 0; i < l->nevents; i++) {
    const TapeAccess *a = tape_access(l->events[i]);
    if (a && at_race_line(a, races))
      add_moments(&m, a, i);
  }
  return m;
}

#define COMPARE(x, y)                                                                              \
  if ((x) != (y))                                                                                  \
  return (x) < (y) ? -1 : 1

/* Compares for qsort: by thread, line and operation, then by time. */
static int by_thread(const void *left, const void *right) {
  const Moment *a = left, *b = right;
  COMPARE(a->block, b->block);
  COMPARE(a->warp, b->warp);
  COMPARE(a->lane, b->lane);
  COMPARE(a->access->line, b->access->line);
  COMPARE(a->access->operation, b->access->operation);
  COMPARE(a->event, b->event);
  COMPARE(a->address, b->address);
  return 0;
}

static int by_place(const void *left, const void *right) {
  const Moment *a = left, *b = right;
  COMPARE(a->access->space, b->access->space);
  if (a->access->space == TAPE_IN_SHARED)
    COMPARE(a->block, b->block);
  COMPARE(a->address, b->address);
  COMPARE(a->event, b->event);
  COMPARE(a->lane, b->lane);
  return 0;
}

static int same_line(const Moment *a, const Moment *b) {
  COMPARE(a->block, b->block);
  COMPARE(a->warp, b->warp);
  COMPARE(a->lane, b->lane);
  COMPARE(a->access->line, b->access->line);
  COMPARE(a->access->operation, b->access->operation);
  return 0;
}

static bool reads_differ(const Moment *a, const Moment *b) {
  uint64_t one = 0, two = 0;
  return a->access->operation == TAPE_READS && access_value(a->access, a->lane, a->address, &one) &&
         access_value(b->access, b->lane, b->address, &two) && one != two;
}

/* Sets `other` and `differs` of each shown moment. The n-th access by a thread at a line in the
 * shown run corresponds to the n-th access by the same thread at the same line in the other run. */
static void join(Moments *shown, Moments *other) {
  size_t k = 0;
  if (!shown->count || !other->count)
    return;
  qsort(shown->all, shown->count, sizeof *shown->all, by_thread);
  qsort(other->all, other->count, sizeof *other->all, by_thread);
  for (size_t i = 0; i < shown->count; i++) {
    Moment *m = &shown->all[i];
    if (i && same_line(m, m - 1)) /* another thread or line: skip moments that come before it */
      while (k < other->count && same_line(&other->all[k], m) < 0)
        k++;
    if (k < other->count && !same_line(&other->all[k], m)) {
      m->other = other->all[k].event;
      m->differs = reads_differ(m, &other->all[k]);
      k++;
    }
  }
}

/* ---- the two accesses ------------------------------------------------------------------------ */
static const Race *race_of(const Telling *t, const TapeAccess *a, const TapeAccess *b) {
  const Outcome *o = &t->found->plain;
  for (size_t i = 0; i < o->nraces; i++) {
    const Race *r = &o->races[i];
    const bool one = a->line == r->at.line && b->line == r->other.line &&
                     (a->operation == TAPE_WRITES) == r->at.wrote &&
                     (b->operation == TAPE_WRITES) == r->other.wrote,
               two = b->line == r->at.line && a->line == r->other.line &&
                     (b->operation == TAPE_WRITES) == r->at.wrote &&
                     (a->operation == TAPE_WRITES) == r->other.wrote;
    if (one || two)
      return r;
  }
  return NULL;
}

static bool same_place(const Moment *a, const Moment *b) {
  return a->access->space == b->access->space && a->address == b->address &&
         (a->access->space == TAPE_IN_GLOBAL || a->block == b->block);
}

static bool same_thread(const Moment *a, const Moment *b) {
  return a->block == b->block && a->warp == b->warp && a->lane == b->lane;
}

/* Returns true if the first access takes effect before the second. If several lanes of one
 * instruction store to the same word, the value of the highest lane remains. */
static bool comes_before(size_t event, uint32_t lane, size_t other_event, uint32_t other_lane) {
  return event != other_event ? event < other_event : lane < other_lane;
}

/* Returns true if the order of the two accesses differs between the runs. */
static bool turned(const Moment *a, const Moment *b) {
  if (a->other == SIZE_MAX || b->other == SIZE_MAX)
    return false;
  return comes_before(a->event, a->lane, b->event, b->lane) !=
         comes_before(a->other, a->lane, b->other, b->lane);
}

static uint64_t key_of(uint64_t block, uint32_t thread) { return (block << 10 | thread) + 1; }

typedef struct Result {
  uint64_t writer, word;
} Result;

static int by_writer(const void *left, const void *right) {
  const Result *a = left, *b = right;
  COMPARE(a->writer, b->writer);
  COMPARE(a->word, b->word);
  return 0;
}

static void sort_results(Telling *t) {
  const TapeBuffer *b = t->result;
  t->results = b ? calloc(b->kept / 4 + 1, sizeof *t->results) : NULL;
  for (uint64_t i = 0; t->results && i < b->kept / 4; i++)
    if (t->writer[i])
      t->results[t->nresults++] = (Result){t->writer[i], i};
  if (t->results)
    qsort(t->results, t->nresults, sizeof *t->results, by_writer);
}

bool wrote_result(const Telling *t, const Moment *m, uint64_t *word) {
  const uint64_t key = key_of(m->block, m->warp * WARP + m->lane);
  size_t low = 0, high = t->nresults;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (t->results[middle].writer < key)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == t->nresults || t->results[low].writer != key)
    return false;
  *word = t->results[low].word;
  return true;
}

/* Returns true if the read returns the value of the wrong loop iteration: either a later iteration
 * has already stored its value, or the store of the same iteration has not been executed yet. */
static bool reads_wrongly(Telling *t, const Moment *first, const Moment *second) {
  const bool read_first = first->access->operation == TAPE_READS;
  const TapeAccess *read = read_first ? first->access : second->access,
                   *write = read_first ? second->access : first->access;
  if (read->operation != TAPE_READS || write->operation != TAPE_WRITES)
    return false;
  if (read != t->asked.read || write != t->asked.write) {
    const uint32_t rounds = rounds_before(t->launch, read, write);
    t->asked.read = read;
    t->asked.write = write;
    t->asked.wrongly = rounds && (read_first ? write->time <= rounds : write->time > rounds);
  }
  return t->asked.wrongly;
}

static bool is_of_report(const Telling *t, const Moment *m, const Race *r) {
  const uint32_t *size = t->launch->launch->block, *grid = t->launch->launch->grid;
  for (int i = 0; i < 2; i++) {
    const Place *p = i ? &r->other : &r->at;
    if (p->has_thread && p->line == m->access->line &&
        m->block == p->block[0] + grid[0] * (p->block[1] + (uint64_t)grid[1] * p->block[2]) &&
        m->warp * WARP + m->lane ==
            p->thread[0] + size[0] * (p->thread[1] + size[1] * p->thread[2]))
      return true;
  }
  return false;
}

static void consider(Telling *t, const Moment *a, const Moment *b, Choice *best) {
  const Race *race = race_of(t, a->access, b->access);
  uint64_t element;
  if (!race || same_thread(a, b) || !turned(a, b))
    return;
  const Moment *read = a->differs ? a : b;
  const size_t distance = a->event < b->event ? b->event - a->event : a->event - b->event;
  long score = a->differs || b->differs ? 4 * LATER : 0;
  score += race == t->found->pair.race ? 2 * LATER : 0;
  score += is_of_report(t, a, race) && is_of_report(t, b, race) ? LATER : 0;
  score += (a->differs || b->differs) && wrote_result(t, read, &element) ? 8 * LATER : 0;
  score -= (long)(distance < LATER ? distance : LATER);
  const bool first = comes_before(a->event, a->lane, b->event, b->lane);
  score += reads_wrongly(t, first ? a : b, first ? b : a) ? 16 * LATER : 0;
  if (best->race && score <= best->score)
    return;
  *best = (Choice){first ? a : b, first ? b : a, race, score};
}

Choice choose(Telling *t) {
  enum { NEAR = 96 };
  Choice best = {0};
  for (size_t i = 0; i < t->moments.count; i++)
    for (size_t k = i + 1; k < t->moments.count && k < i + NEAR; k++) {
      const Moment *a = &t->moments.all[i], *b = &t->moments.all[k];
      if (!same_place(a, b))
        break;
      if (a->access->operation == TAPE_WRITES || b->access->operation == TAPE_WRITES)
        consider(t, a, b, &best);
    }
  return best;
}

/* ---- the number that differs ----------------------------------------------------------------- */
const TapeBuffer *same_buffer(const TapedLaunch *l, const TapeBuffer *b) {
  for (size_t i = 0; i < l->nbuffers; i++)
    if (l->buffers[i]->address == b->address)
      return l->buffers[i];
  return NULL;
}

/* Sets t->result and *other to the buffer with the number that differs: t->result in the shown run,
 * *other in the other run. The number may differ only after a later launch than the launch with the
 * race. In this case the thread of the later launch that wrote the number counts as the racing
 * thread of the same index. */
static void find_result(Telling *t, const TapeBuffer **other) {
  const Difference *d = &t->found->difference;
  if (!d->buffer || d->launch >= t->shown->tape.nlaunches || d->launch >= t->other->tape.nlaunches)
    return;
  t->result = same_buffer(&t->shown->tape.launches[d->launch], d->buffer);
  *other = same_buffer(&t->other->tape.launches[d->launch], d->buffer);
  if (!*other || !t->result || (*other)->kept != t->result->kept)
    t->result = NULL;
}

/* Sets t->writer to the last writer of each word of t->result, and t->type to the type of the
 * values. */
static void find_writers(Telling *t) {
  const TapeBuffer *b = t->result;
  t->writer = b ? calloc(b->kept / 4 + 1, sizeof *t->writer) : NULL;
  const TapedLaunch *l = b ? &t->shown->tape.launches[t->found->difference.launch] : t->launch;
  for (size_t i = 0; t->writer && i < l->nevents; i++) {
    const TapeAccess *a = tape_access(l->events[i]);
    for (uint32_t lane = 0;
         a && a->space == TAPE_IN_GLOBAL && a->operation == TAPE_WRITES && lane < WARP; lane++) {
      const uint64_t at = a->address[lane] - b->address;
      if (!(a->lanes >> lane & 1) || at >= b->kept)
        continue;
      t->type = a->type;
      for (uint32_t k = 0; k * 4 < access_bytes(a) && at / 4 + k < b->kept / 4; k++)
        t->writer[at / 4 + k] = key_of(a->block, a->warp * WARP + lane);
    }
  }
}

/* Clears the writer of each word that is equal in both runs or correct in the shown run, because
 * such a word does not show the effect of the race. */
static void forget_same(Telling *t, const TapeBuffer *shown, const TapeBuffer *other) {
  const Gold *gold = &t->found->gold;
  const unsigned bytes = gold_bytes(gold, shown);
  for (uint64_t i = 0; t->writer && i < shown->kept / 4; i++)
    if (!memcmp(tape_bytes(shown) + 4 * i, tape_bytes(other) + 4 * i, 4) ||
        (bytes && !gold_differs(gold, 4 * i / bytes, buffer_number(shown, 4 * i / bytes, bytes))))
      t->writer[i] = 0;
}

/* ---- the choice ------------------------------------------------------------------------------ */
bool telling_begin(Telling *t, const Found *f) {
  const size_t launch = f->pair.launch;
  const TapeBuffer *other = NULL;
  *t = (Telling){.found = f,
                 .type = TAPE_BITS,
                 .shown = f->difference.plain_is_wrong ? &f->plain : &f->held,
                 .other = f->difference.plain_is_wrong ? &f->held : &f->plain};
  if (launch >= t->shown->tape.nlaunches || launch >= t->other->tape.nlaunches)
    return false;
  t->launch = &t->shown->tape.launches[launch];
  t->other_launch = &t->other->tape.launches[launch];
  find_result(t, &other);
  find_writers(t);
  if (t->writer)
    forget_same(t, t->result, other);
  sort_results(t);
  t->moments = moments_of(t->launch, &f->plain);
  Moments others = moments_of(t->other_launch, &f->plain);
  join(&t->moments, &others);
  free(others.all);
  if (t->moments.count)
    qsort(t->moments.all, t->moments.count, sizeof *t->moments.all, by_place);
  return true;
}

void telling_end(Telling *t) {
  free(t->moments.all);
  free(t->writer);
  free(t->results);
}
