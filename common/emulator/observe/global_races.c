#include "global_races.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/lanes.h"
#include "../state/settings.h"
#include "global_notes.h"
#include "mistakes.h"

static struct GlobalShadow **shadows; /* by number of the allocation */
static uint32_t nshadows;

/* ---- which buffers --------------------------------------------------------------------------- */
static void forget(struct GlobalShadow *s) {
  for (uint32_t k = 0; s && k < machine_settings()->workers; k++) {
    for (size_t i = 0; s->of_worker[k] && i < s->chunks; i++) {
      for (unsigned n = 0; n < NOTES; n++)
        if (n != 2 * ATOMICS + SECOND) /* lies among the first */
          free(s->of_worker[k][i].notes[n]);
      for (unsigned n = 0; n < CLASSES; n++)
        free(s->of_worker[k][i].rows[n]);
    }
    free(s->of_worker[k]);
    s->of_worker[k] = NULL;
  }
}

static struct GlobalShadow *shadow_of(const Allocation *a, unsigned shift) {
  uint32_t workers = machine_settings()->workers;
  if (a->number >= nshadows) {
    uint32_t more = a->number + 64;
    shadows = realloc(shadows, more * sizeof *shadows);
    assert(shadows);
    memset(shadows + nshadows, 0, (more - nshadows) * sizeof *shadows);
    nshadows = more;
  }
  struct GlobalShadow **s = &shadows[a->number];
  if (!*s) {
    *s = calloc(1, sizeof **s + workers * sizeof(*s)->of_worker[0]);
    assert(*s);
    (*s)->chunks = a->bytes / CHUNK_BYTES + 2;
    (*s)->shift = shift;
  }
  if ((*s)->shift != shift)
    forget(*s);
  (*s)->shift = shift;
  return *s;
}

void global_races_free(Allocation *a) {
  if (a->number >= nshadows)
    return;
  forget(shadows[a->number]);
  free(shadows[a->number]);
  shadows[a->number] = NULL;
  a->shadow = NULL;
}

uint32_t global_notes_epoch(void) {
  static uint32_t epoch;
  return ++epoch;
}

/* Only what is written can race; and what is changed by atomic operations alone cannot, nor with the reads of a
 * program that compares and swaps (global_settle.c). */
static bool may_race(const Run *run, unsigned ways) {
  const RunObserved *o = run->observed;
  const unsigned matters = PTX_MEETS | (o->has_cas ? 0 : PTX_READS);
  if (run->nblocks == 1) /* between warps only what one writes and another reads is looked at */
    return ways & PTX_STORES && ways & PTX_READS;
  return ways & PTX_STORES || (ways & PTX_CHANGES && ways & matters);
}

void global_races_launch(Run *run) {
  RunObserved *o = run->observed;
  const PtxFunction *f = run->function;
  o->apart = run->nwarps > 1 && !f->waits_within && !f->meets_by_atomics && !f->has_global_cas;
  o->watch_global = run->checks && (run->nblocks > 1 || o->apart);
  o->epoch = global_notes_epoch();
  o->has_cas = o->watch_global && f->has_global_cas;
  o->shared_cas = run->checks && f->has_shared_cas;
  unsigned shift = f->global_granule == 1 ? 0 : f->global_granule == 2 ? 1 : 2;
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    bool watched = o->watch_global && a->kind != MEMORY_CONSTANT &&
                   may_race(run, launch_accesses(run->launch, a));
    a->shadow = watched ? shadow_of(a, shift) : NULL;
  }
}

/* ---- noting ---------------------------------------------------------------------------------- */
static Chunk *chunk_of(Warp *w, const Allocation *a, uint64_t at) {
  struct GlobalShadow *s = a->shadow;
  Chunk **table = &s->of_worker[w->worker->number];
  if (!*table) {
    *table = calloc(s->chunks, sizeof **table);
    assert(*table);
  }
  return &(*table)[at / CHUNK_BYTES];
}

