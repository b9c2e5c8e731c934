/* Finds races between blocks: merges the notes of all workers, granule by granule, when all blocks
 * are done or have reached a barrier of the grid. Conflicting notes of different blocks are a race.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/settings.h"
#include "global_cells.h"
#include "global_notes.h"
#include "mistakes.h"
#include "report.h"

enum {
  /* The maximum number of races that one launch reports. */
  TOLD = 64,
  /* Number of consecutive chunks that one thread merges together. */
  TOGETHER = 32,
  /* The minimum number of chunks for which several threads are used. */
  LEAST_FOR_SEVERAL = 64
};

/* All races of one kind between the same two lines. `race`: the race of the first two threads.
 * `times`: number of granules with such a race. `found`: position of the first of these granules in
 * the order of the search. */
typedef struct Pending {
  GlobalRace race;
  uint64_t times, found;
} Pending;

/* The data of one thread that merges notes. Each of n threads merges every n-th group of chunks. */
typedef struct Settling {
  Run *run;
  Allocation *memory;
  size_t chunk;
  /* The number of the chunk among all chunks of all buffers in the launch. */
  uint64_t number;
  unsigned nnotes;
  const uint64_t *notes[NOTES * 256];
  /* For each array in `notes`: class * 2 + FIRST or SECOND. */
  uint8_t kind[NOTES * 256];
  Pending *pending;
  unsigned npending, room;
  /* A hash table of kinds of races: 1 + index in `pending`; 0: unused. */
  uint32_t *places, nplaces;
} Settling;

/* Returns 1 + the number of the block that made the note; 0: there is no note. */
static inline uint32_t who(uint64_t note) { return (uint32_t)block_of(note); }

/* The rows or the marks of one worker and class in a chunk, which have not been converted to
 * notes. */
typedef struct Unspread {
  /* NULL: the accesses are recorded as marks. */
  const Rows *rows;
  const Chunk *chunk;
  Class class;
  const Timeline *timeline;
} Unspread;

/* Return true if different blocks accessed the same line (lines_meet) or granule (granules_meet),
 * according to these sets of rows and marks. */
static bool lines_meet(const Unspread *sets, unsigned nsets, size_t lines) {
  uint32_t block[CHUNK_BYTES / LINE] = {0}, meet = 0;
  for (unsigned i = 0; i < nsets; i++)
    for (size_t line = 0; line < lines; line++) {
      const uint32_t mine = who(sets[i].rows->note[line]), other = block[line];
      meet |= (mine != 0) & (other != 0) & (mine != other);
      block[line] = other | mine;
    }
  return meet;
}
static bool granules_meet(const Unspread *sets, unsigned nsets, size_t granules) {
  static _Thread_local uint32_t block[CHUNK_BYTES], own[CHUNK_BYTES];
  uint32_t meet = 0;
  memset(block, 0, granules * sizeof *block);
  for (unsigned i = 0; i < nsets; i++) {
    if (!sets[i].rows)
      global_blocks_of_marks(sets[i].timeline, sets[i].chunk, sets[i].class, own, granules);
    for (size_t g = 0; sets[i].rows && g < granules; g++)
      own[g] = who(sets[i].rows->note[g / LINE]);
    for (size_t g = 0; g < granules; g++) {
      meet |= (own[g] != 0) & (block[g] != 0) & (own[g] != block[g]);
      block[g] |= own[g];
    }
  }
  return meet;
}

/* Returns true if the chunk must be compared granule by granule: it has notes, or its rows and
 * marks show that several blocks accessed a granule or line and that some access was a write. */
static bool blocks_meet(const Settling *s) {
  const struct GlobalShadow *shadow = s->memory->shadow;
  const size_t granules = CHUNK_BYTES >> shadow->shift;
  const uint32_t epoch = s->run->observed->epoch;
  Unspread sets[2 * 256];
  unsigned nsets = 0;
  bool changed = false, marks = false;
  for (uint32_t k = 0; k < s->run->nworkers; k++)
    for (unsigned class = 0; class < CLASSES && shadow->of_worker[k]; class ++) {
      const Chunk *c = &shadow->of_worker[k][s->chunk];
      const bool marked = c->epoch_of_marks[class] == epoch;
      if (c->epoch[2 * class] == epoch)
        return true;
      if (!marked && c->epoch_of_rows[class] != epoch)
        continue;
      changed = changed || class != READS;
      marks = marks || marked;
      sets[nsets++] =
          (Unspread){marked ? NULL : c->rows[class], c, class, &s->run->observed->timelines[k]};
    }
  if (!changed || nsets < 2)
    return false;
  return marks ? granules_meet(sets, nsets, granules) : lines_meet(sets, nsets, granules / LINE);
}

