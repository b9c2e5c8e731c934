/* Advances the clocks of the workers, compares an access with the cells of its granules, one lane
 * at a time, and reports races (global_cells.h). */
#include "global_cells.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/lanes.h"

static void *made(void *cells) {
  assert(cells);
  return cells;
}

Cell *cells_of(Cells *c, unsigned kind, size_t granules) {
  if (!c->of[kind])
    c->of[kind] = made(calloc(granules, sizeof(Cell)));
  return c->of[kind];
}

uint16_t *cell_hashes_of(Cells *c, unsigned kind, size_t granules) {
  if (!c->hash[kind])
    c->hash[kind] = made(calloc(granules, sizeof *c->hash[kind]));
  return c->hash[kind];
}

uint16_t *cell_locks_of(Cells *c, unsigned kind, size_t granules) {
  if (!c->lock[kind])
    c->lock[kind] = made(calloc(granules, sizeof *c->lock[kind]));
  return c->lock[kind];
}

void cells_make(Cells *c, bool writes, size_t granules) {
  cells_of(c, writes ? LAST_WRITE : READ, granules);
  if (writes)
    cell_hashes_of(c, LAST_WRITE, granules);
  else
    cells_of(c, OTHER_READ, granules);
}

void cells_free(Cells *c) {
  for (unsigned kind = 0; c && kind < CELL_KINDS; kind++) {
    free(c->of[kind]);
    free(c->hash[kind]);
    free(c->lock[kind]);
  }
  free(c);
}

/* ---- time ------------------------------------------------------------------------------------ */
static __attribute__((noinline)) void begin_stretch(const Block *b, Timeline *t) {
  const uint32_t launch = b->run->observed->epoch;
  if (t->count == t->room) {
    t->room = t->room ? 2 * t->room : 64;
    t->stretches = made(realloc(t->stretches, t->room * sizeof *t->stretches));
  }
  t->stretches[t->count++] =
      (Stretch){t->latest + 1, b->observed->order.epoch, (uint32_t)b->number};
  b->observed->resumed = b->observed->noted_in == launch;
  b->observed->noted_in = launch;
}

static inline const Stretch *stretch_now(const Block *b, Timeline *t) {
  if (__builtin_expect(!t->count || t->stretches[t->count - 1].block != (uint32_t)b->number, 0))
    begin_stretch(b, t);
  return &t->stretches[t->count - 1];
}

static inline uint32_t pass_time(const Block *b, const Stretch *s, Timeline *t) {
  return t->latest = s->start + (b->observed->order.epoch - s->epoch);
}

uint32_t cell_time(const Warp *w, Timeline *t) {
  return pass_time(w->block, stretch_now(w->block, t), t);
}

/* Returns a time as a cell value: the time at which the block's epoch reached `floor`, or the start
 * of the stretch if the stretch began later. */
static inline Cell time_of(const Stretch *s, uint32_t floor) {
  return (Cell)(s->start + (floor > s->epoch ? floor - s->epoch : 0)) << CELL_TIME;
}

const Stretch *cell_stretch(const Timeline *t, uint32_t time) {
  uint32_t low = 0, high = t->count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (t->stretches[middle].start <= time)
      low = middle;
    else
      high = middle;
  }
  return &t->stretches[low];
}

/* ---- accesses -------------------------------------------------------------------------------- */
static uint32_t flags_of(const PtxInsn *insn, AccessKind kind) {
  uint32_t flags = 0;
  if (kind == ACCESS_CHANGES ||
      (insn->strong && !(kind == ACCESS_WRITES && insn->flags & PTX_UPDATES)))
    flags |= CELL_STRONG;
  if (kind == ACCESS_CHANGES && insn->d != PTX_NO_REG)
    flags |= CELL_USED;
  if (insn->flags & PTX_BLOCK_SCOPE)
    flags |= CELL_IN_BLOCK;
  if (kind == ACCESS_CHANGES && ptx_type_bytes((PtxType)insn->type) == 8)
    flags |= CELL_WIDE;
  if (kind == ACCESS_READS && insn->flags & (PTX_SEED | PTX_VOLATILE))
    flags |= CELL_SEED;
  return flags;
}