/* The notes of one class on a chunk. */
static void open_notes(const Run *run, const struct GlobalShadow *s, Chunk *c, unsigned n) {
  const size_t granules = CHUNK_BYTES >> s->shift, strips = granules / STRIP;
  const size_t notes = granules * stride_of(n / 2), all = notes + 1 + strips;
  const bool paired = n / 2 == ATOMICS;
  n = paired ? 2 * ATOMICS : n;
  if (!c->notes[n]) {
    c->notes[n] = aligned_alloc(64, (all * sizeof *c->notes[n] + 63) / 64 * 64);
    assert(c->notes[n]);
  }
  memset(c->notes[n], 0, notes * sizeof *c->notes[n]);
  memset(c->notes[n] + notes, 0xff, (all - notes) * sizeof *c->notes[n]);
  c->epoch[n] = run->observed->epoch;
  if (paired) {
    c->notes[n + SECOND] = c->notes[n] + 1;
    c->epoch[n + SECOND] = c->epoch[n];
  }
}

void global_notes_spread(const Run *run, const struct GlobalShadow *s, Chunk *c, Class class) {
  const Rows *rows = c->rows[class];
  if (c->epoch_of_rows[class] != run->observed->epoch)
    return;
  c->epoch_of_rows[class] = 0;
  open_notes(run, s, c, 2 * class + FIRST);
  for (size_t g = 0, n = CHUNK_BYTES >> s->shift; g < n; g++) {
    const uint64_t first = rows->note[g / LINE], per_lane = (first & HASH_MASK) - 1;
    if (first)
      c->notes[2 * class + FIRST][g] = (first & ~HASH_MASK) +
                                       (g % LINE >> per_lane << THREAD_SHIFT) +
                                       (class == READS ? 0 : rows->hash[g]);
  }
}

static __attribute__((noinline)) uint64_t *notes_anew(Warp *w, const Allocation *a, Chunk *c,
                                                      unsigned n) {
  const Run *run = w->worker->run;
  if (n % 2 == FIRST && c->epoch_of_rows[n / 2] == run->observed->epoch)
    global_notes_spread(run, a->shadow, c, n / 2);
  else
    open_notes(run, a->shadow, c, n);
  return c->notes[n];
}

static inline uint64_t *notes_at(Warp *w, Allocation *a, uint64_t at, unsigned n) {
  Chunk *c = chunk_of(w, a, at);
  return c->epoch[n] == w->worker->run->observed->epoch ? c->notes[n] : notes_anew(w, a, c, n);
}

static uint64_t note_of(const Warp *w, const PtxInsn *insn, unsigned lane) {
  const uint64_t number = w->block->number, last = GLOBAL_RACE_BLOCKS;
  return ((number < last ? number : last) + 1) << BLOCK_SHIFT |
         (uint64_t)(w->number * WARP_LANES + lane) << THREAD_SHIFT |
         (uint64_t)insn->site << SITE_SHIFT;
}

static uint64_t hash_of(uint32_t value) { return value * UINT32_C(0x9e3779b1) >> 16; }

/* Does it tell nothing new? */
static inline bool is_noted(uint64_t old, uint64_t mine) {
  return old && block_of(old) == block_of(mine) && old >> SITE_SHIFT <= mine >> SITE_SHIFT &&
         (old & DIFFER || !((old ^ mine) & HASH_MASK));
}

/* Neighbouring lanes usually touch the same chunk. */
typedef struct Noting {
  Warp *w;
  Allocation *memory;
  Class class;
  uint64_t chunk;
  uint64_t *notes, *second;
  bool news; /* something was entered */
} Noting;

static Noting noting(Warp *w, Allocation *a, Class class) {
  return (Noting){w, a, class, UINT64_MAX, NULL, NULL, false};
}

