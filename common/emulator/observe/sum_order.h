/* Floating-point sums whose last digits depend on the order in which threads add. */
#ifndef OBSERVE_SUM_ORDER_H
#define OBSERVE_SUM_ORDER_H

#include "../state/warp.h"

/* The worker's latest sum that was rounded, and one that several warps rounded. */
typedef struct RoundedSum {
  uint64_t address;
  /* Start order of the block that added to it. */
  uint64_t start_order;
  /* Warp of that block. */
  uint32_t warp;
  /* Where another warp added to the same address; NULL: none has. */
  const PtxInsn *insn;
} RoundedSum;

void sum_order_note(Warp *, const PtxInsn *, uint64_t address);
/* Called when the worker has run its blocks. */
void sum_order_collect(Worker *);
/* Called at the end of the program: prints one note that the order matters, unless the user chose
 * the order. */
void sum_order_tell(void);

#endif
