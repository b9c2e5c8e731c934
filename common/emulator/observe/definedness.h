/* Definedness of registers: tracks which bits of which lanes come from uninitialised memory or
 * registers.
 *
 * A load of memory that was never written marks the loaded bytes as undefined. Every operation
 * propagates the marks to its result (undefined_bits.h). A report is made when an undefined value
 * has an effect: it decides a branch, is used as an address, or is stored to memory. Copying it
 * between registers is not a mistake. If a part of a stored value is defined, the undefined part is
 * assumed to be the padding of a struct. A warp without marks skips all checks. In a correct
 * kernel, only padding creates marks. */
#ifndef OBSERVE_DEFINEDNESS_H
#define OBSERVE_DEFINEDNESS_H

#include "observed.h"

/* Called when a warp starts a thread block: removes all marks. */
void definedness_start(Warp *);
void definedness_free(Warp *);
/* Called when lanes enter a function. Marks as undefined in these lanes: the frame's local memory,
 * and the registers that the function may read before it writes them. */
void definedness_enter(Warp *, Frame *, uint32_t lanes);
void definedness_frame_free(Frame *);
/* Called before an instruction is executed: reports uses of undefined operands, and propagates
 * marks from operands to results. `lanes`: all lanes that execute the instruction. `active`: the
 * lanes whose guard is true. */
void definedness_check(Warp *, Frame *, const PtxInsn *, uint32_t lanes, uint32_t active);
void definedness_branch(Warp *, Frame *, const PtxBlock *, uint32_t lanes);
/* Propagate marks through warp-wide instructions. definedness_matrices: instructions on matrices.
 * definedness_meet: votes, matches and reductions, whose results are undefined if an operand is
 * undefined in any lane. */
void definedness_matrices(Warp *, Frame *, const PtxInsn *, uint32_t lanes);
void definedness_meet(Warp *, Frame *, const PtxInsn *, uint32_t lanes);
/* Propagates marks through a shuffle: lane i of `lanes` gets the value of lane source[i]. Lanes in
 * `absent` read from a lane that is not in `present`. */
void definedness_shuffle(Warp *, Frame *, const PtxInsn *, uint32_t lanes, const uint32_t *source,
                         uint32_t present, uint32_t absent);
/* Propagates the marks of arguments, or of a result, from the argument area of one frame to the
 * argument area of another frame. `source` and `target`: offsets in bytes in these areas. */
void definedness_argument(Warp *, const Frame *from, uint32_t source, Frame *to, uint32_t target,
                          uint32_t bytes, uint32_t lanes);
/* Checks the arguments of an external function, which are in the frame's argument area. */
void definedness_builtin(Warp *, Frame *, const PtxInsn *, uint32_t lanes);
/* Called after a load of undefined memory: marks the destination registers in the lanes of
 * `undefined`. */
void definedness_load(Warp *, Frame *, const PtxInsn *, uint32_t active, uint32_t undefined,
                      const uint64_t *address, PtxSpace);
/* Called when lanes load from local memory: copies the marks of the memory to the registers.
 * `same`: all lanes access offset[0]. */
void definedness_local_load(Warp *, Frame *, const PtxInsn *, uint32_t lanes,
                            const uint32_t *offset, bool same);
/* definedness_local_given is called when an external function wrote to local memory, and marks the
 * bytes as defined. definedness_local_store is called when the kernel stores to local memory, and
 * copies the marks of the stored registers. */
void definedness_local_given(Warp *, unsigned lane, uint32_t offset, size_t bytes);
void definedness_local_store(Warp *, Frame *, const PtxInsn *, uint32_t lanes,
                             const uint32_t *offset, bool same);

/* Returns the lanes that read a byte of global memory that was never written. `at`: the lowest
 * lane's address. */
uint32_t definedness_of_global(const Allocation *, const Shape *, uint64_t at, unsigned bytes);
/* Returns true if every byte of [offset, offset + bytes) is defined. */
bool definedness_of_range(const Allocation *, uint64_t offset, uint64_t bytes);

#endif
