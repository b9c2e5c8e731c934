/* Records samples for predicted times (timing/trace.h): the instruction blocks that each warp
 * executes, for a few thread blocks of a launch.
 *
 * The thread blocks are chosen before the launch, by the shape of the grid: the middle block, its
 * neighbours along x, y and z, blocks that would run on the same multiprocessor, the first and the
 * last block, and some in between. The choice does not depend on the number of workers or the seed.
 * For a block that is not sampled, the cost is one search in a short list when it starts. */
#ifndef OBSERVE_TRACE_H
#define OBSERVE_TRACE_H

#include "../timing/trace.h"
#include "observed.h"

Trace *trace_create(const Run *);
void trace_free(Trace *);
/* Returns a hash of what the prediction of a kernel is computed from: the program's buffers and the
 * trace. Must be called before the lines are renumbered. A place in a buffer counts relative to the
 * first one that the launch uses. */
uint64_t trace_digest(const Trace *);
/* Returns the trace of a block that starts; NULL: the block is not sampled. */
TracedBlock *trace_block(Trace *, uint64_t number);
/* Called when an instruction block is executed. Returns true if each of its accesses must be passed
 * to trace_access before the access is executed. */
bool trace_run(Warp *, const Frame *, uint32_t block, uint32_t lanes);
/* The threads of a block pass a barrier: all if `lanes` is NULL, otherwise lanes[i] of warp i. */
void trace_barrier(Block *, const uint32_t *lanes);
void trace_access(Warp *, const Frame *, const PtxInsn *, uint32_t lanes);

#endif