CellAccess cell_access(Warp *w, const PtxInsn *insn, Allocation *a, AccessKind kind, Timeline *t) {
  const Block *b = w->block;
  const BlockOrder *in_block = &b->observed->order;
  const WarpOrder *in_warp = &w->observed->order;
  const Stretch *s = stretch_now(b, t);
  const bool known = order_knows_more(in_block, in_warp);
  const bool alone = !b->observed->resumed || in_block->barrier_floor > s->epoch;
  return (CellAccess){.w = w,
                      .insn = insn,
                      .memory = a,
                      .kind = kind,
                      .timeline = t,
                      .start = s->start,
                      .simple = kind != ACCESS_CHANGES && alone && !known && !in_warp->inside &&
                                !w->worker->run->observed->in_turn,
                      .floor = time_of(s, in_block->barrier_floor),
                      .met = time_of(s, in_warp->sync_floor),
                      .mine = (Cell)pass_time(b, s, t) << CELL_TIME | insn->site |
                              (Cell)(w->number * WARP_LANES) << CELL_THREAD | flags_of(insn, kind)};
}

/* An earlier access, read from a cell, that may race with the current access. It was made in this
 * launch by this block or, if blocks run in turn, by any block. */
typedef struct Seen {
  uint32_t who, hash, lock, thread;
  uint64_t block;
  uint32_t epoch;
} Seen;

static bool look_at(const CellAccess *x, const Cells *c, unsigned kind, size_t g, Seen *seen) {
  if (!c->of[kind])
    return false;
  const Cell cell = c->of[kind][g];
  const uint32_t time = (uint32_t)(cell >> CELL_TIME);
  if (time < x->timeline->stretches[0].start)
    return false;
  const Stretch *s = time >= x->start ? &x->timeline->stretches[x->timeline->count - 1]
                                      : cell_stretch(x->timeline, time);
  *seen = (Seen){.who = (uint32_t)cell,
                 .hash = c->hash[kind] ? c->hash[kind][g] : 0,
                 .lock = c->lock[kind] ? c->lock[kind][g] : 0,
                 .thread = (uint32_t)cell >> CELL_THREAD & 1023,
                 .block = s->block,
                 .epoch = s->epoch + (time - s->start)};
  return s->block == (uint32_t)x->w->block->number || x->w->worker->run->observed->in_turn;
}

static uint32_t hash_of_lock(const WarpOrder *o, unsigned lane) {
  return (uint32_t)(o->lock[lane] * UINT64_C(0x9e3779b97f4a7c15) >> 48);
}

static Cell cell_of(const CellAccess *x, unsigned lane) {
  const WarpOrder *o = &x->w->observed->order;
  Cell mine = x->mine + ((Cell)lane << CELL_THREAD);
  if (__builtin_expect(o->inside >> lane & 1, 0)) {
    mine |= (o->unfenced[IN_BLOCK] >> lane & 1) * (Cell)CELL_UNFENCED;
    mine |= (o->unfenced[ON_DEVICE] >> lane & 1) * ((Cell)CELL_UNFENCED << 1);
    mine |= CELL_LOCKED;
  }
  return mine;
}

static bool in_this_block(const CellAccess *x, const Seen *s) {
  return s->block == (uint32_t)x->w->block->number;
}
static bool in_this_warp(const CellAccess *x, const Seen *s) {
  return in_this_block(x, s) && s->thread / WARP_LANES == x->w->number;
}

/* Returns true if both threads hold the same lock, but the earlier thread executed no fence between
 * taking the lock and the access. Without the fence the lock does not order the accesses. */
static bool lacks_fence(const CellAccess *x, const Seen *s, unsigned lane) {
  const WarpOrder *o = &x->w->observed->order;
  const uint32_t unfenced = CELL_UNFENCED << !in_this_block(x, s);
  return s->who & unfenced && o->inside >> lane & 1 && !in_this_warp(x, s) &&
         s->lock == hash_of_lock(o, lane);
}

static bool comes_before(const CellAccess *x, const Seen *s, unsigned lane) {
  const Warp *w = x->w;
  return order_before(w, lane, &w->block->observed->order, &w->observed->order, s->block, s->thread,
                      s->epoch, s->who & CELL_SEVERAL, x->mine & CELL_STRONG);
}

/* Returns true if two unordered accesses by different threads are a race. `apart`: the threads are
 * in different blocks. */
static bool conflicts(AccessKind before, uint32_t old, AccessKind now, uint32_t mine, bool apart) {
  const bool changes = before == ACCESS_CHANGES || now == ACCESS_CHANGES;
  if (before == ACCESS_READS && now == ACCESS_READS)
    return false;
  if (!(old & mine & CELL_STRONG))
    /* An atomic operation does not race with a read that has CELL_SEED. Only reads have this
     * flag. */
    return !(changes && (old | mine) & CELL_SEED);
  if (apart && (old | mine) & CELL_IN_BLOCK)
    return true;
  return before == ACCESS_CHANGES && now == ACCESS_CHANGES && (old ^ mine) & CELL_WIDE;
}

