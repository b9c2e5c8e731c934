/* Implements the slow paths of race detection on shared memory: accesses at arbitrary offsets, and
 * reports (shared_races.h). */
#include "shared_races.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/lanes.h"
#include "../timing/liveness.h"
#include "mistakes.h"
#include "pending.h"

SharedShadow *shared_shadow_create(uint32_t bytes, unsigned granule) {
  SharedShadow *s = calloc(1, sizeof *s);
  assert(s && granule && granule <= 4);
  s->shift = granule == 1 ? 0 : granule == 2 ? 1 : 2;
  /* A shape may be padded with words after its last access. */
  s->entries = (bytes >> s->shift) + 64;
  /* Each of the three arrays must begin at a cache line. */
  s->entries = (s->entries + 15) / 16 * 16;
  s->writer = aligned_alloc(64, (size_t)s->entries * 3 * sizeof(uint32_t));
  assert(s->writer);
  memset(s->writer, 0, (size_t)s->entries * 3 * sizeof(uint32_t));
  /* The widest row may start at the last entry. */
  s->chunks = bytes / SHADOW_CHUNK + 32 * 16 / SHADOW_CHUNK + 2;
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

/* Called when all ten-bit epochs have been used: replaces the epochs of all entries by four new
 * epochs. An entry must still show whether this block made it, whether it is older than the last
 * barrier, and whether it is older than the last synchronisation of its warp. Four epochs are
 * enough for this. Entries that are ordered in other ways get the earliest possible epoch, so that
 * no false race is reported. */
enum { OF_BLOCK = 1, OF_STRETCH, SINCE_SYNC, NEXT };

static void renumber(SharedShadow *s, const Block *b) {
  uint32_t sync_floor[SHADOW_WARPS] = {0};
  for (uint32_t i = 0; i < b->nwarps; i++)
    sync_floor[i] = b->warps[i].observed->sync_floor;
  for (uint32_t k = 0; k < s->entries * 3; k++) {
    const uint32_t old = s->writer[k], rest = old & ~(SHADOW_LAST_EPOCH << SHADOW_EPOCH);
    const uint32_t floor = sync_floor[(old & SHADOW_WARP_MASK) >> (SHADOW_THREAD + 5)];
    const uint32_t epoch = old < s->barrier_floor ? OF_BLOCK
                           : old < floor          ? OF_STRETCH
                                                  : SINCE_SYNC;
    s->writer[k] = old < s->block_floor ? 0 : epoch << SHADOW_EPOCH | rest;
  }
  memset(s->quiet, 0, s->chunks * sizeof *s->quiet);
  s->block_floor = OF_BLOCK << SHADOW_EPOCH;
  s->barrier_floor = OF_STRETCH << SHADOW_EPOCH;
  for (uint32_t i = 0; i < b->nwarps; i++)
    b->warps[i].observed->sync_floor = SINCE_SYNC << SHADOW_EPOCH;
  for (uint32_t epoch = OF_BLOCK; epoch < NEXT; epoch++)
    s->real[epoch] = b->observed->order.barrier_floor;
  s->epoch = NEXT;
}

void shared_shadow_advance(SharedShadow *s, const Block *b) {
  if (s->epoch == SHADOW_LAST_EPOCH)
    renumber(s, b);
  else
    s->epoch++;
  s->real[s->epoch] = b->observed->order.epoch;
}

void shared_shadow_block(SharedShadow *s, const Block *b) {
  shared_shadow_advance(s, b);
  s->block_floor = s->barrier_floor = s->epoch << SHADOW_EPOCH;
}

void shared_shadow_barrier(SharedShadow *s) { s->barrier_floor = s->epoch << SHADOW_EPOCH; }

void shared_shadow_syncwarp(const SharedShadow *s, const Warp *w) {
  w->observed->sync_floor = s->epoch << SHADOW_EPOCH;
}

/* Returns true if nothing orders the earlier access of entry `old` before the access of entry
 * `mine`. */
static bool unordered(const Warp *w, uint32_t old, uint32_t mine) {
  const SharedShadow *s = w->observed->shadow;
  if (old < s->barrier_floor)
    return false;
  const uint32_t thread = (old & SHADOW_THREAD_MASK) >> SHADOW_THREAD;
  return !order_before(w, (mine >> SHADOW_THREAD) % WARP_LANES, &w->block->observed->order,
                       &w->observed->order, w->block->number, thread, s->real[old >> SHADOW_EPOCH],
                       old & SHADOW_SEVERAL, false);
}

static bool is_heard(const Warp *w, uint32_t old, unsigned lane) {
  return order_is_heard(w, lane, w->block->number, (old & SHADOW_THREAD_MASK) >> SHADOW_THREAD,
                        w->observed->shadow->real[old >> SHADOW_EPOCH]);
}

/* Returns true if `entries` contains an entry of the warp of `thread` with since <= entry <
 * until. */
static bool has_entry(const SharedShadow *s, const uint32_t *entries, uint32_t thread,
                      uint32_t since, uint32_t until) {
  for (uint32_t k = 0; k < s->entries; k++)
    if (entries[k] >= since && entries[k] < until && !((entries[k] ^ thread) & SHADOW_WARP_MASK))
      return true;
  return false;
}

static bool is_access(const PtxInsn *insn, uint32_t site, bool writes) {
  return insn->form == (writes ? PTX_ST : PTX_LD) && insn->site == site &&
         (insn->space == PTX_SHARED || insn->space == PTX_GENERIC);
}

/* Searches an instruction block from instruction i on for an access at `site`, and sets `*there` if
 * it is found. Returns true if neither the access nor a barrier was found, so the search must
 * continue in the successors of the block. */
static bool passes(const PtxFunction *f, const PtxBlock *b, uint32_t i, uint32_t site, bool writes,
                   bool *there) {
  for (; i < b->count; i++) {
    const PtxInsn *insn = &f->code[b->first + i];
    *there |= is_access(insn, site, writes);
    if (*there || insn->form == PTX_BARRIER)
      return false;
  }
  return true;
}

/* Returns true if a path of the code without a barrier leads from a store at site `from` to a read
 * at site `to`. If `writes` is false: from a read at `from` to a store at `to`. */
static bool unbarred(const PtxFunction *f, uint32_t from, bool writes, uint32_t to) {
  bool there = false, *seen = calloc(f->nblocks + 1, sizeof *seen);
  uint32_t count = 0, *list = calloc(2 * f->nblocks + 1, sizeof *list), next[MOST_SUCCESSORS];
  assert(seen && list);
  for (uint32_t b = 0; b < f->nblocks; b++)
    for (uint32_t i = 0; i < f->blocks[b].count; i++)
      if (is_access(&f->code[f->blocks[b].first + i], from, writes) &&
          passes(f, &f->blocks[b], i + 1, to, !writes, &there))
        /* ends the loop over this block: the search continues in its successors */
        list[count++] = b, i = f->blocks[b].count;
  for (uint32_t k = 0; k < count && !there; k++)
    for (uint32_t i = block_successors(&f->blocks[list[k]], next, MOST_SUCCESSORS); i-- > 0;)
      if (!seen[next[i]]) {
        seen[next[i]] = true;
        if (passes(f, &f->blocks[next[i]], 0, to, !writes, &there))
          list[count++] = next[i];
      }
  free(seen);
  free(list);
  return there;
}

/* Decides where the report says that a barrier is missing. If only a path from the stores to the
 * reads has no barrier, it is missing after the stores. If only a path from the reads to the stores
 * (of the next iteration) has no barrier, it is missing after the reads. If both paths exist, the
 * access that the warp made first decides. If neither exists, the source lines decide. */
MissingBarrier shared_race_barrier(const Warp *w, const Earlier *e, uint32_t now, unsigned kind) {
  const SharedShadow *s = w->observed->shadow;
  const PtxFunction *f = w->block->run->function;
  const bool wrote_before = e->kind != ACCESS_READS, writes_now = kind != ACCESS_READS;
  const uint32_t floor = s->barrier_floor, own = w->number * WARP_LANES << SHADOW_THREAD,
                 old = e->thread << SHADOW_THREAD, before = e->site;
  if (wrote_before == writes_now)
    return NO_BARRIER_MISSING;
  uint32_t stores = wrote_before ? before : now, reads = wrote_before ? now : before;
  bool stores_first = unbarred(f, stores, true, reads),
       reads_first = unbarred(f, reads, false, stores);
  if (!stores_first && !reads_first) {
    /* The accesses are in different branches: assume the order of the source lines. */
    const PtxModule *m = w->block->run->module;
    const PtxInsn *store = module_site(m, stores), *read = module_site(m, reads);
    const uint32_t at = store ? ptx_line(m, store->line) : 0,
                   to = read ? ptx_line(m, read->line) : 0;
    stores_first = at < to;
    reads_first = at > to;
  } else if (stores_first == reads_first && wrote_before) {
    stores_first = has_entry(s, s->writer, own, floor, UINT32_MAX);
    reads_first = !stores_first && has_entry(s, s->writer, own, s->block_floor, floor);
  } else if (stores_first == reads_first) {
    reads_first = has_entry(s, s->reader, own, floor, UINT32_MAX) ||
                  has_entry(s, s->other_reader, own, floor, UINT32_MAX);
    stores_first = !reads_first && has_entry(s, s->writer, old, floor, UINT32_MAX);
  }
  return stores_first  ? BARRIER_AFTER_STORES
         : reads_first ? BARRIER_AFTER_READS
                       : NO_BARRIER_MISSING;
}

/* Returns true if the source line of the site has a plain read that starts a compare-and-swap loop
 * (PTX_SEED). Such a read does not race with atomic operations. The check uses the line, because an
 * entry does not record the instruction. */
static bool is_seed_line(const Warp *w, uint32_t site) {
  const PtxModule *m = w->block->run->module;
  for (uint32_t f = 0; f < m->nfunctions; f++)
    for (uint32_t i = 0; i < m->functions[f].ncode; i++) {
      const PtxInsn *insn = &m->functions[f].code[i];
      if (insn->form == PTX_LD && insn->site == site && insn->flags & PTX_SEED)
        return true;
    }
  return false;
}

static AccessKind kind_of(const PtxInsn *insn) {
  return insn->form == PTX_LD   ? ACCESS_READS
         : insn->form == PTX_ST ? ACCESS_WRITES
                                : ACCESS_CHANGES;
}

/* Returns true if a lower lane made the entry `old` by the same execution of the instruction. */
static bool is_together(const Warp *w, const PtxInsn *insn, unsigned lane, uint32_t old) {
  const uint32_t thread = (old & SHADOW_THREAD_MASK) >> SHADOW_THREAD;
  return insn->form == PTX_ST && old >> SHADOW_EPOCH == w->observed->shadow->epoch &&
         thread / WARP_LANES == w->number && thread % WARP_LANES < lane &&
         (old & SHADOW_SITE_MASK) == insn->site;
}

static void race(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t entry, uint32_t old,
                 bool wrote_before, bool same_value) {
  const SharedShadow *s = w->observed->shadow;
  const PendingCopy *copy = wrote_before ? pending_at(w->block, entry) : NULL;
  if (copy) {
    mistake_pending(w, insn, lane, entry << s->shift, copy->thread, copy->site,
                    insn->form != PTX_LD);
    return;
  }
  const bool changed = wrote_before && old & SHADOW_ATOMIC;
  const Earlier earlier = {.block = w->block->number,
                           .thread = (old & SHADOW_THREAD_MASK) >> SHADOW_THREAD,
                           .site = old & SHADOW_SITE_MASK,
                           .kind = changed        ? ACCESS_CHANGES
                                   : wrote_before ? ACCESS_WRITES
                                                  : ACCESS_READS,
                           .several = old & SHADOW_SEVERAL,
                           .strong = changed,
                           .together = wrote_before && is_together(w, insn, lane, old),
                           .same_value = same_value,
                           .heard = is_heard(w, old, lane)};
  mistake_race(w, insn, lane, PTX_SHARED, entry << s->shift, &earlier, kind_of(insn));
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

/* ---- lane by lane: reports mistakes and records the access ----------------------------------- */
/* Checks that the lane's reads of granules [first, first + n) are ordered after the writes, and
 * records the reads. Returns true if one of the granules was never written. */
static bool read_entries(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t first, uint32_t n) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t mine = shadow_mine(s, w, insn, lane);
  bool undefined = false;
  for (uint32_t k = first; k < first + n; k++) {
    if (s->writer[k] < s->block_floor)
      undefined = true;
    else if (unordered(w, s->writer[k], mine) &&
             !(s->writer[k] & SHADOW_ATOMIC && insn->flags & PTX_SEED))
      race(w, insn, lane, k, s->writer[k], true, false);
    note_reader(s, k, mine);
  }
  return undefined;
}

/* Marks the chunk of entry k as not quiet, because a store changes it. */
static inline void stir(SharedShadow *s, uint32_t k) {
  s->quiet[((size_t)k << s->shift) / SHADOW_CHUNK] = 0;
}

/* Checks a write against the two recorded readers of granule k. If both race with the write,
 * reports the reader of another warp. */
static void check_readers(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t k, uint32_t mine) {
  const SharedShadow *s = w->observed->shadow;
  const uint32_t other = s->other_reader[k], reader = s->reader[k];
  bool second = other >= s->barrier_floor && unordered(w, other, mine);
  bool first = unordered(w, reader, mine);
  if ((first || second) && insn->form == PTX_ATOM) {
    second = second && !is_seed_line(w, other & SHADOW_SITE_MASK);
    first = first && !is_seed_line(w, reader & SHADOW_SITE_MASK);
  }
  if (second && (!first || (other ^ mine) & SHADOW_WARP_MASK))
    race(w, insn, lane, k, other, false, false);
  else if (first)
    race(w, insn, lane, k, reader, false, false);
}

/* Returns true if the lane writes the same value as the thread of entry `old`. If a lower lane
 * writes in the same instruction, its value is not in memory yet, so it is read from the
 * registers. */
static bool same_value(const Warp *w, const PtxInsn *insn, unsigned lane, uint32_t address,
                       uint32_t old) {
  const unsigned bytes = access_bytes(insn);
  uint8_t value[32], other[32];
  lane_value(w->frame->registers, insn, lane, value);
  const uint32_t thread = (old & SHADOW_THREAD_MASK) >> SHADOW_THREAD;
  if (!is_together(w, insn, lane, old))
    return memcmp(w->shared + address, value, bytes) == 0;
  lane_value(w->frame->registers, insn, thread % WARP_LANES, other);
  return memcmp(other, value, bytes) == 0;
}

static void write_entries(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t first, uint32_t n) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t mine = shadow_mine(s, w, insn, lane);
  for (uint32_t k = first; k < first + n; k++) {
    if (unordered(w, s->writer[k], mine))
      race(w, insn, lane, k, s->writer[k], true,
           same_value(w, insn, lane, first << s->shift, s->writer[k]));
    check_readers(w, insn, lane, k, mine);
    s->writer[k] = mine;
    stir(s, k);
  }
}

