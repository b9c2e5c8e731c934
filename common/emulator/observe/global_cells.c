#include "global_cells.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/lanes.h"

Cell *cells_of(Cells *c, unsigned kind, size_t granules) {
  if (!c->of[kind]) {
    c->of[kind] = calloc(granules, sizeof(Cell));
    assert(c->of[kind]);
  }
  return c->of[kind];
}

void cells_free(Cells *c) {
  for (unsigned kind = 0; c && kind < CELL_KINDS; kind++)
    free(c->of[kind]);
  free(c);
}

CellAccess cell_access(Warp *w, const PtxInsn *insn, Allocation *a, AccessKind kind,
                       unsigned shift) {
  const RunObserved *run = w->worker->run->observed;
  uint32_t who = insn->site | (w->number * WARP_LANES) << CELL_THREAD;
  if (kind == ACCESS_CHANGES ||
      (insn->strong && !(kind == ACCESS_WRITES && insn->flags & PTX_UPDATES)))
    who |= CELL_STRONG;
  if (kind == ACCESS_CHANGES && insn->d != PTX_NO_REG)
    who |= CELL_USED;
  if (insn->flags & PTX_BLOCK_SCOPE)
    who |= CELL_IN_BLOCK;
  if (ptx_type_bytes((PtxType)insn->type) == 8)
    who |= CELL_WIDE;
  if (kind == ACCESS_READS && insn->flags & (PTX_SEED | PTX_VOLATILE))
    who |= CELL_SEED;
  return (CellAccess){.w = w,
                      .insn = insn,
                      .memory = a,
                      .kind = kind,
                      .shift = shift,
                      .serial = run->first_serial + (uint32_t)w->block->number,
                      .epoch = w->block->observed->order.epoch,
                      .first_live = run->in_turn ? run->first_serial
                                                 : run->first_serial + (uint32_t)w->block->number,
                      .live = run->in_turn ? (uint32_t)w->worker->run->nblocks : 1,
                      .who = who};
}

static inline uint32_t thread_of(uint32_t who) { return who >> CELL_THREAD & 1023; }

#define VALUE_MASK UINT32_C(0xffff) /* of Cell.hash */

/* Is it of this launch, and looked at now? */
static inline bool is_live(const CellAccess *x, const Cell *c) {
  return c->serial - x->first_live < x->live;
}

static uint32_t hash_of_lock(const WarpOrder *o, unsigned lane) {
  return (uint32_t)(o->lock[lane] * UINT64_C(0x9e3779b97f4a7c15) >> 32) & ~VALUE_MASK;
}

static Cell cell_of(const CellAccess *x, unsigned lane, uint32_t hash) {
  const WarpOrder *o = &x->w->observed->order;
  Cell mine = {x->serial, x->epoch, x->who + (lane << CELL_THREAD), hash};
  if (__builtin_expect(o->inside >> lane & 1, 0)) {
    mine.who |= (o->unfenced[IN_BLOCK] >> lane & 1) * CELL_UNFENCED;
    mine.who |= (o->unfenced[ON_DEVICE] >> lane & 1) * (CELL_UNFENCED << 1);
    mine.who |= CELL_LOCKED;
    mine.hash |= hash_of_lock(o, lane);
  }
  return mine;
}

/* Both hold the lock now, but the other one might have been second, and had no fence behind it. */
static bool lacks_fence(const CellAccess *x, const Cell *c, unsigned lane) {
  const WarpOrder *o = &x->w->observed->order;
  const uint32_t unfenced = CELL_UNFENCED << (c->serial != x->serial);
  const bool same_warp = c->serial == x->serial && thread_of(c->who) / WARP_LANES == x->w->number;
  return c->who & unfenced && o->inside >> lane & 1 && !same_warp &&
         (c->hash & ~VALUE_MASK) == hash_of_lock(o, lane);
}

static inline bool comes_before(const CellAccess *x, const Cell *c, unsigned lane) {
  const Warp *w = x->w;
  return order_before(w, lane, &w->block->observed->order, &w->observed->order,
                      c->serial - w->worker->run->observed->first_serial, thread_of(c->who),
                      c->epoch, c->who & CELL_SEVERAL, x->who & CELL_STRONG);
}

static bool is_heard(const CellAccess *x, const Cell *c, unsigned lane) {
  return order_is_heard(x->w, lane, c->serial - x->w->worker->run->observed->first_serial,
                        thread_of(c->who), c->epoch);
}

/* Would two accesses of different threads race, if nothing orders them? */
static bool conflicts(AccessKind before, uint32_t old, AccessKind now, uint32_t mine, bool apart) {
  const bool changes = before == ACCESS_CHANGES || now == ACCESS_CHANGES;
  if (before == ACCESS_READS && now == ACCESS_READS)
    return false;
  if (!(old & mine & CELL_STRONG))
    return !(changes && (old | mine) & CELL_SEED); /* that flag only reads have */
  if (apart && (old | mine) & CELL_IN_BLOCK)
    return true;
  return before == ACCESS_CHANGES && now == ACCESS_CHANGES && (old ^ mine) & CELL_WIDE;
}

