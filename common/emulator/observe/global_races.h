/* Finds races on global memory: records which threads accessed a granule in this launch, and checks
 * whether the accesses are ordered.
 *
 * Within a block, cells record which threads accessed a granule last, and order.h decides whether
 * these accesses are ordered before the current one (global_cells.h).
 *
 * Different blocks count as concurrent. The reports must not depend on the order in which blocks
 * run, or on the worker that runs a block. Therefore accesses by different blocks are not compared
 * while the kernel runs. Instead, for each granule of the buffers that the launch writes and for
 * each class of access, every worker notes the two lowest numbers of blocks that accessed the
 * granule. When the launch ends, or all blocks have reached a barrier of the grid, the notes of all
 * workers are merged. The two lowest block numbers of all workers remain, which are the same in any
 * order. A granule with conflicting notes of two blocks is a race.
 *
 * A kernel with device-scope fences may synchronise its blocks through flags, locks and counters.
 * One worker runs all blocks of such a kernel, always in the same order, and accesses by different
 * blocks are compared through cells too.
 *
 * Accesses to these buffers are not recorded: buffers that the launch only reads, and buffers that
 * it only accesses by device-scope atomic operations of one size. */
#ifndef OBSERVE_GLOBAL_RACES_H
#define OBSERVE_GLOBAL_RACES_H

#include "mistakes.h"
#include "observed.h"

/* Called when a launch begins: chooses the allocations to watch. */
void global_races_launch(Run *);
/* Called when all blocks are done, or at a barrier of the grid. First, global_races_parts returns
 * the number of workers that can merge notes in parallel; 0: there are no notes. Then each of these
 * workers merges its part with global_races_settle. Finally, global_races_settled is called once
 * and reports the races. */
unsigned global_races_parts(const Run *);
void global_races_settle(Run *, unsigned part, unsigned parts);
void global_races_settled(Run *, unsigned parts);
/* Called when a launch begins and at a barrier of the grid: invalidates all earlier notes. */
void global_notes_begin(Run *);
void global_races_free(Allocation *);

/* Called when lanes access a watched allocation, before values are stored. `at`: the lowest lane's
 * address. */
void global_races_access(Warp *, const PtxInsn *, const Shape *, Allocation *, uint64_t at,
                         AccessKind);
/* Like global_races_access, for full warps. global_races_read_one: all lanes read one address.
 * global_races_row: the lanes access consecutive elements from `address` on. */
void global_races_read_one(Warp *, const PtxInsn *, Allocation *, uint64_t address);
void global_races_row(Warp *, const PtxInsn *, Allocation *, uint64_t address, AccessKind);

#endif