/* Returns the new writer entry after an atomic operation. A plain store by the same thread stays
 * recorded, because it may race with atomic operations by other threads. */
static inline uint32_t changed(const Warp *w, uint32_t old, uint32_t mine) {
  const bool own_store = old >= w->observed->shadow->barrier_floor &&
                         old >= w->observed->sync_floor && !(old & SHADOW_ATOMIC) &&
                         !((old ^ mine) & SHADOW_THREAD_MASK);
  return own_store ? old : mine | SHADOW_ATOMIC;
}

static bool atomic_entries(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t first,
                           uint32_t n) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t mine = shadow_mine(s, w, insn, lane);
  bool undefined = false;
  for (uint32_t k = first; k < first + n; k++) {
    undefined = undefined || s->writer[k] < s->block_floor;
    if (!(s->writer[k] & SHADOW_ATOMIC) && unordered(w, s->writer[k], mine))
      race(w, insn, lane, k, s->writer[k], true, false);
    check_readers(w, insn, lane, k, mine);
    s->writer[k] = changed(w, s->writer[k], mine);
    stir(s, k);
  }
  return undefined;
}

static uint32_t read_acquiring(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at) {
  SharedShadow *s = w->observed->shadow;
  uint32_t undefined = 0;
  order_access(w, insn, shape, at, w->shared + at, true);
  EACH_SET(lane, shape->lanes) {
    const uint32_t first = (at + shape->offset[lane]) >> s->shift, old = s->writer[first];
    if (!(old >= s->barrier_floor && old & SHADOW_ATOMIC)) {
      const uint32_t mine = shadow_mine(s, w, insn, lane);
      if (old < s->block_floor)
        undefined |= 1u << lane;
      else if (unordered(w, old, mine))
        race(w, insn, lane, first, old, true, false);
    }
  }
  return undefined;
}