static __attribute__((noinline)) void note_again(Noting *n, uint64_t at, uint64_t *first,
                                                 uint64_t mine) {
  uint64_t none = 0, *second = &none;
  if (block_of(*first) != block_of(mine)) {
    if (!n->second)
      n->second = notes_at(n->w, n->memory, at, 2 * n->class + SECOND);
    second = n->second + (first - n->notes);
    if (*first < mine && *second && *second >> SITE_SHIFT <= mine >> SITE_SHIFT &&
        (*first & DIFFER || !((*first ^ mine) & (HASH_MASK | DIFFER))))
      return;
  }
  n->news = true;
  enter(first, second, mine);
}

static ALWAYS_INLINE void note(Noting *n, uint64_t at, unsigned shift, uint64_t mine) {
  if (__builtin_expect(at / CHUNK_BYTES != n->chunk, 0)) {
    n->chunk = at / CHUNK_BYTES;
    n->notes = notes_at(n->w, n->memory, at, 2 * n->class);
    n->second = NULL;
  }
  uint64_t *first = n->notes + (at % CHUNK_BYTES >> shift) * stride_of(n->class);
  if (!*first)
    *first = mine, n->news = true;
  else if (!is_noted(*first, mine))
    note_again(n, at, first, mine);
}

static inline bool in_one_chunk(uint64_t low, uint64_t span) {
  return low / CHUNK_BYTES == (low + span - 1) / CHUNK_BYTES;
}

/* Accesses that hash nothing (reads, atomic operations) tell nothing new where two blocks before this one
 * have notes on every granule. The notes only ever become smaller, so what was found once stays true. */
static inline bool is_settled(const Warp *w, const Allocation *a, Class class, uint64_t low,
                              uint64_t span, uint64_t mine) {
  const Chunk *c = a->shadow->of_worker[w->worker->number];
  const unsigned shift = a->shadow->shift, second = 2 * class + SECOND;
  const uint64_t first = low % CHUNK_BYTES >> shift, last = (low + span - 1) % CHUNK_BYTES >> shift;
  if (!c || !in_one_chunk(low, span))
    return false;
  c += low / CHUNK_BYTES;
  if (c->epoch[second] != w->worker->run->observed->epoch)
    return false;
  const uint64_t *strip = c->notes[second] + (CHUNK_BYTES >> shift) * stride_of(class);
  uint64_t most = 0;
  for (uint64_t i = first / STRIP; i <= last / STRIP; i++)
    most = strip[i] > most ? strip[i] : most;
  return most >> SITE_SHIFT <= mine >> SITE_SHIFT;
}

/* Nothing was news there: is it so in all of these strips? Some blocks ask for all, first the third. */
enum { LOOKS = 8 };
static void look(const Warp *w, const Allocation *a, Class class, uint64_t low, uint64_t span) {
  Chunk *c = a->shadow->of_worker[w->worker->number];
  const unsigned shift = a->shadow->shift, second = 2 * class + SECOND;
  const size_t stride = stride_of(class);
  const uint64_t first = low % CHUNK_BYTES >> shift, last = (low + span - 1) % CHUNK_BYTES >> shift;
  if (w->block->number % LOOKS != 2 || !in_one_chunk(low, span) ||
      (c += low / CHUNK_BYTES)->epoch[second] != w->worker->run->observed->epoch)
    return;
  for (uint64_t i = first / STRIP; i <= last / STRIP; i++) {
    const uint64_t *note = c->notes[second] + i * STRIP * stride;
    uint64_t most = 0, none = 0;
    for (unsigned k = 0; k < STRIP; k++) {
      most = note[k * stride] > most ? note[k * stride] : most;
      none |= note[k * stride] ? 0 : UINT64_MAX;
    }
    c->notes[second][(CHUNK_BYTES >> shift) * stride + i] = most | none;
  }
}

/* Whoever comes through an atomic operation (or a volatile access, which the program orders itself)
 * and then a fence holds a lock, until after another fence he comes through one again; what is
 * written meanwhile is ordered among those who hold one. Whoever comes through one after a fence comes late: he
 * has counted himself among the blocks that are done, and may be the last. A barrier hands both on to the block.
 * An access by .release has its fence before it, one by .acquire behind it. */
