/* A sparse vector clock: a set of accesses that are ordered before the current ones. For each
 * thread, warp or block it has an epoch; all accesses before this epoch are in the set.
 *
 * The epochs are those of the block that made the access (order.h). A key identifies a whole block,
 * one of its warps, or one of its threads. An access is known if one of these three entries covers
 * it. */
#ifndef OBSERVE_KNOWN_H
#define OBSERVE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct KnownEntry {
  /* 0: the entry is unused. */
  uint64_t key;
  uint32_t before;
} KnownEntry;

typedef struct KnownSet {
  /* A hash table with `room` entries; `room` is a power of two. */
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
/* Frees the memory of the set. */
void known_free(KnownSet *);
bool known_has_slowly(const KnownSet *, uint64_t block, uint32_t thread, uint32_t epoch);
/* Returns true if the thread's access in this epoch is known. */
static inline bool known_has(const KnownSet *k, uint64_t block, uint32_t thread, uint32_t epoch) {
  return k->count && known_has_slowly(k, block, thread, epoch);
}

#endif