/* ---- rows ------------------------------------------------------------------------------------ */
uint32_t shadow_read_lanes(Warp *w, const PtxInsn *insn, uint32_t first, uint32_t n) {
  uint32_t undefined = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    undefined |= (uint32_t)read_entries(w, insn, lane, first + lane * n, n) << lane;
  return undefined;
}

void shadow_look(SharedShadow *s, uint32_t address, uint32_t span) {
  const uint32_t floor = s->barrier_floor, since = s->block_floor, ordered = floor - since;
  const uint32_t first = address / SHADOW_CHUNK, last = (address + span - 1) / SHADOW_CHUNK;
  const uint32_t words = SHADOW_CHUNK / 4;
  if (s->shift != 2)
    return;
  for (uint32_t chunk = first; chunk <= last && (chunk + 1) * words <= s->entries; chunk++) {
    const Vec32 *writer = (const Vec32 *)(const void *)(s->writer + chunk * words);
    const Vec32 *other = (const Vec32 *)(const void *)(s->other_reader + chunk * words);
    Vec32 loud = {0};
    for (uint32_t i = 0; i < words / VEC32_LANES; i++)
      loud |= (Vec32)(writer[i] - since >= ordered) | (Vec32)(other[i] < floor);
    s->quiet[chunk] = vec32_any(loud) ? 0 : floor;
  }
}

