/* Races between blocks: who touched a piece of global memory in this launch?
 *
 * Blocks count as always concurrent, whatever order this run happens to take. Two words lie behind
 * every granule of a buffer that the launch both shares between blocks and writes; buffers that are
 * only read, or that cannot be reached by a writing pointer, cost nothing (launch.c decides from
 * PtxFunction.writes_parameter). A word packs
 *
 *   63..55 launch   54 holds a lock   53..30 block   29..20 thread   19 several blocks   18 atomic
 *   17..0 site
 *
 * Writers exchange their word and then look at the reader's, readers set theirs and then look at
 * the writer's, both sequentially consistent: of two workers at least one sees the other.
 */
#ifndef OBSERVE_GLOBAL_SHADOW_H
#define OBSERVE_GLOBAL_SHADOW_H

#include "../machine/warp.h"

typedef enum GlobalAccess { GLOBAL_READ, GLOBAL_WRITE, GLOBAL_ATOMIC } GlobalAccess;

/* Prepares the shadows of a launch: which allocations are watched. */
void global_shadow_launch(Run *);
/* All blocks are at a barrier of the grid: what came before is ordered with what comes after. */
void global_shadow_barrier(Run *);
/* One lane's access; `value`: the bytes it is about to write, or NULL. */
void global_shadow_access(Warp *, const PtxInsn *, unsigned lane, Allocation *, uint64_t address,
                          unsigned bytes, GlobalAccess, const uint8_t *value);
/* Lanes come to a fence wider than their block. */
void global_shadow_fence(Warp *, uint32_t lanes);
/* A barrier of the block lets its threads go. */
void global_shadow_block_barrier(Block *);

#endif
