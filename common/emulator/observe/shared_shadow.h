/* Who touched shared memory, and was it ordered?
 *
 * Three words lie behind every granule of shared memory (a granule is the narrowest access the
 * kernel makes, 4 bytes as a rule): the last writer, a reader, and a reader from another warp than
 * that. Each word packs
 *
 *   31..22 epoch                          20 atomic                9..0 site (source line)
 *   21 several lanes of the warp          19..10 thread of the block
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

#include "../machine/vector.h"
#include "../machine/warp.h"

#define SHADOW_EPOCH 22
#define SHADOW_SEVERAL (1u << 21)
#define SHADOW_ATOMIC (1u << 20)
#define SHADOW_THREAD 10
#define SHADOW_THREAD_MASK (1023u << SHADOW_THREAD)
#define SHADOW_WARP_MASK (31u << (SHADOW_THREAD + 5))
#define SHADOW_SITE_MASK 1023u
#define SHADOW_LAST_EPOCH 1023u
#define SHADOW_CHUNK 128u

typedef struct SharedShadow {
  uint32_t *writer, *reader, *other_reader;
  uint32_t *quiet; /* of each SHADOW_CHUNK bytes: the barrier_floor under which it is quiet */
  uint32_t entries, chunks;
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

/* The same for 32 lanes in a row of n entries each: all checked; or, when all is well, only noted
 * as readers. */
uint32_t shadow_read_lanes(Warp *, const PtxInsn *, uint32_t first, uint32_t n);
void shadow_note_readers(Warp *, const PtxInsn *, uint32_t first, uint32_t n);
void shadow_write_lanes(Warp *, const PtxInsn *, uint32_t first, uint32_t n, const uint8_t *value,
                        unsigned bytes);
/* 32 lanes read or write `bytes` each, `distance` bytes apart. false: something is wrong, nothing
 * was noted. */
bool shadow_read_column(Warp *, const PtxInsn *, uint32_t address, uint32_t distance,
                        unsigned bytes);
bool shadow_write_column(Warp *, const PtxInsn *, uint32_t address, uint32_t distance,
                         unsigned bytes);

static inline uint32_t shadow_mine(const SharedShadow *s, const Warp *w, const PtxInsn *insn,
                                   unsigned lane) {
  return s->epoch << SHADOW_EPOCH | (w->number * WARP_LANES + lane) << SHADOW_THREAD | insn->site;
}

/* ---- whole warps, n entries a lane ----------------------------------------------------------- */
static ALWAYS_INLINE uint32_t shadow_read_row(Warp *w, const PtxInsn *insn, uint32_t first,
                                              uint32_t n) {
  SharedShadow *s = w->shadow;
  const Vec32 *writer = (const Vec32 *)(const void *)(s->writer + first);
  const Vec32 *other = (const Vec32 *)(const void *)(s->other_reader + first);
  /* ordered and defined: block_floor <= writer < barrier_floor, as one unsigned comparison */
  const uint32_t since = s->block_floor, ordered = s->barrier_floor - since;
  Vec32 wrong = {0}, news = {0};
  for (uint32_t i = 0; i < 4 * n; i++) {
    wrong |= (Vec32)(writer[i] - since >= ordered);
    news |= (Vec32)(other[i] < s->barrier_floor);
  }
  if (__builtin_expect(vec32_any(wrong), 0))
    return shadow_read_lanes(w, insn, first, n);
  if (vec32_any(news)) /* else two warps are known to read all of it, and a third adds nothing */
    shadow_note_readers(w, insn, first, n);
  return 0;
}

