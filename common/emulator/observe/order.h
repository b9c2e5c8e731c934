/* Happens-before: decides which earlier accesses are ordered before the current actions of a
 * thread.
 *
 * Every block counts epochs. The epoch increases whenever something orders threads: at a barrier,
 * when lanes of a warp synchronise, at a fence, and at a release. An access is recorded with its
 * thread and epoch (shared_races.h, global_cells.h). It is ordered before the current access in
 * these cases:
 *
 *   same thread                          always
 *   before the block's barrier_floor     all threads have met at a barrier since the access
 *   before the warp's sync_floor         all lanes of the warp have met since the access
 *   met[lane][other]                     the two lanes have met since, at a function with a mask
 *   known to the block or the warp       by a named barrier for some threads, or because it was
 *                                        released by a fence or an atomic operation and acquired
 *                                        (known.h)
 *   acquired by some lanes of the warp   only for these lanes: the other lanes have not met them
 *                                        since
 *
 * A fence marks all accesses that are known to its thread as `released`, within the block or on the
 * whole device. An atomic operation, or a store to a flag, publishes the released accesses in its
 * word, within the scope of the operation. A thread that reads the word acquires these accesses:
 * immediately if it reads with an atomic operation, otherwise at its next fence or barrier. A
 * compare-and-swap that changes its word counts as taking a lock, and a fence must follow it. Even
 * without the fence, a run may show no error, because the schedule decides which thread is first.
 * Therefore each access also records whether it was made under a lock without a fence. */
#ifndef OBSERVE_ORDER_H
#define OBSERVE_ORDER_H

#include "../state/lanes.h"
#include "known.h"

enum { IN_BLOCK, ON_DEVICE, SCOPES, NAMED_BARRIERS = 16 };

typedef struct View {
  /* The accesses that are ordered before the current actions of the threads. */
  KnownSet known;
  /* For each scope: the accesses that a fence of this scope has released. */
  KnownSet released[SCOPES];
} View;

typedef struct SyncWords {
  struct SyncWord **places;
  uint32_t count, room;
} SyncWords;

typedef struct BlockOrder {
  uint32_t epoch, barrier_floor;
  /* The view that all threads of the block share. */
  View view;
  /* The memory words that carry block-scope releases. */
  SyncWords words;
  /* For each barrier that has not completed: the accesses that are ordered before the executed
   * bar.arrive instructions. */
  KnownSet arrived[NAMED_BARRIERS];
} BlockOrder;

typedef struct WarpOrder {
  uint32_t sync_floor;
  View view;
  /* `heard`: the accesses that the lanes in `hearers` have acquired. When all lanes have acquired
   * them, they become part of `view`. `pending`: the accesses that the lanes in `readers` will
   * acquire at their next fence or barrier. */
  KnownSet heard, pending[SCOPES];
  uint32_t hearers, readers;
  /* met[a][b]: the epoch in which lanes a and b last synchronised. NULL: a part of the warp has
   * never synchronised without the other lanes. */
  uint32_t (*met)[WARP_LANES];
  /* `inside`: lanes that hold a lock, which they took by a compare-and-swap. `unfenced`: lanes in
   * `inside` that have executed no fence since they took the lock. */
  uint32_t inside, unfenced[SCOPES];
  /* For each lane: the address of its lock. */
  uint64_t lock[WARP_LANES];
  /* A cache of the last acquisition, because polling lanes read the same word repeatedly. */
  struct {
    const struct SyncWord *word;
    uint32_t version, lanes;
    bool at_once;
  } last[SCOPES];
} WarpOrder;

void order_block_begins(Block *);
void order_block_gone(Block *);
void order_warp_begins(Warp *);
void order_warp_gone(Warp *);
void order_forget(SyncWords *);

/* order_barrier: called when all threads of the block have passed a barrier. order_named_barrier:
 * called when the threads in lanes[warp] have passed barrier `number`. order_arrive: called when
 * lanes have executed bar.arrive for barrier `number`. */
void order_barrier(Block *);
void order_named_barrier(Block *, uint32_t number, const uint32_t *lanes);
void order_arrive(Warp *, uint32_t number, uint32_t lanes);
/* Called when these lanes of a warp have synchronised. */
void order_lanes(Warp *, uint32_t lanes);
void order_fence(Warp *, uint32_t lanes, bool wide);
/* Called before lanes access memory by an atomic or a volatile access. `at`: the lowest lane's
 * address. `lead`: its host address. */
void order_access(Warp *, const PtxInsn *, const Shape *, uint64_t at, const uint8_t *lead,
                  bool shared);

/* Returns true if threads of the block may be ordered in other ways than by barriers of the block
 * and by the synchronisation of full warps. */
static inline bool order_knows_more(const BlockOrder *b, const WarpOrder *o) {
  return o->met || b->view.known.count | o->view.known.count | o->heard.count |
                       o->pending[IN_BLOCK].count | o->pending[ON_DEVICE].count;
}

bool order_is_known(const Warp *, unsigned lane, uint64_t block, uint32_t thread, uint32_t epoch,
                    bool strong);
/* Returns true if another lane of the warp has acquired the access, but this lane has not. */
bool order_is_heard(const Warp *, unsigned lane, uint64_t block, uint32_t thread, uint32_t epoch);
/* Returns true if an earlier access is ordered before the current access of the lane. `several`:
 * several lanes of the warp of `thread` made the earlier access together. */
static inline bool order_before(const Warp *w, unsigned lane, const BlockOrder *b,
                                const WarpOrder *o, uint64_t block, uint32_t thread, uint32_t epoch,
                                bool several, bool strong) {
  if (block == w->block->number) {
    if (epoch < b->barrier_floor)
      return true;
    if (thread / WARP_LANES == w->number) {
      const uint32_t other = thread % WARP_LANES;
      if (epoch < o->sync_floor || (!several && other == lane))
        return true;
      if (o->met && !several && epoch < o->met[lane][other])
        return true;
    }
  }
  return order_knows_more(b, o) && order_is_known(w, lane, block, thread, epoch, strong);
}

#endif
