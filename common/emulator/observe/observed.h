/* The observers' data about a launch, a worker, a block and a warp. The machine stores pointers to
 * these structs but never reads the structs. */
#ifndef OBSERVE_OBSERVED_H
#define OBSERVE_OBSERVED_H

#include "../state/warp.h"
#include "order.h"
#include "sum_order.h"

typedef struct RunObserved {
  /* The launch may have races on global memory. */
  bool watch_global;
  /* The kernel has fences, or accesses with release or acquire semantics. */
  bool orders;
  /* The blocks may synchronise with one another, so one worker runs all of them (Run.in_turn). */
  bool in_turn;
  /* The memory words that carry device-scope releases (order.c). */
  SyncWords words;
  /* For each kernel parameter, the buffer that it points to (launch_buffer). */
  const Allocation **given;
  /* The current epoch of global shadow memory. A new epoch begins with each launch and at each
   * barrier of the grid. */
  uint32_t epoch;
  /* global_cells.h: array with one timeline per worker. */
  struct Timeline *timelines;
  /* trace.h; NULL: the launch is not sampled for predicted times. */
  struct Trace *trace;
} RunObserved;

typedef struct WorkerObserved {
  /* counters.h: [module->nfunctions] */
  struct FunctionCount *functions;
  /* global_settle.c: the part of the notes that this worker is merging. */
  struct Settling *settling;
  /* sum_order.h */
  RoundedSum rounded;
} WorkerObserved;

typedef struct BlockObserved {
  /* shared_races.h */
  struct SharedShadow *shadow;
  /* pending.h; NULL: the block has had no asynchronous copies. */
  struct PendingCopies *pending;
  /* order.h */
  BlockOrder order;
  /* global_cells.h. `noted_in`: RunObserved.epoch when the block's last stretch began. `resumed`:
   * the block had an earlier stretch in the same epoch. */
  uint32_t noted_in;
  bool resumed;
  /* trace.h; NULL: the block is not sampled. */
  struct TracedBlock *trace;
} BlockObserved;

/* The source of undefined values: a load and the addresses that its lanes read, or a shuffle and
 * the absent lanes that its lanes read from. */
typedef struct Origin {
  const PtxInsn *insn;
  /* The lanes that got an undefined value. */
  uint32_t lanes;
  uint8_t space;
  /* For a shuffle: the lanes that took part. */
  uint32_t present;
  /* For each lane: the address that it read; for a shuffle, the number of the lane that it read
   * from. */
  uint64_t address[WARP_LANES];
} Origin;
/* The maximum number of origins per warp. definedness.c stores an origin number in six bits, and
 * NO_ORIGIN is one of the numbers. */
#define ORIGINS 60

typedef struct WarpObserved {
  bool checks;
  /* The bits of a shared address that determine how a request is aligned to the banks, as a
   * mask. */
  uint32_t bank_phase;
  /* trace.h; NULL: the warp is not sampled. */
  struct TracedWarp *trace;
  /* The following members belong to definedness.c. */
  /* Number of times that Warp.has_undefined was set. Marks that were made at another number are
   * invalid. */
  uint32_t undefined_epoch;
  /* [ORIGINS]; allocated when it is first used. */
  Origin *origins;
  uint32_t norigins;
  /* Lanes whose current store to shared memory reads a register that was never set. */
  uint32_t stored_nothing;
  /* One byte for each byte of Warp.local, in the same layout; a bit is 1 if the bit of local memory
   * is defined. `local_bytes`: bytes per lane. */
  uint8_t *local_defined;
  uint32_t local_bytes;
  /* The following members belong to shared_races.c. */
  /* The shadow of the block's shared memory. */
  struct SharedShadow *shadow;
  /* A __syncwarp orders the shadow entries of this warp that are below this value. */
  uint32_t sync_floor;
  /* order.h */
  WarpOrder order;
  /* The following members record where lanes diverged. Reports use them if some threads never reach
   * a barrier. */
  /* The line of the last conditional branch that any lane executed; 0: no branch was executed
   * yet. */
  uint32_t branch_line;
  /* For each lane: the line where it last diverged from other lanes. */
  uint32_t diverged_line[WARP_LANES];
  /* For each lane that has exited: the line of the condition that led to the exit. */
  uint32_t exit_line[WARP_LANES];
} WarpObserved;

#endif
