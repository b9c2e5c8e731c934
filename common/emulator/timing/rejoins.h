/* Finds the branches after which the lanes of a warp reconverge. */
#ifndef TIMING_REJOINS_H
#define TIMING_REJOINS_H

#include "lowering.h"

/* Fills in LoweredFunction.rejoins. */
void find_rejoins(LoweredFunction *);

#endif