void shadow_write_lanes(Warp *w, const PtxInsn *insn, uint32_t first, uint32_t n) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    write_entries(w, insn, lane, first + lane * n, n);
}

/* ---- any offsets ----------------------------------------------------------------------------- */
/* Checks and records that the lanes of a shape read words in the span [first, first + words).
 * Returns true if there is a mistake; then nothing is recorded. `*quiet`: there was nothing to
 * record. */
static bool read_words(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t first,
                       uint32_t words, bool *quiet) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t floor = s->barrier_floor, since = s->block_floor, ordered = floor - since;
  const uint32_t base = shadow_mine(s, w, insn, 0);
  const Vec32 *lane = (const Vec32 *)(const void *)shape->lane_of_word;
  const Vec32 *several = (const Vec32 *)(const void *)shape->several_of_word;
  const Vec32 *writer = (const Vec32 *)(const void *)(s->writer + first);
  Vec32 *reader = (Vec32 *)(void *)(s->reader + first);
  Vec32 *other = (Vec32 *)(void *)(s->other_reader + first);
  Vec32 wrong = {0}, news = {0};
  for (uint32_t i = 0; i < words / VEC32_LANES; i++) {
    const Vec32 wanted = (Vec32)(lane[i] != NO_LANE), mine = base + (lane[i] << SHADOW_THREAD);
    const Vec32 not_own = (Vec32)(writer[i] < floor) | several[i] |
                          (Vec32)(((writer[i] ^ mine) & SHADOW_THREAD_MASK) != 0);
    wrong |= wanted & (Vec32)(writer[i] - since >= ordered) & not_own;
    news |= wanted & (Vec32)(other[i] < floor);
  }
  *quiet = !vec32_any(news);
  if (vec32_any(wrong) || *quiet)
    return vec32_any(wrong);
  for (uint32_t i = 0; i < words / VEC32_LANES; i++) {
    const Vec32 wanted = (Vec32)(lane[i] != NO_LANE);
    const Vec32 mine = (base + (lane[i] << SHADOW_THREAD)) | (several[i] & SHADOW_SEVERAL);
    const Vec32 old = reader[i], differ = old ^ mine, fresh = (Vec32)(old < floor);
    const Vec32 same_warp = (Vec32)((differ & SHADOW_WARP_MASK) == 0);
    const Vec32 more =
        same_warp & SHADOW_SEVERAL & (several[i] | (Vec32)((differ & SHADOW_THREAD_MASK) != 0));
    reader[i] = vec32_choose(wanted, vec32_choose(fresh, mine, old | more), old);
    other[i] =
        vec32_choose(wanted & ~fresh & ~same_warp & (Vec32)(other[i] < floor), mine, other[i]);
  }
  return false;
}

