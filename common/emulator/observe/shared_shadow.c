/* The slow half of the shared-memory shadow: entries one by one, and what to say about them. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "shared_shadow.h"
#include "watch.h"

SharedShadow *shared_shadow_create(uint32_t bytes, unsigned granule) {
  SharedShadow *s = calloc(1, sizeof *s);
  assert(s && granule && granule <= 4);
  s->shift = granule == 1 ? 0 : granule == 2 ? 1 : 2;
  s->entries = (bytes >> s->shift) + 64;
  s->writer = aligned_alloc(64, (size_t)s->entries * 3 * sizeof(uint32_t) / 64 * 64 + 64);
  assert(s->writer);
  memset(s->writer, 0, (size_t)s->entries * 3 * sizeof(uint32_t));
  s->chunks =
      bytes / SHADOW_CHUNK + WARP_LANES * 16 / SHADOW_CHUNK + 2; /* the widest row may begin last */
  s->quiet = calloc(s->chunks, sizeof *s->quiet);
  assert(s->quiet);
  s->reader = s->writer + s->entries;
  s->other_reader = s->reader + s->entries;
  s->epoch = 1;
  return s;
}

void shared_shadow_destroy(SharedShadow *s) {
  if (!s)
    return;
  free(s->writer);
  free(s->quiet);
  free(s);
}

/* The epochs are used up: all that was written by this block becomes epoch 1, everything else is
 * forgotten. */
static void renumber(SharedShadow *s) {
  for (uint32_t k = 0; k < s->entries; k++)
    s->writer[k] = s->writer[k] >= s->block_floor
                       ? 1u << SHADOW_EPOCH | (s->writer[k] & ~(SHADOW_LAST_EPOCH << SHADOW_EPOCH))
                       : 0;
  memset(s->reader, 0, (size_t)s->entries * 2 * sizeof(uint32_t));
  memset(s->quiet, 0, s->chunks * sizeof *s->quiet);
  s->block_floor = 1u << SHADOW_EPOCH;
  s->epoch = 2;
  s->barrier_floor = 2u << SHADOW_EPOCH;
}

static void advance(SharedShadow *s) {
  if (s->epoch == SHADOW_LAST_EPOCH)
    renumber(s);
  else
    s->epoch++;
}

void shared_shadow_block(SharedShadow *s) {
  advance(s);
  s->block_floor = s->barrier_floor = s->epoch << SHADOW_EPOCH;
  s->turns = 0;
}

void shared_shadow_barrier(SharedShadow *s) {
  advance(s);
  s->barrier_floor = s->epoch << SHADOW_EPOCH;
}

void shared_shadow_syncwarp(SharedShadow *s, Warp *w) {
  uint32_t before = s->epoch;
  advance(s);
  w->sync_floor = s->epoch << SHADOW_EPOCH;
  if (s->epoch < before) /* renumbered in the middle: every floor starts anew */
    for (uint32_t i = 0; i < w->block->nwarps; i++)
      w->block->warps[i].sync_floor = s->barrier_floor;
}

/* Is an earlier access `old` unordered with respect to this thread's? */
static bool unordered(const Warp *w, uint32_t old, uint32_t mine) {
  if (old < w->block->shadow->barrier_floor)
    return false;
  if ((old ^ mine) & SHADOW_WARP_MASK)
    return true;
  bool same_thread = !((old ^ mine) & SHADOW_THREAD_MASK) && !(old & SHADOW_SEVERAL);
  return !same_thread && old >= w->sync_floor;
}

/* The plain read with which a loop around atomicCAS begins; see is_idiom() in global_shadow.c. */
static bool is_idiom(const Warp *w, uint32_t writer) {
  return w->worker->run->shared_cas && writer & SHADOW_ATOMIC;
}

static void race(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t entry, uint32_t old,
                 bool wrote_before, bool writes_now, bool same_value) {
  const SharedShadow *s = w->block->shadow;
  bool in_warp = !((old ^ shadow_mine(s, w, insn, lane)) & SHADOW_WARP_MASK);
  watch_shared_race(w, insn, lane, entry << s->shift, old, in_warp, wrote_before, writes_now,
                    same_value);
}

