/* Races on shared memory: which threads accessed a granule, and whether the accesses are ordered.
 *
 * Three words describe every granule of shared memory: the last writer, a reader, and a reader from
 * another warp. A granule has the size of the kernel's narrowest access, usually 4 bytes. Each word
 * packs
 *
 *   31..22 epoch                          20 atomic                9..0 site (source line)
 *   21 several lanes of the warp          19..10 thread of the block
 *
 * The epoch counts barriers, __syncwarps and block starts. It is in the highest bits, so one
 * unsigned comparison answers each question. Below block_floor: not accessed by this block. At or
 * above barrier_floor: not ordered by a barrier. At or above a warp's sync_floor: not ordered by
 * __syncwarp either. Races are decided by epochs and never by the order of this run, so lockstep
 * execution hides nothing.
 *
 * For accesses that these floors do not order, order.h is asked: it tracks lanes that met by a
 * mask, named barriers for some threads, and what was released and acquired. It uses the block's
 * epochs. `real` translates the shadow's ten-bit epochs, which wrap around, to the block's.
 *
 * All 32 lanes are checked together: consecutive words and one word for all lanes in a few vector
 * instructions, other patterns in loops over 32 offsets. All loads of an unrolled loop are checked
 * by the first. Lanes are checked individually only to make a report. */
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
/* For spans up to this size, chunks can be checked instead of entries. In bytes. */
#define SHADOW_SPAN_MOST (32 * 128)

typedef struct SharedShadow {
  uint32_t *writer, *reader, *other_reader;
  /* For each chunk of SHADOW_CHUNK bytes: the barrier_floor for which it is quiet. A quiet chunk is
   * defined, ordered, and read by two warps, so a further read has nothing to record or report. */
  uint32_t *quiet;
  uint32_t entries, chunks;
  /* log2 of the granule size. */
  unsigned shift;
  uint32_t epoch, block_floor, barrier_floor;
  /* The block's epoch at the start of each shadow epoch. */
  uint32_t real[SHADOW_LAST_EPOCH + 1];
} SharedShadow;

SharedShadow *shared_shadow_create(uint32_t bytes, unsigned granule);
void shared_shadow_destroy(SharedShadow *);
/* Called when a block starts: nothing has been written. */
void shared_shadow_block(SharedShadow *, const Block *);
/* Called when the block has a new epoch (order.h). */
void shared_shadow_advance(SharedShadow *, const Block *);
/* Called if the new epoch began with a barrier that orders everything before it, or after all lanes
 * of the warp have met. */
void shared_shadow_barrier(SharedShadow *);
void shared_shadow_syncwarp(const SharedShadow *, const Warp *);
/* Where the barrier is missing that would prevent a race found now at site `site`. */
typedef enum MissingBarrier {
  NO_BARRIER_MISSING,
  BARRIER_AFTER_STORES,
  BARRIER_AFTER_READS
} MissingBarrier;
struct Earlier;
MissingBarrier shared_race_barrier(const Warp *, const struct Earlier *, uint32_t site,
                                   unsigned now);

/* Check and record that some lanes read, write or atomically change access_bytes each. `at`:
 * address of the lowest. Called before values are stored. Mistakes are reported. Returns the lanes
 * that read memory that was never written. */
uint32_t shadow_read(Warp *, const PtxInsn *, const Shape *, uint32_t at);
void shadow_write(Warp *, const PtxInsn *, const Shape *, uint32_t at);
uint32_t shadow_atomic(Warp *, const PtxInsn *, const Shape *, uint32_t at);

/* Some of the lanes that have written stored an unset register. */
void shadow_write_nothing(Warp *, const PtxInsn *, const Shape *, uint32_t at);

/* An external function wrote to shared memory. */
void shadow_given(Warp *, unsigned lane, uint32_t at, uint32_t bytes);

/* Like shadow_read and shadow_write for 32 consecutive lanes with n entries each; checks each lane
 * individually. */
uint32_t shadow_read_lanes(Warp *, const PtxInsn *, uint32_t first, uint32_t n);
void shadow_write_lanes(Warp *, const PtxInsn *, uint32_t first, uint32_t n);

static inline uint32_t shadow_mine(const SharedShadow *s, const Warp *w, const PtxInsn *insn,
                                   unsigned lane) {
  return s->epoch << SHADOW_EPOCH | (w->number * WARP_LANES + lane) << SHADOW_THREAD | insn->site;
}

