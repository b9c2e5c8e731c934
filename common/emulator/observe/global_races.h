/* Races on global memory: which threads accessed a granule in this launch, and whether the accesses
 * are ordered.
 *
 * Within a block, cells tell which threads accessed a granule last, and order.h whether those
 * accesses are ordered before the current one (global_cells.h).
 *
 * Blocks count as always concurrent, whatever order they run in. The reports must not depend on
 * that order, nor on which worker runs which block. So accesses by different blocks are not
 * compared while the kernel runs. Instead, every worker notes, for each granule of the buffers that
 * the launch writes and for each class of access, the first two blocks (by number) that accessed
 * it. When the launch ends, or all blocks have reached a barrier of the grid, the workers' notes
 * are merged by taking the two smallest, which gives the same result in any order. Each granule
 * with conflicting notes is a race.
 *
 * A kernel with device-scope fences may synchronise its blocks through flags, locks and counters.
 * One worker runs all blocks of such a kernel, in the same order each time, and cells are compared
 * between blocks too.
 *
 * Buffers that are only read, that no writing pointer can reach, or that only atomic operations
 * change are not recorded. */
#ifndef OBSERVE_GLOBAL_RACES_H
#define OBSERVE_GLOBAL_RACES_H

#include "mistakes.h"
#include "observed.h"

/* Chooses the allocations to watch in this launch. */
void global_races_launch(Run *);
/* Called when all blocks are done or at a barrier of the grid. global_races_parts returns the
 * number of workers that may merge notes in parallel; 0: there are none. Each worker then merges
 * its part, and finally one call reports the races and resets the notes. */
unsigned global_races_parts(const Run *);
void global_races_settle(Run *, unsigned part, unsigned parts);
void global_races_settled(Run *, unsigned parts);
/* Called at a barrier of the whole grid: discards the notes made before it. */
void global_notes_begin(Run *);
void global_races_free(Allocation *);

/* Lanes of one instruction access a watched allocation. Called before values are stored. `at`:
 * address of the lowest lane. */
void global_races_access(Warp *, const PtxInsn *, const Shape *, Allocation *, uint64_t at,
                         AccessKind);
/* Likewise for full warps: all lanes at one address, or consecutive from `address`. */
void global_races_read_one(Warp *, const PtxInsn *, Allocation *, uint64_t address);
void global_races_row(Warp *, const PtxInsn *, Allocation *, uint64_t address, AccessKind);

#endif
