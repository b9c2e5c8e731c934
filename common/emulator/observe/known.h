/* A sparse vector clock: for each thread, warp or block, the epoch before which all its accesses
 * are ordered before now.
 *
 * Epochs are those of the block that made the access (order.h). A key names a whole block, one of
 * its warps, or one of its threads. An access is known if any of the three entries covers it. */
#ifndef OBSERVE_KNOWN_H
#define OBSERVE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct KnownEntry {
  /* 0: unused */
  uint64_t key;
  uint32_t before;
} KnownEntry;

typedef struct KnownSet {
  /* A hash table with `room` entries, a power of two. */
  KnownEntry *entries;
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
/* Frees the entries. */
void known_free(KnownSet *);
bool known_has_slowly(const KnownSet *, uint64_t block, uint32_t thread, uint32_t epoch);
/* Returns true if the thread's access in that epoch is known. */
static inline bool known_has(const KnownSet *k, uint64_t block, uint32_t thread, uint32_t epoch) {
  return k->count && known_has_slowly(k, block, thread, epoch);
}

#endif
