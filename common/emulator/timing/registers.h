/* How many registers of 32 bits a thread needs, as an assembler that wants to be sparing would have it. */
#ifndef TIMING_REGISTERS_H
#define TIMING_REGISTERS_H

#include "../ptx/program.h"

uint32_t registers_needed(const PtxModule *, const PtxFunction *);

#endif
