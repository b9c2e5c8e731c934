/* Samples: for each access to global and shared memory, one request with the addresses of its
 * lanes, so that pictures can show what the counters sum up.
 *
 * The sampled request is the first one of the earliest warp of the earliest block (by linear index)
 * that executes the access, in the kernel's first launch that does. It does not depend on the
 * number of workers or the seed.
 *
 * The cost while a kernel runs is one comparison for each block of instructions: whether this warp
 * comes before the one that the block's samples are from. Only then are addresses recorded. */
#ifndef OBSERVE_SAMPLES_H
#define OBSERVE_SAMPLES_H

#include <jansson.h>

#include "counters.h"

/* Called at the start of a launch: requests a sample of every access of the function, if there is a
 * log. */
void samples_want(FunctionCount *, const PtxFunction *);
/* Called before an instruction is executed: records the addresses if a sample is requested. */
void samples_take(Warp *, const Frame *, const PtxInsn *, uint32_t lanes);
/* Called after a block of instructions: updates which warps it still requests samples of. */
void samples_settle(FunctionCount *, const PtxFunction *, const PtxBlock *);
/* Merges one worker's samples of a launch into those of the kernel. */
void samples_add(FunctionCount *to, FunctionCount *from, const PtxFunction *, uint64_t launch);
void samples_destroy(FunctionCount *, const PtxFunction *);

json_t *samples_json(const Sample *, const PtxModule *, const PtxFunction *kernel, const PtxInsn *);

#endif
