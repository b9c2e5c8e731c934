/* What accesses by .release and .acquire put in order between the warps of a block. Of each warp is kept up to which
 * epoch of the others it has heard; of each word that was released, what its releasers had heard and done. An epoch
 * stands where the shadow's entries have it (shared_races.h). Lanes of a warp count as one.
 *
 * Who waits at a barrier may find that a fast warp has come to it once more. What that one did in between is not in
 * order, whatever this run read there. A releaser that waited for the word since its last release begins a round, and a
 * warp hears of others what they did up to its own round.
 */
#ifndef OBSERVE_SHARED_ORDER_H
#define OBSERVE_SHARED_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDER_WARPS = 32, ORDER_WORDS = 64 };
typedef struct Releaser {
  uint32_t round, before[ORDER_WARPS], /* accesses of that warp below this come first */
      before_round[ORDER_WARPS];       /* ... when this round began */
  bool released, waited;
} Releaser;
typedef struct OrderWord {
  uint32_t entry;
  Releaser by[ORDER_WARPS];
} OrderWord;
typedef struct SharedOrder {
  uint32_t heard[ORDER_WARPS][ORDER_WARPS];
  OrderWord *words[ORDER_WORDS]; /* the last stands for all that find no place */
  uint32_t nwords;
} SharedOrder;

/* The warp releases a word; `now`: all it has done so far is below. Made where there is none yet. */
void shared_order_release(SharedOrder **, uint32_t warp, uint32_t entry, uint32_t now);
/* It reads what was released; `waits`: with a load. */
void shared_order_acquire(SharedOrder *, uint32_t warp, uint32_t entry, bool waits);
void shared_order_forget(SharedOrder *);
void shared_order_destroy(SharedOrder *);

#endif
