/* Copies between registers that machine code contains. */
#ifndef TIMING_COPIES_H
#define TIMING_COPIES_H

#include "liveness.h"

/* Gives a cost to copies that the assembler cannot omit. Call after loops are known. */
void find_copies(LoweredFunction *, const Liveness *);

#endif
