/* Finds races on shared memory: records which threads accessed a granule, and checks whether the
 * accesses are ordered.
 *
 * Each granule of shared memory has three 32-bit shadow entries: its last writer, a reader, and a
 * reader from another warp. A granule has the size of the kernel's narrowest access, usually 4
 * bytes. An entry has these bits:
 *
 *   31..22 epoch                          20 atomic                9..0 site (source line)
 *   21 several lanes of the warp          19..10 thread of the block
 *
 * The epoch increases with the epoch of the block (order.h), and when a block starts. The epoch is
 * in the highest bits, so one unsigned comparison of an entry with a floor answers a question. If
 * an entry is below block_floor, this block has not accessed the granule. If it is below
 * barrier_floor, a barrier orders the access before the current one. If it is below a warp's
 * sync_floor, a __syncwarp orders the two accesses of this warp. Epochs decide what is a race, not
 * the order in which this run executes the warps. So lockstep execution hides no race.
 *
 * If the floors do not order two accesses, order.h may order them: it tracks lanes that
 * synchronised at a warp function with a mask, named barriers for some threads, and releases and
 * acquires. order.h uses the epochs of the block. The epochs of the shadow have ten bits and wrap
 * around; `real` translates them to epochs of the block.
 *
 * The 32 lanes of a request are checked together. Consecutive words, or one word for all lanes,
 * take a few vector instructions; other patterns take loops over 32 offsets. The first load of an
 * unrolled loop checks all loads of the loop. Lanes are checked one by one only to make a
 * report. */
#ifndef OBSERVE_SHARED_RACES_H
#define OBSERVE_SHARED_RACES_H

#include "../state/lanes.h"
#include "observed.h"

#define SHADOW_EPOCH 22
#define SHADOW_SEVERAL (1u << 21)
#define SHADOW_ATOMIC (1u << 20)
#define SHADOW_THREAD 10
#define SHADOW_THREAD_MASK (1023u << SHADOW_THREAD)
#define SHADOW_WARP_MASK (31u << (SHADOW_THREAD + 5))
#define SHADOW_WARPS 32
#define SHADOW_SITE_MASK 1023u
#define SHADOW_LAST_EPOCH 1023u
#define SHADOW_CHUNK 128u
/* The maximum span in bytes for which a read first checks whether the chunks of the span are quiet.
 */
#define SHADOW_SPAN_MOST (32 * 128)

typedef struct SharedShadow {
  uint32_t *writer, *reader, *other_reader;
  /* For each chunk of SHADOW_CHUNK bytes: the value of barrier_floor at which the chunk was found
   * to be quiet. In a quiet chunk, all bytes are defined, all writes are ordered, and two warps
   * have read each granule. So another read has nothing to record or report. */
  uint32_t *quiet;
  uint32_t entries, chunks;
  /* log2 of the granule size. */
  unsigned shift;
  uint32_t epoch, block_floor, barrier_floor;
  /* For each shadow epoch: the block's epoch when it started. */
  uint32_t real[SHADOW_LAST_EPOCH + 1];
} SharedShadow;

SharedShadow *shared_shadow_create(uint32_t bytes, unsigned granule);
void shared_shadow_destroy(SharedShadow *);
/* Called when a block starts: marks all of shared memory as never written. */
void shared_shadow_block(SharedShadow *, const Block *);
/* Called when the block begins a new epoch (order.h). */
void shared_shadow_advance(SharedShadow *, const Block *);
/* Called after shared_shadow_advance, if a barrier began the new epoch and orders all earlier
 * accesses (shared_shadow_barrier), or if all lanes of the warp have synchronised
 * (shared_shadow_syncwarp). */
void shared_shadow_barrier(SharedShadow *);
void shared_shadow_syncwarp(const SharedShadow *, const Warp *);
/* Where a barrier is missing. shared_race_barrier returns this for the race that has just been
 * found. */
