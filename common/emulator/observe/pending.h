/* Copies to shared memory that go on beside the threads (cp.async): until its thread has waited for one, what it writes
 * is nobody's to touch, whatever barriers lie between.
 *
 * In the shadow (shared_races.h) such words are written by a thread that is none of the block's, anew after each
 * barrier; once waited for, by the thread that copied.
 */
#ifndef OBSERVE_PENDING_H
#define OBSERVE_PENDING_H

#include "shared_races.h"

typedef struct PendingCopy {
  uint32_t first, n; /* entries of the shadow */
  uint32_t group;    /* of its thread */
  uint16_t thread, site;
} PendingCopy;

/* Lanes have begun to copy access_bytes each; `at`: address of the lowest. */
void pending_note(Warp *, const PtxInsn *, const Shape *, uint32_t at);
/* They end a group, or wait. */
void pending_copies(Warp *, const PtxInsn *, uint32_t lanes);
void pending_barrier(Block *);
void pending_block(Block *); /* begins: nothing is on its way */
void pending_free(Block *);
/* The copy that is to write this entry; NULL: none. */
const PendingCopy *pending_at(const Block *, uint32_t entry);

#endif
