/* Local memory that an assembler keeps in registers: variables of a thread of which every address is known. */
#ifndef TIMING_PROMOTED_H
#define TIMING_PROMOTED_H

#include "lowering.h"

/* Makes the accesses to such variables free. A function that computes any local address at run time, or hands one on, keeps
 * all of its variables in memory. */
void promote_locals(LoweredFunction *);

#endif