typedef enum MissingBarrier {
  NO_BARRIER_MISSING,
  BARRIER_AFTER_STORES,
  BARRIER_AFTER_READS
} MissingBarrier;
struct Earlier;
MissingBarrier shared_race_barrier(const Warp *, const struct Earlier *, uint32_t site,
                                   unsigned now);

/* Check and record that the lanes of a shape read, write or atomically change access_bytes(insn)
 * bytes each, and report mistakes. These functions are called before values are stored. `at`: the
 * lowest lane's address. shadow_read and shadow_atomic return the lanes that read memory which was
 * never written. */
uint32_t shadow_read(Warp *, const PtxInsn *, const Shape *, uint32_t at);
void shadow_write(Warp *, const PtxInsn *, const Shape *, uint32_t at);
uint32_t shadow_atomic(Warp *, const PtxInsn *, const Shape *, uint32_t at);

/* Called after a write: marks the memory as never written for the lanes in
 * WarpObserved.stored_nothing, because these lanes stored a register that was never set. */
void shadow_write_nothing(Warp *, const PtxInsn *, const Shape *, uint32_t at);

/* Called when an external function wrote to shared memory. */
void shadow_given(Warp *, unsigned lane, uint32_t at, uint32_t bytes);

/* Like shadow_read and shadow_write, for a full warp whose lanes access n consecutive granules
 * each, from granule `first` on. Check each lane individually. */
uint32_t shadow_read_lanes(Warp *, const PtxInsn *, uint32_t first, uint32_t n);
void shadow_write_lanes(Warp *, const PtxInsn *, uint32_t first, uint32_t n);

static inline uint32_t shadow_mine(const SharedShadow *s, const Warp *w, const PtxInsn *insn,
                                   unsigned lane) {
  return s->epoch << SHADOW_EPOCH | (w->number * WARP_LANES + lane) << SHADOW_THREAD | insn->site;
}

/* ---- full warps, n entries per lane ---------------------------------------------------------- */
/* Records that a warp reads a row, which has been checked already. */
static ALWAYS_INLINE void shadow_note_readers(Warp *w, const PtxInsn *insn, uint32_t first,
                                              uint32_t n) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t floor = s->barrier_floor, base = shadow_mine(s, w, insn, 0);
  const unsigned per_lane = (unsigned)__builtin_ctz(n);
  Vec32 *reader = (Vec32 *)(void *)(s->reader + first);
  Vec32 *other = (Vec32 *)(void *)(s->other_reader + first);
  Vec32 k = vec32_ramp();
  for (uint32_t i = 0; i < VECS32 * n; i++, k += VEC32_LANES) {
    Vec32 old = reader[i], mine = base + ((k >> per_lane) << SHADOW_THREAD), differ = old ^ mine;
    Vec32 fresh = (Vec32)(old < floor), same_warp = (Vec32)((differ & SHADOW_WARP_MASK) == 0);
    Vec32 several = same_warp & (Vec32)((differ & SHADOW_THREAD_MASK) != 0) & SHADOW_SEVERAL;
    reader[i] = vec32_choose(fresh, mine, old | several);
    other[i] = vec32_choose(~fresh & ~same_warp & (Vec32)(other[i] < floor), mine, other[i]);
  }
}

/* Checks and records that a warp reads a row. Returns the lanes that read undefined memory.
 * `*quiet` is set to true if there was nothing to report or record. */
