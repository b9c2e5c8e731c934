/* From two runs that differ to panels: the word at which they part, the two accesses to it whose order differs, and the
 * number that comes out differently. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/words.h"
#include "race.h"

enum { WARP = 32, LATER = 200000 };

/* A lane's access at a line that races, in the shown run; and its place in the other run. */
typedef struct Moment {
  uint64_t block, address;
  const TapeAccess *access;
  size_t event, other; /* other: SIZE_MAX: it does not happen there */
  uint32_t warp, lane;
  bool differs; /* it reads another value there */
} Moment;

typedef struct Moments {
  Moment *all;
  size_t count, room;
} Moments;

typedef struct Telling {
  const Found *found;
  const Outcome *shown, *other;
  const TapedLaunch *launch, *other_launch; /* with the race; in either run */
  const TapeBuffer *result; /* memory of the shown run that differs after it; NULL: none does */
  Moments moments;          /* by block, address and event */
  uint64_t *
      writer; /* of each word of the buffer that differs: block << 10 | thread, + 1; 0: it does not count */
  struct Result *results; /* those words by writer */
  size_t nresults;
  Story *story;
} Telling;

/* ---- values and names -------------------------------------------------------------------------- */
static bool looks_like_float(uint32_t bits) {
  const uint32_t exponent = bits >> 23 & 255;
  return bits == UINT32_MAX || (exponent > 64 && exponent < 190);
}

void value_text(char out[VALUE_BYTES], uint8_t type, unsigned bytes, uint64_t value) {
  const uint32_t low = (uint32_t)value;
  float single;
  double wide;
  memcpy(&single, &low, sizeof single);
  memcpy(&wide, &value, sizeof wide);
  if (bytes == 4 && (type == TAPE_FLOATING || (type == TAPE_BITS && looks_like_float(low))))
    snprintf(out, VALUE_BYTES, isnan(single) ? "NaN" : "%.6g", (double)single);
  else if (bytes == 8 && type == TAPE_FLOATING)
    snprintf(out, VALUE_BYTES, isnan(wide) ? "NaN" : "%.6g", wide);
  else if (type == TAPE_UNSIGNED)
    snprintf(out, VALUE_BYTES, "%" PRIu64, value);
  else
    snprintf(out, VALUE_BYTES, "%" PRId64,
             bytes == 1   ? (int64_t)(int8_t)value
             : bytes == 2 ? (int64_t)(int16_t)value
             : bytes == 4 ? (int64_t)(int32_t)value
                          : (int64_t)value);
}

/* What a lane reads or writes there, up to the end of the element; false: the tape does not say. */
static bool value_at(const TapeAccess *a, unsigned lane, uint64_t address, uint64_t *value) {
  const uint64_t offset = address - a->address[lane], at = offset / a->element;
  if (address < a->address[lane] || at >= a->count)
    return false;
  *value = a->value[at * TAPE_LANES + lane] >> 8 * (offset % a->element);
  return true;
}

/* One access may move two floats as 64 bits and the other read one of them: the narrower one says how the word is shown. */
static void say_value(char out[VALUE_BYTES], const TapeAccess *a, unsigned lane, uint64_t address,
                      const TapeAccess *as) {
  uint64_t value;
  if (!value_at(a, lane, address, &value)) {
    snprintf(out, VALUE_BYTES, "changed atomically");
    return;
  }
  if (as->element < 8)
    value &= (UINT64_C(1) << 8 * as->element) - 1;
  value_text(out, as->type, as->element, value);
}

static const TapeBuffer *buffer_at(const TapedLaunch *l, uint64_t address) {
  for (size_t i = 0; i < l->nbuffers; i++)
    if (address - l->buffers[i]->address < l->buffers[i]->bytes)
      return l->buffers[i];
  return NULL;
}

