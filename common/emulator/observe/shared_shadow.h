/* Who touched shared memory, and was it ordered?
 *
 * Three words lie behind every granule of shared memory (a granule is the narrowest access the
 * kernel makes, 4 bytes as a rule): the last writer, a reader, and a reader from another warp than
 * that. Each word packs
 *
 *   31..22 epoch   21 several lanes of the warp   20 atomic   19..10 thread of the block   9..0
 * site (source line)
 *
 * The epoch counts barriers, __syncwarps and block starts, and stands highest, so one unsigned
 * comparison answers each question: below block_floor nothing of this block wrote it; at or above
 * barrier_floor the access is not ordered by a barrier; at or above a warp's sync_floor not even by
 * __syncwarp. Races are judged by epoch and never by the order in which this run happened to
 * execute, so lockstep execution hides nothing.
 *
 * The common cases (consecutive words, one word for all lanes) cost a few vector instructions;
 * everything else goes entry by entry, through shared_shadow.c.
 */
#ifndef OBSERVE_SHARED_SHADOW_H
#define OBSERVE_SHARED_SHADOW_H

#include "../machine/warp.h"

#define SHADOW_EPOCH 22
#define SHADOW_SEVERAL (1u << 21)
#define SHADOW_ATOMIC (1u << 20)
#define SHADOW_THREAD 10
#define SHADOW_THREAD_MASK (1023u << SHADOW_THREAD)
#define SHADOW_WARP_MASK (31u << (SHADOW_THREAD + 5))
#define SHADOW_SITE_MASK 1023u
#define SHADOW_LAST_EPOCH 1023u

typedef struct SharedShadow {
  uint32_t *writer, *reader, *other_reader;
  uint32_t entries;
  unsigned shift; /* log2 of the granule */
  uint32_t epoch, block_floor, barrier_floor;
  uint64_t turns; /* of the block, for the schedule */
} SharedShadow;

SharedShadow *shared_shadow_create(uint32_t bytes, unsigned granule);
void shared_shadow_destroy(SharedShadow *);
void shared_shadow_block(SharedShadow *);   /* a new block starts: nothing is written yet */
void shared_shadow_barrier(SharedShadow *); /* a barrier orders all that went before */
void shared_shadow_syncwarp(SharedShadow *, Warp *);

/* Entry by entry: `lane` reads or writes entries [first, first + n). Reports what is wrong.
 * read: returns whether one of them was never written. `value` is what the lane writes there. */
bool shadow_read_entries(Warp *, const PtxInsn *, unsigned lane, uint32_t first, uint32_t n);
void shadow_write_entries(Warp *, const PtxInsn *, unsigned lane, uint32_t first, uint32_t n,
                          const uint8_t *value, unsigned bytes);
bool shadow_atomic_entries(Warp *, const PtxInsn *, unsigned lane, uint32_t first, uint32_t n);

static inline uint32_t shadow_mine(const SharedShadow *s, const Warp *w, const PtxInsn *insn,
                                   unsigned lane) {
  return s->epoch << SHADOW_EPOCH | (w->number * WARP_LANES + lane) << SHADOW_THREAD | insn->site;
}

/* 32 lanes read consecutive words, lane k entries first + k*n ... with n a power of two. Returns
 * undefined lanes. */
static inline uint32_t shadow_read_run(Warp *w, const PtxInsn *insn, uint32_t first,
                                       unsigned log2n) {
  SharedShadow *s = w->block->shadow;
  const uint32_t count = 32u << log2n, floor = s->barrier_floor;
  uint32_t *writer = s->writer + first, *reader = s->reader + first,
           *other = s->other_reader + first;
  uint32_t low = UINT32_MAX, high = 0;
  for (uint32_t k = 0; k < count; k++) {
    low = writer[k] < low ? writer[k] : low;
    high = writer[k] > high ? writer[k] : high;
  }
  if (__builtin_expect(low < s->block_floor || high >= floor, 0)) {
    uint32_t undefined = 0;
    for (unsigned lane = 0; lane < 32; lane++)
      undefined |=
          (uint32_t)shadow_read_entries(w, insn, lane, first + (lane << log2n), 1u << log2n)
          << lane;
    return undefined;
  }
  low = UINT32_MAX;
  for (uint32_t k = 0; k < count; k++)
    low = other[k] < low ? other[k] : low;
  if (low >= floor)
    return 0; /* two warps are known to read all of it: a third adds nothing */
  const uint32_t base = shadow_mine(s, w, insn, 0);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t old = reader[k], mine = base + ((k >> log2n) << SHADOW_THREAD), differ = old ^ mine;
    uint32_t fresh = old < floor, same_warp = !(differ & SHADOW_WARP_MASK);
    uint32_t kept = same_warp && (differ & SHADOW_THREAD_MASK) ? old | SHADOW_SEVERAL : old;
    reader[k] = fresh ? mine : kept;
    other[k] = !fresh && !same_warp && other[k] < floor ? mine : other[k];
  }
  return 0;
}

/* All of `lanes` (two or more, or one) read the same n entries. Returns the undefined lanes. */
static inline uint32_t shadow_read_same(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                        uint32_t first, uint32_t n) {
  SharedShadow *s = w->block->shadow;
  const uint32_t floor = s->barrier_floor;
  const unsigned lane = lowest(lanes);
  const uint32_t several = lanes & (lanes - 1) ? SHADOW_SEVERAL : 0;
  const uint32_t mine = shadow_mine(s, w, insn, lane) | several;
  uint32_t undefined = 0;
  for (uint32_t k = first; k < first + n; k++) {
    if (__builtin_expect(s->writer[k] < s->block_floor || s->writer[k] >= floor, 0))
      EACH_SET(each, lanes) undefined |= (uint32_t)shadow_read_entries(w, insn, each, k, 1) << each;
    uint32_t old = s->reader[k], differ = old ^ mine;
    if (old < floor)
      s->reader[k] = mine;
    else if (differ & SHADOW_WARP_MASK)
      s->other_reader[k] = s->other_reader[k] < floor ? mine : s->other_reader[k];
    else if (several || (differ & SHADOW_THREAD_MASK))
      s->reader[k] = old | SHADOW_SEVERAL;
  }
  return undefined;
}

/* 32 lanes write consecutive words; values: `bytes` per lane at value, lane after lane. */
static inline void shadow_write_run(Warp *w, const PtxInsn *insn, uint32_t first, unsigned log2n,
                                    const uint8_t *value, unsigned bytes) {
  SharedShadow *s = w->block->shadow;
  const uint32_t count = 32u << log2n, floor = s->barrier_floor;
  uint32_t *writer = s->writer + first, *reader = s->reader + first;
  uint32_t high = 0;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t both = writer[k] > reader[k] ? writer[k] : reader[k];
    high = both > high ? both : high;
  }
  if (__builtin_expect(high >= floor, 0)) {
    for (unsigned lane = 0; lane < 32; lane++)
      shadow_write_entries(w, insn, lane, first + (lane << log2n), 1u << log2n,
                           value + lane * bytes, bytes);
    return;
  }
  const uint32_t base = shadow_mine(s, w, insn, 0);
  for (uint32_t k = 0; k < count; k++)
    writer[k] = base + ((k >> log2n) << SHADOW_THREAD);
}

#endif
