/* Detects floating-point sums whose last digits depend on the order in which threads add. */
#ifndef OBSERVE_SUM_ORDER_H
#define OBSERVE_SUM_ORDER_H

#include "../state/warp.h"

/* The last addition of one worker that was rounded, and the first instruction by which a second
 * warp added to the same address. */
typedef struct RoundedSum {
  uint64_t address;
  /* Start order of the block that made the addition. */
  uint64_t start_order;
  /* The number of the warp in this block. */
  uint32_t warp;
  /* The first instruction by which another warp added to the same address; NULL: no other warp has
   * added. */
  const PtxInsn *insn;
} RoundedSum;

void sum_order_note(Warp *, const PtxInsn *, uint64_t address);
/* Called when the worker has run all its blocks: records its RoundedSum for the note. */
void sum_order_collect(Worker *);
/* Called at the end of the program: prints one note about a sum whose last digits depend on the
 * order, unless the user has chosen an order with LOCKSTEP_SEED. */
void sum_order_tell(void);

#endif