static ALWAYS_INLINE uint32_t shadow_read_row(Warp *w, const PtxInsn *insn, uint32_t first,
                                              uint32_t n, bool *quiet) {
  SharedShadow *s = w->observed->shadow;
  const Vec32 *writer = (const Vec32 *)(const void *)(s->writer + first);
  const Vec32 *other = (const Vec32 *)(const void *)(s->other_reader + first);
  /* A granule is defined and its write is ordered if block_floor <= writer < barrier_floor. This is
   * one unsigned comparison. */
  const uint32_t since = s->block_floor, ordered = s->barrier_floor - since;
  const uint32_t base = shadow_mine(s, w, insn, 0), floor = s->barrier_floor;
  const unsigned per_lane = (unsigned)__builtin_ctz(n);
  Vec32 wrong = {0}, news = {0}, k = vec32_ramp();
  for (uint32_t i = 0; i < VECS32 * n; i++, k += VEC32_LANES) {
    Vec32 mine =
        /* The entry of the lane itself: its own writes are always ordered. */
        base + ((k >> per_lane) << SHADOW_THREAD);
    wrong |= (Vec32)(writer[i] - since >= ordered) &
             ((Vec32)(writer[i] < floor) | (Vec32)(((writer[i] ^ mine) & SHADOW_THREAD_MASK) != 0));
    news |= (Vec32)(other[i] < floor);
  }
  *quiet = false;
  if (__builtin_expect(vec32_any(wrong), 0))
    return shadow_read_lanes(w, insn, first, n);
  /* If all entries have readers from two warps, a third reader adds nothing. */
  *quiet = !vec32_any(news);
  if (!*quiet)
    shadow_note_readers(w, insn, first, n);
  return 0;
}

/* Returns all ones for each entry in `old` that another thread made since the last barrier, if no
 * __syncwarp orders this access before the access of `mine`. */
static ALWAYS_INLINE Vec32 shadow_against(Vec32 old, Vec32 mine, uint32_t floor,
                                          uint32_t sync_floor) {
  const Vec32 differ = old ^ mine;
  const Vec32 other_warp = (Vec32)((differ & SHADOW_WARP_MASK) != 0);
  const Vec32 other_lane = (Vec32)(((differ & SHADOW_THREAD_MASK) | (old & SHADOW_SEVERAL)) != 0);
  return (Vec32)(old >= floor) & (other_warp | (other_lane & (Vec32)(old >= sync_floor)));
}

static ALWAYS_INLINE void shadow_write_row(Warp *w, const PtxInsn *insn, uint32_t first,
                                           uint32_t n) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t floor = s->barrier_floor, sync_floor = w->observed->sync_floor;
  const uint32_t base = shadow_mine(s, w, insn, 0);
  const unsigned per_lane = (unsigned)__builtin_ctz(n);
  Vec32 *writers = (Vec32 *)(void *)(s->writer + first);
  const Vec32 *readers = (const Vec32 *)(const void *)(s->reader + first);
  const Vec32 *others = (const Vec32 *)(const void *)(s->other_reader + first);
  Vec32 wrong = {0}, k = vec32_ramp();
  for (uint32_t i = 0; i < VECS32 * n; i++, k += VEC32_LANES) {
    const Vec32 mine = base + ((k >> per_lane) << SHADOW_THREAD);
    wrong |= shadow_against(writers[i], mine, floor, sync_floor) |
             shadow_against(readers[i], mine, floor, sync_floor) |
             shadow_against(others[i], mine, floor, sync_floor);
  }
  if (__builtin_expect(vec32_any(wrong), 0)) {
    shadow_write_lanes(w, insn, first, n);
    return;
  }
  k = vec32_ramp();
  for (uint32_t i = 0; i < VECS32 * n; i++, k += VEC32_LANES)
    writers[i] = base + ((k >> per_lane) << SHADOW_THREAD);
}

/* ---- the same by address; the usual granule of four bytes has specialised loops -------------- */
/* Called when 32 lanes read `bytes` bytes each, consecutively from `address` on. Returns the lanes
 * that read undefined memory. */
static ALWAYS_INLINE uint32_t shadow_read_run(Warp *w, const PtxInsn *insn, uint32_t address,
                                              unsigned bytes, bool *quiet) {
  const unsigned shift = w->observed->shadow->shift;
  return shift == 2 ? shadow_read_row(w, insn, address >> 2, bytes >> 2, quiet)
                    : shadow_read_row(w, insn, address >> shift, bytes >> shift, quiet);
}

