/* Definedness of registers: which bits of which lanes come from uninitialised memory or registers.
 *
 * A load of memory that was never written marks the loaded bytes, and every operation propagates
 * the marks (undefined_bits.h). A report is made where the value matters: it decides a branch, is
 * used as an address, or is stored to memory. Copying it between registers is no mistake. If part
 * of a stored value is defined, the rest is taken to be the padding of a struct. The marks are
 * examined only while the warp has any; in a correct kernel, only padding creates them. */
#ifndef OBSERVE_DEFINEDNESS_H
#define OBSERVE_DEFINEDNESS_H

#include "observed.h"

/* Called when a warp starts a block of threads: nothing is marked. */
void definedness_start(Warp *);
void definedness_free(Warp *);
/* Called when a frame is created. Registers that some path may read before writing them are
 * undefined, and so is the frame's local memory, on these lanes. */
void definedness_enter(Warp *, Frame *, uint32_t lanes);
void definedness_frame_free(Frame *);
/* Called before an instruction is executed: checks uses and propagates marks from operands to
 * results. `lanes`: all lanes of the path; `active`: those whose guard is true. */
void definedness_check(Warp *, Frame *, const PtxInsn *, uint32_t lanes, uint32_t active);
void definedness_branch(Warp *, Frame *, const PtxBlock *, uint32_t lanes);
/* Propagate marks through warp-wide instructions: matrix instructions; votes, matches and
 * reductions, whose results are undefined if an operand is. */
void definedness_matrices(Warp *, Frame *, const PtxInsn *, uint32_t lanes);
void definedness_meet(Warp *, Frame *, const PtxInsn *, uint32_t lanes);
/* Propagates marks through a shuffle: lane i of `lanes` gets the value of lane source[i]. Lanes in
 * `absent` read from a lane that is not in `present`. */
void definedness_shuffle(Warp *, Frame *, const PtxInsn *, uint32_t lanes, const uint32_t *source,
                         uint32_t present, uint32_t absent);
/* Propagates the marks of arguments or a result between the argument areas of two frames. `source`
 * and `target` are offsets in them. */
void definedness_argument(Warp *, const Frame *from, uint32_t source, Frame *to, uint32_t target,
                          uint32_t bytes, uint32_t lanes);
/* Checks the arguments of an external function, which are in the frame's argument area. */
void definedness_builtin(Warp *, Frame *, const PtxInsn *, uint32_t lanes);
/* Called after a load of undefined memory: marks the destination registers on the lanes in
 * `undefined`. */
void definedness_load(Warp *, Frame *, const PtxInsn *, uint32_t active, uint32_t undefined,
                      const uint64_t *address, PtxSpace);
/* Local memory has marks of its own. `same`: all lanes have the offset of the first. */
void definedness_local_load(Warp *, Frame *, const PtxInsn *, uint32_t lanes,
                            const uint32_t *offset, bool same);
/* Called when an external function wrote to local memory. */
void definedness_local_given(Warp *, unsigned lane, uint32_t offset, size_t bytes);
void definedness_local_store(Warp *, Frame *, const PtxInsn *, uint32_t lanes,
                             const uint32_t *offset, bool same);

/* The lanes that read a byte of global memory that was never written. `at`: address of the lowest
 * lane. */
uint32_t definedness_of_global(const Allocation *, const Shape *, uint64_t at, unsigned bytes);
/* Returns true if every byte of [offset, offset + bytes) is defined. */
bool definedness_of_range(const Allocation *, uint64_t offset, uint64_t bytes);

#endif
