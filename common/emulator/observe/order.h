/* Happens-before: which earlier accesses are ordered before what a thread does now.
 *
 * Every block counts epochs. The epoch increases whenever something orders threads: at a barrier,
 * when lanes of a warp synchronise, at a fence, when something is released. An access is recorded
 * with its thread and epoch (shared_races.h, global_cells.h). It is ordered before the current one
 * in these cases:
 *
 *   same thread                          always
 *   before the block's barrier_floor     all threads have met at a barrier since
 *   before the warp's sync_floor         all lanes of the warp have met since
 *   met[lane][other]                     the two lanes have met since, by a member mask
 *   known to the block or the warp       named barriers for some of the threads; what was released
 *                                        by fences and atomic operations, and acquired (known.h)
 *   heard by some lanes of the warp      these lanes acquired it, and the others have not met them
 *                                        since
 *
 * A fence marks everything that is known to its thread as `released`, within the block or on the
 * whole device. An atomic operation, or a store to a flag, publishes what is released in its word,
 * within its own scope. A thread that reads the word acquires it: immediately by an atomic
 * operation, otherwise with the next fence or barrier. A compare-and-swap that changes its word
 * takes a lock, and needs a fence. Which thread takes a lock first is a matter of chance. So an
 * access also records that it was made under a lock that no fence followed. */
#ifndef OBSERVE_ORDER_H
#define OBSERVE_ORDER_H

#include "../state/lanes.h"
#include "known.h"

enum { IN_BLOCK, ON_DEVICE, SCOPES, NAMED_BARRIERS = 16 };

typedef struct View {
  /* Ordered before what its threads do now. */
  KnownSet known;
  /* Released by a fence of that scope. */
  KnownSet released[SCOPES];
} View;

typedef struct SyncWords {
  struct SyncWord **places;
  uint32_t count, room;
} SyncWords;

typedef struct BlockOrder {
  uint32_t epoch, barrier_floor;
  /* The common view of all threads of the block. */
  View view;
  /* Words through which block-scope releases were published. */
  SyncWords words;
  /* By bar.arrive, until the barrier completes. */
  KnownSet arrived[NAMED_BARRIERS];
} BlockOrder;

typedef struct WarpOrder {
  uint32_t sync_floor;
  View view;
  /* `heard` is what the lanes in `hearers` have acquired, until all lanes meet. `pending` is what
   * `readers` have read and will acquire at the next fence or barrier. */
  KnownSet heard, pending[SCOPES];
  uint32_t hearers, readers;
  /* NULL: no lanes have met without the others. */
  uint32_t (*met)[WARP_LANES];
  /* `inside`: lanes between a compare-and-swap that took a lock and the operation that releases it.
   * `unfenced`: those that have executed no fence since. */
  uint32_t inside, unfenced[SCOPES];
  /* Address of each lane's lock. */
  uint64_t lock[WARP_LANES];
  /* The last acquisition and its lanes. A cache, because polling lanes read one word repeatedly. */
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

/* All threads of the block have met (order_barrier), or those in lanes[warp] have met at barrier
 * `number`. */
void order_barrier(Block *);
void order_named_barrier(Block *, uint32_t number, const uint32_t *lanes);
void order_arrive(Warp *, uint32_t number, uint32_t lanes);
/* Lanes of a warp have met. */
void order_lanes(Warp *, uint32_t lanes);
void order_fence(Warp *, uint32_t lanes, bool wide);
/* Called before lanes access memory atomically or by a volatile access. `at`: the lowest lane's
 * address; `lead`: its host address. */
void order_access(Warp *, const PtxInsn *, const Shape *, uint64_t at, const uint8_t *lead,
                  bool shared);

/* Returns true if anything besides barriers of the block and meetings of full warps orders its
 * threads. */
static inline bool order_knows_more(const BlockOrder *b, const WarpOrder *o) {
  return o->met || b->view.known.count | o->view.known.count | o->heard.count |
                       o->pending[IN_BLOCK].count | o->pending[ON_DEVICE].count;
}

bool order_is_known(const Warp *, unsigned lane, uint64_t block, uint32_t thread, uint32_t epoch,
                    bool strong);
/* Returns true if another lane of the warp has acquired the access and this one has not. */
bool order_is_heard(const Warp *, unsigned lane, uint64_t block, uint32_t thread, uint32_t epoch);
/* Returns true if an access by a thread, or by several of its warp, is ordered before what the lane
 * does now. */
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
