/* An L1 cache: lines of four sectors, eight lines per set, least recently used replacement. */
#ifndef TIMING_CACHE_H
#define TIMING_CACHE_H

#include <stdint.h>

enum { CACHE_WAYS = 8 };

typedef struct CacheLine {
  uint32_t sectors;
  /* When the last fetched sector arrives, in clocks. */
  double ready;
} CacheLine;

/* Tags are next to each other: they are compared for each lookup. */
typedef struct CacheSet {
  /* The line number plus 1; 0 if the entry is empty. */
  uint64_t tag[CACHE_WAYS];
  /* The last use, in clocks. */
  double used[CACHE_WAYS];
  CacheLine lines[CACHE_WAYS];
} CacheSet;

typedef struct Cache {
  CacheSet *set;
  uint32_t sets;
} Cache;

Cache cache_create(uint64_t bytes);
void cache_free(Cache *);
/* Returns the line and allocates it if it is missing. Returns NULL if there is no cache. */
CacheLine *cache_find(Cache *, uint64_t line, double now);

#endif
