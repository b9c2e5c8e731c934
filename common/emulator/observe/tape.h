/* What the warps of a run with a prescribed order did, for common/race: written to LOCKSTEP_TAPE as ../tape.h says. Only
 * the one worker of such a run calls these. */
#ifndef OBSERVE_TAPE_H
#define OBSERVE_TAPE_H

#include "../state/lanes.h"

void tape_launch_begins(const Run *);
/* Lanes of a warp are about to access memory; then they have. `time`: how often this warp did that at that line. */
void tape_access_begins(const Warp *, const PtxInsn *, uint32_t lanes, uint32_t time);
void tape_access_ends(const Warp *, const PtxInsn *);
/* Lanes come to the hold of that number, or go on from it. */
void tape_hold(const Warp *, uint32_t hold, uint32_t lanes, uint32_t line, bool let_go);
/* Lanes come to a barrier or a __syncwarp(). */
void tape_arrives(const Warp *, const PtxInsn *, uint32_t lanes);
void tape_barrier(const Block *);
/* Lanes begin a step with this instruction. */
void tape_step(const Warp *, const PtxInsn *, uint32_t lanes);
void tape_launch_ends(const Run *, int status);

#endif
