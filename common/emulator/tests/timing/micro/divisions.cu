/* Division and remainder of 32-bit integers, by a variable and by constants. */
#include "chains.h"

#define OPS(_)                                                                                     \
  _(div_u32, uint32_t, x = x / y + 0x70000001u, 0x70000001u, 3)                                    \
  _(rem_u32, uint32_t, x = x % y + 0x70000001u, 0x70000001u, 7)                                    \
  _(div_s32, int, x = x / y - 0x70000001, 0x70000001, 3)                                           \
  _(rem_s32, int, x = x % y - 0x70000001, 0x70000001, 7)                                           \
  _(div_u32_by_7, uint32_t, x = x / 7u + 0x70000001u, 0x70000001u, 0)                              \
  _(rem_u32_by_7, uint32_t, x = x % 7u + 0x70000001u, 0x70000001u, 0)                              \
  _(div_s32_by_7, int, x = x / 7 - 0x70000001, 0x70000001, 0)                                      \
  _(rem_s32_by_7, int, x = x % 7 - 0x70000001, 0x70000001, 0)                                      \
  _(div_s32_by_1000, int, x = x / 1000 - 0x70000001, 0x70000001, 0)                                \
  _(rem_s32_by_1000, int, x = x % 1000 - 0x70000001, 0x70000001, 0)                                \
  _(rem_s32_by_16, int, x = x % 16 - 0x70000001, 0x70000001, 0)

MEASURE_ALL(OPS)
