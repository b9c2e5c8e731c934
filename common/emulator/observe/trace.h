/* Samples for predicted times (timing/trace.h): of a few blocks of a launch, the way of every warp.
 *
 * Which blocks is decided before the launch runs, by the shape of the grid: the middle one with its neighbours, those
 * that would share its multiprocessor, the first, the last, and some between. No number of workers and no seed
 * changes it. All other blocks pay for a comparison as they start.
 */
#ifndef OBSERVE_TRACE_H
#define OBSERVE_TRACE_H

#include "../timing/trace.h"
#include "observed.h"

Trace *trace_create(const Run *);
void trace_free(Trace *);
/* Of a block that starts: its place in the trace, or NULL. */
TracedBlock *trace_block(Trace *, uint64_t number);
/* A block of instructions runs. true: its accesses are wanted, each before it runs. */
bool trace_run(Warp *, const Frame *, uint32_t block, uint32_t lanes);
void trace_access(Warp *, const Frame *, const PtxInsn *, uint32_t lanes);

#endif
