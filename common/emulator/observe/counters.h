/* Counters of every kernel, summed over workers and launches.
 *
 * While a kernel runs, a worker counts only basic blocks and memory accesses. Everything that is
 * shown to users is derived from these counts afterwards. */
#ifndef OBSERVE_COUNTERS_H
#define OBSERVE_COUNTERS_H

#include <string.h>

#include "../emulator.h"
#include "banks.h"
#include "observed.h"

/* The counts of one worker for one memory access instruction. A GPU's numbers are those after its
 * assembler has merged neighbouring accesses and turned some atomics into loops; for such a loop,
 * the loads are counted. */
typedef struct AccessCount {
  /* Sum over all requests except those counted below. Its `sectors` include every request. */
  Requests sum;
  /* Requests by a full warp without bank conflicts: consecutive addresses (whole), and one address
   * for all lanes (same). */
  uint64_t whole, same;
} AccessCount;

/* The counts of one worker for one block of instructions. */
typedef struct BlockCount {
  /* Number of executions by a warp, and the sum of active lanes over them. */
  uint64_t runs, lanes;
  /* Executions whose final branch diverged. */
  uint64_t diverged;
  /* Warps with a lower grid_number are to be sampled. */
  uint64_t unsampled;
} BlockCount;

typedef struct Sample Sample; /* samples.h */

/* Counts of one function on one worker. They are summed over workers after the launch. */
typedef struct FunctionCount {
  /* [nblocks]; NULL: the worker never executed the function. */
  BlockCount *blocks;
  /* [ncode]; NULL: none yet. */
  Sample **samples;
  /* [ncode] */
  AccessCount *access;
  /* Floating-point operations of guarded instructions, counted individually. */
  uint64_t guarded_flop;
} FunctionCount;

void count_create(FunctionCount *, const PtxFunction *);
void count_destroy(FunctionCount *, const PtxFunction *);
/* Count a launch of a kernel, and add what one worker counted in it. */
void counters_launch(const Run *);
void counters_add(const Run *, Worker *);
/* Writes one "kernel" event per kernel to the log. */
void counters_log(void);

/* The cost of a request with this shape. In constant memory, sectors are passes: the number of
 * different addresses of its lanes. */
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

/* A key that is equal for requests of one shape that cost the same: it contains how the access is
 * merged and its alignment to the banks. */
static ALWAYS_INLINE uint64_t cost_key(const Warp *w, const PtxInsn *insn, uint32_t at) {
  uint32_t kind;
  memcpy(&kind, &insn->merged, sizeof kind);
  return (uint64_t)kind << 32 | (at & w->observed->bank_phase);
}

/* Count one request to shared or global memory. `at`: the lowest active lane's address. `more`:
 * other lanes of the request have been counted already. count_shared_known returns false if the
 * cost of such a request has not been computed. */
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
  /* The cast only allows caching the result. */
  count_banks((Shape *)shape, insn, cost_key(w, insn, at), w->worker->run->bank_mode);
  add_requests(&access_count(w, insn)->sum, &shape->cost[insn->merged.slot]);
}
static inline void count_global(const Warp *w, const PtxInsn *insn, const Shape *shape, uint64_t at,
                                bool more) {
  AccessCount *c = access_count(w, insn);
  const uint32_t phase = at % SECTOR_BYTES, known = shape->sectors[phase];
  c->sum.requests += !more;
  c->sum.lanes += shape->nlanes;
  /* The cast only allows caching the result. */
  c->sum.sectors += known ? known : count_sectors((Shape *)shape, insn, phase);
}

static inline uint64_t sectors_between(uint64_t from, uint64_t to) {
  return (to - 1) / SECTOR_BYTES - from / SECTOR_BYTES + 1;
}

#endif