void global_races_meet(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  WarpObserved *o = w->observed;
  if (insn->flags & PTX_RELEASES)
    global_races_fence(w, lanes);
  uint32_t back = o->gives_back & lanes;
  o->passed = (o->passed | lanes) & ~back;
  o->holds &= ~back;
  o->gives_back &= ~lanes;
  o->late |= o->fenced & lanes;
  if (insn->flags & PTX_ACQUIRES)
    global_races_fence(w, lanes);
}

void global_races_fence(Warp *w, uint32_t lanes) {
  w->observed->gives_back |= w->observed->holds & lanes;
  w->observed->holds |= w->observed->passed & lanes;
  w->observed->fenced |= lanes;
}

void global_races_block_barrier(Block *b) {
  b->observed->holds = false;
  for (uint32_t i = 0; i < b->nwarps; i++)
    b->observed->holds = b->observed->holds || b->warps[i].observed->holds;
  for (uint32_t i = 0; i < b->nwarps; i++)
    b->observed->late = b->observed->late || b->warps[i].observed->late;
}

static inline uint32_t holding(const Warp *w) {
  return w->block->observed->holds ? ALL_LANES : w->observed->holds;
}

static inline uint32_t coming_late(const Warp *w) {
  return w->block->observed->late ? ALL_LANES : w->observed->late;
}

/* ---- rows, as long as nothing else touches the chunk ------------------------------------------------ */
static __attribute__((noinline)) void open_rows(const Run *run, const struct GlobalShadow *s,
                                                Chunk *c, Class class) {
  const size_t granules = CHUNK_BYTES >> s->shift, lines = granules / LINE;
  Rows *rows = c->rows[class];
  if (!rows) {
    rows = c->rows[class] =
        malloc(sizeof *rows + lines * sizeof rows->note[0] + granules * sizeof rows->hash[0]);
    assert(rows);
    rows->hash = (uint16_t *)(void *)(rows->note + lines);
  }
  memset(rows->note, 0, lines * sizeof rows->note[0]);
  c->epoch_of_rows[class] = run->observed->epoch;
}

/* The rows in which granules from `at` on can be noted; NULL: there are notes of each, or they begin within a line. */
static inline Rows *rows_at(Warp *w, const Allocation *a, uint64_t at, Class class) {
  const uint32_t epoch = w->worker->run->observed->epoch;
  Chunk *c = chunk_of(w, a, at);
  if (at % ((uint64_t)LINE << a->shadow->shift) || c->epoch[2 * class + FIRST] == epoch)
    return NULL;
  if (c->epoch_of_rows[class] != epoch)
    open_rows(w->worker->run, a->shadow, c, class);
  return c->rows[class];
}

/* So many granules in lines from `line` on, 1 << per_lane of each lane; base: the first one's note. All of them
 * are new, or there already. */
static ALWAYS_INLINE bool note_lines(Rows *rows, uint64_t line, uint64_t base,
                                     const uint32_t *value, unsigned per_lane, unsigned count) {
  uint64_t *note = rows->note + line, any = 0, other = 0;
  uint16_t *hash = rows->hash + line * LINE, differ = 0;
  base += per_lane + 1;
  for (unsigned k = 0; k < count / LINE; k++) {
    any |= note[k];
    other |= note[k] ^ (base + ((uint64_t)(k * LINE >> per_lane) << THREAD_SHIFT));
  }
  if (!any) {
    for (unsigned k = 0; k < count / LINE; k++)
      note[k] = base + ((uint64_t)(k * LINE >> per_lane) << THREAD_SHIFT);
    for (unsigned k = 0; value && k < count; k++)
      hash[k] = (uint16_t)hash_of(value[k]);
    return true;
  }
  for (unsigned k = 0; !other && value && k < count; k++)
    differ |= hash[k] ^ (uint16_t)hash_of(value[k]);
  return !other && !differ;
}

/* 32 lanes. false: each granule must be noted. */
static ALWAYS_INLINE bool note_whole(Warp *w, const Allocation *a, uint64_t at, Class class,
                                     uint64_t base, const uint32_t *value, unsigned per_lane) {
  Rows *rows = rows_at(w, a, at, class);
  return rows && note_lines(rows, (at % CHUNK_BYTES >> a->shadow->shift) / LINE, base, value,
                            per_lane, WARP_LANES << per_lane);
}

