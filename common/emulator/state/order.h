/* A prescribed order (LOCKSTEP_ORDER): specifies where warps are stopped temporarily ("held"), and
 * which barriers are skipped.
 *
 * The text is a list of items, separated by semicolons:
 *
 *   hold launch 1 block 0 warp 2 write line 39 time 1
 *   hold launch 1 block 0 warp 2 lanes ffff read line 41 time 3 blocks
 *   skip line 45
 *   turns launch 1 block 0 0*12 3*1 0*7
 *   plain
 *
 * A hold stops a warp, or some of its lanes (a hexadecimal mask), before an access. `time 3` means
 * the third access of this kind (read, write or change) that the warp makes at this line. The hold
 * ends when no other warp of the block can continue; with `blocks`, when no other block can
 * continue. Launches are counted from 1 over the whole program. `skip` makes every barrier and
 * __syncwarp() on the line do nothing. `plain` changes nothing. One worker runs all blocks and
 * warps in ascending order, except where an item changes the order, so the same text gives the same
 * run each time.
 *
 * `turns` names one block whose warps are single-stepped: in the example warp 0 executes 12 steps,
 * then warp 3 executes 1 step, then warp 0 executes 7 steps. A new step begins at each access, at
 * each instruction that synchronises threads, and where the source line or the active lanes change.
 * After the last turn, the last warp continues until it waits; then the next ready warp continues
 * until it waits, and so on. With `turns`, the tape records only this block. */
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
  /* LOCKSTEP_ORDER or LOCKSTEP_TAPE is set, so warps execute instruction by instruction. */
  bool wanted;
  const char *tape;
  Hold holds[HOLDS_MOST];
  uint32_t nholds;
  /* The line numbers of the skipped barriers. */
  uint32_t skips[SKIPS_MOST];
  uint32_t nskips;
  /* There is a `turns` item: the warps of one block are single-stepped. */
  bool stepping;
  uint64_t step_launch, step_block;
  Turn *turns;
  size_t nturns;
} PrescribedOrder;

const PrescribedOrder *prescribed_order(void);

#endif