/* Checks and records reads of the words [first, first + n). `mine`: the new entries of the first
 * `period` words; the following words repeat these entries. An entry may represent several threads.
 * Returns false if there is a mistake; then nothing is recorded. `*news`: set to true if something
 * was recorded. */
static bool read_stretch(SharedShadow *s, uint32_t first, uint32_t n, const uint32_t *mine,
                         uint32_t period, bool *news) {
  const uint32_t floor = s->barrier_floor, since = s->block_floor, ordered = floor - since;
  const Vec32 *writer = (const Vec32 *)(const void *)(s->writer + first);
  Vec32 *reader = (Vec32 *)(void *)(s->reader + first);
  Vec32 *other = (Vec32 *)(void *)(s->other_reader + first);
  Vec32 wrong = {0}, closed = {0}, k = vec32_ramp();
  for (uint32_t i = 0; i * VEC32_LANES < n; i++, k += VEC32_LANES) {
    wrong |= (Vec32)(k < n) & (Vec32)(writer[i] - since >= ordered);
    closed |= (Vec32)(k < n) & (Vec32)(other[i] < floor);
  }
  *news = *news || vec32_any(closed);
  if (vec32_any(wrong) || !vec32_any(closed))
    return !vec32_any(wrong);
  k = vec32_ramp();
  for (uint32_t i = 0; i * VEC32_LANES < n; i++, k += VEC32_LANES) {
    const Vec32 own = *(const Vec32 *)(const void *)(mine + i * VEC32_LANES % period);
    const Vec32 old = reader[i], differ = old ^ own, fresh = (Vec32)(old < floor);
    const Vec32 open = (Vec32)(k < n) & (Vec32)(other[i] < floor);
    const Vec32 same_warp = (Vec32)((differ & SHADOW_WARP_MASK) == 0);
    const Vec32 another = (Vec32)(((differ & SHADOW_THREAD_MASK) | (own & SHADOW_SEVERAL)) != 0);
    const Vec32 more = same_warp & another & SHADOW_SEVERAL;
    reader[i] = vec32_choose(open, vec32_choose(fresh, own, old | more), old);
    other[i] = vec32_choose(open & ~fresh & ~same_warp, own, other[i]);
  }
  return true;
}

/* Like read_stretch, if all words get the same entry `mine`. */
static bool read_stretch_by(SharedShadow *s, uint32_t first, uint32_t n, uint32_t mine,
                            bool *news) {
  uint32_t all[VEC32_LANES];
  for (int i = 0; i < VEC32_LANES; i++)
    all[i] = mine;
  return read_stretch(s, first, n, all, VEC32_LANES, news);
}

/* If the loads of an unrolled loop read adjacent rows, with the same lanes in each row, writes the
 * reader entries of one row to `mine` and returns the number of words per row. Otherwise returns
 * 0. */