/* The granules that a lane touches, at least one. */
static unsigned granules(const PtxInsn *insn, const Allocation *a) {
  unsigned n = access_bytes(insn) >> a->shadow->shift;
  return n ? n : 1;
}

static ALWAYS_INLINE void read_places(Noting *notes, const Shape *shape, uint64_t start, unsigned n,
                                      unsigned shift, uint64_t base) {
  for (uint32_t k = 0, places = shape_places(shape); k < places; k++) {
    const uint64_t lane = shape->place[k], at = shape_at(shape, start, (uint32_t)lane);
    for (unsigned i = 0; i < n; i++)
      note(notes, at + (i << shift), shift, base + (lane << THREAD_SHIFT));
  }
}

/* Words of lanes none of which meets another, in one chunk: all of them new, or none is noted. */
static ALWAYS_INLINE bool note_apart(uint64_t *lead, const Shape *shape, uint64_t base,
                                     const uint32_t *value, unsigned n) {
  const int32_t *offset = (const int32_t *)shape->offset; /* of lanes that take no part 0 */
  uint64_t any = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
      any |= lead[offset[lane] / 4 + (int32_t)i];
  if (any)
    return false;
  EACH_SET(each, shape->lanes)
  for (unsigned i = 0; i < n; i++)
    lead[offset[each] / 4 + (int32_t)i] =
        base + ((uint64_t)each << THREAD_SHIFT) + (value ? hash_of(value[each * n + i]) : 0);
  return true;
}

/* The same for words in runs of at least 8. */
static bool note_parts(Warp *w, const Allocation *a, uint64_t start, const Shape *shape,
                       Class class, uint64_t base, const uint32_t *value) {
  for (uint32_t lane = 0; lane < WARP_LANES; lane += LINE) {
    const uint64_t at = shape_at(shape, start, lane);
    Rows *rows = rows_at(w, a, at, class);
    if (!rows ||
        !note_lines(rows, at % CHUNK_BYTES / 4 / LINE, base + ((uint64_t)lane << THREAD_SHIFT),
                    value ? value + lane : NULL, 0, LINE))
      return false;
  }
  return true;
}
static bool note_runs(uint64_t *lead, const Shape *shape, uint64_t base, const uint32_t *value) {
  uint64_t any = 0;
  for (uint32_t run = 0; run < WARP_LANES; run += 8)
    for (uint32_t k = 0; k < 8; k++)
      any |= lead[(int32_t)shape->offset[run] / 4 + (int)k];
  if (any)
    return false;
  for (uint32_t run = 0; run < WARP_LANES; run += 8) {
    uint64_t *first = lead + (int32_t)shape->offset[run] / 4;
    for (uint32_t k = 0; k < 8; k++)
      first[k] =
          base + ((uint64_t)(run + k) << THREAD_SHIFT) + (value ? hash_of(value[run + k]) : 0);
  }
  return true;
}

static bool all_apart(Warp *w, const PtxInsn *insn, const Shape *shape, Allocation *a,
                      uint64_t start, Class class, const uint8_t *value) {
  const uint64_t base = note_of(w, insn, 0);
  const uint32_t *words = (const uint32_t *)(const void *)value;
  const unsigned n = granules(insn, a);
  if (a->shadow->shift != 2 || !in_one_chunk(start - shape->below, shape->span) ||
      shape_places(shape) != shape->nlanes)
    return false;
  if (n == 1 && shape->runs && note_parts(w, a, start, shape, class, base, words))
    return true;
  uint64_t *lead = notes_at(w, a, start, 2 * class) + start % CHUNK_BYTES / 4;
  return n == 1 && shape->runs ? note_runs(lead, shape, base, words)
         : n == 1              ? note_apart(lead, shape, base, words, 1)
         : n == 2              ? note_apart(lead, shape, base, words, 2)
                               : note_apart(lead, shape, base, words, n);
}

