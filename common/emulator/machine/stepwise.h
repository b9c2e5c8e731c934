/* A run with a prescribed order (state/order.h): warps run instruction by instruction, so that a hold can stop them between
 * two. The instructions are those of the other loops; only who runs when is decided here. A debugger that steps would use
 * the same: a path keeps in Path.at how far it has come in its block. */
#ifndef MACHINE_STEPWISE_H
#define MACHINE_STEPWISE_H

#include "warp.h"

void stepwise_prepare(Run *);
void stepwise_done(Run *);
void stepwise_warp_starts(Warp *);
void stepwise_warp_gone(Warp *);
/* Path i runs the rest of its block up to the block's end. false: a hold stopped it. */
bool stepwise_block(Warp *, uint32_t i, const PtxBlock *);
/* Is the barrier or __syncwarp() at which a path stands left out? */
bool stepwise_skips(const Warp *, const PtxInsn *);
/* Nothing else in the block, or with `blocks` in the grid, can go on: ends the first hold of that kind there. false: there
 * is none. */
bool stepwise_let_go(Block *, bool blocks);

#endif
