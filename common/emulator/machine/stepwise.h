/* A run with a prescribed order (state/order.h): warps run instruction by instruction, so that a hold can stop them between
 * two. The instructions are those of the other loops; only who runs when is decided here. A path keeps in Path.at how far it
 * has come in its block. The warps of one block may take single steps in turns that the order lists. */
#ifndef MACHINE_STEPWISE_H
#define MACHINE_STEPWISE_H

#include "warp.h"

void stepwise_prepare(Run *);
void stepwise_done(Run *, LaunchStatus);
void stepwise_warp_starts(Warp *);
void stepwise_warp_gone(Warp *);
/* Path i runs the rest of its block up to the block's end. false: a hold stopped it, or its step is over. */
bool stepwise_block(Warp *, uint32_t i, const PtxBlock *);
/* Is the barrier or __syncwarp() at which a path stands left out? */
bool stepwise_skips(const Warp *, const PtxInsn *);
/* Do the warps of this block take single steps? */
bool stepwise_steps(const Block *);
/* The warp of such a block that takes the next step; NULL: none is ready. */
Warp *stepwise_next(Block *);
/* This warp has taken its step, or could not. */
void stepwise_stepped(const Warp *);
/* Would this instruction, which is alone in its block, begin another step of the warp? Otherwise its step begins or goes on
 * with it. */
bool stepwise_ends(Warp *, const PtxInsn *, uint32_t lanes);
/* Is the step of the warp over? */
bool stepwise_over(const Warp *);
/* Nothing else in the block, or with `blocks` in the grid, can go on: ends the first hold of that kind there. false: there
 * is none. */
bool stepwise_let_go(Block *, bool blocks);

#endif