static uint32_t row_readers(Warp *w, const PtxInsn *insn, const Base *base, uint32_t *mine) {
  const uint32_t own = shadow_mine(w->observed->shadow, w, insn, 0), bytes = access_bytes(insn);
  const Shape *shape = base->shape;
  uint32_t words = WARP_LANES * bytes / 4;
  if (base->pattern == SCATTERED) {
    words = shape->span / 4;
    if (words > 4 * WARP_LANES || shape_words(shape, bytes) < words)
      return 0;
  }
  if (words * 4 != insn->unrolled.stride || (words % VEC32_LANES && words != 8))
    return 0;
  for (uint32_t k = 0; k < words; k++) {
    const uint32_t lane = base->pattern == SCATTERED ? shape->lane_of_word[k] : k / (bytes / 4);
    if (lane == NO_LANE)
      return 0;
    mine[k] = own + (lane << SHADOW_THREAD) +
              (base->pattern == SCATTERED ? shape->several_of_word[k] & SHADOW_SEVERAL : 0);
    if (words < VEC32_LANES)
      mine[k + words] = mine[k];
  }
  return words < VEC32_LANES ? VEC32_LANES : words;
}

/* Returns true if the shape has few distinct offsets and no two of them overlap. */
static bool are_apart(const Shape *shape, uint32_t bytes) {
  bool apart = shape->nplaces && shape->nplaces <= FEW_PLACES;
  for (uint32_t i = 0; apart && i < shape->nplaces; i++)
    for (uint32_t k = 0; k < i; k++) {
      const uint32_t distance = shape->offset[shape->place[i]] - shape->offset[shape->place[k]];
      apart = apart && distance + bytes - 1 >= 2 * bytes - 1;
    }
  return apart;
}

bool shadow_read_ahead(Warp *w, const PtxInsn *insn, const Base *base, uint32_t first, uint32_t low,
                       uint32_t span) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t at = first + (uint32_t)insn->unrolled.low, n = insn->unrolled.bytes / 4;
  const uint32_t own = shadow_mine(s, w, insn, 0);
  const Shape *shape = base->shape;
  uint32_t mine[4 * WARP_LANES], period;
  bool right = true, news = false;
  if (s->shift != 2 || span > SHADOW_SPAN_MOST)
    return false;
  if (shadow_quiet(s, low, span))
    return true;
  const bool dense = insn->unrolled.stride == access_bytes(insn);
  if (dense && base->pattern == SAME) {
    right = read_stretch_by(s, at / 4, n, own | SHADOW_SEVERAL, &news);
  } else if (dense && base->pattern == SCATTERED && are_apart(shape, insn->unrolled.bytes)) {
    for (uint32_t i = 0; i < shape->nplaces; i++) {
      const uint32_t lane = shape->place[i], several = shape->several[lane] & SHADOW_SEVERAL;
      right = right && read_stretch_by(s, (at + shape->offset[lane]) / 4, n,
                                       own + (lane << SHADOW_THREAD) + several, &news);
    }
  } else if (base->pattern != SAME && (period = row_readers(w, insn, base, mine)) != 0) {
    right = read_stretch(s, low / 4, span / 4, mine, period, &news);
  } else {
    return false;
  }
  if (right && !news)
    shadow_look(s, low, span);
  return right;
}

/* For each lane: the number of the shadow entry of its granule i. Inactive lanes have the same
 * number as the lowest active lane. */
typedef struct Granules {
  int32_t entry[WARP_LANES];
} Granules;
static ALWAYS_INLINE Granules granules_of(const SharedShadow *s, const Shape *shape, uint32_t at,
                                          unsigned i) {
  Granules g;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    g.entry[lane] = (int32_t)(((at + shape->offset[lane]) >> s->shift) + i);
  return g;
}
typedef struct Entries {
  _Alignas(64) uint32_t of[WARP_LANES];
} Entries;
static ALWAYS_INLINE Entries entries_of(const uint32_t *table, const Granules *g) {
  Entries all;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    all.of[lane] = table[g->entry[lane]];
  return all;
}
#define AS_VECTORS(array) ((const Vec32 *)(const void *)(array))

/* Checks and records reads at arbitrary offsets. Records the reads even if there is a mistake; in
 * that case returns true. `n`: granules per lane. */
