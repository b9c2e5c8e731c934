/* Which slots of a function's registers hold something that is read later, block by block. */
#ifndef TIMING_LIVENESS_H
#define TIMING_LIVENESS_H

#include "lowering.h"

typedef struct Liveness {
  uint8_t *out; /* [nblocks][nslots] behind each block */
  uint32_t nslots;
} Liveness;

Liveness liveness_of(const PtxFunction *); /* free(out) */
enum { MOST_SUCCESSORS = 64 };
uint32_t block_successors(const PtxBlock *, uint32_t *list, uint32_t most);

#endif
