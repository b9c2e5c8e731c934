/* Finds the pairs of accesses on a tape that belong to the reported races. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "race.h"

enum { WORD = 4, WARP = 32, NEAR = 48 };

/* One lane's access to one word. */
typedef struct Touch {
  /* `block`: the block, for shared memory; 0 for global memory. */
  uint64_t block, word;
  size_t event;
  /* `stretch`: number of barriers that the block has passed before this access. */
  uint32_t lane, stretch;
  const TapeAccess *access;
} Touch;

typedef struct Touches {
  Touch *all;
  size_t count, room;
} Touches;

static bool fits_side(const TapeAccess *a, const Place *p) {
  return a->line == p->line && (a->operation == TAPE_WRITES) == p->wrote;
}

static bool fits(const TapeAccess *one, const TapeAccess *other, const Race *r) {
  return (fits_side(one, &r->at) && fits_side(other, &r->other)) ||
         (fits_side(one, &r->other) && fits_side(other, &r->at));
}

static void add_touch(Touches *t, Touch touch) {
  if (t->count == t->room) {
    t->room = t->room ? 2 * t->room : 1024;
    t->all = realloc(t->all, t->room * sizeof *t->all);
    assert(t->all);
  }
  t->all[t->count++] = touch;
}

static void add_access(Touches *t, const TapeAccess *a, size_t event, uint32_t stretch) {
  for (uint32_t lane = 0; lane < WARP; lane++) {
    if (!(a->lanes >> lane & 1))
      continue;
    const uint64_t from = a->address[lane] / WORD,
                   to = (a->address[lane] + access_bytes(a) - 1) / WORD;
    for (uint64_t word = from; word <= to; word++)
      add_touch(t, (Touch){.block = a->space == TAPE_IN_SHARED ? a->block + 1 : 0,
                           .word = word,
                           .event = event,
                           .lane = lane,
                           .stretch = stretch,
                           .access = a});
  }
}

static Touches touches_of(const TapedLaunch *l, const Race *races, size_t nraces) {
  const uint32_t *grid = l->launch->grid;
  const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
  uint32_t *stretch = calloc(blocks + 1, sizeof *stretch);
  Touches t = {0};
  assert(stretch);
  for (size_t i = 0; i < l->nevents; i++) {
    const TapeAccess *a = tape_access(l->events[i]);
    bool wanted = false;
    for (size_t r = 0; a && r < nraces && !wanted; r++)
      wanted = fits_side(a, &races[r].at) || fits_side(a, &races[r].other);
    if (wanted)
      add_access(&t, a, i, stretch[a->block]);
    else if (l->events[i]->kind == TAPE_BARRIER)
      stretch[((const TapeHold *)(const void *)l->events[i])->block]++;
  }
  free(stretch);
  return t;
}

static int compare_touches(const void *left, const void *right) {
  const Touch *a = left, *b = right;
#define COMPARE(x, y)                                                                              \
  if ((x) != (y))                                                                                  \
  return (x) < (y) ? -1 : 1
  COMPARE(a->block, b->block);
  COMPARE(a->word, b->word);
  COMPARE(a->event, b->event);
  COMPARE(a->lane, b->lane);
#undef COMPARE
  return 0;
}

static bool is_thread(const TapedLaunch *l, const TapeAccess *a, uint32_t lane, const Place *p) {
  const uint32_t *size = l->launch->block, *grid = l->launch->grid;
  const uint64_t block = p->block[0] + grid[0] * (p->block[1] + (uint64_t)grid[1] * p->block[2]);
  const uint32_t thread = p->thread[0] + size[0] * (p->thread[1] + size[1] * p->thread[2]);
  return p->has_thread && a->block == block && a->warp * WARP + lane == thread;
}

static bool is_reported(const TapedLaunch *l, const Pair *p) {
  const Place *at = &p->race->at, *other = &p->race->other;
  return (is_thread(l, p->first, p->first_lane, at) &&
          is_thread(l, p->second, p->second_lane, other)) ||
         (is_thread(l, p->first, p->first_lane, other) &&
          is_thread(l, p->second, p->second_lane, at));
}

/* Returns true if two accesses to the same word conflict: they are made by different threads, at
 * least one is not a read, and no barrier of the block separates them. */
static bool conflict(const Touch *a, const Touch *b) {
  const TapeAccess *x = a->access, *y = b->access;
  const bool same_block = x->block == y->block;
  if (same_block && x->warp == y->warp && a->lane == b->lane)
    return false;
  if (x->operation == TAPE_READS && y->operation == TAPE_READS)
    return false;
  return !same_block || a->stretch == b->stretch;
}

static bool in_one_warp(const Pair *p) {
  return p->first->block == p->second->block && p->first->warp == p->second->warp;
}

/* Adds a pair to the list. Pairs of the same race, first access and second warp count as
 * duplicates; within one warp, the first lane must be the same too. Only one of two duplicates is
 * kept, preferably the pair whose threads the report names. */
static void add_pair(Pairs *pairs, const TapedLaunch *l, Pair p) {
  p.reported = is_reported(l, &p);
  for (size_t i = pairs->count; i-- > 0 && i + 64 > pairs->count;) {
    Pair *old = &pairs->all[i];
    if (old->first == p.first && old->second->warp == p.second->warp &&
        old->second->block == p.second->block && old->race == p.race &&
        (!in_one_warp(&p) || old->first_lane == p.first_lane)) {
      if (p.reported && !old->reported)
        *old = p;
      return;
    }
  }
  if (pairs->count == pairs->room) {
    pairs->room = pairs->room ? 2 * pairs->room : 64;
    pairs->all = realloc(pairs->all, pairs->room * sizeof *pairs->all);
    assert(pairs->all);
  }
  pairs->all[pairs->count++] = p;
}

uint32_t rounds_before(const TapedLaunch *l, const TapeAccess *access, const TapeAccess *other) {
  uint32_t rounds = 0;
  for (size_t i = 0; i < l->nevents && tape_access(l->events[i]) != access; i++) {
    const TapeAccess *a = tape_access(l->events[i]);
    rounds += a && a->block == access->block && a->warp == access->warp && a->line == other->line &&
              a->operation == other->operation;
  }
  return rounds;
}

Pairs pairs_find(const TapedLaunch *l, const Race *races, size_t nraces, size_t most) {
  Touches t = touches_of(l, races, nraces);
  Pairs pairs = {0};
  if (t.count)
    qsort(t.all, t.count, sizeof *t.all, compare_touches);
  for (size_t i = 0; i < t.count && pairs.count < most; i++)
    for (size_t k = i + 1; k < t.count && k < i + NEAR && t.all[k].word == t.all[i].word &&
                           t.all[k].block == t.all[i].block;
         k++) {
      const Touch *a = &t.all[i], *b = &t.all[k];
      for (size_t r = 0; r < nraces && conflict(a, b); r++)
        if (fits(a->access, b->access, &races[r])) {
          add_pair(&pairs, l, (Pair){a->access, b->access, a->lane, b->lane, &races[r], false, 0});
          break;
        }
    }
  free(t.all);
  return pairs;
}
