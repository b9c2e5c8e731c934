/* An L1 cache: lines of four sectors, eight to a set, the one used longest ago goes. */
#ifndef TIMING_CACHE_H
#define TIMING_CACHE_H

#include <stdint.h>

enum { CACHE_WAYS = 8 };

typedef struct CacheLine {
  uint64_t tag; /* line + 1; 0: empty */
  uint32_t sectors;
  double used, ready; /* when what was fetched last is there */
} CacheLine;

typedef struct Cache {
  CacheLine *lines;
  uint32_t sets;
} Cache;

Cache cache_create(uint64_t bytes);
void cache_free(Cache *);
/* The line, made when it is not there; NULL: there is no cache. */
CacheLine *cache_find(Cache *, uint64_t line, double now);

#endif
