/* Division and remainder of 64-bit integers, whose upper halves are zero (small) or not (large). */
#include "chains.h"

#define OPS(_)                                                                                     \
  _(div_u64_small, uint64_t, x = x / y + 0x70000001u, 0x70000001u, 3)                              \
  _(rem_u64_small, uint64_t, x = x % y + 0x70000001u, 0x70000001u, 7)                              \
  _(div_s64_small, long long, x = x / y + 0x70000001u, 0x70000001u, 3)                             \
  _(div_u64_large, uint64_t, x = x / y + 0x7000000000000001u, 0x7000000000000001u, 3)              \
  _(rem_u64_large, uint64_t, x = x % y + 0x7000000000000001u, 0x7000000000000001u, 7)              \
  _(div_s64_large, long long, x = x / y + 0x7000000000000001, 0x7000000000000001, 3)               \
  _(rem_s64_large, long long, x = x % y + 0x7000000000000001, 0x7000000000000001, 7)               \
  _(div_u64_by_7, uint64_t, x = x / 7u + 0x7000000000000001u, 0x7000000000000001u, 0)              \
  _(rem_u64_by_7, uint64_t, x = x % 7u + 0x7000000000000001u, 0x7000000000000001u, 0)

MEASURE_ALL(OPS)
