/* Counters of every kernel, summed over workers and launches.
 *
 * While a kernel runs, a worker counts per basic block and per memory access only; everything a
 * person reads is derived from those two afterwards.
 */
#ifndef OBSERVE_COUNTERS_H
#define OBSERVE_COUNTERS_H

#include "../emulator.h"
#include "banks.h"
#include "observed.h"

/* What one worker counts for one instruction that accesses memory. */
typedef struct AccessCount {
  uint64_t whole,
      same; /* by a whole warp without conflict: consecutive lanes; one address for all */
  uint64_t requests, lanes, wavefronts, ideal; /* all others */
  uint64_t sectors;                            /* global memory: of every request */
  /* What the last of all others cost, for the next one of the same shape at the same place in a sector
   * or a bank. */
  uint32_t shape, phase;
  BankUse use;
  unsigned touched;
} AccessCount;

typedef struct Sample Sample; /* samples.h */

/* Counts of one function on one worker; summed over workers after the launch. */
typedef struct FunctionCount {
  uint64_t *block_runs;  /* [nblocks] warps that ran the block */
  uint64_t *block_lanes; /* [nblocks] lanes active in those runs */
  uint64_t *diverged;    /* [nblocks] runs whose ending branch made lanes diverge */
  uint64_t *unsampled;   /* [nblocks] warps of lower grid_number are wanted as samples */
  Sample **samples;      /* [ncode] NULL: none yet */
  AccessCount *access;   /* [ncode] */
  uint64_t guarded_flop; /* of guarded instructions, counted one by one */
} FunctionCount;

void count_create(FunctionCount *, const PtxFunction *);
void count_destroy(FunctionCount *, const PtxFunction *);
/* One more launch of this kernel; what one worker counted in it. */
void counters_launch(const Run *);
void counters_add(const Run *, Worker *);
/* Writes one "kernel" event per kernel to the log. */
void counters_log(void);

/* One request of some lanes to shared or to global memory, at those offsets from an aligned place;
 * `more`: lanes of a request that was counted already. */
void count_shared(AccessCount *, const PtxInsn *, const Shape *, const uint32_t *offset,
                  unsigned bytes, BankMode);
void count_global(AccessCount *, const Shape *, const uint32_t *offset, bool more);

static inline AccessCount *access_count(const Warp *w, const PtxInsn *insn) {
  return &w->frame->access[insn->number];
}

static inline uint64_t sectors_between(uint64_t from, uint64_t to) {
  return (to - 1) / SECTOR_BYTES - from / SECTOR_BYTES + 1;
}

#endif
