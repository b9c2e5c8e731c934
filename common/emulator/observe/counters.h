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

/* What a GPU does for it, once its assembler has merged neighbouring accesses and made loops of atomics: of
 * these, the loads. */
typedef struct GpuCount {
  uint64_t requests, wavefronts, ideal;
} GpuCount;

/* What one worker counts for one instruction that accesses memory. */
typedef struct AccessCount {
  uint64_t whole,
      same; /* by a whole warp without conflict: consecutive lanes; one address for all */
  uint64_t requests, lanes, wavefronts, ideal; /* all others */
  uint64_t sectors;                            /* global memory: of every request */
  GpuCount gpu;                                /* shared memory: of all others */
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
  BlockCount *blocks;    /* [nblocks] */
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
void count_banks(Shape *, const PtxInsn *, uint32_t phase, BankMode);

/* What it costs a GPU. Accesses of one base share their shapes, and may be merged otherwise. */
void count_merged(struct MergedUse *, const Shape *, const PtxInsn *, uint32_t phase, BankMode);
static inline uint32_t merged_key(const PtxInsn *insn, uint32_t phase) {
  return (uint32_t)insn->merged.bytes << 24 | (uint32_t)insn->merged.before << 16 |
         (uint32_t)insn->form << 8 | (phase + 1);
}
/* Does a GPU do the same, and nothing besides? */
static inline bool is_unmerged(const PtxInsn *insn) {
  return insn->form == PTX_ATOM
             ? insn->merged.turns != PTX_TURNS_LOOP
             : insn->merged.bytes == access_bytes(insn) && insn->merged.before == 0;
}

static inline AccessCount *access_count(const Warp *w, const PtxInsn *insn) {
  return &w->frame->access[insn->number];
}

/* One request of some lanes to shared or to global memory, `at`: the lowest one's address; `more`: lanes
 * of a request that was counted already. */
static inline void count_shared(const Warp *w, const PtxInsn *insn, const Shape *shape,
                                uint32_t at) {
  AccessCount *c = access_count(w, insn);
  const bool load = insn->form == PTX_LD;
  const BankMode mode = w->worker->run->bank_mode;
  const uint32_t phase = at % banks_period(mode);
  if (__builtin_expect(shape->banks_known[load] != phase + 1, 0))
    count_banks((Shape *)shape, insn, phase, mode); /* only remembers */
  c->requests++;
  c->lanes += shape->nlanes;
  c->wavefronts += shape->wavefronts[load];
  c->ideal += shape->ideal[load];
  const bool atomic = insn->form == PTX_ATOM;
  if (is_unmerged(insn)) {
    c->gpu.requests++;
    c->gpu.wavefronts += atomic ? 0 : shape->wavefronts[load];
    c->gpu.ideal += atomic ? 0 : shape->ideal[load];
  } else if (insn->merged.bytes || atomic) {
    const uint32_t key = merged_key(insn, phase);
    struct MergedUse *use = (struct MergedUse *)&shape->merged[(key >> 18 ^ insn->form) % 4];
    if (__builtin_expect(use->known != key, 0))
      count_merged(use, shape, insn, phase, mode);
    c->gpu.requests += use->requests;
    c->gpu.wavefronts += use->wavefronts;
    c->gpu.ideal += use->ideal;
  }
}
static inline void count_global(const Warp *w, const PtxInsn *insn, const Shape *shape, uint64_t at,
                                bool more) {
  AccessCount *c = access_count(w, insn);
  const uint32_t phase = at % SECTOR_BYTES, known = shape->sectors[phase];
  c->requests += !more;
  c->lanes += shape->nlanes;
  c->sectors += known ? known : count_sectors((Shape *)shape, insn, phase); /* only remembers */
}

static inline uint64_t sectors_between(uint64_t from, uint64_t to) {
  return (to - 1) / SECTOR_BYTES - from / SECTOR_BYTES + 1;
}

#endif
