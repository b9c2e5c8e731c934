/* Sums of floats whose last digits depend on the order in which threads add to them. */
#ifndef OBSERVE_SUM_ORDER_H
#define OBSERVE_SUM_ORDER_H

#include "../state/warp.h"

/* What a worker knows of the latest sum that was rounded, and of one that several warps rounded. */
typedef struct RoundedSum {
  uint64_t address;
  uint64_t start_order; /* of the block that added to it */
  uint32_t warp;        /* of that block */
  const PtxInsn *insn;  /* where another warp added to the same; NULL: none has */
} RoundedSum;

void sum_order_note(Warp *, const PtxInsn *, uint64_t address);
/* The worker has run its blocks. */
void sum_order_collect(Worker *);
/* At the end of the program: says that the order matters, once, unless it was chosen. */
void sum_order_tell(void);

#endif