static void name_element(char *out, size_t size, const TapeBuffer *b, uint64_t element) {
  if (b->columns)
    snprintf(out, size, "%s, row %" PRIu64 ", column %" PRIu64, tape_name(&b->head),
             element / b->columns, element % b->columns);
  else
    snprintf(out, size, "%s, element %" PRIu64, tape_name(&b->head), element);
}

static void name_word(char *out, size_t size, const TapedLaunch *l, const TapeAccess *a,
                      uint64_t address) {
  const TapeBuffer *b = a->space == TAPE_IN_GLOBAL ? buffer_at(l, address) : NULL;
  if (b) {
    name_element(out, size, b, (address - b->address) / (b->element ? b->element : a->element));
    return;
  }
  for (size_t i = 0; a->space == TAPE_IN_SHARED && i < l->nshared; i++)
    if (address - l->shared[i]->offset < l->shared[i]->bytes) {
      snprintf(out, size, "%s, word %" PRIu64, tape_name(&l->shared[i]->head),
               (address - l->shared[i]->offset) / a->element);
      return;
    }
  snprintf(out, size, "a word of memory");
}

static const char *who(char out[WHO_BYTES], const TapedLaunch *l, uint64_t block, uint32_t thread) {
  const uint32_t *size = l->launch->block, *grid = l->launch->grid;
  const uint32_t threads[3] = {thread % size[0], thread / size[0] % size[1],
                               thread / size[0] / size[1]},
                 blocks[3] = {(uint32_t)(block % grid[0]), (uint32_t)(block / grid[0] % grid[1]),
                              (uint32_t)(block / grid[0] / grid[1])};
  return who_text(out, threads, blocks);
}

/* ---- what happened when ------------------------------------------------------------------------ */
static bool at_race_line(const TapeAccess *a, const Outcome *o) {
  for (size_t i = 0; i < o->nraces; i++) {
    const Race *r = &o->races[i];
    if ((a->line == r->at.line && (a->operation == TAPE_WRITES) == r->at.wrote) ||
        (a->line == r->other.line && (a->operation == TAPE_WRITES) == r->other.wrote))
      return true;
  }
  return false;
}

/* One for each word of a lane, or each element that is narrower. */
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

/* The same thread at the same line, in its own order. */
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
  return a->access->operation == TAPE_READS && value_at(a->access, a->lane, a->address, &one) &&
         value_at(b->access, b->lane, b->address, &two) && one != two;
}

/* The n-th access of a thread at a line in one run is the n-th in the other. */
static void join(Moments *shown, Moments *other) {
  size_t k = 0;
  qsort(shown->all, shown->count, sizeof *shown->all, by_thread);
  qsort(other->all, other->count, sizeof *other->all, by_thread);
  for (size_t i = 0; i < shown->count; i++) {
    Moment *m = &shown->all[i];
    if (i && same_line(m, m - 1)) /* another thread or line: those left over in the other run go */
      while (k < other->count && same_line(&other->all[k], m) < 0)
        k++;
    if (k < other->count && !same_line(&other->all[k], m)) {
      m->other = other->all[k].event;
      m->differs = reads_differ(m, &other->all[k]);
      k++;
    }
  }
}

/* ---- the two accesses -------------------------------------------------------------------------- */
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

/* Lanes that store in the same instruction: the value of the highest one stays here. */
static bool comes_before(size_t event, uint32_t lane, size_t other_event, uint32_t other_lane) {
  return event != other_event ? event < other_event : lane < other_lane;
}

/* Do the two come in another order in the other run? */
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