/* Returns true if reads of [address, address + span) need no check and no record, because the range
 * is quiet (SharedShadow.quiet). Until the next barrier only a store can change this, and the store
 * is compared with the recorded readers. Also returns false if shadow_look has not examined the
 * range since the last barrier. */
static ALWAYS_INLINE bool shadow_quiet(const SharedShadow *s, uint32_t address, uint32_t span) {
  const uint32_t first = address / SHADOW_CHUNK, last = (address + span - 1) / SHADOW_CHUNK;
  uint32_t loud = s->quiet[last] ^ s->barrier_floor;
  for (uint32_t i = first; i < last; i++)
    loud |= s->quiet[i] ^ s->barrier_floor;
  return loud == 0;
}
/* Updates SharedShadow.quiet for the chunks of the span. */
void shadow_look(SharedShadow *, uint32_t address, uint32_t span);

/* Called when all 32 lanes read the same `bytes` bytes. Returns false if each lane must be checked
 * individually. */
static ALWAYS_INLINE bool shadow_read_same(Warp *w, const PtxInsn *insn, uint32_t address,
                                           unsigned bytes) {
  SharedShadow *s = w->observed->shadow;
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

/* Checks and records reads of a shape on a fast path, if the range is quiet or the shape has few
 * distinct offsets. Returns false if shadow_read must be called instead. */
static ALWAYS_INLINE bool shadow_read_few(Warp *w, const PtxInsn *insn, const Shape *shape,
                                          uint32_t at, unsigned bytes) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t floor = s->barrier_floor, since = s->block_floor, ordered = floor - since;
  const uint32_t base = shadow_mine(s, w, insn, 0);
  bool wrong = false;
  if (s->shift != 2 || shape->span > SHADOW_SPAN_MOST)
    return false;
  if (shadow_quiet(s, at - shape->below, shape->span))
    return true;
  if (!shape->nplaces || shape->nplaces > FEW_PLACES)
    return false;
  for (uint32_t i = 0; i < shape->nplaces; i++) {
    const uint32_t lane = shape->place[i], mine = base + (lane << SHADOW_THREAD);
    const uint32_t several = shape->several[lane] & SHADOW_SEVERAL;
    const uint32_t first = (at + shape->offset[lane]) >> 2;
    for (uint32_t k = first; k < first + bytes / 4; k++) {
      const uint32_t writer = s->writer[k], old = s->reader[k];
      if (__builtin_expect(writer - since >= ordered, 0))
        wrong |= writer < floor || several || (writer ^ mine) & SHADOW_THREAD_MASK;
      if (s->other_reader[k] >= floor)
        continue;
      if (old < floor)
        s->reader[k] = mine | several;
      else if ((old ^ mine) & SHADOW_WARP_MASK)
        s->other_reader[k] = mine | several;
      else if ((old ^ mine) & SHADOW_THREAD_MASK || several)
        s->reader[k] = old | SHADOW_SEVERAL;
    }
  }
  return !wrong;
}

/* Checks and records all loads of an unrolled loop, which read [low, low + span). `first`: the
 * lowest lane's address in the first load. Returns true if there is nothing to report. */
bool shadow_read_ahead(Warp *, const PtxInsn *, const Base *, uint32_t first, uint32_t low,
                       uint32_t span);

/* Called when 32 lanes write `bytes` bytes each, consecutively from `address` on. */
static ALWAYS_INLINE void shadow_write_run(Warp *w, const PtxInsn *insn, uint32_t address,
                                           unsigned bytes) {
  const unsigned shift = w->observed->shadow->shift;
  if (shift == 2)
    shadow_write_row(w, insn, address >> 2, bytes >> 2);
  else
    shadow_write_row(w, insn, address >> shift, bytes >> shift);
}

#endif