static bool read_places(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at, unsigned n,
                        bool *quiet) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t floor = s->barrier_floor, since = s->block_floor, ordered = floor - since;
  const uint32_t base = shadow_mine(s, w, insn, 0), places = shape_places(shape);
  const Vec32 *member = AS_VECTORS(shape->member), *several = AS_VECTORS(shape->several);
  Vec32 wrong = {0};
  *quiet = true;
  for (unsigned i = 0; i < n; i++) {
    const Granules g = granules_of(s, shape, at, i);
    Entries writer = entries_of(s->writer, &g), other = entries_of(s->other_reader, &g);
    Entries reader = entries_of(s->reader, &g);
    Vec32 *readers = (Vec32 *)(void *)reader.of, *others = (Vec32 *)(void *)other.of;
    Vec32 news = {0}, second = {0}, lane = vec32_ramp();
    for (int k = 0; k < VECS32; k++, lane += VEC32_LANES) {
      const Vec32 mine = base + (lane << SHADOW_THREAD), old = readers[k], differ = old ^ mine;
      const Vec32 wrote = AS_VECTORS(writer.of)[k], open = (Vec32)(others[k] < floor);
      const Vec32 fresh = (Vec32)(old < floor),
                  same_warp = (Vec32)((differ & SHADOW_WARP_MASK) == 0);
      const Vec32 not_own =
          (Vec32)(wrote < floor) | several[k] | (Vec32)(((wrote ^ mine) & SHADOW_THREAD_MASK) != 0);
      const Vec32 more =
          same_warp & SHADOW_SEVERAL & (several[k] | (Vec32)((differ & SHADOW_THREAD_MASK) != 0));
      const Vec32 noted = mine | (several[k] & SHADOW_SEVERAL);
      wrong |= member[k] & (Vec32)(wrote - since >= ordered) & not_own;
      news |= member[k] & open;
      readers[k] = vec32_choose(open, vec32_choose(fresh, noted, old | more), old);
      others[k] = vec32_choose(open & ~fresh & ~same_warp, noted, others[k]);
      second |= member[k] & open & ~fresh & ~same_warp;
    }
    if (!vec32_any(news))
      continue;
    *quiet = false;
    for (uint32_t k = 0; k < places; k++)
      s->reader[g.entry[shape->place[k]]] = reader.of[shape->place[k]];
    for (uint32_t k = 0; k < places && vec32_any(second); k++)
      s->other_reader[g.entry[shape->place[k]]] = other.of[shape->place[k]];
  }
  return vec32_any(wrong);
}

uint32_t shadow_read(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at) {
  SharedShadow *s = w->observed->shadow;
  const unsigned bytes = access_bytes(insn), shift = s->shift, n = bytes >> shift;
  const uint32_t low = at - shape->below;
  uint32_t undefined = 0, words;
  bool quiet, wrong;
  if (insn->flags & PTX_ACQUIRES || insn->strong)
    return read_acquiring(w, insn, shape, at);
  if (shift == 2 && shape->span <= SHADOW_SPAN_MOST && shadow_quiet(s, low, shape->span))
    return 0;
  if (shift == 2 && !(shape->nplaces && shape->nplaces <= FEW_PLACES) &&
      (words = shape_words(shape, bytes)) != 0)
    wrong = read_words(w, insn, shape, low >> 2, words, &quiet);
  else
    wrong = read_places(w, insn, shape, at, n, &quiet);
  if (wrong) {
    EACH_SET(lane, shape->lanes)
    undefined |= (uint32_t)read_entries(w, insn, lane, (at + shape->offset[lane]) >> shift, n)
                 << lane;
  } else if (quiet && shape->span <= SHADOW_SPAN_MOST) {
    shadow_look(s, low, shape->span);
  }
  return undefined;
}

/* Checks and records writes to words in the span [first, first + words). Returns false if there is
 * a mistake; then nothing is recorded. */
static bool write_words(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t first,
                        uint32_t words) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t floor = s->barrier_floor, sync_floor = w->observed->sync_floor;
  const uint32_t base = shadow_mine(s, w, insn, 0);
  const Vec32 *lane = (const Vec32 *)(const void *)shape->lane_of_word;
  Vec32 *writer = (Vec32 *)(void *)(s->writer + first), wrong = {0};
  const Vec32 *reader = (const Vec32 *)(const void *)(s->reader + first);
  const Vec32 *other = (const Vec32 *)(const void *)(s->other_reader + first);
  for (uint32_t i = 0; i < words / VEC32_LANES; i++) {
    const Vec32 mine = base + (lane[i] << SHADOW_THREAD);
    wrong |= (Vec32)(lane[i] != NO_LANE) & (shadow_against(writer[i], mine, floor, sync_floor) |
                                            shadow_against(reader[i], mine, floor, sync_floor) |
                                            shadow_against(other[i], mine, floor, sync_floor));
  }
  if (shape->words_shared || vec32_any(wrong))
    return false;
  for (uint32_t i = 0; i < words / VEC32_LANES; i++)
    writer[i] =
        vec32_choose((Vec32)(lane[i] != NO_LANE), base + (lane[i] << SHADOW_THREAD), writer[i]);
  return true;
}

/* Checks writes or atomic operations at arbitrary offsets. Returns true if there is a mistake.
 * Atomic operations do not race with one another, but need defined memory. */