/* Does another lane write this granule in the same instruction, as the cell tells? */
static bool is_together(const CellAccess *x, const Cell *c, unsigned lane, uint64_t at) {
  const uint32_t thread = thread_of(c->who), other = thread % WARP_LANES;
  return x->kind == ACCESS_WRITES && c->serial == x->serial && c->epoch == x->epoch &&
         thread / WARP_LANES == x->w->number && other < lane && x->lanes >> other & 1 &&
         (c->who & CELL_SITE_MASK) == x->insn->site && at - x->at[other] < access_bytes(x->insn);
}

static bool is_same_lock(const Cell *c, Cell mine) {
  return c->who & mine.who & CELL_LOCKED && !((c->hash ^ mine.hash) & ~VALUE_MASK);
}

static bool is_same_value(const Cell *c, Cell mine) {
  return !((c->hash ^ mine.hash) & VALUE_MASK);
}

static __attribute__((noinline)) void tell(const CellAccess *x, const Cell *c, AccessKind before,
                                           unsigned lane, uint64_t at, Cell mine) {
  const bool together = before == ACCESS_WRITES && is_together(x, c, lane, at);
  const bool both = before == ACCESS_WRITES && x->kind == ACCESS_WRITES;
  const Earlier earlier = {.block = c->serial - x->w->worker->run->observed->first_serial,
                           .thread = thread_of(c->who),
                           .site = c->who & CELL_SITE_MASK,
                           .kind = before,
                           .several = c->who & CELL_SEVERAL,
                           .strong = c->who & CELL_STRONG,
                           .in_block = c->who & CELL_IN_BLOCK,
                           .together = together,
                           .locked = c->who & CELL_LOCKED,
                           .same_lock = is_same_lock(c, mine),
                           /* A lock without its fence is no matter of values. */
                           .same_value = both && is_same_value(c, mine) &&
                                         (together || !is_same_lock(c, mine)),
                           .heard = is_heard(x, c, lane)};
  mistake_race(x->w, x->insn, lane, PTX_GLOBAL, x->memory->address + at, &earlier, x->kind);
}

static inline void meet(const CellAccess *x, const Cell *cells, size_t g, AccessKind before,
                        unsigned lane, uint64_t at, Cell mine) {
  if (!cells)
    return;
  const Cell *c = &cells[g];
  if (is_live(x, c) && conflicts(before, c->who, x->kind, x->who, c->serial != x->serial) &&
      (!comes_before(x, c, lane) || lacks_fence(x, c, lane)))
    tell(x, c, before, lane, at, mine);
}

/* Of two cells the first keeps who came first; the second somebody of another warp. What comes before this access
 * need not be kept, and neither need atomic operations of which this one has found the results. */
static void enter(const CellAccess *x, Cells *cells, unsigned kind, size_t granules, size_t g,
                  unsigned lane, Cell mine) {
  for (unsigned i = kind; i < kind + 2; i++) {
    Cell *c = &cells_of(cells, i, granules)[g];
    if (!is_live(x, c) || mine.who & CELL_USED || comes_before(x, c, lane)) {
      *c = mine;
      return;
    }
    if (c->serial == mine.serial && !((thread_of(c->who) ^ thread_of(mine.who)) / WARP_LANES)) {
      c->who |= CELL_SEVERAL;
      return;
    }
  }
}

/* Nobody's of this block, or this very thread's. */
static inline bool is_own(const CellAccess *x, const Cell *cells, size_t g, Cell mine) {
  const uint32_t thread = 1023u << CELL_THREAD | CELL_SEVERAL;
  const Cell *c = cells ? &cells[g] : NULL;
  return !c || !is_live(x, c) || (c->serial == mine.serial && !((c->who ^ mine.who) & thread));
}

/* The usual access: nobody else was there. */
static inline bool touch_alone(const CellAccess *x, Cells *c, size_t g, Cell mine) {
  const unsigned kind = x->kind == ACCESS_WRITES ? LAST_WRITE : READ;
  if (x->kind == ACCESS_CHANGES || !c->of[kind] || !is_own(x, c->of[LAST_WRITE], g, mine) ||
      !is_own(x, c->of[CHANGE], g, mine) || !is_own(x, c->of[READ], g, mine))
    return false;
  if (x->kind == ACCESS_WRITES && !is_own(x, c->of[OTHER_READ], g, mine))
    return false;
  if (c->of[OTHER_CHANGE] && is_live(x, &c->of[OTHER_CHANGE][g]))
    return false;
  c->of[kind][g] = mine;
  return true;
}

void cells_touch(const CellAccess *x, Cells *c, size_t granules, size_t g, unsigned lane,
                 uint64_t at, uint32_t hash) {
  const Cell mine = cell_of(x, lane, hash);
  if (touch_alone(x, c, g, mine))
    return;
  meet(x, c->of[LAST_WRITE], g, ACCESS_WRITES, lane, at, mine);
  if (x->kind != ACCESS_READS) {
    meet(x, c->of[READ], g, ACCESS_READS, lane, at, mine);
    meet(x, c->of[OTHER_READ], g, ACCESS_READS, lane, at, mine);
  }
  meet(x, c->of[CHANGE], g, ACCESS_CHANGES, lane, at, mine);
  meet(x, c->of[OTHER_CHANGE], g, ACCESS_CHANGES, lane, at, mine);
  if (x->kind == ACCESS_WRITES)
    cells_of(c, LAST_WRITE, granules)[g] = mine;
  else
    enter(x, c, x->kind == ACCESS_READS ? READ : CHANGE, granules, g, lane, mine);
}
