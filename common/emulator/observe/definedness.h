/* Definedness of registers: which bits of which lanes hold what nothing computed.
 *
 * A load of memory that nobody wrote marks the bytes; every operation hands the marks on
 * (undefined_bits.h); a report is made where the value matters: it decides a branch, is an address or
 * leaves the registers in a store. Copying it around is no mistake, and where a part of what is stored is
 * defined, the rest is a struct's padding. The marks are looked at only while the warp has any: nothing but
 * padding gives them to a correct kernel.
 */
#ifndef OBSERVE_DEFINEDNESS_H
#define OBSERVE_DEFINEDNESS_H

#include "observed.h"

/* A warp begins with its thread blocks: nothing is marked. */
void definedness_start(Warp *);
void definedness_free(Warp *);
/* A frame begins: registers that some path reads before any write are undefined, and so is its local
 * memory on those lanes. */
void definedness_enter(Warp *, Frame *, uint32_t lanes);
void definedness_frame_free(Frame *);
/* Before an instruction runs: uses are checked, marks move from operands to results.
 * lanes: all that come to it; active: those its guard lets through. */
void definedness_check(Warp *, Frame *, const PtxInsn *, uint32_t lanes, uint32_t active);
void definedness_branch(Warp *, Frame *, const PtxBlock *, uint32_t lanes);
/* Lanes have met: what the vote, match or reduction gave them is as defined as what they brought. */
void definedness_matrices(Warp *, Frame *, const PtxInsn *, uint32_t lanes);
void definedness_meet(Warp *, Frame *, const PtxInsn *, uint32_t lanes);
/* A shuffle: lane i of `lanes` has the value of lane source[i]. For those in `absent` that lane is not `present`. */
void definedness_shuffle(Warp *, Frame *, const PtxInsn *, uint32_t lanes, const uint32_t *source,
                         uint32_t present, uint32_t absent);
/* Arguments or a result go from one frame's area to another's: offsets there. */
void definedness_argument(Warp *, const Frame *from, uint32_t source, Frame *to, uint32_t target,
                          uint32_t bytes, uint32_t lanes);
/* A function of the machine's own is called, with its arguments in this frame's area. */
void definedness_builtin(Warp *, Frame *, const PtxInsn *, uint32_t lanes);
/* A load found undefined memory: `undefined` of the active lanes of the destination registers are
 * marked. */
void definedness_load(Warp *, Frame *, const PtxInsn *, uint32_t active, uint32_t undefined,
                      const uint64_t *address, PtxSpace);
/* Local memory keeps marks of its own. `same`: all lanes have the first one's offset. */
void definedness_local_load(Warp *, Frame *, const PtxInsn *, uint32_t lanes,
                            const uint32_t *offset, bool same);
/* A call left something there. */
void definedness_local_given(Warp *, unsigned lane, uint32_t offset, size_t bytes);
void definedness_local_store(Warp *, Frame *, const PtxInsn *, uint32_t lanes,
                             const uint32_t *offset, bool same);

/* Lanes of global memory that read a byte which nothing wrote; `at`: address of the lowest. */
uint32_t definedness_of_global(const Allocation *, const Shape *, uint64_t at, unsigned bytes);
/* Is every byte of [offset, offset + bytes) defined? */
bool definedness_of_range(const Allocation *, uint64_t offset, uint64_t bytes);

#endif
