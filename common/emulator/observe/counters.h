/* Counters of every kernel, summed over workers and launches.
 *
 * While a kernel runs, a worker counts per basic block and per memory access only; everything a
 * person reads is derived from those two afterwards.
 */
#ifndef OBSERVE_COUNTERS_H
#define OBSERVE_COUNTERS_H

#include <string.h>

#include "../emulator.h"
#include "banks.h"
#include "observed.h"

/* What one worker counts for one instruction that accesses memory. What a GPU does for it is that once its
 * assembler has merged neighbouring accesses and made loops of atomics: of these, the loads. */
typedef struct AccessCount {
  Requests sum; /* of all requests but these two kinds; sectors of every request */
  uint64_t whole,
      same; /* by a whole warp without conflict: consecutive lanes; one address for all */
} AccessCount;

/* ... and for one block of instructions. */
typedef struct BlockCount {
  uint64_t runs, lanes; /* warps that ran it; lanes active in those runs */
  uint64_t diverged;    /* runs whose ending branch made lanes diverge */
  uint64_t unsampled;   /* warps of lower grid_number are wanted as samples */
} BlockCount;

typedef struct Sample Sample; /* samples.h */

/* Counts of one function on one worker; summed over workers after the launch. */
typedef struct FunctionCount {
  BlockCount *blocks;    /* [nblocks]; NULL: the worker never came to the function */
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

/* What a request of that shape costs. */
uint32_t count_sectors(Shape *, const PtxInsn *, uint32_t phase);
void count_banks(Shape *, const PtxInsn *, uint64_t key, BankMode);

static inline AccessCount *access_count(const Warp *w, const PtxInsn *insn) {
  return &w->frame->access[insn->number];
}

static inline void add_requests(Requests *to, const Requests *from) {
  uint64_t *all = (uint64_t *)(void *)to;
  const uint64_t *more = (const uint64_t *)(const void *)from;
  for (size_t i = 0; i < sizeof *to / sizeof *all; i++)
    all[i] += more[i];
}

/* Requests of one shape that cost the same: those that are merged alike and lie alike in their banks. */
static ALWAYS_INLINE uint64_t cost_key(const Warp *w, const PtxInsn *insn, uint32_t at) {
  uint32_t kind;
  memcpy(&kind, &insn->merged, sizeof kind);
  return (uint64_t)kind << 32 | (at & w->observed->bank_phase);
}

/* One request of some lanes to shared or to global memory, `at`: the lowest one's address; `more`: lanes
 * of a request that was counted already. false: it is not known yet what such a request costs. */
static ALWAYS_INLINE bool count_shared_known(const Warp *w, const PtxInsn *insn, const Shape *shape,
                                             uint32_t at) {
  const unsigned slot = insn->merged.slot;
  if (__builtin_expect(shape->cost_key[slot] != cost_key(w, insn, at), 0))
    return false;
  add_requests(&access_count(w, insn)->sum, &shape->cost[slot]);
  return true;
}
static inline void count_shared(const Warp *w, const PtxInsn *insn, const Shape *shape,
                                uint32_t at) {
  if (count_shared_known(w, insn, shape, at))
    return;
  count_banks((Shape *)shape, insn, cost_key(w, insn, at), /* only remembers */
              w->worker->run->bank_mode);
  add_requests(&access_count(w, insn)->sum, &shape->cost[insn->merged.slot]);
}
static inline void count_global(const Warp *w, const PtxInsn *insn, const Shape *shape, uint64_t at,
                                bool more) {
  AccessCount *c = access_count(w, insn);
  const uint32_t phase = at % SECTOR_BYTES, known = shape->sectors[phase];
  c->sum.requests += !more;
  c->sum.lanes += shape->nlanes;
  c->sum.sectors += known ? known : count_sectors((Shape *)shape, insn, phase); /* only remembers */
}

static inline uint64_t sectors_between(uint64_t from, uint64_t to) {
  return (to - 1) / SECTOR_BYTES - from / SECTOR_BYTES + 1;
}

#endif
