#include "cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

Cache cache_create(uint64_t bytes) {
  Cache c = {NULL, (uint32_t)(bytes / LINE_BYTES / CACHE_WAYS)};
  if (c.sets)
    c.lines = calloc((size_t)c.sets * CACHE_WAYS, sizeof *c.lines);
  assert(!c.sets || c.lines);
  return c;
}

void cache_free(Cache *c) { free(c->lines); }

CacheLine *cache_find(Cache *c, uint64_t line, double now) {
  if (!c->sets)
    return NULL;
  const uint32_t hash = (uint32_t)((line ^ line >> 7) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  CacheLine *set = c->lines + (size_t)(hash % c->sets) * CACHE_WAYS, *oldest = set;
  for (int i = 0; i < CACHE_WAYS; i++)
    if (set[i].tag == line + 1) {
      set[i].used = now;
      return &set[i];
    }
  for (int i = 0; i < CACHE_WAYS; i++)
    if (!set[i].tag || (oldest->tag && set[i].used < oldest->used))
      oldest = &set[i];
  *oldest = (CacheLine){line + 1, 0, now, 0};
  return oldest;
}
