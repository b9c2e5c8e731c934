/* Detects accesses to the targets of pending asynchronous copies to shared memory (cp.async). Until
 * the copying thread has waited for its copy, no thread may access the target of the copy. A
 * barrier does not change this.
 *
 * While a copy is pending, the shadow (shared_races.h) records a thread number that does not exist
 * in the block as the last writer of the target. After each barrier these entries are written
 * again. After the wait, the copying thread is recorded as the last writer. */
#ifndef OBSERVE_PENDING_H
#define OBSERVE_PENDING_H

#include "shared_races.h"

typedef struct PendingCopy {
  /* First shadow entry of the target, and number of entries. */
  uint32_t first, n;
  /* The number of the copy's group in the copying thread. */
  uint32_t group;
  uint16_t thread, site;
} PendingCopy;

/* Called when lanes have started copies of access_bytes(insn) bytes each. `at`: the lowest lane's
 * address. */
void pending_note(Warp *, const PtxInsn *, const Shape *, uint32_t at);
/* Called when lanes commit a group or wait for groups. */
void pending_copies(Warp *, const PtxInsn *, uint32_t lanes);
void pending_barrier(Block *);
/* Called when a block begins: removes all pending copies. */
void pending_block(Block *);
void pending_free(Block *);
/* Returns the pending copy whose target includes this shadow entry; NULL: there is no such copy. */
const PendingCopy *pending_at(const Block *, uint32_t entry);

#endif
