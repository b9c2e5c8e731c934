/* Finds local variables that the assembler keeps in registers: those whose addresses are all known
 * at compile time, or chosen by a condition from two known ones. nvcc stores to such a choice with
 * one select for each variable, and the select of the address takes as many instructions. */
#ifndef TIMING_PROMOTED_H
#define TIMING_PROMOTED_H

#include "lowering.h"

/* Makes the accesses to such variables free. If the function computes a local address at run time,
 * or passes one to another function, all its variables remain in memory. */
void promote_locals(LoweredFunction *);

#endif
