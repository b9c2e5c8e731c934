/* A run with a prescribed order (state/order.h). Warps run one instruction at a time, so that a
 * hold can stop them between two instructions. The warps of one block may also take single steps in
 * turns that the order lists. Instructions behave as in the other loops; only the scheduling
 * differs. Path.at counts the instructions of the current block that are done. */
#ifndef MACHINE_STEPWISE_H
#define MACHINE_STEPWISE_H

#include "warp.h"

void stepwise_prepare(Run *);
void stepwise_done(Run *);
void stepwise_warp_starts(Warp *);
void stepwise_warp_gone(Warp *);
/* Runs path i to the end of its block. Returns false if a hold stopped it or its step is over. */
bool stepwise_block(Warp *, uint32_t i, const PtxBlock *);
/* Returns true if the prescribed order skips this barrier or __syncwarp(). */
bool stepwise_skips(const Warp *, const PtxInsn *);
/* Returns true if the warps of this block take single steps. */
bool stepwise_steps(const Block *);
/* The warp of such a block that takes the next step, or NULL if none is ready. */
Warp *stepwise_next(Block *);
/* Called after this warp has taken its step, or could not take it. */
void stepwise_stepped(const Warp *);
/* For an instruction that is the only one of its block. Returns true if the warp's step is over, so
 * that the warp stops before the instruction. Otherwise the warp's step begins with it. */
bool stepwise_ends(Warp *, const PtxInsn *, uint32_t lanes);
/* Returns true if the warp's step is over. */
bool stepwise_over(const Warp *);
/* Called when nothing else in the block (or, with `blocks`, in the grid) can run: ends the first
 * hold of that kind. Returns false if there is none. */
bool stepwise_let_go(Block *, bool blocks);

#endif