void global_races_read(Warp *w, const PtxInsn *insn, const Shape *shape, Allocation *a,
                       uint64_t at) {
  const unsigned n = granules(insn, a), shift = a->shadow->shift;
  const uint64_t base = note_of(w, insn, 0), start = at - a->address;
  const uint64_t low = start - shape->below, span = shape->span;
  Noting notes = noting(w, a, READS);
  if (insn->flags & PTX_VOLATILE) {
    global_races_meet(w, insn, shape->lanes); /* the program orders it itself */
    return;
  }
  if (is_settled(w, a, READS, low, span, base) || all_apart(w, insn, shape, a, start, READS, NULL))
    return;
  if (shift == 2 && n == 1)
    read_places(&notes, shape, start, 1, 2, base);
  else
    read_places(&notes, shape, start, n, shift, base);
  if (!notes.news)
    look(w, a, READS, low, span);
}

/* The first thread stands for all. */
void global_races_read_one(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address) {
  const unsigned n = granules(insn, a), shift = a->shadow->shift;
  const uint64_t start = address - a->address, mine = note_of(w, insn, 0);
  Noting notes = noting(w, a, READS);
  if (is_settled(w, a, READS, start, (uint64_t)n << shift, mine))
    return;
  for (unsigned i = 0; i < n; i++)
    note(&notes, start + (i << shift), shift, mine);
  if (!notes.news)
    look(w, a, READS, start, (uint64_t)n << shift);
}

/* `count` neighbouring notes at once, 1 << per_lane of each lane: all of them new, or none. */
static ALWAYS_INLINE bool note_row(uint64_t *first, uint64_t base, const uint32_t *value,
                                   unsigned per_lane, unsigned count) {
  uint64_t any = 0, news = 0;
  for (uint32_t k = 0; k < count; k++) {
    const uint64_t mine =
        base + ((uint64_t)(k >> per_lane) << THREAD_SHIFT) + (value ? hash_of(value[k]) : 0);
    any |= first[k];
    news |= first[k] ^ mine;
  }
  if (any)
    return !news;
  for (uint32_t k = 0; k < count; k++)
    first[k] = base + ((uint64_t)(k >> per_lane) << THREAD_SHIFT) + (value ? hash_of(value[k]) : 0);
  return true;
}

/* Lanes that go far apart miss the host's caches one after the other, unless all are sent for first. */
static void fetch_notes(const Warp *w, const Allocation *a, const Shape *shape, uint64_t start,
                        Class class) {
  const Chunk *table = a->shadow->of_worker[w->worker->number];
  if (!table || shape->span <= CHUNK_BYTES)
    return;
  EACH_SET(lane, shape->lanes) {
    const uint64_t place = shape_at(shape, start, lane);
    const uint64_t *first = table[place / CHUNK_BYTES].notes[2 * class];
    if (first)
      __builtin_prefetch(first + (place % CHUNK_BYTES >> a->shadow->shift) * stride_of(class), 1);
  }
}

/* What the lanes write, each behind the other. */
static const uint8_t *all_values(const Warp *w, const PtxInsn *insn, uint32_t lanes,
                                 uint8_t *space) {
  const uint32_t bytes = access_bytes(insn), element = ptx_type_bytes((PtxType)insn->type);
  uint32_t offset[WARP_LANES];
  if (insn->count == 1 && (element == 8 || (element == 4 && !has_wide_registers(insn))))
    return w->frame->registers + insn->list[0]; /* lies there just so */
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    offset[lane] = lane * bytes;
  if (insn->count == 1)
    get_row(w->frame->registers, insn, space);
  else
    get_lanes(w->frame->registers, insn, lanes, space, offset);
  return space;
}

