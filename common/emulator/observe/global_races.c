#include "global_races.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/lanes.h"
#include "../state/settings.h"
#include "global_cells.h"
#include "global_notes.h"

static struct GlobalShadow **shadows; /* by number of the allocation */
static uint32_t nshadows;

/* ---- which buffers --------------------------------------------------------------------------- */
static void forget(struct GlobalShadow *s) {
  for (uint32_t k = 0; s && k < machine_settings()->workers; k++) {
    for (size_t i = 0; s->of_worker[k] && i < s->chunks; i++) {
      Chunk *c = &s->of_worker[k][i];
      for (unsigned n = 0; n < NOTES; n++)
        free(c->notes[n]);
      for (unsigned n = 0; n < CLASSES; n++)
        free(c->rows[n]);
      cells_free(c->cells);
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

/* Serial numbers of blocks are used up after some billions: then all shadows begin anew. */
void global_notes_begin(Run *run) {
  static uint32_t epoch, serial = 1;
  if (run->nblocks > UINT32_MAX - serial) {
    for (uint32_t i = 0; i < nshadows; i++)
      forget(shadows[i]);
    serial = 1;
  }
  run->observed->epoch = ++epoch;
  run->observed->first_serial = serial;
  serial += run->nblocks < UINT32_MAX / 2 ? (uint32_t)run->nblocks : UINT32_MAX / 2;
}

/* Only what is written can race; and what is changed by atomic operations alone cannot, unless their scopes or sizes
 * keep them apart. */
static bool may_race(unsigned ways) {
  const unsigned sizes = PTX_CHANGES_WIDE | PTX_CHANGES_NARROW;
  return ways & PTX_STORES || (ways & PTX_CHANGES && ways & (PTX_READS | PTX_MEETS)) ||
         ways & PTX_CHANGES_IN_BLOCK || (ways & sizes) == sizes;
}

static const Allocation **buffers_given(const Launch *launch, const PtxFunction *f) {
  const Allocation **given = calloc(f->nparams + 1, sizeof *given);
  assert(given);
  for (uint32_t i = 0; i < f->nparams; i++)
    given[i] = launch_buffer(launch, &f->params[i]);
  return given;
}

void global_races_launch(Run *run) {
  RunObserved *o = run->observed;
  const PtxFunction *f = run->function;
  o->given = buffers_given(run->launch, f);
  o->watch_global = run->checks && run->nblocks * run->nthreads > 1;
  o->orders = run->checks && f->orders;
  o->in_turn = run->in_turn;
  global_notes_begin(run);
  unsigned shift = f->global_granule == 1 ? 0 : f->global_granule == 2 ? 1 : 2;
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    bool watched = o->watch_global && a->kind != MEMORY_CONSTANT &&
                   a->address != run->grid_memory && may_race(launch_accesses(run->launch, a));
    a->shadow = watched ? shadow_of(a, shift) : NULL;
  }
}

/* ---- notes of granules ----------------------------------------------------------------------- */
static inline Chunk *chunk_of(Warp *w, const Allocation *a, uint64_t at) {
  struct GlobalShadow *s = a->shadow;
  Chunk **table = &s->of_worker[w->worker->number];
  if (__builtin_expect(!*table, 0)) {
    *table = calloc(s->chunks, sizeof **table);
    assert(*table);
  }
  return &(*table)[at / CHUNK_BYTES];
}

/* The notes of one class on a chunk. */
static void open_notes(const Run *run, const struct GlobalShadow *s, Chunk *c, unsigned n) {
  const size_t granules = CHUNK_BYTES >> s->shift;
  if (!c->notes[n]) {
    c->notes[n] = aligned_alloc(64, granules * sizeof *c->notes[n]);
    assert(c->notes[n]);
  }
  memset(c->notes[n], 0, granules * sizeof *c->notes[n]);
  c->epoch[n] = run->observed->epoch;
}

static void spread_class(const Run *run, const struct GlobalShadow *s, Chunk *c, Class class) {
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

void global_notes_spread(const Run *run, const struct GlobalShadow *s, Chunk *c) {
  spread_class(run, s, c, WRITES);
  spread_class(run, s, c, READS);
}

static uint64_t note_of(const Warp *w, const PtxInsn *insn, unsigned lane) {
  const uint64_t number = w->block->number, last = GLOBAL_RACE_BLOCKS;
  return ((number < last ? number : last) + 1) << BLOCK_SHIFT |
         (uint64_t)(w->number * WARP_LANES + lane) << THREAD_SHIFT |
         (uint64_t)insn->site << SITE_SHIFT;
}

static uint64_t hash_of(uint32_t value) { return cell_hash(value); }

/* Does it tell nothing new? */
static inline bool is_noted(uint64_t old, uint64_t mine) {
  return old && block_of(old) == block_of(mine) && old >> SITE_SHIFT <= mine >> SITE_SHIFT &&
         (old & DIFFER || !((old ^ mine) & HASH_MASK));
}

static inline uint64_t *notes_of(const Run *run, const Allocation *a, Chunk *c, unsigned n) {
  if (__builtin_expect(c->epoch[n] != run->observed->epoch, 0))
    open_notes(run, a->shadow, c, n);
  return c->notes[n];
}

static inline void note(const Run *run, const Allocation *a, Chunk *c, Class class, size_t g,
                        uint64_t mine) {
  uint64_t *first = notes_of(run, a, c, 2 * class + FIRST) + g, none = 0;
  if (!*first)
    *first = mine;
  else if (block_of(*first) == block_of(mine) && !is_noted(*first, mine))
    enter(first, &none, mine);
  else if (block_of(*first) != block_of(mine))
    enter(first, notes_of(run, a, c, 2 * class + SECOND) + g, mine);
}

static Class class_of(const PtxInsn *insn, AccessKind kind) {
  if (kind == ACCESS_CHANGES)
    return insn->flags & PTX_BLOCK_SCOPE              ? CHANGES_IN_BLOCK
           : ptx_type_bytes((PtxType)insn->type) == 8 ? WIDE_CHANGES
                                                      : CHANGES;
  if (kind == ACCESS_WRITES)
    return insn->strong && !(insn->flags & PTX_UPDATES) ? STRONG_WRITES : WRITES;
  return insn->flags & (PTX_SEED | PTX_VOLATILE) ? STRONG_READS : READS;
}

/* ---- granule by granule ---------------------------------------------------------------------- */
/* The cells of what rows told: of each granule who wrote it last, and who read it. */
static void cells_from_rows(const Run *run, const struct GlobalShadow *s, Chunk *c, Class class) {
  const Rows *rows = c->rows[class];
  const size_t granules = CHUNK_BYTES >> s->shift;
  if (c->epoch_of_rows[class] != run->observed->epoch)
    return;
  Cell *cells = cells_of(c->cells, class == WRITES ? LAST_WRITE : READ, granules);
  for (size_t g = 0; g < granules; g++) {
    const uint64_t first = rows->note[g / LINE];
    if (!first)
      continue;
    const uint64_t per_lane = (first & HASH_MASK) - 1;
    const uint32_t thread = (uint32_t)((first >> THREAD_SHIFT & 1023) + (g % LINE >> per_lane));
    cells[g] =
        (Cell){run->observed->first_serial + (uint32_t)block_of(first) - 1, rows->epoch[g / LINE],
               thread << CELL_THREAD | (uint32_t)(first >> SITE_SHIFT & 1023),
               class == WRITES ? rows->hash[g] : 0};
  }
}

static __attribute__((noinline)) void open_cells(const Run *run, const struct GlobalShadow *s,
                                                 Chunk *c) {
  c->cells = c->cells ? c->cells : calloc(1, sizeof *c->cells);
  assert(c->cells);
  cells_from_rows(run, s, c, WRITES);
  cells_from_rows(run, s, c, READS);
  global_notes_spread(run, s, c);
  c->epoch_of_cells = run->observed->epoch;
}

/* The granules that a lane touches, at least one. */
static unsigned granules(const PtxInsn *insn, const Allocation *a) {
  unsigned n = access_bytes(insn) >> a->shadow->shift;
  return n ? n : 1;
}

/* The chunk with its cells. */
static inline Chunk *cells_at(const CellAccess *x, uint64_t at) {
  const Run *run = x->w->worker->run;
  Chunk *c = chunk_of(x->w, x->memory, at);
  if (__builtin_expect(c->epoch_of_cells != run->observed->epoch, 0))
    open_cells(run, x->memory->shadow, c);
  return c;
}

static ALWAYS_INLINE void touch_granules(const CellAccess *x, const unsigned n,
                                         const unsigned shift) {
  const Run *run = x->w->worker->run;
  const unsigned size = 1u << shift;
  const Class class = class_of(x->insn, x->kind);
  const bool between = run->nblocks > 1 && !run->observed->in_turn;
  const uint64_t base = note_of(x->w, x->insn, 0);
  uint64_t chunk = UINT64_MAX;
  Chunk *c = NULL;
  EACH_SET(lane, x->lanes)
  for (unsigned i = 0; i < n; i++) {
    const uint64_t at = x->at[lane] + i * size;
    const size_t g = at % CHUNK_BYTES >> shift;
    uint32_t piece = 0;
    if (at / CHUNK_BYTES != chunk) { /* neighbouring lanes usually touch the same */
      chunk = at / CHUNK_BYTES;
      c = cells_at(x, at);
    }
    if (x->value)
      memcpy(&piece, x->value + (lane * n + i) * size, size);
    const uint32_t hash = x->value ? cell_hash(piece) : 0;
    cells_touch(x, c->cells, CHUNK_BYTES >> shift, g, lane, at, hash);
    if (between)
      note(run, x->memory, c, class, g, base + ((uint64_t)lane << THREAD_SHIFT) + hash);
  }
}

/* Words are the usual granules. */
static void touch_lanes(const CellAccess *x) {
  const unsigned n = granules(x->insn, x->memory), shift = x->memory->shadow->shift;
  if (shift == 2 && n == 1)
    touch_granules(x, 1, 2);
  else if (shift == 2 && n == 2)
    touch_granules(x, 2, 2);
  else
    touch_granules(x, n, shift);
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

/* ---- rows, as long as nothing else touches the chunk ------------------------------------------------ */
static __attribute__((noinline)) void open_rows(const Run *run, const struct GlobalShadow *s,
                                                Chunk *c, Class class) {
  const size_t granules = CHUNK_BYTES >> s->shift, lines = granules / LINE;
  Rows *rows = c->rows[class];
  if (!rows) {
    rows = c->rows[class] =
        malloc(sizeof *rows + lines * (sizeof rows->note[0] + sizeof rows->epoch[0]) +
               granules * sizeof rows->hash[0]);
    assert(rows);
    rows->hash = (uint16_t *)(void *)(rows->note + lines);
    rows->epoch = (uint32_t *)(void *)(rows->hash + granules);
  }
  memset(rows->note, 0, lines * sizeof rows->note[0]);
  c->epoch_of_rows[class] = run->observed->epoch;
}

/* A row of lanes, or a run of some: its lines, and the note of the first. */
typedef struct Row {
  uint64_t line, base;
  unsigned per_lane, lines; /* log2 of the granules of a lane */
  uint32_t epoch;
} Row;

static ALWAYS_INLINE uint64_t row_note(const Row *r, unsigned k) {
  return r->base + ((uint64_t)(k * LINE >> r->per_lane) << THREAD_SHIFT);
}

/* Are the lines that the other kind of access touched, of this block, those of the same threads? */
static ALWAYS_INLINE bool rows_agree(const Rows *other, const Row *r) {
  const uint64_t site = UINT64_C(1023) << SITE_SHIFT;
  uint64_t wrong = 0;
  for (unsigned k = 0; k < r->lines; k++) {
    const uint64_t old = other->note[r->line + k], differ = old ^ row_note(r, k);
    wrong |= (old != 0) & (differ >> BLOCK_SHIFT == 0) & ((differ & ~site) != 0);
  }
  return !wrong;
}

/* All of them are new, or there already. */
static ALWAYS_INLINE bool note_lines(Rows *rows, const Row *r, const uint32_t *value) {
  uint64_t *note = rows->note + r->line, any = 0, other = 0;
  uint16_t *hash = rows->hash + r->line * LINE, differ = 0;
  uint32_t *epoch = rows->epoch + r->line;
  const unsigned count = r->lines * LINE;
  for (unsigned k = 0; k < r->lines; k++) {
    any |= note[k];
    other |= note[k] ^ row_note(r, k);
  }
  if (!any) {
    for (unsigned k = 0; k < r->lines; k++) {
      note[k] = row_note(r, k);
      epoch[k] = r->epoch;
    }
    for (unsigned k = 0; value && k < count; k++)
      hash[k] = (uint16_t)hash_of(value[k]);
    return true;
  }
  for (unsigned k = 0; !other && value && k < count; k++)
    differ |= hash[k] ^ (uint16_t)hash_of(value[k]);
  for (unsigned k = 0; !other && k < r->lines; k++)
    epoch[k] = r->epoch;
  return !other && !differ;
}

/* false: each granule must be looked at. */
static ALWAYS_INLINE bool note_row(Warp *w, const PtxInsn *insn, const Allocation *a, uint64_t at,
                                   Class class, unsigned lane, const uint32_t *value,
                                   unsigned per_lane, unsigned count) {
  const Run *run = w->worker->run;
  const uint32_t epoch = run->observed->epoch;
  const unsigned shift = a->shadow->shift;
  Chunk *c = chunk_of(w, a, at);
  const Class other = class == READS ? WRITES : READS;
  if (at % ((uint64_t)LINE << shift) || c->epoch_of_cells == epoch || run->observed->orders)
    return false;
  const Row r = {(at % CHUNK_BYTES >> shift) / LINE, note_of(w, insn, lane) + per_lane + 1,
                 per_lane, count / LINE, w->block->observed->order.epoch};
  if (c->epoch_of_rows[class] != epoch)
    open_rows(run, a->shadow, c, class);
  return (c->epoch_of_rows[other] != epoch || rows_agree(c->rows[other], &r)) &&
         note_lines(c->rows[class], &r, value);
}

/* A row in one chunk, whose granules are its elements' words, or its elements. */
static ALWAYS_INLINE bool is_plain_row(const PtxInsn *insn, const Allocation *a, uint64_t at) {
  const unsigned bytes = access_bytes(insn), shift = a->shadow->shift;
  return (shift == 2 ? bytes >= 4 && bytes <= 16 : bytes == 1u << shift) &&
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

static ALWAYS_INLINE bool note_whole(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t at,
                                     Class class, const uint8_t *value) {
  const unsigned n = granules(insn, a);
  uint32_t space[WARP_LANES];
  if (!is_plain_row(insn, a, at))
    return false;
  const uint32_t *words = row_words(value, a->shadow->shift, space);
  return n == 1   ? note_row(w, insn, a, at, class, 0, words, 0, WARP_LANES)
         : n == 2 ? note_row(w, insn, a, at, class, 0, words, 1, 2 * WARP_LANES)
                  : note_row(w, insn, a, at, class, 0, words, 2, 4 * WARP_LANES);
}

/* The same for words in runs of 8, each in a line. */
static bool note_runs(Warp *w, const PtxInsn *insn, const Allocation *a, uint64_t start,
                      const Shape *shape, Class class, const uint32_t *value) {
  for (uint32_t lane = 0; lane < WARP_LANES; lane += LINE)
    if (!note_row(w, insn, a, shape_at(shape, start, lane), class, lane,
                  value ? value + lane : NULL, 0, LINE))
      return false;
  return true;
}

/* ---- accesses that miss their buffer ----------------------------------------------------------- */
/* Was the address computed from the pointer to another buffer? Then the index is wrong, by so much that it leads behind the
 * other buffer's guard zone. Such an access is out of bounds. What it races with tells nothing about the program. */
static ALWAYS_INLINE bool misses_buffer(const Warp *w, const PtxInsn *insn, const Allocation *a) {
  const Run *run = w->worker->run;
  if (insn->parameter < 0 || w->frame->function != run->function)
    return false;
  const Allocation *given = run->observed->given[insn->parameter];
  return given && given != a && a->kind != MEMORY_VARIABLE && a->kind != MEMORY_CONSTANT;
}

static __attribute__((noinline)) void tell_missed(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                                  uint64_t address, uint64_t step) {
  EACH_SET(lane, lanes)
  mistake_out_of_bounds(w, insn, lane, PTX_GLOBAL, address + lane * step, access_bytes(insn));
}

/* ---- accesses -------------------------------------------------------------------------------- */
static __attribute__((noinline)) void touch_each(Warp *w, const PtxInsn *insn, Allocation *a,
                                                 uint32_t lanes, const uint64_t *at,
                                                 AccessKind kind, const uint8_t *value) {
  CellAccess x = cell_access(w, insn, a, kind, a->shadow->shift);
  x.lanes = lanes;
  x.at = at;
  x.value = value;
  touch_lanes(&x);
}

void global_races_access(Warp *w, const PtxInsn *insn, const Shape *shape, Allocation *a,
                         uint64_t at, AccessKind kind) {
  const Class class = class_of(insn, kind);
  const uint64_t start = at - a->address;
  uint8_t space[32 * 32 + 4];
  uint64_t each[WARP_LANES];
  if (__builtin_expect(misses_buffer(w, insn, a), 0)) {
    EACH_SET(lane, shape->lanes) tell_missed(w, insn, 1u << lane, shape_at(shape, at, lane), 0);
    return;
  }
  const uint8_t *value = kind == ACCESS_WRITES ? all_values(w, insn, shape->lanes, space) : NULL;
  if (shape->runs && a->shadow->shift == 2 && granules(insn, a) == 1 &&
      (class == READS || class == WRITES) && shape_places(shape) == shape->nlanes &&
      note_runs(w, insn, a, start, shape, class, (const uint32_t *)(const void *)value))
    return;
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    each[lane] = shape_at(shape, start, lane);
  touch_each(w, insn, a, shape->lanes, each, kind, value);
}

/* The first thread stands for all. */
void global_races_read_one(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address) {
  const uint64_t each[WARP_LANES] = {address - a->address};
  if (__builtin_expect(misses_buffer(w, insn, a), 0)) {
    tell_missed(w, insn, 1, address, 0);
    return;
  }
  CellAccess x = cell_access(w, insn, a, ACCESS_READS, a->shadow->shift);
  x.lanes = 1;
  x.at = each;
  x.who |= CELL_SEVERAL;
  touch_lanes(&x);
}

void global_races_row(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address,
                      AccessKind kind) {
  const Class class = class_of(insn, kind);
  const uint64_t at = address - a->address;
  uint8_t space[16 * WARP_LANES];
  uint64_t each[WARP_LANES];
  if (__builtin_expect(misses_buffer(w, insn, a), 0)) {
    tell_missed(w, insn, ALL_LANES, address, access_bytes(insn));
    return;
  }
  const uint8_t *value = kind == ACCESS_WRITES ? all_values(w, insn, ALL_LANES, space) : NULL;
  if ((class == READS || class == WRITES) && note_whole(w, insn, a, at, class, value))
    return;
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    each[lane] = at + lane * access_bytes(insn);
  touch_each(w, insn, a, ALL_LANES, each, kind, value);
}
