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
 * Whatever those floors do not order is asked of order.h: lanes that met by a mask, named barriers for some of the
 * threads, what was released and acquired. Its epochs are the block's; `real` says which of them an epoch of the
 * shadow's is, so that the shadow's, of ten bits, may begin anew.
 *
 * All 32 lanes are looked at together: consecutive words and one word for all in a few vector
 * instructions, any others in loops over 32 offsets; the loads that an unrolled loop became all at once, by the first
 * of them. Only where something is wrong each lane is looked
 * at by itself, to say what.
 */
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
#define SHADOW_SPAN_MOST (32 * 128) /* bytes whose chunks are looked at instead of their entries */

typedef struct SharedShadow {
  uint32_t *writer, *reader, *other_reader;
  /* For each SHADOW_CHUNK bytes, the barrier_floor under which the chunk is quiet. Quiet means:
   * defined, ordered, and read by two warps. A further read of a quiet chunk has nothing to note or
   * to report. */
  uint32_t *quiet;
  uint32_t entries, chunks;
  unsigned shift; /* log2 of the granule */
  uint32_t epoch, block_floor, barrier_floor;
  uint32_t real[SHADOW_LAST_EPOCH + 1]; /* the block's epoch in which one of the shadow's began */
} SharedShadow;

SharedShadow *shared_shadow_create(uint32_t bytes, unsigned granule);
void shared_shadow_destroy(SharedShadow *);
/* A new block starts: nothing is written yet. */
void shared_shadow_block(SharedShadow *, const Block *);
/* The block has a new epoch (order.h): something orders what follows. */
void shared_shadow_advance(SharedShadow *, const Block *);
/* It began with a barrier that orders all that went before; or all lanes of the warp have met. */
void shared_shadow_barrier(SharedShadow *);
void shared_shadow_syncwarp(const SharedShadow *, const Warp *);
/* Of a race that is found now, in the line of number `site`: where a barrier is missing; NULL: that cannot be told. */
struct Earlier;
const char *shared_race_cause(const Warp *, const struct Earlier *, uint32_t site, unsigned now);

/* Some lanes read, write or change atomically access_bytes each; `at`: address of the lowest. Reports
 * what is wrong. Returns lanes that read what was never written. Before the values are stored. */
uint32_t shadow_read(Warp *, const PtxInsn *, const Shape *, uint32_t at);
void shadow_write(Warp *, const PtxInsn *, const Shape *, uint32_t at);
uint32_t shadow_atomic(Warp *, const PtxInsn *, const Shape *, uint32_t at);

/* Some of the lanes that have written had nothing to write. */
void shadow_write_nothing(Warp *, const PtxInsn *, const Shape *, uint32_t at);

/* A call left something there. */
void shadow_given(Warp *, unsigned lane, uint32_t at, uint32_t bytes);

/* The same for 32 lanes in a row of n entries each, each looked at by itself. */
uint32_t shadow_read_lanes(Warp *, const PtxInsn *, uint32_t first, uint32_t n);
void shadow_write_lanes(Warp *, const PtxInsn *, uint32_t first, uint32_t n);

static inline uint32_t shadow_mine(const SharedShadow *s, const Warp *w, const PtxInsn *insn,
                                   unsigned lane) {
  return s->epoch << SHADOW_EPOCH | (w->number * WARP_LANES + lane) << SHADOW_THREAD | insn->site;
}

/* ---- whole warps, n entries a lane ----------------------------------------------------------- */
/* All is well: they are only noted as readers. */
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

