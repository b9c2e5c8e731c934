/* A prescribed order (LOCKSTEP_ORDER): which warps are held back where, and which barriers are left out.
 *
 * The text is a list of items, separated by semicolons:
 *
 *   hold launch 1 block 0 warp 2 write line 39 time 1
 *   hold launch 1 block 0 warp 2 lanes ffff read line 41 time 3 blocks
 *   skip line 45
 *   plain
 *
 * A hold stops a warp, or some lanes of it (a mask in hexadecimal), before the access that its words name: the `time`-th
 * one of that kind (read, write, change) that the warp makes at that line. The hold ends when no other warp of the block can
 * go on; with `blocks`, when no other block can. Launches are counted from 1 over the whole program. `skip` makes every
 * barrier and every __syncwarp() of that line do nothing. `plain` changes nothing. Everything that is not named goes in
 * ascending order, on one worker, so the same text gives the same run each time.
 */
#ifndef STATE_ORDER_H
#define STATE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum HoldAccess { HOLD_READ, HOLD_WRITE, HOLD_CHANGE, HOLD_ACCESSES } HoldAccess;

typedef struct Hold {
  uint64_t launch, block;
  uint32_t warp, lanes, line, time;
  HoldAccess access;
  bool blocks; /* it ends when no other block can go on */
} Hold;

enum { HOLDS_MOST = 8, SKIPS_MOST = 16 };

typedef struct PrescribedOrder {
  bool wanted; /* there is an order, or a tape: warps run instruction by instruction */
  const char *tape;
  Hold holds[HOLDS_MOST];
  uint32_t nholds;
  uint32_t skips[SKIPS_MOST]; /* lines */
  uint32_t nskips;
} PrescribedOrder;

const PrescribedOrder *prescribed_order(void);

#endif