static ALWAYS_INLINE void write_lanes(Noting *notes, const Shape *shape, uint32_t lanes,
                                      uint64_t start, unsigned n, unsigned shift, uint64_t base,
                                      const uint8_t *value) {
  const unsigned size = 1u << shift;
  EACH_SET(lane, lanes)
  for (unsigned i = 0; i < n; i++) {
    uint32_t piece = 0;
    memcpy(&piece, value + (lane * n + i) * size, size);
    note(notes, shape_at(shape, start, lane) + i * size, shift,
         (base + ((uint64_t)lane << THREAD_SHIFT)) | hash_of(piece));
  }
}

void global_races_write(Warp *w, const PtxInsn *insn, const Shape *shape, Allocation *a,
                        uint64_t at) {
  const unsigned n = granules(insn, a), shift = a->shadow->shift;
  const uint64_t base = note_of(w, insn, 0), start = at - a->address;
  const uint32_t held = holding(w) & shape->lanes, late = coming_late(w) & shape->lanes & ~held;
  const uint32_t free = shape->lanes & ~held & ~late;
  uint8_t space[32 * 32 + 4];
  Noting notes = noting(w, a, WRITES), of_holders = noting(w, a, HELD_WRITES);
  Noting of_late = noting(w, a, LATE_WRITES);
  if (insn->flags & PTX_VOLATILE) {
    global_races_meet(w, insn, shape->lanes);
    return;
  }
  const uint8_t *value = all_values(w, insn, shape->lanes, space);
  if (free == shape->lanes && all_apart(w, insn, shape, a, start, WRITES, value))
    return;
  fetch_notes(w, a, shape, start, WRITES);
  if (shift == 2 && n == 1)
    write_lanes(&notes, shape, free, start, 1, 2, base, value);
  else if (shift == 2 && n == 2)
    write_lanes(&notes, shape, free, start, 2, 2, base, value);
  else if (shift == 0 && n == 1)
    write_lanes(&notes, shape, free, start, 1, 0, base, value);
  else if (shift == 1 && n == 1)
    write_lanes(&notes, shape, free, start, 1, 1, base, value);
  else
    write_lanes(&notes, shape, free, start, n, shift, base, value);
  write_lanes(&of_late, shape, late, start, n, shift, base, value);
  write_lanes(&of_holders, shape, held, start, n, shift, base | (coming_late(w) ? LATE : 0), value);
}

/* Is that so of a few places, whatever else lies in their strips? */
static bool are_known(Noting *notes, const Shape *shape, uint64_t start, unsigned n, unsigned shift,
                      uint64_t mine) {
  if (!shape->nplaces || shape->nplaces > FEW_PLACES)
    return false;
  for (uint32_t k = 0; k < shape->nplaces * n; k++) {
    const uint64_t at = shape_at(shape, start, shape->place[k / n]) + (k % n << shift);
    const uint64_t second =
        notes_at(notes->w, notes->memory, at,
                 2 * notes->class + SECOND)[(at % CHUNK_BYTES >> shift) * stride_of(notes->class)];
    if (!second || second >> SITE_SHIFT > mine >> SITE_SHIFT)
      return false;
  }
  return true;
}

