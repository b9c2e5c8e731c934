/* Finds races on global memory: records which threads accessed a granule in this launch, and checks
 * whether the accesses are ordered.
 *
 * Within a block, cells record which threads accessed a granule last, and order.h decides whether
 * these accesses are ordered before the current one (global_cells.h).
 *
 * Different blocks count as concurrent, in whatever order they run. The reports must not depend on
 * this order, nor on which worker runs which block. So accesses by different blocks are not
 * compared while the kernel runs. Instead, for each granule of the buffers that the launch writes
 * and for each class of access, every worker notes the two lowest block numbers that accessed the
 * granule. When the launch ends, or all blocks have reached a barrier of the grid, the notes of all
 * workers are merged: the two lowest blocks remain, which gives the same result in any order. Each
 * granule with conflicting notes is a race.
 *
 * A kernel with device-scope fences may synchronise its blocks through flags, locks and counters.
 * One worker runs all blocks of such a kernel, in the same order each time, and accesses by
 * different blocks are compared through cells too.
 *
 * Some buffers are not recorded: those that are only read, that no pointer used for writing can
 * reach, or that only atomic operations change. */
#ifndef OBSERVE_GLOBAL_RACES_H
#define OBSERVE_GLOBAL_RACES_H

#include "mistakes.h"
#include "observed.h"

/* Called when a launch begins: chooses the allocations to watch. */
void global_races_launch(Run *);
/* Called when all blocks are done or at a barrier of the grid. global_races_parts returns the
 * number of workers that can merge notes in parallel; 0: there are no notes. Then each worker
 * merges its part with global_races_settle. Finally, one call of global_races_settled reports the
 * races and resets the notes. */
unsigned global_races_parts(const Run *);
void global_races_settle(Run *, unsigned part, unsigned parts);
void global_races_settled(Run *, unsigned parts);
/* Called at a barrier of the whole grid: discards the notes of accesses before it. */
void global_notes_begin(Run *);
void global_races_free(Allocation *);

/* Called when lanes access a watched allocation, before values are stored. `at`: the lowest lane's
 * address. */
void global_races_access(Warp *, const PtxInsn *, const Shape *, Allocation *, uint64_t at,
                         AccessKind);
/* Like global_races_access, for full warps: all lanes read one address, or the lanes access
 * consecutive elements from `address` on. */
void global_races_read_one(Warp *, const PtxInsn *, Allocation *, uint64_t address);
void global_races_row(Warp *, const PtxInsn *, Allocation *, uint64_t address, AccessKind);

#endif
