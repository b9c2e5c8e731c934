/* Where divergent lanes of a warp reconverge in machine code. */
#ifndef TIMING_CONVERGENCE_H
#define TIMING_CONVERGENCE_H

#include "lowering.h"

/* Fills in LoweredFunction.meets. Call after `predicated` is known. */
void find_convergence(LoweredFunction *);

#endif
