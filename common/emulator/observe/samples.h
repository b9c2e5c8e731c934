/* Samples: the addresses of one request for each instruction that accesses global or shared memory.
 * Pictures show them beside the counters, which are only sums.
 *
 * The sampled request is the first one that the earliest warp of the earliest block (by linear
 * index) makes, in the first launch of the kernel in which a warp executes the instruction. It does
 * not depend on the number of workers or the seed.
 *
 * While a kernel runs, this takes one comparison for each block of instructions. Addresses are
 * recorded only if the running warp is earlier than the sampled one. */
#ifndef OBSERVE_SAMPLES_H
#define OBSERVE_SAMPLES_H

#include <jansson.h>

#include "counters.h"

/* Called when a worker first executes the function in a launch: requests a sample of each of its
 * accesses, if there is a log. */
void samples_want(FunctionCount *, const PtxFunction *);
/* Called before an instruction is executed: records its addresses if a sample is requested. */
void samples_take(Warp *, const Frame *, const PtxInsn *, uint32_t lanes);
/* Called after a block of instructions: records which warps are still to be sampled for it. */
void samples_settle(FunctionCount *, const PtxFunction *, const PtxBlock *);
/* Merges one worker's samples of a launch with those of the kernel. */
void samples_add(FunctionCount *to, FunctionCount *from, const PtxFunction *, uint64_t launch);
void samples_destroy(FunctionCount *, const PtxFunction *);

json_t *samples_json(const Sample *, const PtxModule *, const PtxFunction *kernel, const PtxInsn *);

#endif