/* Creates notes for each granule from the rows and marks of the chunk. */
static void spread(Settling *s) {
  const struct GlobalShadow *shadow = s->memory->shadow;
  for (uint32_t k = 0; k < s->run->nworkers; k++)
    if (shadow->of_worker[k])
      global_notes_spread(s->run, shadow, k, &shadow->of_worker[k][s->chunk]);
}

static void collect(Settling *s) {
  const struct GlobalShadow *shadow = s->memory->shadow;
  s->nnotes = 0;
  if (!blocks_meet(s))
    return;
  spread(s);
  for (uint32_t k = 0; k < s->run->nworkers; k++)
    for (unsigned n = 0; n < NOTES && shadow->of_worker[k]; n++) {
      const Chunk *c = &shadow->of_worker[k][s->chunk];
      if (c->epoch[n] != s->run->observed->epoch)
        continue;
      s->kind[s->nnotes] = (uint8_t)n;
      s->notes[s->nnotes++] = c->notes[n];
    }
}

/* Returns false if there is only one array of notes or all accesses are reads, because then there
 * is no race. */
static bool may_race(const Settling *s) {
  unsigned classes = 0;
  for (unsigned i = 0; i < s->nnotes; i++)
    classes |= 1u << s->kind[i] / 2;
  return s->nnotes > 1 && classes & ~(1u << READS | 1u << STRONG_READS);
}

static bool reads_before(const GlobalRace *a, const GlobalRace *b) {
  if (a->block[0] != b->block[0])
    return a->block[0] < b->block[0];
  if (a->thread[0] != b->thread[0])
    return a->thread[0] < b->thread[0];
  if (a->address != b->address)
    return a->address < b->address;
  return a->block[1] != b->block[1] ? a->block[1] < b->block[1] : a->thread[1] < b->thread[1];
}

static bool same_lines(const GlobalRace *a, const GlobalRace *b) {
  return a->site[0] == b->site[0] && a->site[1] == b->site[1];
}

static bool is_like(const GlobalRace *a, const GlobalRace *b) {
  return same_lines(a, b) && a->kind[0] == b->kind[0] && a->kind[1] == b->kind[1] &&
         a->same_value == b->same_value;
}

/* Returns the entry of a kind of race in the hash table, or the free entry where the kind must be
 * inserted. */
static uint32_t *place_of(const Settling *s, const GlobalRace *race) {
  const uint32_t kind = race->site[0] | race->site[1] << 10 | (uint32_t)race->kind[0] << 20 |
                        (uint32_t)race->kind[1] << 22 | (uint32_t)race->same_value << 24;
  for (uint32_t at = kind * 0x9e3779b1u >> 8;; at++) {
    uint32_t *place = &s->places[at & (s->nplaces - 1)];
    if (!*place || is_like(&s->pending[*place - 1].race, race))
      return place;
  }
}

/* Enlarges `pending` and the hash table. The hash table has at least twice as many entries as there
 * are kinds of races. */
static void make_room(Settling *s) {
  s->room = s->room ? 2 * s->room : 8;
  s->nplaces = 4 * s->room;
  s->pending = realloc(s->pending, s->room * sizeof *s->pending);
  free(s->places);
  s->places = calloc(s->nplaces, sizeof *s->places);
  assert(s->pending && s->places);
  for (unsigned i = 0; i < s->npending; i++)
    *place_of(s, &s->pending[i].race) = i + 1;
}

static void enter_pending(Settling *s, const Pending *new) {
  if (s->npending == s->room)
    make_room(s);
  uint32_t *place = place_of(s, &new->race);
  if (!*place) {
    s->pending[s->npending++] = *new;
    *place = s->npending;
    return;
  }
  Pending *old = &s->pending[*place - 1];
  old->times += new->times;
  old->found = new->found < old->found ? new->found : old->found;
  if (reads_before(&new->race, &old->race))
    old->race = new->race;
}

static void add_race(Settling *s, const GlobalRace *race) {
  const bool reads = race->kind[1] == ACCESS_READS;
  const uint64_t place = s->number * CHUNK_BYTES + race->address % CHUNK_BYTES;
  enter_pending(s, &(Pending){*race, 1, place * 2 + reads});
}