static ALWAYS_INLINE bool places_wrong(Warp *w, const PtxInsn *insn, const Shape *shape,
                                       uint32_t at, unsigned n, const bool atomic) {
  const SharedShadow *s = w->observed->shadow;
  const uint32_t floor = s->barrier_floor, sync_floor = w->observed->sync_floor;
  const uint32_t base = shadow_mine(s, w, insn, 0);
  Vec32 wrong = {0};
  for (unsigned i = 0; i < n; i++) {
    const Granules g = granules_of(s, shape, at, i);
    const Entries writer = entries_of(s->writer, &g), reader = entries_of(s->reader, &g);
    const Entries other = entries_of(s->other_reader, &g);
    Vec32 lane = vec32_ramp();
    for (int k = 0; k < VECS32; k++, lane += VEC32_LANES) {
      const Vec32 mine = base + (lane << SHADOW_THREAD), wrote = AS_VECTORS(writer.of)[k];
      Vec32 found = shadow_against(wrote, mine, floor, sync_floor);
      if (atomic)
        found = (found & (Vec32)((wrote & SHADOW_ATOMIC) == 0)) | (Vec32)(wrote < s->block_floor);
      wrong |= AS_VECTORS(shape->member)[k] &
               (found | shadow_against(AS_VECTORS(reader.of)[k], mine, floor, sync_floor) |
                shadow_against(AS_VECTORS(other.of)[k], mine, floor, sync_floor));
    }
  }
  return vec32_any(wrong);
}

static bool write_places(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at,
                         unsigned n) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t base = shadow_mine(s, w, insn, 0);
  if (shape_places(shape) != shape->nlanes || places_wrong(w, insn, shape, at, n, false))
    return false;
  EACH_SET(each, shape->lanes)
  for (uint32_t e = (at + shape->offset[each]) >> s->shift, end = e + n; e < end; e++)
    s->writer[e] = base + (each << SHADOW_THREAD);
  return true;
}

/* A quiet range needs no special case: its granules have readers of two warps, so a write that no
 * barrier orders is found to race with a reader. */
void shadow_write(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at) {
  SharedShadow *s = w->observed->shadow;
  if (insn->flags & PTX_RELEASES || insn->strong) {
    EACH_SET(lane, shape->lanes)
    atomic_entries(w, insn, lane, (at + shape->offset[lane]) >> s->shift,
                   access_bytes(insn) >> s->shift);
    order_access(w, insn, shape, at, w->shared + at, true);
    return;
  }
  const unsigned bytes = access_bytes(insn), shift = s->shift, n = bytes >> shift;
  const uint32_t low = at - shape->below;
  const uint32_t words = shift == 2 ? shape_words(shape, bytes) : 0;
  bool right =
      words ? write_words(w, insn, shape, low >> 2, words) : write_places(w, insn, shape, at, n);
  EACH_SET(lane, right ? 0 : shape->lanes)
  write_entries(w, insn, lane, (at + shape->offset[lane]) >> shift, n);
}

static void stir_span(SharedShadow *s, const Shape *shape, uint32_t at) {
  const uint32_t low = at - shape->below;
  if (shape->span <= SHADOW_SPAN_MOST)
    for (uint32_t i = low / SHADOW_CHUNK; i <= (low + shape->span - 1) / SHADOW_CHUNK; i++)
      s->quiet[i] = 0;
  else
    EACH_SET(lane, shape->lanes) s->quiet[(at + shape->offset[lane]) / SHADOW_CHUNK] = 0;
}

uint32_t shadow_atomic(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at) {
  SharedShadow *s = w->observed->shadow;
  const unsigned shift = s->shift, n = access_bytes(insn) >> shift;
  const uint32_t base = shadow_mine(s, w, insn, 0);
  uint32_t undefined = 0;
  if (places_wrong(w, insn, shape, at, n, true)) {
    EACH_SET(lane, shape->lanes)
    undefined |= (uint32_t)atomic_entries(w, insn, lane, (at + shape->offset[lane]) >> shift, n)
                 << lane;
  } else {
    EACH_SET(each, shape->lanes)
    for (uint32_t e = (at + shape->offset[each]) >> shift, end = e + n; e < end; e++)
      s->writer[e] = changed(w, s->writer[e], base + (each << SHADOW_THREAD));
    stir_span(s, shape, at);
  }
  order_access(w, insn, shape, at, w->shared + at, true);
  return undefined;
}

void shadow_write_nothing(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at) {
  SharedShadow *s = w->observed->shadow;
  EACH_SET(lane, w->observed->stored_nothing & shape->lanes)
  for (uint32_t e = (at + shape->offset[lane]) >> s->shift,
                end = e + (access_bytes(insn) >> s->shift);
       e < end; e++) {
    s->writer[e] = 0;
    stir(s, e);
  }
  w->observed->stored_nothing = 0;
}

void shadow_given(Warp *w, unsigned lane, uint32_t at, uint32_t bytes) {
  SharedShadow *s = w->observed->shadow;
  const uint32_t mine = s->epoch << SHADOW_EPOCH | (w->number * WARP_LANES + lane) << SHADOW_THREAD;
  for (uint32_t i = at >> s->shift; i <= (at + bytes - 1) >> s->shift; i++)
    s->writer[i] = mine;
}
