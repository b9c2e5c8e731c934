/* Samples: of each access to global and shared memory one request with the addresses of its lanes,
 * so that a picture can be drawn of what the counters sum up.
 *
 * Which request: that of the kernel's first launch that executes the access, the earliest block
 * (by linear index) and in it the earliest warp that do; of that warp its first. No number of
 * workers and no seed changes it.
 *
 * The price while a kernel runs is one comparison for each block of instructions: does this warp
 * come before the one that the samples of this block are from? Only then are addresses looked at.
 */
#ifndef OBSERVE_SAMPLES_H
#define OBSERVE_SAMPLES_H

#include <jansson.h>

#include "counters.h"

/* A launch begins: every access of the function wants a sample, if there is a log to put it in. */
void samples_want(FunctionCount *, const PtxFunction *);
/* Before an instruction runs on some lanes: keeps their addresses, if it wants them. */
void samples_take(Warp *, const Frame *, const PtxInsn *, uint32_t lanes);
/* After a block of instructions: which warps it still wants samples of. */
void samples_settle(FunctionCount *, const PtxFunction *, const PtxBlock *);
/* Those of one worker, in one launch, go to the sums of the kernel. */
void samples_add(FunctionCount *to, FunctionCount *from, const PtxFunction *, uint64_t launch);
void samples_destroy(FunctionCount *, const PtxFunction *);

json_t *samples_json(const Sample *, const PtxModule *, const PtxFunction *kernel, const PtxInsn *);

#endif
