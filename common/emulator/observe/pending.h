/* Asynchronous copies to shared memory (cp.async). Until its thread has waited for a copy, no
 * thread may access the target, whatever barriers are in between.
 *
 * In the shadow (shared_races.h), such words appear as written by a thread that does not exist in
 * the block, renewed after each barrier. After the wait, they appear as written by the copying
 * thread. */
#ifndef OBSERVE_PENDING_H
#define OBSERVE_PENDING_H

#include "shared_races.h"

typedef struct PendingCopy {
  /* Shadow entries. */
  uint32_t first, n;
  /* Group number of the copying thread. */
  uint32_t group;
  uint16_t thread, site;
} PendingCopy;

/* Lanes have started copies of access_bytes each. `at`: address of the lowest lane. */
void pending_note(Warp *, const PtxInsn *, const Shape *, uint32_t at);
/* Lanes commit a group, or wait. */
void pending_copies(Warp *, const PtxInsn *, uint32_t lanes);
void pending_barrier(Block *);
/* Called when a block begins: no copies are pending. */
void pending_block(Block *);
void pending_free(Block *);
/* The pending copy that writes this entry; NULL: none. */
const PendingCopy *pending_at(const Block *, uint32_t entry);

#endif
