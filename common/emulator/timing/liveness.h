/* Liveness: for each basic block, the register slots whose values are read after it. */
#ifndef TIMING_LIVENESS_H
#define TIMING_LIVENESS_H

#include "lowering.h"

typedef struct Liveness {
  /* [nblocks][nslots]: whether the slot is live at the end of the block. */
  uint8_t *out;
  uint32_t nslots;
} Liveness;

/* The caller frees `out`. */
Liveness liveness_of(const PtxFunction *);
enum { MOST_SUCCESSORS = 64 };
uint32_t block_successors(const PtxBlock *, uint32_t *list, uint32_t most);

#endif
