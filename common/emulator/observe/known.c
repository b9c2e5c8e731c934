/* Implements the hash table of a sparse vector clock (known.h). */
#include "known.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 8, WARP = 32 };

static KnownEntry *place_of(const KnownSet *k, uint64_t key) {
  uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  while (k->entries[at & (k->room - 1)].key && k->entries[at & (k->room - 1)].key != key)
    at++;
  return &k->entries[at & (k->room - 1)];
}

static void grow(KnownSet *k) {
  const KnownSet old = *k;
  k->room = old.room ? 2 * old.room : LEAST;
  k->entries = calloc(k->room, sizeof *k->entries);
  assert(k->entries);
  for (uint32_t i = 0; i < old.room; i++)
    if (old.entries[i].key)
      *place_of(k, old.entries[i].key) = old.entries[i];
  free(old.entries);
}

void known_raise(KnownSet *k, uint64_t key, uint32_t before) {
  if (!before)
    return;
  if (2 * k->count >= k->room)
    grow(k);
  KnownEntry *e = place_of(k, key);
  if (!e->key) {
    e->key = key;
    k->count++;
  }
  e->before = before > e->before ? before : e->before;
}

void known_join(KnownSet *k, const KnownSet *other) {
  for (uint32_t i = 0; other->count && i < other->room; i++)
    if (other->entries[i].key)
      known_raise(k, other->entries[i].key, other->entries[i].before);
}

void known_clear(KnownSet *k) {
  if (k->count)
    memset(k->entries, 0, k->room * sizeof *k->entries);
  k->count = 0;
}

void known_free(KnownSet *k) {
  free(k->entries);
  *k = (KnownSet){0};
}

bool known_has_slowly(const KnownSet *k, uint64_t block, uint32_t thread, uint32_t epoch) {
  return epoch < place_of(k, known_block(block))->before ||
         epoch < place_of(k, known_warp(block, thread / WARP))->before ||
         epoch < place_of(k, known_thread(block, thread))->before;
}