static inline void note_reader(SharedShadow *s, uint32_t k, uint32_t mine) {
  const uint32_t old = s->reader[k], differ = old ^ mine, floor = s->barrier_floor;
  if (old < floor)
    s->reader[k] = mine;
  else if (differ & SHADOW_WARP_MASK)
    s->other_reader[k] = s->other_reader[k] < floor ? mine : s->other_reader[k];
  else if (differ & SHADOW_THREAD_MASK)
    s->reader[k] = old | SHADOW_SEVERAL;
}

bool shadow_read_entries(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t first, uint32_t n) {
  SharedShadow *s = w->block->shadow;
  const uint32_t mine = shadow_mine(s, w, insn, lane);
  bool undefined = false;
  for (uint32_t k = first; k < first + n; k++) {
    if (s->writer[k] < s->block_floor)
      undefined = true;
    else if (unordered(w, s->writer[k], mine) && !is_idiom(w, s->writer[k]))
      race(w, insn, lane, k, s->writer[k], true, false, false);
    note_reader(s, k, mine);
  }
  return undefined;
}

uint32_t shadow_read_lanes(Warp *w, const PtxInsn *insn, uint32_t first, uint32_t n) {
  uint32_t undefined = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    undefined |= (uint32_t)shadow_read_entries(w, insn, lane, first + lane * n, n) << lane;
  return undefined;
}

/* a where mask, else b. */
static inline Vec32 choose(Vec32 mask, Vec32 a, Vec32 b) { return (a & mask) | (b & ~mask); }

void shadow_note_readers(Warp *w, const PtxInsn *insn, uint32_t first, uint32_t n) {
  SharedShadow *s = w->block->shadow;
  const uint32_t floor = s->barrier_floor, base = shadow_mine(s, w, insn, 0);
  const unsigned per_lane = (unsigned)__builtin_ctz(n);
  Vec32 *reader = (Vec32 *)(void *)(s->reader + first);
  Vec32 *other = (Vec32 *)(void *)(s->other_reader + first);
  Vec32 k = {0, 1, 2, 3, 4, 5, 6, 7};
  for (uint32_t i = 0; i < 4 * n; i++, k += 8) {
    Vec32 old = reader[i], mine = base + ((k >> per_lane) << SHADOW_THREAD), differ = old ^ mine;
    Vec32 fresh = (Vec32)(old < floor), same_warp = (Vec32)((differ & SHADOW_WARP_MASK) == 0);
    Vec32 several = same_warp & (Vec32)((differ & SHADOW_THREAD_MASK) != 0) & SHADOW_SEVERAL;
    reader[i] = choose(fresh, mine, old | several);
    other[i] = choose(~fresh & ~same_warp & (Vec32)(other[i] < floor), mine, other[i]);
  }
}

void shadow_look(SharedShadow *s, uint32_t address, unsigned bytes) {
  const uint32_t floor = s->barrier_floor, since = s->block_floor, ordered = floor - since;
  const uint32_t first = address / SHADOW_CHUNK,
                 last = (address + WARP_LANES * bytes - 1) / SHADOW_CHUNK;
  const uint32_t words = SHADOW_CHUNK / 4;
  if (s->shift != 2)
    return;
  for (uint32_t chunk = first; chunk <= last && (chunk + 1) * words <= s->entries; chunk++) {
    const Vec32 *writer = (const Vec32 *)(const void *)(s->writer + chunk * words);
    const Vec32 *other = (const Vec32 *)(const void *)(s->other_reader + chunk * words);
    Vec32 loud = {0};
    for (uint32_t i = 0; i < words / 8; i++)
      loud |= (Vec32)(writer[i] - since >= ordered) | (Vec32)(other[i] < floor);
    s->quiet[chunk] = vec32_any(loud) ? 0 : floor;
  }
}

/* A store: what was quiet no longer is. */
static inline void stir(SharedShadow *s, uint32_t k) {
  s->quiet[((size_t)k << s->shift) / SHADOW_CHUNK] = 0;
}