/* Returns the undefined lanes; *quiet: there was nothing to say or to note. */
static ALWAYS_INLINE uint32_t shadow_read_row(Warp *w, const PtxInsn *insn, uint32_t first,
                                              uint32_t n, bool *quiet) {
  SharedShadow *s = w->observed->shadow;
  const Vec32 *writer = (const Vec32 *)(const void *)(s->writer + first);
  const Vec32 *other = (const Vec32 *)(const void *)(s->other_reader + first);
  /* ordered and defined: block_floor <= writer < barrier_floor, as one unsigned comparison */
  const uint32_t since = s->block_floor, ordered = s->barrier_floor - since;
  const uint32_t base = shadow_mine(s, w, insn, 0), floor = s->barrier_floor;
  const unsigned per_lane = (unsigned)__builtin_ctz(n);
  Vec32 wrong = {0}, news = {0}, k = vec32_ramp();
  for (uint32_t i = 0; i < VECS32 * n; i++, k += VEC32_LANES) {
    Vec32 mine =
        base + ((k >> per_lane) << SHADOW_THREAD); /* what a lane wrote itself is in order */
    wrong |= (Vec32)(writer[i] - since >= ordered) &
             ((Vec32)(writer[i] < floor) | (Vec32)(((writer[i] ^ mine) & SHADOW_THREAD_MASK) != 0));
    news |= (Vec32)(other[i] < floor);
  }
  *quiet = false;
  if (__builtin_expect(vec32_any(wrong), 0))
    return shadow_read_lanes(w, insn, first, n);
  *quiet = !vec32_any(news); /* two warps are known to read all of it, and a third adds nothing */
  if (!*quiet)
    shadow_note_readers(w, insn, first, n);
  return 0;
}

/* All ones where the entry is of this stretch between barriers and of another thread, unless
 * __syncwarp orders the two. */
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

/* ---- the same by address; granules of four bytes, the usual ones, get loops of their own ----- */
/* 32 lanes read `bytes` each, one after the other from `address` on. Returns the undefined lanes.
 */
static ALWAYS_INLINE uint32_t shadow_read_run(Warp *w, const PtxInsn *insn, uint32_t address,
                                              unsigned bytes, bool *quiet) {
  const unsigned shift = w->observed->shadow->shift;
  return shift == 2 ? shadow_read_row(w, insn, address >> 2, bytes >> 2, quiet)
                    : shadow_read_row(w, insn, address >> shift, bytes >> shift, quiet);
}

/* Is it known that there is nothing to say or note about reads of [address, address + span)? Quiet is
 * what is defined, ordered, and read by two warps: until the next barrier only a store can change
 * that, and it meets those readers. `false` may also mean that nobody has looked yet: shadow_look
 * does. */
static ALWAYS_INLINE bool shadow_quiet(const SharedShadow *s, uint32_t address, uint32_t span) {
  const uint32_t first = address / SHADOW_CHUNK, last = (address + span - 1) / SHADOW_CHUNK;
  uint32_t loud = s->quiet[last] ^ s->barrier_floor;
  for (uint32_t i = first; i < last; i++)
    loud |= s->quiet[i] ^ s->barrier_floor;
  return loud == 0;
}
/* Looks at the chunks that such a span touches, and keeps which are quiet. */
void shadow_look(SharedShadow *, uint32_t address, uint32_t span);

/* All 32 lanes read the same `bytes`. false: there is something to say; lane by lane then. */
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

/* The lanes of a shape read where nobody need look, or in a few places, which are noted. false: the same
 * must be asked of shadow_read. */
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

/* All loads of an unrolled loop, whose first reads at `first`, in [low, low + span). true: there is nothing to
 * say, and who reads is noted. */
bool shadow_read_ahead(Warp *, const PtxInsn *, const Base *, uint32_t first, uint32_t low,
                       uint32_t span);

/* 32 lanes write `bytes` each, one after the other. */
static ALWAYS_INLINE void shadow_write_run(Warp *w, const PtxInsn *insn, uint32_t address,
                                           unsigned bytes) {
  const unsigned shift = w->observed->shadow->shift;
  if (shift == 2)
    shadow_write_row(w, insn, address >> 2, bytes >> 2);
  else
    shadow_write_row(w, insn, address >> shift, bytes >> shift);
}

#endif
