/* Definedness of registers: which lanes hold a value that nothing computed.
 *
 * A load of memory that nobody wrote marks its lanes; every operation hands the marks on; a report
 * is made where the value matters: it decides a branch, is an address or leaves the registers in a
 * store. Copying it around is no mistake. The marks are looked at only while Warp.tainted is set,
 * which no correct kernel ever sets.
 */
#ifndef OBSERVE_TAINT_H
#define OBSERVE_TAINT_H

#include "../machine/warp.h"

/* A frame begins: registers that some path reads before any write are undefined. */
void taint_enter(Warp *, Frame *);
/* Before an instruction runs: uses are checked, marks move from operands to results.
 * lanes: all that come to it; active: those its guard lets through. */
void taint_check(Warp *, Frame *, const PtxInsn *, uint32_t lanes, uint32_t active);
void taint_branch(Warp *, Frame *, const PtxBlock *, uint32_t lanes);
/* Lanes have met: what the vote, match or reduction gave them is as defined as what they brought.
 * (A shuffle moves its own marks.) */
void taint_meet(Frame *, const PtxInsn *, uint32_t lanes);
/* A load found undefined memory: `undefined` of the active lanes of the destination registers are
 * marked. */
void taint_load(Warp *, Frame *, const PtxInsn *, uint32_t active, uint32_t undefined,
                const uint64_t *address, PtxSpace);

#endif