/* Returns true if the launch was stopped. Blocks with a higher start order than the one that
 * stopped it may not have run. */
static bool is_cut_short(const Run *run) { return run_certain(run) != UINT64_MAX; }

/* Returns the note if its block certainly ran, otherwise 0. Notes are kept for the lowest block
 * numbers. With a seed, blocks start in another order than that of their numbers. Then, after a
 * stop, the kept notes may hide those of blocks that certainly ran, so the function always returns
 * 0. */
static uint64_t unless_stopped(const Run *run, uint64_t note) {
  if (!note || !is_cut_short(run))
    return note;
  return machine_settings()->seed || block_of(note) - 1 > run_certain(run) ? 0 : note;
}

/* Finds the first pair of notes of different blocks: one from `a` and one from `b`, the notes of
 * two classes. Returns false if there is no such pair. */
static bool pair(const uint64_t *a, const uint64_t *b, uint64_t *one, uint64_t *other) {
  for (unsigned i = 0; i < 2; i++)
    for (unsigned k = 0; k < 2; k++)
      if (a[i] && b[k] && block_of(a[i]) != block_of(b[k])) {
        *one = a[i];
        *other = b[k];
        return true;
      }
  return false;
}

/* Returns true if all blocks write the same value. If one block reads the granule and another
 * writes it, equal values may be a coincidence, so the function returns false. If the launch was
 * stopped, DIFFER may come from a block that might not have run, so only the first two notes are
 * compared. */
static bool same_value(const Settling *s, uint64_t notes[CLASSES][2], Class class) {
  const uint64_t first = notes[class][FIRST], second = notes[class][SECOND];
  uint64_t one, other;
  if (pair(notes[class], notes[READS], &one, &other))
    return false;
  return is_cut_short(s->run) ? !((first ^ second) & HASH_MASK) : !(first & DIFFER);
}

static const AccessKind kind_of[CLASSES] = {[WRITES] = ACCESS_WRITES,
                                            [STRONG_WRITES] = ACCESS_WRITES,
                                            [CHANGES] = ACCESS_CHANGES,
                                            [WIDE_CHANGES] = ACCESS_CHANGES,
                                            [CHANGES_IN_BLOCK] = ACCESS_CHANGES,
                                            [READS] = ACCESS_READS,
                                            [STRONG_READS] = ACCESS_READS};

/* Pairs of classes that race if the accesses are by different blocks, the most severe pair first.
 * read_table has the pairs with reads. */
static const Class race_table[][2] = {{WRITES, WRITES},
                                      {WRITES, STRONG_WRITES},
                                      {WRITES, CHANGES},
                                      {WRITES, WIDE_CHANGES},
                                      {WRITES, CHANGES_IN_BLOCK},
                                      {STRONG_WRITES, CHANGES_IN_BLOCK},
                                      {CHANGES_IN_BLOCK, CHANGES_IN_BLOCK},
                                      {CHANGES_IN_BLOCK, CHANGES},
                                      {CHANGES_IN_BLOCK, WIDE_CHANGES},
                                      {CHANGES, WIDE_CHANGES}};
static const Class read_table[][2] = {{WRITES, READS},
                                      {WRITES, STRONG_READS},
                                      {STRONG_WRITES, READS},
                                      {CHANGES, READS},
                                      {WIDE_CHANGES, READS},
                                      {CHANGES_IN_BLOCK, READS},
                                      {CHANGES_IN_BLOCK, STRONG_READS}};

static bool judge_pair(Settling *s, uint64_t notes[CLASSES][2], const Class *classes,
                       uint64_t address) {
  const Class a = classes[0], b = classes[1];
  GlobalRace race = {.memory = s->memory, .address = address, .kind = {kind_of[a], kind_of[b]}};
  uint64_t note[2];
  if (!pair(notes[a], notes[b], &note[0], &note[1]))
    return false;
  race.same_value = a == b && kind_of[a] == ACCESS_WRITES && same_value(s, notes, a);
  race.in_block = a == CHANGES_IN_BLOCK || b == CHANGES_IN_BLOCK;
  race.mixed = a == CHANGES && b == WIDE_CHANGES;
  for (unsigned i = 0; i < 2; i++) {
    race.block[i] = block_of(note[i]) - 1;
    race.thread[i] = (uint32_t)(note[i] >> THREAD_SHIFT & 1023);
    race.site[i] = (uint32_t)(note[i] >> SITE_SHIFT & 1023);
  }
  add_race(s, &race);
  return true;
}

