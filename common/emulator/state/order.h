/* A prescribed order (LOCKSTEP_ORDER): which warps are held back where, and which barriers are
 * skipped.
 *
 * The text is a list of items, separated by semicolons:
 *
 *   hold launch 1 block 0 warp 2 write line 39 time 1
 *   hold launch 1 block 0 warp 2 lanes ffff read line 41 time 3 blocks
 *   skip line 45
 *   turns launch 1 block 0 0*12 3*1 0*7
 *   plain
 *
 * A hold stops a warp, or some of its lanes (a hexadecimal mask), before an access. The access is
 * the `time`-th one of its kind (read, write, change) that the warp makes at that line. The hold
 * ends when no other warp of the block can continue; with `blocks`, when no other block can
 * continue. Launches are counted from 1 over the whole program. `skip` makes every barrier and
 * __syncwarp() on that line do nothing. `plain` changes nothing. Everything else runs in ascending
 * order on one worker, so the same text gives the same run each time.
 *
 * `turns` names one block whose warps take single steps: in the example warp 0 takes 12 of them,
 * then warp 3 takes 1, then warp 0 takes 7. A step begins at each access, at each instruction in
 * which threads meet, and where the source line or the active lanes change. After the last turn its
 * warp continues until it waits; then the next ready warp does the same, and so on. The tape then
 * records the steps of this block and of no other block. */
#ifndef STATE_ORDER_H
#define STATE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum HoldAccess { HOLD_READ, HOLD_WRITE, HOLD_CHANGE, HOLD_ACCESSES } HoldAccess;

typedef struct Hold {
  uint64_t launch, block;
  uint32_t warp, lanes, line, time;
  HoldAccess access;
  /* The hold ends when no other block can continue. */
  bool blocks;
} Hold;

enum { HOLDS_MOST = 8, SKIPS_MOST = 16 };

typedef struct Turn {
  uint32_t warp, steps;
} Turn;

typedef struct PrescribedOrder {
  /* There is an order or a tape, so warps run instruction by instruction. */
  bool wanted;
  const char *tape;
  Hold holds[HOLDS_MOST];
  uint32_t nholds;
  /* Line numbers. */
  uint32_t skips[SKIPS_MOST];
  uint32_t nskips;
  /* The warps of one block take single steps. */
  bool stepping;
  uint64_t step_launch, step_block;
  Turn *turns;
  size_t nturns;
} PrescribedOrder;

const PrescribedOrder *prescribed_order(void);

#endif
