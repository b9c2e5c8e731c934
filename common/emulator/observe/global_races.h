/* Races on global memory: who touched a piece of it in this launch, and was it in order?
 *
 * Within a block, cells say who touched a granule last, and order.h whether that comes before (global_cells.h).
 *
 * Blocks count as always concurrent, whatever order this run happens to take, and what is said must
 * not depend on that order, nor on which worker ran which block. So nothing is judged between them while the kernel
 * runs: every worker notes, for each granule of the buffers that the launch writes, the first two blocks (by number) that
 * touched it, apart for each way of touching. When the launch ends, or all blocks have come to a barrier
 * of the grid, the notes are put together: two smallest of sets, the same for any order of entering.
 * Each granule whose notes do not go together is a race.
 *
 * A kernel with fences of the device may order its blocks itself, by flags, locks and counters. One worker runs all blocks
 * of such a one, so that they come in the same order each time, and cells tell of blocks, too.
 *
 * Buffers that are only read, that cannot be reached by a writing pointer, or that only atomic operations change
 * cost nothing.
 */
#ifndef OBSERVE_GLOBAL_RACES_H
#define OBSERVE_GLOBAL_RACES_H

#include "mistakes.h"
#include "observed.h"

/* Which allocations are watched in this launch. */
void global_races_launch(Run *);
/* All blocks are done, or at a barrier of the grid. How many workers may put the notes together, side by side? 0: there
 * are none. Then each its part; then one reports the races, and the notes begin anew. */
unsigned global_races_parts(const Run *);
void global_races_settle(Run *, unsigned part, unsigned parts);
void global_races_settled(Run *, unsigned parts);
/* A barrier of the whole grid: what was noted before means nothing any more. */
void global_notes_begin(Run *);
void global_races_free(Allocation *);

/* Lanes of one instruction access a watched allocation, `at`: address of the lowest; before their
 * values are stored. */
void global_races_access(Warp *, const PtxInsn *, const Shape *, Allocation *, uint64_t at,
                         AccessKind);
/* The same for whole warps: all at one address; each lane behind the other from `address` on. */
void global_races_read_one(Warp *, const PtxInsn *, Allocation *, uint64_t address);
void global_races_row(Warp *, const PtxInsn *, Allocation *, uint64_t address, AccessKind);

#endif
