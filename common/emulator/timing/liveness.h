/* Which register slots of a function hold a value that is read later, for each basic block. */
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