/* Counters are changed by all blocks again and again. */
void global_races_atomic(Warp *w, const PtxInsn *insn, const Shape *shape, Allocation *a,
                         uint64_t at) {
  const unsigned n = granules(insn, a), shift = a->shadow->shift;
  const uint64_t base = note_of(w, insn, 0), start = at - a->address;
  const uint64_t low = start - shape->below, span = shape->span;
  const uint32_t held = holding(w);
  Noting notes = noting(w, a, ATOMICS);
  if (is_settled(w, a, ATOMICS, low, span, base) || are_known(&notes, shape, start, n, shift, base))
    return;
  fetch_notes(w, a, shape, start, ATOMICS);
  EACH_SET(lane, shape->lanes)
  for (unsigned i = 0; i < n; i++)
    note(&notes, shape_at(shape, start, lane) + (i << shift), shift,
         (base + ((uint64_t)lane << THREAD_SHIFT)) | (held >> lane & 1 ? HELD : 0));
  if (!notes.news)
    look(w, a, ATOMICS, low, span);
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* A row in one chunk, whose granules are its elements' words, or its elements. */
static ALWAYS_INLINE bool is_plain_row(const PtxInsn *insn, const Allocation *a, uint64_t at) {
  const unsigned bytes = access_bytes(insn), shift = a->shadow->shift;
  return (shift == 2 ? bytes <= 16 : bytes == 1u << shift) &&
         at % CHUNK_BYTES <= CHUNK_BYTES - bytes * WARP_LANES;
}

/* What hash_of takes of each granule of such a row. */
static ALWAYS_INLINE const uint32_t *row_words(const uint8_t *value, unsigned shift,
                                               uint32_t *space) {
  if (!value || shift == 2)
    return (const uint32_t *)(const void *)value;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    space[lane] = shift == 0 ? value[lane] : value[2 * lane] | (uint32_t)value[2 * lane + 1] << 8;
  return space;
}

/* 32 lanes, each behind the other: all of them new, or there already. */
static ALWAYS_INLINE bool note_words(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t at,
                                     Class class, const uint8_t *value) {
  const unsigned n = granules(insn, a);
  const uint64_t base = note_of(w, insn, 0);
  uint32_t space[WARP_LANES];
  if (!is_plain_row(insn, a, at))
    return false;
  const uint32_t *words = row_words(value, a->shadow->shift, space);
  return n == 1   ? note_whole(w, a, at, class, base, words, 0)
         : n == 2 ? note_whole(w, a, at, class, base, words, 1)
                  : note_whole(w, a, at, class, base, words, 2);
}

/* ... granule by granule where they must. true: something was entered. */
static __attribute__((noinline)) bool note_lanes(Warp *w, const PtxInsn *insn, Allocation *a,
                                                 uint64_t at, Class class, uint32_t lanes,
                                                 const uint8_t *value) {
  const unsigned n = granules(insn, a), shift = a->shadow->shift, size = 1u << shift;
  const bool late = class == HELD_WRITES && coming_late(w);
  const uint64_t base = note_of(w, insn, 0) | (late ? LATE : 0);
  uint32_t space[WARP_LANES];
  Noting notes = noting(w, a, class);
  if (lanes == ALL_LANES && is_plain_row(insn, a, at)) {
    uint64_t *first = notes_at(w, a, at, 2 * class) + (at % CHUNK_BYTES >> shift);
    const uint32_t *words = row_words(value, shift, space);
    if (n == 1   ? note_row(first, base, words, 0, WARP_LANES)
        : n == 2 ? note_row(first, base, words, 1, 2 * WARP_LANES)
                 : note_row(first, base, words, 2, 4 * WARP_LANES))
      return true;
  }
  EACH_SET(lane, lanes)
  for (unsigned k = lane * n; k < (lane + 1) * n; k++) {
    uint32_t piece = 0;
    if (value)
      memcpy(&piece, value + k * size, size);
    note(&notes, at + k * size, shift,
         (base + ((uint64_t)lane << THREAD_SHIFT)) | (value ? hash_of(piece) : 0));
  }
  return notes.news;
}

void global_races_read_row(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address) {
  const uint64_t at = address - a->address, span = access_bytes(insn) * WARP_LANES;
  if (!is_settled(w, a, READS, at, span, note_of(w, insn, 0)) &&
      !note_words(w, insn, a, at, READS, NULL) &&
      !note_lanes(w, insn, a, at, READS, ALL_LANES, NULL))
    look(w, a, READS, at, span);
}

void global_races_write_row(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address) {
  const uint64_t at = address - a->address;
  const uint32_t held = holding(w), late = coming_late(w) & ~held;
  uint8_t space[16 * WARP_LANES];
  const uint8_t *value = all_values(w, insn, ALL_LANES, space);
  if (!held && !late && note_words(w, insn, a, at, WRITES, value))
    return;
  note_lanes(w, insn, a, at, WRITES, ~held & ~late, value);
  note_lanes(w, insn, a, at, LATE_WRITES, late, value);
  note_lanes(w, insn, a, at, HELD_WRITES, held, value);
}
