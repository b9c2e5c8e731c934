/* Runs warps in a prescribed order (state/order.h). Instructions are executed one at a time, so
 * that a hold can stop a warp between two instructions. The warps of one block may also be
 * single-stepped, in turns that the order lists. The effects of instructions are the same as
 * without a prescribed order; only the scheduling differs. Path.at counts the executed instructions
 * of the current instruction block. */
#ifndef MACHINE_STEPWISE_H
#define MACHINE_STEPWISE_H

#include "warp.h"

void stepwise_prepare(Run *);
void stepwise_done(Run *);
void stepwise_warp_starts(Warp *);
void stepwise_warp_gone(Warp *);
/* Runs path i to the end of its block of instructions. Returns false if a hold stopped the path or
 * the step of the warp is over. */
bool stepwise_block(Warp *, uint32_t i, const PtxBlock *);
/* Returns true if the prescribed order skips this barrier or __syncwarp(). */
bool stepwise_skips(const Warp *, const PtxInsn *);
/* Returns true if the warps of this block execute single steps. */
bool stepwise_steps(const Block *);
/* Returns the warp of the block that executes the next step; NULL: no warp is ready. */
Warp *stepwise_next(Block *);
/* Called after the warp has executed its step, or could not execute it. */
void stepwise_stepped(const Warp *);
/* Called before an instruction that is alone in its instruction block. If the step of the warp is
 * over, returns true, and the warp stops before the instruction. Otherwise a step begins with the
 * instruction. */
bool stepwise_ends(Warp *, const PtxInsn *, uint32_t lanes);
/* Returns true if the step of the warp is over. */
bool stepwise_over(const Warp *);
/* Called when only stopped lanes remain in the block (or, if `blocks`, in the grid): ends the first
 * active hold whose Hold.blocks is `blocks`. Returns false if there is no such hold. */
bool stepwise_let_go(Block *, bool blocks);

#endif
