/* What the observers keep of a run, a worker, a block and a warp: each observer's part, side by side.
 * The machine carries these along as pointers and never looks inside. */
#ifndef OBSERVE_OBSERVED_H
#define OBSERVE_OBSERVED_H

#include "../state/warp.h"
#include "order.h"
#include "sum_order.h"

typedef struct RunObserved {
  bool watch_global; /* races on global memory are possible at all */
  bool orders;       /* the kernel has fences, or accesses that release and acquire */
  bool in_turn;      /* ... between blocks: one worker runs all of them (Run.in_turn) */
  SyncWords words;   /* what was published for the whole device */
  /* By number of the kernel's parameter: the buffer that it points to (launch_buffer). */
  const Allocation **given;
  uint32_t epoch; /* of the shadows of global memory: this launch, since the grid's last barrier */
  struct Timeline *timelines; /* global_cells.h: of each worker */
  struct Trace *trace;        /* trace.h: NULL: this launch is no sample for predicted times */
} RunObserved;

typedef struct WorkerObserved {
  struct FunctionCount *functions; /* counters.h: [module->nfunctions] */
  struct Settling *settling;       /* global_settle.c: its part of what was noted */
  RoundedSum rounded;              /* sum_order.h */
} WorkerObserved;

typedef struct BlockObserved {
  struct SharedShadow *shadow;   /* shared_races.h */
  struct PendingCopies *pending; /* pending.h: NULL: none so far */
  BlockOrder order;              /* order.h */
  /* global_cells.h: RunObserved.epoch when its accesses were noted last, and whether others' were in between */
  uint32_t noted_in;
  bool resumed;
  struct TracedBlock *trace; /* trace.h: NULL: no sample */
} BlockObserved;

/* Where undefined values came from: a load, and what its lanes read; or a shuffle, and the absent lanes of which its lanes
 * wanted the value. */
typedef struct Origin {
  const PtxInsn *insn;
  uint32_t lanes; /* that found nothing there */
  uint8_t space;
  uint32_t present;             /* shuffle: lanes that took part */
  uint64_t address[WARP_LANES]; /* shuffle: numbers of lanes */
} Origin;
#define ORIGINS 60 /* definedness.c keeps their numbers in six bits */

typedef struct WarpObserved {
  bool checks;
  uint32_t bank_phase;      /* bits of a shared address that tell its place in a bank */
  struct TracedWarp *trace; /* trace.h: NULL: no sample */
  /* definedness.h */
  bool has_undefined;       /* some register of some frame may hold an undefined value */
  uint32_t undefined_epoch; /* how often that began: marks from before mean nothing */
  Origin *origins;          /* [ORIGINS], made when first needed */
  uint32_t norigins;
  uint32_t
      stored_nothing; /* lanes that are about to store a register that nothing set to shared memory */
  uint8_t
      *local_defined; /* of Warp.local, likewise interleaved: 0xff where something was written */
  uint32_t local_bytes;
  /* shared_races.h */
  struct SharedShadow *shadow; /* the block's */
  uint32_t sync_floor;         /* its entries from here on are not ordered by __syncwarp */
  WarpOrder order;             /* order.h */
  /* divergence, for what is said of barriers that are not reached */
  uint32_t branch_line; /* the last condition that any of its lanes came to, 0: none yet */
  uint32_t diverged_line[WARP_LANES]; /* where each lane last diverged from others */
  uint32_t exit_line[WARP_LANES];     /* of a lane that has exited: the condition that led it out */
} WarpObserved;

#endif