/* The first word of the result that the thread wrote. */
static bool wrote_result(const Telling *t, const Moment *m, uint64_t *word) {
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

/* Does the read get a value that it should not: that of a later round, or the one before a store of its own round? */
static bool reads_wrongly(const Telling *t, const Moment *first, const Moment *second) {
  static const TapeAccess *reader, *writer; /* neighbouring lanes ask the same */
  static bool wrongly;
  const bool read_first = first->access->operation == TAPE_READS;
  const TapeAccess *read = read_first ? first->access : second->access,
                   *write = read_first ? second->access : first->access;
  if (read->operation != TAPE_READS || write->operation != TAPE_WRITES)
    return false;
  if (read == reader && write == writer)
    return wrongly;
  const uint32_t rounds = rounds_before(t->launch, read, write);
  reader = read, writer = write;
  wrongly = rounds && (read_first ? write->time <= rounds : write->time > rounds);
  return wrongly;
}

typedef struct Choice {
  const Moment *first, *second; /* in the shown run */
  const Race *race;
  long score;
} Choice;

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

static void consider(const Telling *t, const Moment *a, const Moment *b, Choice *best) {
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

static Choice choose(const Telling *t) {
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

/* ---- the number at the end --------------------------------------------------------------------- */
static const TapeBuffer *same_buffer(const TapedLaunch *l, const TapeBuffer *b) {
  for (size_t i = 0; i < l->nbuffers; i++)
    if (l->buffers[i]->address == b->address)
      return l->buffers[i];
  return NULL;
}

/* The memory with the number that differs, in both runs. In a later launch than that with the race, the thread of the same
 * place usually takes up what the one here has computed. */
static void find_result(Telling *t, const TapeBuffer **other) {
  const Difference *d = &t->found->difference;
  if (!d->buffer || d->launch >= t->shown->tape.nlaunches || d->launch >= t->other->tape.nlaunches)
    return;
  t->result = same_buffer(&t->shown->tape.launches[d->launch], d->buffer);
  *other = same_buffer(&t->other->tape.launches[d->launch], d->buffer);
  if (!*other || !t->result || (*other)->kept != t->result->kept)
    t->result = NULL;
}

/* Which thread wrote each element last, and as what. */
static void find_writers(Telling *t, uint8_t *type) {
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
      *type = a->type;
      for (uint32_t k = 0; k * 4 < access_bytes(a) && at / 4 + k < b->kept / 4; k++)
        t->writer[at / 4 + k] = key_of(a->block, a->warp * WARP + lane);
    }
  }
}

/* Elements that are the same in both runs, or right in the one that is shown, have no writer that counts. */
static void forget_same(Telling *t, const TapeBuffer *shown, const TapeBuffer *other) {
  const Gold *gold = &t->found->gold;
  const unsigned bytes = gold_bytes(gold, shown);
  for (uint64_t i = 0; t->writer && i < shown->kept / 4; i++)
    if (!memcmp(tape_bytes(shown) + 4 * i, tape_bytes(other) + 4 * i, 4) ||
        (bytes && !gold_differs(gold, 4 * i / bytes, buffer_number(shown, 4 * i / bytes, bytes))))
      t->writer[i] = 0;
}

static void number_text(char out[VALUE_BYTES], const TapeBuffer *b, uint64_t at, unsigned bytes,
                        uint8_t type) {
  uint64_t value = 0;
  if (at + bytes <= b->kept)
    memcpy(&value, tape_bytes(b) + at, bytes);
  value_text(out, type, bytes, value);
}

/* ---- panels ------------------------------------------------------------------------------------ */
static Panel *panel(Story *s, int actor, const TapeAccess *a) {
  Panel *p = &s->panels[s->npanels < PANELS_MOST ? s->npanels++ : PANELS_MOST - 1];
  *p = (Panel){.actor = actor, .line = a ? a->line : 0, .file = a ? tape_file(a) : NULL};
  return p;
}

static const TapeAccess *shown_as(const Choice *c) {
  const TapeAccess *a = c->first->access, *b = c->second->access;
  return b->element < a->element || (b->element == a->element && b->type == TAPE_FLOATING) ? b : a;
}

/* Where a warp, or some lanes of it, are after that event. */
static void whereabouts(char out[80], const TapedLaunch *l, const Moment *of, size_t event) {
  unsigned line = 0, held = 0, barrier = 0;
  for (size_t i = 0; i <= event && i < l->nevents; i++) {
    const TapeHead *h = l->events[i];
    const TapeAccess *a = tape_access(h);
    const TapeHold *hold = (const void *)h;
    const bool own = a ? a->block == of->block && a->warp == of->warp && a->lanes >> of->lane & 1
                       : hold->block == of->block && hold->lanes >> of->lane & 1 &&
                             (h->kind == TAPE_BARRIER || hold->warp == of->warp);
    if (!own)
      continue;
    if (h->kind == TAPE_HELD)
      held = hold->line;
    if (h->kind == TAPE_LET_GO)
      held = 0;
    barrier = h->kind == TAPE_ARRIVES ? hold->line : 0;
    line = a ? a->line : line;
  }
  if (held)
    snprintf(out, 80, "held back before line %u", held);
  else if (barrier)
    snprintf(out, 80, "waits at the barrier, line %u", barrier);
  else if (line)
    snprintf(out, 80, "has come to line %u", line);
  else
    snprintf(out, 80, "has not come to these lines");
}

static void place_both(const Telling *t, Panel *p, const Choice *c, size_t event) {
  whereabouts(p->waits[0], t->launch, c->first, event);
  whereabouts(p->waits[1], t->launch, c->second, event);
}

/* The last write to the word before that event; NULL: there is none. */
static const TapeAccess *written_before(const TapedLaunch *l, const Moment *m, size_t event,
                                        unsigned *lane, size_t *when) {
  for (size_t i = event; i-- > 0;) {
    const TapeAccess *a = tape_access(l->events[i]);
    for (unsigned k = WARP; a && a->operation != TAPE_READS && k-- > 0;)
      if (access_touches(a, k, m->access->space, m->block, m->address, 1)) {
        *lane = k;
        *when = i;
        return a;
      }
  }
  return NULL;
}

static void tell_before(const Telling *t, const Choice *c) {
  unsigned lane;
  size_t when = 0;
  const TapeAccess *a = written_before(t->launch, c->first, c->first->event, &lane, &when);
  char name[WHO_BYTES];
  if (!a && c->first->access->space == TAPE_IN_GLOBAL)
    return;
  Panel *p = panel(t->story, -1, a);
  if (!a) {
    snprintf(p->says, sizeof p->says, "Nothing has been stored in %s so far.", t->story->word);
    snprintf(p->word, sizeof p->word, "no value");
  } else {
    char value[VALUE_BYTES];
    say_value(value, a, lane, c->first->address, shown_as(c));
    memcpy(p->word, value, sizeof value);
    snprintf(p->says, sizeof p->says, "%s has stored %s in %s.",
             who(name, t->launch, a->block, a->warp * WARP + lane), value, t->story->word);
  }
  place_both(t, p, c, when);
}

static void tell_held(const Telling *t, const Choice *c) {
  size_t event = SIZE_MAX;
  for (size_t i = 0; i < c->second->event && event == SIZE_MAX; i++)
    if (t->launch->events[i]->kind == TAPE_HELD)
      event = i;
  if (event == SIZE_MAX)
    return;
  const TapeHold *h = (const void *)t->launch->events[event];
  const int actor = h->block == c->second->block && h->warp == c->second->warp ? 1
                    : h->block == c->first->block && h->warp == c->first->warp ? 0
                                                                               : -1;
  Panel *p = panel(t->story, actor, NULL);
  p->line = h->line;
  p->file = c->second->access->line == h->line ? tape_file(c->second->access)
                                               : tape_file(c->first->access);
  snprintf(p->says, sizeof p->says, "%s", t->story->order);
  place_both(t, p, c, event);
}

static void tell_access(const Telling *t, const Choice *c, const Moment *m, int actor,
                        const char *more) {
  char name[WHO_BYTES], value[VALUE_BYTES];
  Panel *p = panel(t->story, actor, m->access);
  say_value(value, m->access, m->lane, m->address, shown_as(c));
  snprintf(p->word, sizeof p->word, "%s", value);
  snprintf(p->says, sizeof p->says, "%s %s %s %s %s%s",
           who(name, t->launch, m->block, m->warp * WARP + m->lane),
           m->access->operation == TAPE_READS ? "reads" : "stores", value,
           m->access->operation == TAPE_READS ? "from" : "in", t->story->word, more);
  place_both(t, p, c, m->event);
}

static const char *what_is_wrong(const Choice *c) {
  const TapeAccess *first = c->first->access, *second = c->second->access;
  return first == second                   ? ", in the same instruction: one of the values stays."
         : first->operation == TAPE_READS  ? ": too late for the read."
         : second->operation == TAPE_READS ? ": too early for the read."
                                           : ": over the other value.";
}

static void name_actors(const Telling *t, const Choice *c) {
  const bool one_warp = c->first->block == c->second->block && c->first->warp == c->second->warp,
             blocks = c->first->block != c->second->block;
  for (int i = 0; i < 2; i++) {
    const Moment *m = i ? c->second : c->first;
    char name[WHO_BYTES];
    if (one_warp)
      snprintf(t->story->actor[i], sizeof t->story->actor[i], "lane %u of warp %u", m->lane,
               m->warp);
    else if (blocks) {
      const char *of = strstr(who(name, t->launch, m->block, 0), "block");
      snprintf(t->story->actor[i], sizeof t->story->actor[i], "warp %u of %s", m->warp, of);
    } else
      snprintf(t->story->actor[i], sizeof t->story->actor[i], "warp %u", m->warp);
  }
}

static void name_order(const Telling *t, char *out, size_t size, const Outcome *o) {
  uint64_t block = 0;
  unsigned warp = 0, line = 0, time = 0, lanes = 0;
  char access[20] = "", name[WHO_BYTES];
  const char *text = o->order;
  int fields =
      sscanf(text, "hold launch %*u block %" SCNu64 " warp %u lanes %x %19s line %u time %u",
             &block, &warp, &lanes, access, &line, &time);
  if (fields != 6)
    fields = sscanf(text, "hold launch %*u block %" SCNu64 " warp %u %19s line %u time %u", &block,
                    &warp, access, &line, &time) +
             1;
  if (fields != 6) {
    snprintf(out, size, "The warps run in ascending order, each as far as it can.");
    return;
  }
  const char *in_block = strstr(who(name, t->launch, block, 0), "block");
  const bool blocks = strstr(text, "blocks") != NULL;
  char which[80] = "";
  if (lanes && !(lanes & (lanes - 1)))
    snprintf(which, sizeof which, "Lane %d of warp %u", __builtin_ctz(lanes), warp);
  else
    snprintf(which, sizeof which, "%s %u", lanes ? "All lanes but one of warp" : "Warp", warp);
  snprintf(
      out, size,
      "%s of %s %s held back before its %s at line %u (number %u) until no other %s can go on%s.",
      which, in_block, lanes && lanes & (lanes - 1) ? "are" : "is", access, line, time,
      blocks ? "block" : "warp", strchr(text, ';') ? "; a second warp is held back, too" : "");
}

/* "C, row 1, column 0 comes out as 1.3; it should be 0.7." With more digits where these look the same. */
static void say_right(Telling *t, const TapeBuffer *own, const TapeBuffer *others, uint64_t at) {
  Story *s = t->story;
  const Gold *gold = &t->found->gold;
  const unsigned bytes = gold_bytes(gold, own);
  char right[60] = "", digits[VALUE_BYTES];
  if (bytes) {
    snprintf(digits, sizeof digits, "%.6g", gold->values[at / bytes]);
    const bool alike = !strcmp(digits, s->got) || !strcmp(s->other, s->got);
    if (alike) {
      snprintf(digits, sizeof digits, "%.9g", gold->values[at / bytes]);
      snprintf(s->got, sizeof s->got, "%.9g", buffer_number(own, at / bytes, bytes));
      snprintf(s->other, sizeof s->other, "%.9g", buffer_number(others, at / bytes, bytes));
    }
    snprintf(right, sizeof right, "; it should be %s", digits);
  }
  snprintf(s->end, sizeof s->end, "%s comes out as %s%s. In another order it is %s.", s->element,
           s->got, right, s->other);
}

static void tell_end(Telling *t, const Choice *c, uint8_t type) {
  Story *s = t->story;
  const Difference *d = &t->found->difference;
  if (!d->buffer) {
    snprintf(s->element, sizeof s->element, "what the program prints");
    snprintf(s->end, sizeof s->end,
             "The program prints another text, or ends otherwise, than in the other order.");
    snprintf(panel(s, -1, NULL)->says, PANEL_WORDS, "%s", s->end);
    return;
  }
  const TapeBuffer *own = same_buffer(&t->shown->tape.launches[d->launch], d->buffer),
                   *others = same_buffer(&t->other->tape.launches[d->launch], d->buffer);
  if (!own || !others)
    return;
  uint64_t at = d->at, word;
  if (c->race && t->result && wrote_result(t, c->first->differs ? c->first : c->second, &word))
    at = word * 4 / d->bytes * d->bytes;
  name_element(s->element, sizeof s->element, d->buffer,
               at / (d->buffer->element ? d->buffer->element : d->bytes));
  number_text(s->got, own, at, d->bytes, type);
  number_text(s->other, others, at, d->bytes, type);
  name_order(t, s->contrast, sizeof s->contrast, t->other);
  say_right(t, own, others, at);
  Panel *p = panel(s, -1, NULL);
  snprintf(p->says, sizeof p->says, "%s", s->end);
  snprintf(p->word, sizeof p->word, "%s", s->got);
}

void story_tell(const Found *f, Story *s) {
  const size_t launch = f->pair.launch;
  const TapeBuffer *other = NULL;
  uint8_t type = TAPE_BITS;
  *s = (Story){.race = f->pair.race};
  Telling t = {.found = f,
               .story = s,
               .shown = f->difference.plain_is_wrong ? &f->plain : &f->held,
               .other = f->difference.plain_is_wrong ? &f->held : &f->plain};
  if (launch >= t.shown->tape.nlaunches || launch >= t.other->tape.nlaunches)
    return;
  t.launch = &t.shown->tape.launches[launch];
  t.other_launch = &t.other->tape.launches[launch];
  find_result(&t, &other);
  find_writers(&t, &type);
  if (t.writer)
    forget_same(&t, t.result, other);
  sort_results(&t);
  t.moments = moments_of(t.launch, &f->plain);
  Moments others = moments_of(t.other_launch, &f->plain);
  join(&t.moments, &others);
  free(others.all);
  qsort(t.moments.all, t.moments.count, sizeof *t.moments.all, by_place);
  name_order(&t, s->order, sizeof s->order, t.shown);
  Choice c = choose(&t);
  if (c.race) {
    s->race = c.race;
    name_actors(&t, &c);
    name_word(s->word, sizeof s->word, t.launch, c.first->access, c.first->address);
    if (f->difference.plain_is_wrong)
      snprintf(panel(s, -1, NULL)->says, PANEL_WORDS, "%s", s->order);
    tell_before(&t, &c);
    if (!f->difference.plain_is_wrong)
      tell_held(&t, &c);
    tell_access(&t, &c, c.first, 0, ".");
    tell_access(&t, &c, c.second, 1, what_is_wrong(&c));
  }
  tell_end(&t, &c, type);
  free(t.moments.all);
  free(t.writer);
  free(t.results);
}
