/* Happens-before: which earlier accesses come before what a thread does now?
 *
 * Every block counts epochs. The count rises whenever something orders threads: at a barrier, where
 * lanes of a warp meet, at a fence, when something is released. An access is remembered with its
 * thread and epoch (shared_races.h, global_cells.h), and whether it comes before the present one is asked here:
 *
 *   same thread                          always
 *   before the block's barrier_floor     all threads have met at a barrier since
 *   before the warp's sync_floor         all lanes of the warp have met since
 *   met[lane][other]                     some lanes have met since, by their mask
 *   known of the block or of the warp    named barriers for some of the threads; what was released by
 *                                        fences and atomic operations, and acquired (known.h)
 *   heard by some lanes of the warp      what these lanes acquired and the others have not met them since
 *
 * A fence makes all that its thread knows `released`, within the block or on the whole device. An atomic
 * operation or store to a flag publishes what is released in its word, within its own scope; whoever reads the
 * word so acquires it: at once by an atomic operation, else with the next fence or barrier. A compare-and-swap that
 * changes something takes a lock, and needs its fence. Who takes a lock first is a matter of chance: so it is remembered
 * of an access, too, that it was made under a lock that no fence followed.
 */
#ifndef OBSERVE_ORDER_H
#define OBSERVE_ORDER_H

#include "../state/lanes.h"
#include "known.h"

enum { IN_BLOCK, ON_DEVICE, SCOPES, NAMED_BARRIERS = 16 };

typedef struct View {
  KnownSet known;            /* comes before what its threads do now */
  KnownSet released[SCOPES]; /* and before a fence of that scope */
} View;

typedef struct SyncWords {
  struct SyncWord **places;
  uint32_t count, room;
} SyncWords;

typedef struct BlockOrder {
  uint32_t epoch, barrier_floor;
  View view;                        /* of all its threads */
  SyncWords words;                  /* what was published for threads of the block */
  KnownSet arrived[NAMED_BARRIERS]; /* by bar.arrive, until the barrier is complete */
} BlockOrder;

typedef struct WarpOrder {
  uint32_t sync_floor;
  View view;
  /* What the lanes in `hearers` have acquired, until all lanes meet. What `readers` have read, and acquire as soon as a fence
   * or a barrier follows, is pending. */
  KnownSet heard, pending[SCOPES];
  uint32_t hearers, readers;
  uint32_t (*met)[WARP_LANES]; /* NULL: no lanes have met without the others */
  /* Lanes between a compare-and-swap that took a lock and the operation that gives it back; and those of them that have
   * come to no fence since. */
  uint32_t inside, unfenced[SCOPES];
  uint64_t lock[WARP_LANES]; /* its address */
  /* What was acquired last, and by which lanes: lanes that wait read one word again and again. */
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

/* All threads of the block have met; or those in lanes[warp], at the barrier of that number. */
void order_barrier(Block *);
void order_named_barrier(Block *, uint32_t number, const uint32_t *lanes);
void order_arrive(Warp *, uint32_t number, uint32_t lanes);
/* Lanes of a warp meet. */
void order_lanes(Warp *, uint32_t lanes);
void order_fence(Warp *, uint32_t lanes, bool wide);
/* Lanes access memory by an atomic operation or a volatile access, before it is done; `at`: the lowest one's address,
 * and `lead` where that lies. */
void order_access(Warp *, const PtxInsn *, const Shape *, uint64_t at, const uint8_t *lead,
                  bool shared);

/* Do other things than barriers of the block and meetings of whole warps order its threads? */
static inline bool order_knows_more(const BlockOrder *b, const WarpOrder *o) {
  return o->met || b->view.known.count | o->view.known.count | o->heard.count |
                       o->pending[IN_BLOCK].count | o->pending[ON_DEVICE].count;
}

bool order_is_known(const Warp *, unsigned lane, uint64_t block, uint32_t thread, uint32_t epoch,
                    bool strong);
/* Has another lane of the warp acquired it, and this one not? */
bool order_is_heard(const Warp *, unsigned lane, uint64_t block, uint32_t thread, uint32_t epoch);
/* Does the access of a thread, or of several of its warp, come before what the lane does now? */
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
