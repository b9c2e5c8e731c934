/* Estimates the number of 32-bit registers of a thread if the assembler uses as few as possible. */
#ifndef TIMING_REGISTERS_H
#define TIMING_REGISTERS_H

#include "../ptx/program.h"
#include "liveness.h"

uint32_t registers_needed(const PtxModule *, const PtxFunction *);
/* The registers that no order of instructions can save: values that loops carry from one iteration
 * to the next. */
uint32_t registers_carried(const PtxFunction *);
/* The registers that the loop from block `head` to block `end` carries to its next iteration. */
uint32_t registers_of_loop(const PtxFunction *, const Liveness *, uint32_t head, uint32_t end);
/* For each block, the words that a thread with `given` registers stores to and loads from local
 * memory in one pass. When no register is free, the value whose next read is farthest away is
 * spilled. The caller frees the result. */
uint32_t *registers_spilled(const PtxModule *, const PtxFunction *, uint32_t given);

#endif