static void check_readers(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t k, uint32_t mine) {
  const SharedShadow *s = w->block->shadow;
  if (s->other_reader[k] >= s->barrier_floor && unordered(w, s->other_reader[k], mine))
    race(w, insn, lane, k, s->other_reader[k], false, true, false);
  else if (unordered(w, s->reader[k], mine))
    race(w, insn, lane, k, s->reader[k], false, true, false);
}

void shadow_write_entries(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t first, uint32_t n,
                          const uint8_t *value, unsigned bytes) {
  SharedShadow *s = w->block->shadow;
  const uint32_t mine = shadow_mine(s, w, insn, lane);
  for (uint32_t k = first; k < first + n; k++) {
    if (unordered(w, s->writer[k], mine)) {
      bool same = memcmp(w->block->shared + ((size_t)first << s->shift), value, bytes) == 0;
      race(w, insn, lane, k, s->writer[k], true, true, same);
    }
    check_readers(w, insn, lane, k, mine);
    s->writer[k] = mine;
    stir(s, k);
  }
}

void shadow_write_lanes(Warp *w, const PtxInsn *insn, uint32_t first, uint32_t n,
                        const uint8_t *value, unsigned bytes) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    shadow_write_entries(w, insn, lane, first + lane * n, n, value + lane * bytes, bytes);
}

bool shadow_read_column(Warp *w, const PtxInsn *insn, uint32_t address, uint32_t distance,
                        unsigned bytes) {
  SharedShadow *s = w->block->shadow;
  const uint32_t first = address >> s->shift, step = (uint32_t)((int32_t)distance >> s->shift),
                 n = bytes >> s->shift;
  const uint32_t since = s->block_floor, ordered = s->barrier_floor - since;
  uint32_t wrong = 0, news = 0;
  for (uint32_t lane = 0, at = first; lane < WARP_LANES; lane++, at += step)
    for (uint32_t k = at; k < at + n; k++) {
      wrong |= s->writer[k] - since >= ordered;
      news |= s->other_reader[k] < s->barrier_floor;
    }
  if (wrong)
    return false;
  for (uint32_t lane = 0, at = first; news && lane < WARP_LANES; lane++, at += step)
    for (uint32_t k = at; k < at + n; k++)
      note_reader(s, k, shadow_mine(s, w, insn, lane));
  return true;
}

bool shadow_write_column(Warp *w, const PtxInsn *insn, uint32_t address, uint32_t distance,
                         unsigned bytes) {
  SharedShadow *s = w->block->shadow;
  const uint32_t first = address >> s->shift, step = (uint32_t)((int32_t)distance >> s->shift),
                 n = bytes >> s->shift;
  uint32_t wrong = 0;
  for (uint32_t lane = 0, at = first; lane < WARP_LANES; lane++, at += step)
    for (uint32_t k = at; k < at + n; k++)
      wrong |= (s->writer[k] >= s->barrier_floor) | (s->reader[k] >= s->barrier_floor);
  if (wrong)
    return false;
  for (uint32_t lane = 0, at = first; lane < WARP_LANES; lane++, at += step)
    for (uint32_t k = at; k < at + n; k++)
      s->writer[k] = shadow_mine(s, w, insn, lane);
  return true;
}

bool shadow_atomic_entries(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t first,
                           uint32_t n) {
  SharedShadow *s = w->block->shadow;
  const uint32_t mine = shadow_mine(s, w, insn, lane);
  bool undefined = false;
  for (uint32_t k = first; k < first + n; k++) {
    undefined = undefined || s->writer[k] < s->block_floor;
    if (!(s->writer[k] & SHADOW_ATOMIC) && unordered(w, s->writer[k], mine))
      race(w, insn, lane, k, s->writer[k], true, true, false);
    if (!is_idiom(w, SHADOW_ATOMIC))
      check_readers(w, insn, lane, k, mine);
    s->writer[k] = mine | SHADOW_ATOMIC;
    stir(s, k);
  }
  return undefined;
}
