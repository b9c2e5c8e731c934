/* How many registers of 32 bits a thread needs, as an assembler that wants to be sparing would have it. */
#ifndef TIMING_REGISTERS_H
#define TIMING_REGISTERS_H

#include "../ptx/program.h"

uint32_t registers_needed(const PtxModule *, const PtxFunction *);
/* Those of them that no other order of instructions saves: what loops hand from round to round. */
uint32_t registers_carried(const PtxModule *, const PtxFunction *);
/* Words that a thread stores to local memory and loads from there in one pass through each block, where it is given so
 * few registers: whenever one is wanted, the value goes that is read last. free() it. */
uint32_t *registers_spilled(const PtxModule *, const PtxFunction *, uint32_t given);

#endif
