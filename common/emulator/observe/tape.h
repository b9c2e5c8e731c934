/* Records the actions of the warps in a run with a prescribed order, for common/race and
 * common/step. Writes the file LOCKSTEP_TAPE in the format of ../tape.h. Only the single worker of
 * such a run calls these functions. */
#ifndef OBSERVE_TAPE_H
#define OBSERVE_TAPE_H

#include "../state/lanes.h"
#include "../tape.h"

void tape_launch_begins(const Run *);
/* Called before and after lanes of a warp access memory. `time`: number of accesses of the same
 * kind that the warp has made at this source line, including this one. */
void tape_access_begins(const Warp *, const PtxInsn *, uint32_t lanes, uint32_t time);
void tape_access_ends(const Warp *, const PtxInsn *);
/* Called when lanes begin a step with this instruction, reach a barrier or a __syncwarp(), or are
 * stopped or released by hold number `hold`. `event`: which of these happened. */
void tape_order(const Warp *, const PtxInsn *, uint32_t lanes, TapeKind event, uint32_t hold);
/* Called when all threads of a block have passed a barrier. */
void tape_barrier(const Block *);
void tape_launch_ends(const Run *, int status);

#endif