/* Returns true if a lower lane wrote the cell in the same instruction. */
static bool is_together(const CellAccess *x, const Seen *s, unsigned lane, uint64_t at) {
  const uint32_t other = s->thread % WARP_LANES;
  return x->kind == ACCESS_WRITES && in_this_warp(x, s) &&
         s->epoch == x->w->block->observed->order.epoch && other < lane && x->lanes >> other & 1 &&
         (s->who & CELL_SITE_MASK) == x->insn->site && at - x->at[other] < access_bytes(x->insn);
}

static __attribute__((noinline)) void tell(const CellAccess *x, const Seen *s, AccessKind before,
                                           unsigned lane, uint64_t at, uint32_t mine,
                                           uint32_t hash) {
  const bool both = before == ACCESS_WRITES && x->kind == ACCESS_WRITES;
  const bool same_lock =
      mine & s->who & CELL_LOCKED && s->lock == hash_of_lock(&x->w->observed->order, lane);
  const bool together = before == ACCESS_WRITES && is_together(x, s, lane, at);
  const Earlier earlier = {.block = s->block,
                           .thread = s->thread,
                           .site = s->who & CELL_SITE_MASK,
                           .kind = before,
                           .several = s->who & CELL_SEVERAL,
                           .strong = s->who & CELL_STRONG,
                           .in_block = s->who & CELL_IN_BLOCK,
                           .together = together,
                           .locked = s->who & CELL_LOCKED,
                           .same_lock = same_lock,
                           /* Without a fence, a lock does not order the accesses. This is reported
                            * even if both threads write the same value. */
                           .same_value = both && s->hash == hash && (together || !same_lock),
                           .heard = order_is_heard(x->w, lane, s->block, s->thread, s->epoch)};
  mistake_race(x->w, x->insn, lane, PTX_GLOBAL, x->memory->address + at, &earlier, x->kind);
}

static void meet(const CellAccess *x, const Cells *c, unsigned kind, size_t g, AccessKind before,
                 unsigned lane, uint64_t at, uint32_t mine, uint32_t hash) {
  Seen s;
  if (look_at(x, c, kind, g, &s) &&
      conflicts(before, s.who, x->kind, (uint32_t)x->mine, !in_this_block(x, &s)) &&
      (!comes_before(x, &s, lane) || lacks_fence(x, &s, lane)))
    tell(x, &s, before, lane, at, mine, hash);
}

static void put(const CellAccess *x, Cells *c, unsigned kind, size_t granules, size_t g,
                unsigned lane, Cell mine, uint32_t hash) {
  cells_of(c, kind, granules)[g] = mine;
  if (kind == LAST_WRITE)
    cell_hashes_of(c, kind, granules)[g] = (uint16_t)hash;
  if (mine & CELL_LOCKED)
    cell_locks_of(c, kind, granules)[g] = (uint16_t)hash_of_lock(&x->w->observed->order, lane);
}

/* Enters the access in cell `kind` or `kind + 1` of the granule. The two cells store accesses of
 * different warps. A cell is overwritten if its access is ordered before the new access, or if the
 * new access is an atomic operation that uses the old value. */
static void enter(const CellAccess *x, Cells *c, unsigned kind, size_t granules, size_t g,
                  unsigned lane, Cell mine, uint32_t hash) {
  for (unsigned i = kind; i < kind + 2; i++) {
    Seen s;
    if (!look_at(x, c, i, g, &s) || mine & CELL_USED || comes_before(x, &s, lane)) {
      put(x, c, i, granules, g, lane, mine, hash);
      return;
    }
    if (in_this_warp(x, &s)) {
      c->of[i][g] |= CELL_SEVERAL;
      return;
    }
  }
}

void cells_touch(const CellAccess *x, Cells *c, size_t granules, size_t g, unsigned lane,
                 uint64_t at, uint32_t hash) {
  const Cell mine = cell_of(x, lane);
  const uint32_t who = (uint32_t)mine;
  meet(x, c, LAST_WRITE, g, ACCESS_WRITES, lane, at, who, hash);
  if (x->kind != ACCESS_READS) {
    meet(x, c, READ, g, ACCESS_READS, lane, at, who, hash);
    meet(x, c, OTHER_READ, g, ACCESS_READS, lane, at, who, hash);
  }
  meet(x, c, CHANGE, g, ACCESS_CHANGES, lane, at, who, hash);
  meet(x, c, OTHER_CHANGE, g, ACCESS_CHANGES, lane, at, who, hash);
  if (x->kind == ACCESS_WRITES)
    put(x, c, LAST_WRITE, granules, g, lane, mine, hash);
  else
    enter(x, c, x->kind == ACCESS_READS ? READ : CHANGE, granules, g, lane, mine, hash);
}
