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

/* What the last scattered request of an access cost, for the next one of the same shape: offsets from
 * the lowest lane's, and what of that lane's address matters (its place in a sector or a bank). */
typedef struct RequestShape {
  uint32_t lanes, phase;
  uint32_t offset[WARP_LANES];
  BankUse use;
  unsigned sectors;
  /* Lanes that stand for all that have the same offset; `shared`: others have it, too. */
  uint32_t nplaces;
  uint8_t place[WARP_LANES];
  bool shared[WARP_LANES];
} RequestShape;

/* What one worker counts for one instruction that accesses memory. */
typedef struct AccessCount {
  uint64_t whole,
      same; /* by a whole warp without conflict: consecutive lanes; one address for all */
  uint64_t requests, lanes, wavefronts, ideal; /* all others */
  uint64_t sectors;                            /* global memory: of every request */
  RequestShape *shape;
} AccessCount;

typedef struct Sample Sample; /* samples.h */

/* Counts of one function on one worker; summed over workers after the launch. */
typedef struct FunctionCount {
  uint64_t *block_runs;  /* [nblocks] warps that ran the block */
  uint64_t *block_lanes; /* [nblocks] lanes active in those runs */
  uint64_t *diverged;    /* [nblocks] runs whose ending branch parted the lanes */
  uint64_t *unsampled;   /* [nblocks] warps before this place are wanted as samples */
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

/* One request of at least one lane to shared or to global memory, at those offsets from an aligned
 * place; `more`: lanes of a request that was counted already. Its shape is good until the next. */
const RequestShape *count_shared(AccessCount *, const PtxInsn *, uint32_t lanes,
                                 const uint32_t *offset, unsigned bytes, unsigned bank_bytes);
const RequestShape *count_global(AccessCount *, uint32_t lanes, const uint32_t *offset, bool more);

static inline AccessCount *access_count(const Warp *w, const PtxInsn *insn) {
  return &w->frame->access[insn->number];
}

static inline uint64_t sectors_between(uint64_t from, uint64_t to) {
  return (to - 1) / SECTOR_BYTES - from / SECTOR_BYTES + 1;
}

#endif