/* ---- full warps, n entries per lane ---------------------------------------------------------- */
/* Records readers after the check has passed. */
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

/* Checks and records a row of reads. Returns the undefined lanes. `*quiet`: there was nothing to
 * report or record. */
static ALWAYS_INLINE uint32_t shadow_read_row(Warp *w, const PtxInsn *insn, uint32_t first,
                                              uint32_t n, bool *quiet) {
  SharedShadow *s = w->observed->shadow;
  const Vec32 *writer = (const Vec32 *)(const void *)(s->writer + first);
  const Vec32 *other = (const Vec32 *)(const void *)(s->other_reader + first);
  /* Ordered and defined means block_floor <= writer < barrier_floor: one unsigned comparison. */
  const uint32_t since = s->block_floor, ordered = s->barrier_floor - since;
  const uint32_t base = shadow_mine(s, w, insn, 0), floor = s->barrier_floor;
  const unsigned per_lane = (unsigned)__builtin_ctz(n);
  Vec32 wrong = {0}, news = {0}, k = vec32_ramp();
  for (uint32_t i = 0; i < VECS32 * n; i++, k += VEC32_LANES) {
    Vec32 mine =
        /* A lane's own write is always ordered. */
        base + ((k >> per_lane) << SHADOW_THREAD);
    wrong |= (Vec32)(writer[i] - since >= ordered) &
             ((Vec32)(writer[i] < floor) | (Vec32)(((writer[i] ^ mine) & SHADOW_THREAD_MASK) != 0));
    news |= (Vec32)(other[i] < floor);
  }
  *quiet = false;
  if (__builtin_expect(vec32_any(wrong), 0))
    return shadow_read_lanes(w, insn, first, n);
  /* Two warps are recorded as readers of all entries; a third reader adds nothing. */
  *quiet = !vec32_any(news);
  if (!*quiet)
    shadow_note_readers(w, insn, first, n);
  return 0;
}

/* All ones where the entry was made since the last barrier by another thread, unless __syncwarp
 * orders the two. */
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
/* 32 lanes read `bytes` each, consecutively from `address` on. Returns the undefined lanes. */
static ALWAYS_INLINE uint32_t shadow_read_run(Warp *w, const PtxInsn *insn, uint32_t address,
                                              unsigned bytes, bool *quiet) {
  const unsigned shift = w->observed->shadow->shift;
  return shift == 2 ? shadow_read_row(w, insn, address >> 2, bytes >> 2, quiet)
                    : shadow_read_row(w, insn, address >> shift, bytes >> shift, quiet);
}

/* Returns true if reads of [address, address + span) need no checking or recording, because the
 * range is quiet: defined, ordered, and recorded as read by two warps. Until the next barrier only
 * a store can change that, and it will be compared with those readers. False may also mean that the
 * range has not been examined since the last barrier; shadow_look does that. */
static ALWAYS_INLINE bool shadow_quiet(const SharedShadow *s, uint32_t address, uint32_t span) {
  const uint32_t first = address / SHADOW_CHUNK, last = (address + span - 1) / SHADOW_CHUNK;
  uint32_t loud = s->quiet[last] ^ s->barrier_floor;
  for (uint32_t i = first; i < last; i++)
    loud |= s->quiet[i] ^ s->barrier_floor;
  return loud == 0;
}
/* Determines which chunks of the span are quiet. */
void shadow_look(SharedShadow *, uint32_t address, uint32_t span);

/* All 32 lanes read the same `bytes`. Returns false if the read must be checked lane by lane. */
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

/* Fast path for the reads of a shape: the range is quiet, or has few distinct offsets, which are
 * checked and recorded. Returns false if shadow_read must be called instead. */
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

/* Checks and records all loads of an unrolled loop, which read [low, low + span); the first reads
 * at `first`. Returns true if there is nothing to report. */
bool shadow_read_ahead(Warp *, const PtxInsn *, const Base *, uint32_t first, uint32_t low,
                       uint32_t span);

/* 32 lanes write `bytes` each, consecutively. */
static ALWAYS_INLINE void shadow_write_run(Warp *w, const PtxInsn *insn, uint32_t address,
                                           unsigned bytes) {
  const unsigned shift = w->observed->shadow->shift;
  if (shift == 2)
    shadow_write_row(w, insn, address >> 2, bytes >> 2);
  else
    shadow_write_row(w, insn, address >> shift, bytes >> shift);
}

#endif
