#include "cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

Cache cache_create(uint64_t bytes) {
  Cache c = {NULL, (uint32_t)(bytes / LINE_BYTES / CACHE_WAYS)};
  if (c.sets)
    c.set = calloc(c.sets, sizeof *c.set);
  assert(!c.sets || c.set);
  return c;
}

void cache_free(Cache *c) { free(c->set); }

CacheLine *cache_find(Cache *c, uint64_t line, double now) {
  if (!c->sets)
    return NULL;
  const uint32_t hash = (uint32_t)((line ^ line >> 7) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  CacheSet *set = &c->set[hash % c->sets];
  int oldest = 0;
  for (int i = 0; i < CACHE_WAYS; i++)
    if (set->tag[i] == line + 1) {
      set->used[i] = now;
      return &set->lines[i];
    }
  for (int i = 0; i < CACHE_WAYS; i++)
    if (!set->tag[i] || (set->tag[oldest] && set->used[i] < set->used[oldest]))
      oldest = i;
  set->tag[oldest] = line + 1;
  set->used[oldest] = now;
  set->lines[oldest] = (CacheLine){0, 0};
  return &set->lines[oldest];
}
