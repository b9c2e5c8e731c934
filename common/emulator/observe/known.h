/* What is known to have happened: of each thread, warp or block, all accesses before some epoch.
 *
 * A sparse vector clock. Epochs are those of the block that did the access (order.h). A key names a
 * block as a whole, one of its warps, or one of its threads; an access is known if any of the three
 * says so.
 */
#ifndef OBSERVE_KNOWN_H
#define OBSERVE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct KnownEntry {
  uint64_t key; /* 0: free */
  uint32_t before;
} KnownEntry;

typedef struct KnownSet {
  KnownEntry *entries; /* a hash table of `room` places, a power of two */
  uint32_t count, room;
} KnownSet;

static inline uint64_t known_block(uint64_t block) { return (block + 1) << 12; }
static inline uint64_t known_thread(uint64_t block, uint32_t thread) {
  return known_block(block) | (thread + 1);
}
static inline uint64_t known_warp(uint64_t block, uint32_t warp) {
  return known_block(block) | (2048 + warp);
}

void known_raise(KnownSet *, uint64_t key, uint32_t before);
void known_join(KnownSet *, const KnownSet *other);
void known_clear(KnownSet *);
/* Frees what it holds. */
void known_free(KnownSet *);
bool known_has_slowly(const KnownSet *, uint64_t block, uint32_t thread, uint32_t epoch);
/* Is the access of that thread in that epoch known? */
static inline bool known_has(const KnownSet *k, uint64_t block, uint32_t thread, uint32_t epoch) {
  return k->count && known_has_slowly(k, block, thread, epoch);
}

#endif
