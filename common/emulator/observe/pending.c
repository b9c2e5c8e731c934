/* Keeps the list of a block's pending asynchronous copies: those that the copying thread has not
 * waited for (pending.h). */
#include "pending.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 1024 };

struct PendingCopies {
  PendingCopy *items;
  uint32_t count, room;
  /* For each thread: the number of the group that its next copies belong to. */
  uint32_t group[THREADS];
};

/* Returns a thread number that no thread of the block has. If the block has THREADS threads,
 * returns the number of a thread in another warp. */
static uint32_t nobody(const Block *b, uint32_t thread) {
  return b->nthreads < THREADS ? THREADS - 1 : thread ^ 512;
}

static void stamp(SharedShadow *s, const PendingCopy *copy, uint32_t thread) {
  for (uint32_t k = copy->first; k < copy->first + copy->n; k++) {
    s->writer[k] = s->epoch << SHADOW_EPOCH | thread << SHADOW_THREAD | copy->site;
    s->quiet[((size_t)k << s->shift) / SHADOW_CHUNK] = 0;
  }
}

void pending_note(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at) {
  SharedShadow *s = w->observed->shadow;
  BlockObserved *o = w->block->observed;
  struct PendingCopies *all = o->pending = o->pending ? o->pending : calloc(1, sizeof *all);
  assert(all);
  EACH_SET(lane, shape->lanes) {
    const uint32_t thread = w->number * WARP_LANES + lane;
    if (all->count == all->room) {
      all->room = all->room ? 2 * all->room : 256;
      all->items = realloc(all->items, all->room * sizeof *all->items);
      assert(all->items);
    }
    PendingCopy *copy = &all->items[all->count++];
    *copy = (PendingCopy){(at + shape->offset[lane]) >> s->shift, access_bytes(insn) >> s->shift,
                          all->group[thread], (uint16_t)thread, insn->site};
    stamp(s, copy, nobody(w->block, thread));
  }
}

/* Completes the copies of these lanes whose group number is below end[lane]. */
static void arrived(Warp *w, struct PendingCopies *all, uint32_t lanes, const uint32_t *end) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < all->count; i++) {
    const PendingCopy copy = all->items[i];
    const uint32_t lane = copy.thread % WARP_LANES;
    if (copy.thread / WARP_LANES == w->number && lanes >> lane & 1 && copy.group < end[lane])
      stamp(w->observed->shadow, &copy, copy.thread);
    else
      all->items[left++] = copy;
  }
  all->count = left;
}

void pending_copies(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  struct PendingCopies *all = w->block->observed->pending;
  uint32_t end[WARP_LANES] = {0};
  if (!all)
    return;
  uint32_t *group = all->group + w->number * WARP_LANES;
  EACH_SET(lane, lanes)
  if (insn->sub == PTX_COPIES_GROUP)
    group[lane]++;
  else
    end[lane] = insn->sub == PTX_COPIES_WAIT_ALL ? UINT32_MAX
                : group[lane] > insn->imm        ? group[lane] - (uint32_t)insn->imm
                                                 : 0;
  if (insn->sub != PTX_COPIES_GROUP)
    arrived(w, all, lanes, end);
}

void pending_barrier(Block *b) {
  const struct PendingCopies *all = b->observed->pending;
  for (uint32_t i = 0; all && i < all->count; i++)
    stamp(b->observed->shadow, &all->items[i], nobody(b, all->items[i].thread));
}

void pending_block(Block *b) {
  struct PendingCopies *all = b->observed->pending;
  if (!all)
    return;
  all->count = 0;
  memset(all->group, 0, sizeof all->group);
}

void pending_free(Block *b) {
  if (b->observed->pending)
    free(b->observed->pending->items);
  free(b->observed->pending);
}

const PendingCopy *pending_at(const Block *b, uint32_t entry) {
  const struct PendingCopies *all = b->observed->pending;
  for (uint32_t i = 0; all && i < all->count; i++)
    if (entry - all->items[i].first < all->items[i].n)
      return &all->items[i];
  return NULL;
}
