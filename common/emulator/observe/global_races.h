/* Races between blocks: who touched a piece of global memory in this launch?
 *
 * Blocks count as always concurrent, whatever order this run happens to take, and what is said must
 * not depend on that order, nor on which worker ran which block. So nothing is judged while the kernel
 * runs: every worker notes, for each granule of the buffers that the launch both shares between blocks
 * and writes, the first two blocks (by number) that touched it, apart for plain writes, writes by whoever comes
 * late or holds a lock, atomic operations and reads. When the launch ends, or all blocks have come to a barrier
 * of the grid, the notes are put together: two smallest of sets, the same for any order of entering.
 * Each granule whose notes do not go together is a race.
 *
 * Buffers that are only read, that cannot be reached by a writing pointer, or that only atomic operations change
 * cost nothing.
 */
#ifndef OBSERVE_GLOBAL_RACES_H
#define OBSERVE_GLOBAL_RACES_H

#include "observed.h"

/* Which allocations are watched in this launch. */
void global_races_launch(Run *);
/* All blocks are done, or at a barrier of the grid. How many workers may put the notes together, side by side? 0: there
 * are none. Then each its part; then one reports the races, and the notes begin anew. */
unsigned global_races_parts(const Run *);
void global_races_settle(Run *, unsigned part, unsigned parts);
void global_races_settled(Run *, unsigned parts);
void global_races_free(Allocation *);

/* Lanes of one instruction access a watched allocation, `at`: address of the lowest; before their
 * values are stored. */
void global_races_read(Warp *, const PtxInsn *, const Shape *, Allocation *, uint64_t at);
void global_races_write(Warp *, const PtxInsn *, const Shape *, Allocation *, uint64_t at);
void global_races_atomic(Warp *, const PtxInsn *, const Shape *, Allocation *, uint64_t at);
/* The same for whole warps: all at one address; each lane behind the other from `address` on. */
void global_races_read_one(Warp *, const PtxInsn *, Allocation *, uint64_t address);
void global_races_read_row(Warp *, const PtxInsn *, Allocation *, uint64_t address);
void global_races_write_row(Warp *, const PtxInsn *, Allocation *, uint64_t address);

/* Lanes come through an atomic operation on global memory. */
void global_races_meet(Warp *, const PtxInsn *, uint32_t lanes);
/* Lanes come to a fence wider than their block. */
void global_races_fence(Warp *, uint32_t lanes);
/* A barrier of the block lets its threads go. */
void global_races_block_barrier(Block *);

#endif
