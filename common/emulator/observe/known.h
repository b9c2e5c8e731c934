/* A sparse vector clock: a set of accesses that are ordered before the current accesses. The set
 * stores an epoch for some threads, warps and blocks; all accesses of these before their epoch are
 * in the set.
 *
 * Each block counts its own epochs (order.h). A key identifies a whole block, one of its warps, or
 * one of its threads. An access is known if the entry of its block, its warp or its thread has a
 * later epoch. */
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
/* Returns true if the access that the thread made in this epoch is in the set. */
static inline bool known_has(const KnownSet *k, uint64_t block, uint32_t thread, uint32_t epoch) {
  return k->count && known_has_slowly(k, block, thread, epoch);
}

#endif
