/* The observers' data about a run, a worker, a block and a warp. The machine passes these structs
 * along as pointers and never looks inside. */
#ifndef OBSERVE_OBSERVED_H
#define OBSERVE_OBSERVED_H

#include "../state/warp.h"
#include "order.h"
#include "sum_order.h"

typedef struct RunObserved {
  /* Races on global memory are possible in this launch. */
  bool watch_global;
  /* The kernel has fences, or accesses with release or acquire semantics. */
  bool orders;
  /* The blocks may synchronise with one another, so one worker runs all of them (Run.in_turn). */
  bool in_turn;
  /* Words through which device-scope releases were published. */
  SyncWords words;
  /* For each kernel parameter, the buffer that it points to (launch_buffer). */
  const Allocation **given;
  /* Epoch of global shadow memory: this launch, since the last grid barrier. */
  uint32_t epoch;
  /* global_cells.h: one per worker. */
  struct Timeline *timelines;
  /* trace.h; NULL: this launch is not sampled for predicted times. */
  struct Trace *trace;
} RunObserved;

typedef struct WorkerObserved {
  /* counters.h: [module->nfunctions] */
  struct FunctionCount *functions;
  /* global_settle.c: the worker's part of the merged notes. */
  struct Settling *settling;
  /* sum_order.h */
  RoundedSum rounded;
} WorkerObserved;

typedef struct BlockObserved {
  /* shared_races.h */
  struct SharedShadow *shadow;
  /* pending.h; NULL: none so far */
  struct PendingCopies *pending;
  /* order.h */
  BlockOrder order;
  /* global_cells.h: RunObserved.epoch at the block's last recorded access, and whether accesses of
   * other blocks were recorded in between. */
  uint32_t noted_in;
  bool resumed;
  /* trace.h; NULL: not sampled */
  struct TracedBlock *trace;
} BlockObserved;

/* Where undefined values came from: a load and what its lanes read, or a shuffle and the absent
 * lanes that its lanes read from. */
typedef struct Origin {
  const PtxInsn *insn;
  /* Lanes that got an undefined value. */
  uint32_t lanes;
  uint8_t space;
  /* Shuffle: lanes that took part. */
  uint32_t present;
  /* For a shuffle: lane numbers. */
  uint64_t address[WARP_LANES];
} Origin;
/* definedness.c stores origin numbers in six bits. */
#define ORIGINS 60

typedef struct WarpObserved {
  bool checks;
  /* Bits of a shared address that determine its position in a bank. */
  uint32_t bank_phase;
  /* trace.h; NULL: not sampled */
  struct TracedWarp *trace;
  /* definedness.h */
  /* Counts how often Warp.has_undefined was set. Marks of an earlier epoch are invalid. */
  uint32_t undefined_epoch;
  /* [ORIGINS], allocated at the first use. */
  Origin *origins;
  uint32_t norigins;
  /* Lanes that are about to store an unset register to shared memory. */
  uint32_t stored_nothing;
  /* Interleaved like Warp.local: 0xff for each byte that was written. */
  uint8_t *local_defined;
  uint32_t local_bytes;
  /* shared_races.h */
  /* The block's. */
  struct SharedShadow *shadow;
  /* Shadow entries at or above it are not ordered by __syncwarp. */
  uint32_t sync_floor;
  /* order.h */
  WarpOrder order;
  /* Divergence, for reports about barriers that are not reached. */
  /* The last condition that any lane executed; 0: none yet. */
  uint32_t branch_line;
  /* Where each lane last diverged from others. */
  uint32_t diverged_line[WARP_LANES];
  /* For lanes that have exited: the condition that led to the exit. */
  uint32_t exit_line[WARP_LANES];
} WarpObserved;

#endif
