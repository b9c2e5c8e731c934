/* Records what the warps of a run with a prescribed order do, for common/race. Writes the file
 * LOCKSTEP_TAPE in the format of ../tape.h. Called only by the single worker of such a run. */
#ifndef OBSERVE_TAPE_H
#define OBSERVE_TAPE_H

#include "../state/lanes.h"

void tape_launch_begins(const Run *);
/* Called before and after lanes of a warp access memory. `time`: how often this warp has made this
 * kind of access at this line. */
void tape_access_begins(const Warp *, const PtxInsn *, uint32_t lanes, uint32_t time);
void tape_access_ends(const Warp *, const PtxInsn *);
/* Called when lanes are stopped by a hold, and when they are released. */
void tape_hold(const Warp *, uint32_t hold, uint32_t lanes, uint32_t line, bool let_go);
/* Called when lanes reach a barrier or a __syncwarp(). */
void tape_arrives(const Warp *, const PtxInsn *, uint32_t lanes);
void tape_barrier(const Block *);
/* Lanes begin a step with this instruction. */
void tape_step(const Warp *, const PtxInsn *, uint32_t lanes);
void tape_launch_ends(const Run *, int status);

#endif