static ALWAYS_INLINE void shadow_write_row(Warp *w, const PtxInsn *insn, uint32_t first, uint32_t n,
                                           const uint8_t *value, unsigned bytes) {
  SharedShadow *s = w->shadow;
  const uint32_t floor = s->barrier_floor;
  uint32_t *writer = s->writer + first;
  const Vec32 *writers = (const Vec32 *)(const void *)writer;
  const Vec32 *readers = (const Vec32 *)(const void *)(s->reader + first);
  Vec32 wrong = {0};
  for (uint32_t i = 0; i < 4 * n; i++)
    wrong |= (Vec32)(writers[i] >= floor) | (Vec32)(readers[i] >= floor);
  if (__builtin_expect(vec32_any(wrong), 0)) {
    shadow_write_lanes(w, insn, first, n, value, bytes);
    return;
  }
  const uint32_t base = shadow_mine(s, w, insn, 0);
  const unsigned per_lane = (unsigned)__builtin_ctz(n);
  for (uint32_t k = 0; k < WARP_LANES * n; k++)
    writer[k] = base + ((k >> per_lane) << SHADOW_THREAD);
}

/* ---- the same by address; granules of four bytes, the usual ones, get loops of their own ----- */
/* 32 lanes read `bytes` each, one after the other from `address` on. Returns the undefined lanes.
 */
static ALWAYS_INLINE uint32_t shadow_read_run(Warp *w, const PtxInsn *insn, uint32_t address,
                                              unsigned bytes) {
  const unsigned shift = w->shadow->shift;
  return shift == 2 ? shadow_read_row(w, insn, address >> 2, bytes >> 2)
                    : shadow_read_row(w, insn, address >> shift, bytes >> shift);
}

/* Is it known that there is nothing to say or note when 32 lanes read `bytes` each from `address`
 * on? Quiet is what is defined, ordered, and read by two warps: until the next barrier only a store
 * can change that, and it meets those readers. `false` may also mean that nobody has looked yet:
 * shadow_look does. */
static ALWAYS_INLINE bool shadow_row_quiet(const SharedShadow *s, uint32_t address,
                                           unsigned bytes) {
  const uint32_t *quiet = s->quiet + address / SHADOW_CHUNK;
  const uint32_t floor = s->barrier_floor,
                 last = (address % SHADOW_CHUNK + WARP_LANES * bytes - 1) / SHADOW_CHUNK;
  uint32_t loud = quiet[last] ^ floor;
  for (uint32_t i = 0; i < bytes / 4; i++)
    loud |= quiet[i] ^ floor;
  return loud == 0;
}
/* Looks at the chunks that such a row touches, and keeps which are quiet. */
void shadow_look(SharedShadow *, uint32_t address, unsigned bytes);

/* All 32 lanes read the same `bytes`. false: there is something to say; entry by entry then. */
static ALWAYS_INLINE bool shadow_read_same(Warp *w, const PtxInsn *insn, uint32_t address,
                                           unsigned bytes) {
  SharedShadow *s = w->shadow;
  const uint32_t floor = s->barrier_floor, since = s->block_floor, first = address >> 2;
  const uint32_t mine = shadow_mine(s, w, insn, 0) | SHADOW_SEVERAL;
  if (__builtin_expect(s->shift != 2, 0))
    return false;
  for (uint32_t k = first; k < first + bytes / 4; k++) {
    uint32_t old = s->reader[k];
    if (__builtin_expect(s->writer[k] - since >= floor - since, 0))
      return false;
    if (old < floor)
      s->reader[k] = mine;
    else if (!((old ^ mine) & SHADOW_WARP_MASK))
      s->reader[k] = old | SHADOW_SEVERAL;
    else if (s->other_reader[k] < floor)
      s->other_reader[k] = mine;
  }
  return true;
}

/* 32 lanes write `bytes` each, one after the other; their values lie likewise at `value`. */
static ALWAYS_INLINE void shadow_write_run(Warp *w, const PtxInsn *insn, uint32_t address,
                                           unsigned bytes, const uint8_t *value) {
  const unsigned shift = w->shadow->shift;
  if (shift == 2)
    shadow_write_row(w, insn, address >> 2, bytes >> 2, value, bytes);
  else
    shadow_write_row(w, insn, address >> shift, bytes >> shift, value, bytes);
}

#endif