static void judge(Settling *s, uint64_t notes[CLASSES][2], uint64_t address) {
  for (size_t i = 0; i < sizeof race_table / sizeof *race_table; i++)
    if (judge_pair(s, notes, race_table[i], address))
      break;
  for (size_t i = 0; i < sizeof read_table / sizeof *read_table; i++)
    if (judge_pair(s, notes, read_table[i], address))
      break;
}

/* Marks in `suspect` the granules that several blocks accessed and at least one block changed.
 * Returns false if there is no such granule. */
static bool find_suspects(const Settling *s, unsigned n, uint32_t *suspect) {
  static _Thread_local uint32_t low[CHUNK_BYTES], high[CHUNK_BYTES];
  uint32_t any = 0;
  memset(low, 0xff, n * sizeof *low);
  memset(high, 0, n * sizeof *high);
  memset(suspect, 0, n * sizeof *suspect);
  for (unsigned k = 0; k < s->nnotes; k++) {
    const uint32_t changed = s->kind[k] / 2 >= READS ? 0 : UINT32_MAX;
    for (size_t g = 0; g < n; g++) {
      const uint32_t block = who(s->notes[k][g]);
      high[g] = block > high[g] ? block : high[g];
      low[g] = block - 1 < low[g] ? block - 1 : low[g]; /* 0, no access, wraps around to the largest
                                                         * number */
      suspect[g] |= block & changed;
    }
  }
  for (unsigned g = 0; g < n; g++) {
    suspect[g] = suspect[g] && low[g] != high[g] - 1;
    any |= suspect[g];
  }
  return any;
}

static void settle_chunk(Settling *s) {
  const unsigned shift = s->memory->shadow->shift, n = CHUNK_BYTES >> shift;
  static _Thread_local uint32_t suspect[CHUNK_BYTES];
  if (!find_suspects(s, n, suspect))
    return;
  for (unsigned g = 0; g < n; g++) {
    if (!suspect[g])
      continue;
    uint64_t notes[CLASSES][2] = {{0}};
    for (unsigned k = 0; k < s->nnotes; k++) {
      uint64_t one = unless_stopped(s->run, s->notes[k][g]);
      uint64_t *set = notes[s->kind[k] / 2];
      if (one)
        enter(&set[FIRST], &set[SECOND], one);
    }
    judge(s, notes, s->memory->address + s->chunk * CHUNK_BYTES + ((uint64_t)g << shift));
  }
}

static void settle_part(Settling *s, unsigned part, unsigned parts) {
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    s->memory = a;
    for (s->chunk = 0; a->shadow && s->chunk < a->shadow->chunks; s->chunk++, s->number++) {
      if (s->number / TOGETHER % parts != part)
        continue;
      collect(s);
      if (may_race(s))
        settle_chunk(s);
    }
  }
}

unsigned global_races_parts(const Run *run) {
  uint64_t chunks = 0;
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
    chunks += a->shadow ? a->shadow->chunks : 0;
  return !run->observed->watch_global || run->nblocks == 1 || run->observed->in_turn ? 0
         : chunks < LEAST_FOR_SEVERAL                                                ? 1
                                      : run->nworkers;
}

void global_races_settle(Run *run, unsigned part, unsigned parts) {
  Settling *s = run->workers[part].observed->settling = calloc(1, sizeof *s);
  assert(s);
  s->run = run;
  settle_part(s, part, parts);
}

static int by_finding(const void *a, const void *b) {
  const Pending *x = a, *y = b;
  return x->found < y->found ? -1 : x->found > y->found;
}

void global_races_settled(Run *run, unsigned parts) {
  Settling all = {.run = run};
  if (!parts)
    return;
  for (unsigned i = 0; i < parts; i++) {
    Settling *s = run->workers[i].observed->settling;
    for (unsigned k = 0; k < s->npending; k++)
      enter_pending(&all, &s->pending[k]);
    free(s->pending);
    free(s->places);
    free(s);
  }
  if (all.npending) /* qsort must not be called with NULL */
    qsort(all.pending, all.npending, sizeof *all.pending, by_finding);
  for (unsigned i = 0; i < all.npending && i < TOLD; i++)
    mistake_global_race(run, &all.pending[i].race, all.pending[i].times);
  free(all.pending);
  free(all.places);
}
