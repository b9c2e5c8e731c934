/* Samples the addresses of one request for each instruction that accesses global or shared memory.
 * Pictures of memory accesses show these addresses beside the counters, which are only sums.
 *
 * The sample of an instruction is taken in the first launch of the kernel in which a warp executes
 * the instruction. It is the first request by the warp with the lowest number, in the block with
 * the lowest number, that executes the instruction. So the sample does not depend on the number of
 * workers or the seed.
 *
 * While a kernel runs, sampling takes one comparison for each executed instruction block. Addresses
 * are recorded only if the number of the running warp is lower than that of the sampled warp. */
#ifndef OBSERVE_SAMPLES_H
#define OBSERVE_SAMPLES_H

#include <jansson.h>

#include "counters.h"

/* Called when a worker first executes the function in a launch: requests a sample of each of its
 * accesses, if there is a log. */
void samples_want(FunctionCount *, const PtxFunction *);
/* Called before an instruction is executed: records its addresses if the instruction has no sample,
 * or only a sample of a later warp. */
void samples_take(Warp *, const Frame *, const PtxInsn *, uint32_t lanes);
/* Called after an instruction block: updates BlockCount.unsampled. */
void samples_settle(FunctionCount *, const PtxFunction *, const PtxBlock *);
/* Merges one worker's samples of launch number `launch`, in `from`, into the samples of the
 * kernel. */
void samples_add(FunctionCount *to, FunctionCount *from, const PtxFunction *, uint64_t launch);
void samples_destroy(FunctionCount *, const PtxFunction *);

json_t *samples_json(const Sample *, const PtxModule *, const PtxFunction *kernel, const PtxInsn *);

#endif
