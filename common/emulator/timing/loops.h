/* Loops and straight-line code of a function, as the assembler shapes them. */
#ifndef TIMING_LOOPS_H
#define TIMING_LOOPS_H

#include "liveness.h"

/* Fills in LoweredFunction.predicated, chain_next and guarded. Call after the costs of all
 * instructions are known. */
void find_chains(LoweredFunction *, bool chains_guarded);
/* Fills in loop_test, loop_end and unroll for counting loops of straight-line code. Call after
 * find_chains. */
void find_loops(LoweredFunction *, const Liveness *);
/* Fills in turns for counting loops whose body has branches. Call after find_loops. */
void find_branching_loops(LoweredFunction *);

/* Returns the instruction that increments the counter which `test` compares, also through
 * conversions that cost nothing; otherwise NO_TEST. */
uint32_t counter_of(const LoweredFunction *, const PtxBlock *, uint32_t test);
/* Returns true if the counter of the loop begins with a constant. */
bool starts_with_constant(const LoweredFunction *, uint32_t head, uint32_t counter);

#endif
