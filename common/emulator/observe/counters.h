/* Counts executions and memory accesses, from which the counters of every kernel are computed.
 *
 * While a kernel runs, a worker counts only executions of basic blocks and memory accesses. All
 * counters that are shown to users are computed from these counts afterwards. */
#ifndef OBSERVE_COUNTERS_H
#define OBSERVE_COUNTERS_H

#include <string.h>

#include "../emulator.h"
#include "banks.h"
#include "observed.h"

/* One worker's counts for one instruction that accesses memory. The `gpu_` members of `sum` have
 * the values of a GPU, whose assembler merges adjacent accesses and turns some atomic operations
 * into loops. For such a loop, these members count the loads. */
typedef struct AccessCount {
  /* The sum over all requests that are not counted in `whole` and `same`. Only its member `sectors`
   * includes all requests. */
  Requests sum;
  /* Number of requests by a full warp that have no bank conflicts: consecutive addresses (`whole`),
   * and one address for all lanes (`same`). */
  uint64_t whole, same;
} AccessCount;

/* One worker's counts for one instruction block. */
typedef struct BlockCount {
  /* `runs`: number of executions by a warp. `lanes`: sum of the active lanes of these executions.
   */
  uint64_t runs, lanes;
  /* Number of executions in which the final branch diverged. */
  uint64_t diverged;
  /* Warps whose Warp.grid_number is lower than this number still have to be sampled (samples.h). */
  uint64_t unsampled;
} BlockCount;

typedef struct Sample Sample; /* samples.h */

/* One worker's counts for one function. After the launch, counters_add adds the counts of all
 * workers. */
typedef struct FunctionCount {
  /* [nblocks]; NULL: the worker has not executed the function. */
  BlockCount *blocks;
  /* [ncode]; an element is NULL if there is no sample yet. */
  Sample **samples;
  /* [ncode] */
  AccessCount *access;
  /* Number of floating-point operations that guarded instructions executed. They are counted at
   * each execution, because the guard decides how many lanes are active. */
  uint64_t guarded_flop;
} FunctionCount;

void count_create(FunctionCount *, const PtxFunction *);
void count_destroy(FunctionCount *, const PtxFunction *);
/* counters_launch counts a launch of a kernel. counters_add adds the counts of one worker in this
 * launch. */
void counters_launch(const Run *);
void counters_add(const Run *, Worker *);
/* Writes one "kernel" event per kernel to the log. */
void counters_log(void);

/* Compute the cost of a request and store it in its shape. count_sectors also returns the number of
 * sectors. For constant memory, the number of sectors is the number of different addresses, because
 * each address takes one pass. */
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

/* Returns a key that encodes how the assembler merges the access, and how the access is aligned to
 * the banks. Requests of one shape with equal keys have equal costs. */
static ALWAYS_INLINE uint64_t cost_key(const Warp *w, const PtxInsn *insn, uint32_t at) {
  uint32_t kind;
  memcpy(&kind, &insn->merged, sizeof kind);
  return (uint64_t)kind << 32 | (at & w->observed->bank_phase);
}

/* Count one request to shared memory (count_shared) or global memory (count_global). `at`: the
 * lowest active lane's address. `more`: another call has counted this request already, so this call
 * adds only its lanes and sectors. count_shared_known returns false, and counts nothing, if the
 * cost has not been computed yet. */
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
  /* The cast is allowed because the function only stores computed results in the shape. */
  count_banks((Shape *)shape, insn, cost_key(w, insn, at), w->worker->run->bank_mode);
  add_requests(&access_count(w, insn)->sum, &shape->cost[insn->merged.slot]);
}
static inline void count_global(const Warp *w, const PtxInsn *insn, const Shape *shape, uint64_t at,
                                bool more) {
  AccessCount *c = access_count(w, insn);
  const uint32_t phase = at % SECTOR_BYTES, known = shape->sectors[phase];
  c->sum.requests += !more;
  c->sum.lanes += shape->nlanes;
  /* The cast is allowed because the function only stores computed results in the shape. */
  c->sum.sectors += known ? known : count_sectors((Shape *)shape, insn, phase);
}

static inline uint64_t sectors_between(uint64_t from, uint64_t to) {
  return (to - 1) / SECTOR_BYTES - from / SECTOR_BYTES + 1;
}

#endif
