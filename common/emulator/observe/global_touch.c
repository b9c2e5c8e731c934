/* Records accesses that one note per line cannot represent: in marks, or in cells and notes
 * (global_touch.h). There are three functions, from fast to slow: global_touch_row,
 * global_touch_words and global_touch_lanes. */
#include "global_touch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "global_notes.h"

/* Returns the chunk that contains offset `at` in the buffer. Creates its cells if they are not
 * valid in this epoch. */
static inline Chunk *cells_at(const CellAccess *x, uint64_t at) {
  const Run *run = x->w->worker->run;
  Chunk *c = chunk_of(x->w, x->memory, at);
  if (__builtin_expect(c->epoch_of_cells != run->observed->epoch, 0))
    global_cells_open(run, x->memory->shadow, x->w->worker->number, c);
  return c;
}

static ALWAYS_INLINE uint32_t hash_at(const CellAccess *x, unsigned piece, unsigned shift) {
  uint32_t value = 0;
  if (x->kind != ACCESS_WRITES)
    return 0;
  memcpy(&value, x->value + (piece << shift), 1u << shift);
  return cell_hash(value);
}

static bool meets_blocks(const Run *run) { return run->nblocks > 1 && !run->observed->in_turn; }

/* ---- a window of granules
 *
 * In most accesses, the addresses of the lanes are close together. Then all granules from the
 * lowest to the highest address are checked with vector instructions. These granules are called the
 * window. For example, lanes 0 and 1 access two granules each:
 *
 *   granule    g   g+1  g+2  g+3  g+4  g+5
 *   lane       0    0    -    -    1    1
 *
 * If the cell of a conflicting access is hot and belongs to another thread, each granule is checked
 * individually. A granule without a note gets a new note; note() is called for a granule whose note
 * must change. Granules that no lane accesses stay unchanged. Examples of windows are rows of
 * words, halves of float4, every third word, and the runs of 8 words of a tile. */
typedef struct Window {
  /* The number of the first granule in its chunk. */
  size_t first;
  unsigned count;
  /* For each granule: Shape.lane_of_word and Shape.several_of_word. If `lane` is NULL, granule k
   * belongs to lane k >> per_lane. */
  const uint32_t *lane, *several;
  unsigned per_lane;
  /* For each granule: hash of the value that is written; NULL: the access is a read. */
  const uint16_t *hash;
} Window;

/* The arrays of a chunk that one access reads and updates. */
typedef struct Kept {
  /* NULL: not allocated yet. */
  Cell *writes, *reads, *other_reads, *changes;
  uint16_t *hash;
  uint64_t *notes, *seconds;
} Kept;

static ALWAYS_INLINE Vec64 lanes_from(const Window *s, unsigned k) {
  if (!s->lane)
    return (vec64_ramp() + k) >> s->per_lane;
  return __builtin_convertvector(*(const HalfVec32 *)(const void *)(s->lane + k), Vec64);
}
static ALWAYS_INLINE Vec64 touched_from(const Window *s, Vec64 lane) {
  return s->lane ? (Vec64)(lane < WARP_LANES) : ~(Vec64){0};
}
static ALWAYS_INLINE Vec64 several_from(const Window *s, unsigned k) {
  if (!s->several)
    return (Vec64){0};
  return __builtin_convertvector(*(const HalfVec32 *)(const void *)(s->several + k), Vec64) &
         CELL_SEVERAL;
}
static ALWAYS_INLINE Vec64 *vector_at(uint64_t *kept, const Window *s, unsigned k) {
  return (Vec64 *)(void *)(kept + s->first + k);
}

typedef uint16_t Hashes __attribute__((vector_size(VECTOR_BYTES / 4), aligned(2), may_alias));

#define THREAD_BITS (UINT64_C(1023) << CELL_THREAD | CELL_SEVERAL)
static ALWAYS_INLINE Vec64 wrong_with(Cell *kept, const Window *s, unsigned k, Vec64 mine,
                                      Cell floor) {
  const Vec64 c = kept ? *vector_at(kept, s, k) : (Vec64){0};
  return (Vec64)(c >= floor) & (c ^ mine) & THREAD_BITS;
}
static ALWAYS_INLINE Vec64 choose(Vec64 mask, Vec64 a, Vec64 b) { return (a & mask) | (b & ~mask); }

/* Writes a note for each granule that has no note. Returns all ones for granules whose existing
 * note must change. */
static ALWAYS_INLINE Vec64 note_vector(const Kept *kept, const Window *s, unsigned k, Vec64 mine,
                                       Vec64 touched) {
  Vec64 *at = vector_at(kept->notes, s, k);
  const Vec64 note = *at, fresh = (Vec64)(note == 0) & touched;
  const Vec64 same = (Vec64)((note & DIFFER) != 0) | (Vec64)(((note ^ mine) & HASH_MASK) == 0);
  Vec64 known = (Vec64)(note >> BLOCK_SHIFT == mine >> BLOCK_SHIFT) &
                (Vec64)(note >> SITE_SHIFT <= mine >> SITE_SHIFT);
  if (vec64_any(fresh))
    *at = choose(fresh, mine, note);
  if (kept->seconds && vec64_any(~known & touched)) {
    const Vec64 second = *vector_at(kept->seconds, s, k);
    known |= (Vec64)(note >> BLOCK_SHIFT < mine >> BLOCK_SHIFT) & (Vec64)(second != 0) &
             (Vec64)(second >> SITE_SHIFT <= mine >> SITE_SHIFT);
  }
  return touched & ~fresh & ~(same & known);
}

/* Checks and records writes to the granules of a window. Returns false if some granule must be
 * checked individually. */
static ALWAYS_INLINE bool write_window(const CellAccess *x, const Kept *kept, const Window *s,
                                       uint64_t base, bool *news, const unsigned count) {
  const Cell floor = x->floor, own = x->mine;
  Vec64 wrong = {0}, any = {0};
  for (unsigned k = 0; k < count; k += VEC64_LANES) {
    const Vec64 lane = lanes_from(s, k), mine = own + (lane << CELL_THREAD);
    wrong |=
        (wrong_with(kept->writes, s, k, mine, floor) | wrong_with(kept->reads, s, k, mine, floor) |
         wrong_with(kept->other_reads, s, k, mine, floor) |
         wrong_with(kept->changes, s, k, mine, floor)) &
        touched_from(s, lane);
  }
  if (vec64_any(wrong))
    return false;
  for (unsigned k = 0; k < count; k += VEC64_LANES) {
    const Vec64 lane = lanes_from(s, k), touched = touched_from(s, lane);
    Hashes *hash = (Hashes *)(void *)(kept->hash + s->first + k);
    const Vec64 value =
        __builtin_convertvector(*(const Hashes *)(const void *)(s->hash + k), Vec64);
    Vec64 *writes = vector_at(kept->writes, s, k);
    any |= note_vector(kept, s, k, base + (lane << THREAD_SHIFT) + value, touched);
    *writes = choose(touched, own + (lane << CELL_THREAD), *writes);
    *hash = __builtin_convertvector(choose(touched, value, __builtin_convertvector(*hash, Vec64)),
                                    Hashes);
  }
  *news = vec64_any(any);
  return true;
}

/* Returns the new values of the cells READ or OTHER_READ, whose old values are `c`. `*next`: all
 * ones where `c` keeps a read by another warp, so that this read must be stored in the granule's
 * other read cell. */
static ALWAYS_INLINE Vec64 read_cell(Cell floor, Cell met, Vec64 c, Vec64 mine, Vec64 several,
                                     Vec64 *next) {
  const Vec64 thread = (c ^ mine) & THREAD_BITS;
  const Vec64 warp = (Vec64)((thread & (UINT64_C(992) << CELL_THREAD)) == 0);
  const Vec64 free = (Vec64)(c < floor) | (Vec64)(thread == 0) | (warp & (Vec64)(c < met));
  *next = ~free & ~warp;
  return choose(free, mine | several, c | (warp & CELL_SEVERAL));
}

static ALWAYS_INLINE bool read_window(const CellAccess *x, const Kept *kept, const Window *s,
                                      uint64_t base, bool *news, const unsigned count) {
  const Cell floor = x->floor, met = x->met, own = x->mine;
  Vec64 wrong = {0}, any = {0};
  for (unsigned k = 0; k < count; k += VEC64_LANES) {
    const Vec64 lane = lanes_from(s, k), mine = own + (lane << CELL_THREAD);
    const Vec64 touched = touched_from(s, lane), several = several_from(s, k);
    Vec64 *reads = vector_at(kept->reads, s, k), next, last;
    wrong |= (wrong_with(kept->writes, s, k, mine ^ several, floor) |
              wrong_with(kept->changes, s, k, mine ^ several, floor)) &
             touched;
    *reads = choose(touched, read_cell(floor, met, *reads, mine, several, &next), *reads);
    next &= touched;
    if (vec64_any(next)) {
      Vec64 *other = vector_at(kept->other_reads, s, k);
      *other = choose(next, read_cell(floor, met, *other, mine, several, &last), *other);
    }
    any |= note_vector(kept, s, k, base + (lane << THREAD_SHIFT), touched);
  }
  *news = vec64_any(any);
  return !vec64_any(wrong);
}

/* Returns the arrays of the chunk that an access of this class reads and updates. Allocates them,
 * or clears them for this epoch, if necessary. */
static ALWAYS_INLINE Kept kept_of(const CellAccess *x, Chunk *c, Class class) {
  const Run *run = x->w->worker->run;
  const size_t granules = CHUNK_BYTES >> x->memory->shadow->shift;
  Cells *cells = c->cells;
  const bool seconds = c->epoch[2 * class + SECOND] == run->observed->epoch;
  const bool reads = x->kind == ACCESS_READS;
  if (__builtin_expect(reads ? !cells->of[OTHER_READ] : !cells->hash[LAST_WRITE], 0))
    cells_make(cells, !reads, granules);
  return (Kept){.writes = cells->of[LAST_WRITE],
                .reads = cells->of[READ],
                .other_reads = cells->of[OTHER_READ],
                .changes = cells->of[CHANGE],
                .hash = cells->hash[LAST_WRITE],
                .notes = notes_of(run, x->memory, c, 2 * class + FIRST),
                .seconds = seconds ? c->notes[2 * class + SECOND] : NULL};
}

/* ---- marks: for chunks without cells --------------------------------------------------------- */
/* An access to the marks of a chunk. Times are relative to the first access to the chunk. */
typedef struct Marking {
  uint32_t mine, floor, start;
  uint32_t *marks, *others;
  uint16_t *hash;
} Marking;

static __attribute__((noinline)) void open_marks(const struct GlobalShadow *s, GranuleMarks *marks,
                                                 bool writes) {
  const size_t granules = CHUNK_BYTES >> s->shift;
  if (!marks->of) {
    marks->of = malloc((granules + VEC32_LANES) * sizeof *marks->of);
    marks->hash = writes ? malloc((granules + VEC32_LANES) * sizeof *marks->hash) : NULL;
    assert(marks->of && (marks->hash || !writes));
  }
  memset(marks->of, 0, (granules + VEC32_LANES) * sizeof *marks->of);
}

static void marks_from_rows(const Run *run, const struct GlobalShadow *s, Chunk *c, Class class) {
  const Rows *rows = c->rows[class];
  if (c->epoch_of_rows[class] != run->observed->epoch)
    return;
  c->epoch_of_rows[class] = 0;
  open_marks(s, &c->marks[class], class == WRITES);
  c->epoch_of_marks[class] = run->observed->epoch;
  for (size_t g = 0, n = CHUNK_BYTES >> s->shift; g < n; g++) {
    const uint64_t first = rows->note[g / LINE], per_lane = (first & HASH_MASK) - 1;
    if (!first)
      continue;
    const uint32_t thread = (uint32_t)(first >> THREAD_SHIFT & 1023) + (g % LINE >> per_lane);
    c->marks[class].of[g] = (rows->time[g / LINE] - c->first_time + 1) << MARK_TIME |
                            thread << CELL_THREAD | (first >> SITE_SHIFT & 1023);
    if (class == WRITES)
      c->marks[class].hash[g] = rows->hash[g];
  }
}

/* Prepares an access to the marks of a chunk. Returns false if the access must be recorded in
 * cells, because the chunk has cells or because the access does not fit into a mark. */
static bool marking_of(const CellAccess *x, Chunk *c, Class class, Marking *m) {
  const Run *run = x->w->worker->run;
  const uint32_t epoch = run->observed->epoch, now = (uint32_t)(x->mine >> CELL_TIME);
  const uint32_t floor = (uint32_t)(x->floor >> CELL_TIME);
  const Class other = class == READS ? WRITES : READS;
  note_first_time(run, c, now);
  const uint32_t first = c->first_time;
  /* A chunk that needed cells in one of the last two epochs usually needs them again, so it gets
   * cells immediately. In every eighth epoch, marks are tried again. */
  const bool again = !c->marked && c->cells && epoch - c->epoch_of_cells <= 2 && epoch % 8;
  if (c->epoch_of_cells == epoch || again || (uint32_t)x->mine >> MARK_TIME ||
      now - first >= MARK_LATEST)
    return false;
  if (!c->marked) {
    marks_from_rows(run, x->memory->shadow, c, WRITES);
    marks_from_rows(run, x->memory->shadow, c, READS);
    c->marked = true;
  }
  if (c->epoch_of_marks[class] != epoch) {
    open_marks(x->memory->shadow, &c->marks[class], class == WRITES);
    c->epoch_of_marks[class] = epoch;
  }
  *m = (Marking){.mine = (now - first + 1) << MARK_TIME | (uint32_t)x->mine,
                 .floor = (floor > first ? floor - first + 1 : 1) << MARK_TIME,
                 .start = (x->start > first ? x->start - first + 1 : 1) << MARK_TIME,
                 .marks = c->marks[class].of,
                 .others = c->epoch_of_marks[other] == epoch ? c->marks[other].of : NULL,
                 .hash = c->marks[class].hash};
  return true;
}

#define MARK_WHO ((1u << MARK_TIME) - 1)
#define MARK_THREAD (1023u << CELL_THREAD)
/* Both functions return one element for each granule from number k on. lanes_of_words: the lane
 * that accesses the granule. touched_words: all ones if a lane accesses the granule, otherwise
 * 0. */
static ALWAYS_INLINE Vec32 lanes_of_words(const Window *s, unsigned k) {
  if (s->lane)
    return *(const Vec32 *)(const void *)(s->lane + k);
  return (vec32_ramp() + k) >> s->per_lane;
}
static ALWAYS_INLINE Vec32 touched_words(const Window *s, unsigned k, unsigned count, Vec32 lane) {
  if (s->lane)
    return (Vec32)(lane < WARP_LANES);
  if (count % VEC32_LANES)
    return (Vec32)(vec32_ramp() + k < count);
  return ~(Vec32){0};
}
typedef uint16_t Hashes32 __attribute__((vector_size(VECTOR_BYTES / 2), aligned(2), may_alias));

static ALWAYS_INLINE bool mark_window(const Marking *m, const Window *s, const unsigned count,
                                      const bool writes) {
  Vec32 wrong = {0};
  for (unsigned k = 0; k < count; k += VEC32_LANES) {
    const Vec32 lane = lanes_of_words(s, k), mine = m->mine + (lane << CELL_THREAD);
    const Vec32 own = *(Vec32 *)(void *)(m->marks + s->first + k);
    Vec32 bad = (Vec32)(own < m->start) | (Vec32)(((own ^ mine) & MARK_WHO) != 0);
    if (writes) {
      const Hashes32 there = *(Hashes32 *)(void *)(m->hash + s->first + k);
      const Hashes32 here = *(const Hashes32 *)(const void *)(s->hash + k);
      bad |= (Vec32)(__builtin_convertvector(there ^ here, Vec32) != 0);
    }
    bad &= (Vec32)(own != 0);
    if (m->others) {
      const Vec32 other = *(Vec32 *)(void *)(m->others + s->first + k);
      bad |= (Vec32)(other >= m->floor) & (Vec32)(((other ^ mine) & MARK_THREAD) != 0);
    }
    wrong |= bad & touched_words(s, k, count, lane);
  }
  if (vec32_any(wrong))
    return false;
  for (unsigned k = 0; k < count; k += VEC32_LANES) {
    const Vec32 lane = lanes_of_words(s, k), touched = touched_words(s, k, count, lane);
    Vec32 *own = (Vec32 *)(void *)(m->marks + s->first + k);
    *own = vec32_choose(touched, m->mine + (lane << CELL_THREAD), *own);
    if (writes) {
      Hashes32 *there = (Hashes32 *)(void *)(m->hash + s->first + k);
      const Hashes32 in = __builtin_convertvector(touched, Hashes32);
      *there = (*(const Hashes32 *)(const void *)(s->hash + k) & in) | (*there & ~in);
    }
  }
  return true;
}

/* Records an access in marks, lane by lane. Returns false if the access must be recorded in cells.
 * `n`: granules per lane. `shift`: log2 of the granule size. */
static ALWAYS_INLINE bool mark_lanes(const CellAccess *x, uint32_t lanes, const AccessKind kind,
                                     const unsigned n, const unsigned shift) {
  const Class class = class_of(x->insn, kind);
  uint64_t chunk = UINT64_MAX;
  Marking m = {0};
  EACH_SET(lane, lanes) {
    const uint64_t start = x->at[lane];
    if (start / CHUNK_BYTES != chunk) {
      chunk = start / CHUNK_BYTES;
      if (!marking_of(x, chunk_of(x->w, x->memory, start), class, &m))
        return false;
    }
    const uint32_t mine = m.mine + (lane << CELL_THREAD);
    for (unsigned i = 0; i < n; i++) {
      const size_t g = (start % CHUNK_BYTES >> shift) + i;
      const uint32_t own = m.marks[g];
      const uint16_t hash = kind == ACCESS_WRITES ? (uint16_t)hash_at(x, lane * n + i, shift) : 0;
      if (own && (own < m.start || (own ^ mine) & MARK_WHO ||
                  (kind == ACCESS_WRITES && m.hash[g] != hash)))
        return false;
      if (m.others && m.others[g] >= m.floor && (m.others[g] ^ mine) & MARK_THREAD)
        return false;
      m.marks[g] = mine;
      if (kind == ACCESS_WRITES)
        m.hash[g] = hash;
    }
  }
  return true;
}

/* Checks and records the granules of a window, in marks or in cells. Returns false if each granule
 * must be checked individually. Some granules may have been recorded already; recording them a
 * second time changes nothing. */
static ALWAYS_INLINE bool touch_vectors(const CellAccess *x, uint64_t at, const Window *s,
                                        const unsigned count) {
  const Class class = class_of(x->insn, x->kind);
  Chunk *c = chunk_of(x->w, x->memory, at);
  Marking m;
  if (c->epoch_of_cells != x->w->worker->run->observed->epoch && !s->several &&
      marking_of(x, c, class, &m) &&
      (x->kind == ACCESS_WRITES ? mark_window(&m, s, count, true)
                                : mark_window(&m, s, count, false)))
    return true;
  c = cells_at(x, at);
  const Kept kept = kept_of(x, c, class);
  const uint64_t base = note_of(x->w, x->insn, 0);
  bool news;
  if (!(x->kind == ACCESS_WRITES ? write_window(x, &kept, s, base, &news, count)
                                 : read_window(x, &kept, s, base, &news, count)))
    return false;
  for (unsigned k = 0; news && k < count; k++) {
    const uint32_t lane = s->lane ? s->lane[k] : k >> s->per_lane;
    if (lane < WARP_LANES)
      note(x->w->worker->run, x->memory, c, class, s->first + k,
           base + ((uint64_t)lane << THREAD_SHIFT) + (s->hash ? s->hash[k] : 0));
  }
  return true;
}

/* The addresses of a row ascend with the lane, so its first granule is at the address of lane 0. */
bool global_touch_row(const CellAccess *x, unsigned count, unsigned per_lane) {
  const unsigned shift = x->memory->shadow->shift;
  const uint64_t at = x->at[0];
  uint16_t hash[4 * WARP_LANES + VEC32_LANES];
  if (at % CHUNK_BYTES + (count << shift) > CHUNK_BYTES)
    return false;
  const Window s = {.first = at % CHUNK_BYTES >> shift,
                    .per_lane = per_lane,
                    .hash = x->kind == ACCESS_WRITES ? hash : NULL};
  if (x->kind == ACCESS_WRITES && shift == 2)
    for (unsigned k = 0; k < count; k++)
      hash[k] = (uint16_t)hash_at(x, k, 2);
  for (unsigned k = 0; x->kind == ACCESS_WRITES && shift != 2 && k < count; k++)
    hash[k] = (uint16_t)hash_at(x, k, shift);
  return count == WARP_LANES ? touch_vectors(x, at, &s, WARP_LANES)
                             : touch_vectors(x, at, &s, count);
}

bool global_touch_words(const CellAccess *x, const Shape *shape, uint64_t start, unsigned n) {
  const uint64_t at = start - shape->below;
  uint16_t hash[SHAPE_WORDS];
  if (shape->span > 16 * n * shape->nlanes)
    return false;
  const unsigned count = shape_words(shape, access_bytes(x->insn));
  if (!count || at % CHUNK_BYTES + 4 * count > CHUNK_BYTES ||
      (x->kind == ACCESS_WRITES && shape->words_shared))
    return false;
  const Window s = {.first = at % CHUNK_BYTES / 4,
                    .lane = shape->lane_of_word,
                    .several = shape->words_shared ? shape->several_of_word : NULL,
                    .hash = x->kind == ACCESS_WRITES ? hash : NULL};
  if (x->kind == ACCESS_WRITES)
    EACH_SET(lane, shape->lanes)
  for (unsigned i = 0; i < n; i++)
    hash[(shape->offset[lane] + shape->below) / 4 + i] = (uint16_t)hash_at(x, lane * n + i, 2);
  return touch_vectors(x, at, &s, count);
}

/* ---- granule by granule ---------------------------------------------------------------------- */
/* Prefetches the cells of scattered lanes, so that their cache misses overlap. */
static void fetch_cells(const CellAccess *x, uint32_t lanes, Class class) {
  const unsigned shift = x->memory->shadow->shift;
  EACH_SET(lane, lanes) {
    const Chunk *c = chunk_of(x->w, x->memory, x->at[lane]);
    const size_t g = x->at[lane] % CHUNK_BYTES >> shift;
    const unsigned kind = class == READS ? READ : LAST_WRITE, first = 2 * class + FIRST;
    if (!c->cells || !c->cells->of[kind] || !c->notes[first])
      continue;
    __builtin_prefetch(&c->cells->of[kind][g], 1);
    __builtin_prefetch(&c->notes[first][g], 1);
    if (kind == LAST_WRITE)
      __builtin_prefetch(&c->cells->hash[LAST_WRITE][g], 1);
  }
}

/* Records the accesses of these lanes in cells. `several`: lanes whose granules are also read by
 * lanes that are not in `lanes`. Returns false if each lane must be checked individually, because a
 * cell has a conflicting access by another thread. Some granules may have been recorded already;
 * recording them a second time changes nothing. */
static ALWAYS_INLINE bool touch_quickly(const CellAccess *x, uint32_t lanes, uint32_t several,
                                        const AccessKind kind, const unsigned n,
                                        const unsigned shift) {
  const Run *run = x->w->worker->run;
  const Class class = class_of(x->insn, kind);
  const uint64_t base = note_of(x->w, x->insn, 0);
  uint64_t chunk = UINT64_MAX;
  Chunk *c = NULL;
  Kept kept = {0};
  if ((x->at[lowest(lanes)] ^ x->at[31 - __builtin_clz(lanes)]) / CHUNK_BYTES)
    fetch_cells(x, lanes, class);
  EACH_SET(lane, lanes) {
    const uint64_t start = x->at[lane], number = (uint64_t)lane;
    const Cell mine = x->mine + (number << CELL_THREAD);
    const Cell others = several >> lane & 1 ? CELL_SEVERAL : 0;
    if (start / CHUNK_BYTES != chunk) {
      /* Neighbouring lanes usually access the same chunk, so look the chunk up only when it
       * changes. */
      chunk = start / CHUNK_BYTES;
      c = cells_at(x, start);
      kept = kept_of(x, c, class);
    }
    for (unsigned i = 0; i < n; i++) {
      const size_t g = (start % CHUNK_BYTES >> shift) + i;
      const uint32_t hash = kind == ACCESS_WRITES ? hash_at(x, lane * n + i, shift) : 0;
      const uint64_t noted = base + (number << THREAD_SHIFT) + hash, note_there = kept.notes[g];
      if (kind == ACCESS_WRITES) {
        if (cell_concerns(x, kept.writes, g, mine, 0) || cell_concerns(x, kept.reads, g, mine, 0) ||
            cell_concerns(x, kept.other_reads, g, mine, 0) ||
            cell_concerns(x, kept.changes, g, mine, 0))
          return false;
        kept.writes[g] = mine;
        kept.hash[g] = (uint16_t)hash;
      } else {
        if (cell_concerns(x, kept.writes, g, mine, others) ||
            cell_concerns(x, kept.changes, g, mine, others))
          return false;
        if (!cell_reads(x, &kept.reads[g], mine, others))
          cell_reads(x, &kept.other_reads[g], mine, others);
      }
      if (!note_there)
        kept.notes[g] = noted;
      else if (!is_noted(note_there, noted))
        note(run, x->memory, c, class, g, noted);
    }
  }
  return true;
}

static void touch_granules(const CellAccess *x, const unsigned n, const unsigned shift) {
  const Run *run = x->w->worker->run;
  const Class class = class_of(x->insn, x->kind);
  const uint64_t base = note_of(x->w, x->insn, 0);
  EACH_SET(lane, x->lanes)
  for (unsigned i = 0; i < n; i++) {
    const uint64_t at = x->at[lane] + (i << shift);
    const size_t g = at % CHUNK_BYTES >> shift;
    Chunk *c = cells_at(x, at);
    const uint32_t hash = hash_at(x, lane * n + i, shift);
    cells_touch(x, c->cells, CHUNK_BYTES >> shift, g, lane, at, hash);
    if (meets_blocks(run))
      note(run, x->memory, c, class, g, base + ((uint64_t)lane << THREAD_SHIFT) + hash);
  }
}

/* Tries the fast paths for reads at any offsets: first marks, then cells. The most frequent granule
 * sizes have specialised loops. Returns false if each lane must be checked individually. */
static bool read_quickly(const CellAccess *x, uint32_t lanes, uint32_t several, unsigned n) {
  const unsigned shift = x->memory->shadow->shift;
  if (!several && (shift == 2 && n == 1   ? mark_lanes(x, lanes, ACCESS_READS, 1, 2)
                   : shift == 0 && n == 1 ? mark_lanes(x, lanes, ACCESS_READS, 1, 0)
                                          : mark_lanes(x, lanes, ACCESS_READS, n, shift)))
    return true;
  return shift == 2 && n == 1   ? touch_quickly(x, lanes, several, ACCESS_READS, 1, 2)
         : shift == 2 && n == 2 ? touch_quickly(x, lanes, several, ACCESS_READS, 2, 2)
                                : touch_quickly(x, lanes, several, ACCESS_READS, n, shift);
}
static bool write_quickly(const CellAccess *x, unsigned n) {
  const unsigned shift = x->memory->shadow->shift;
  if (shift == 2 && n == 1   ? mark_lanes(x, x->lanes, ACCESS_WRITES, 1, 2)
      : shift == 0 && n == 1 ? mark_lanes(x, x->lanes, ACCESS_WRITES, 1, 0)
                             : mark_lanes(x, x->lanes, ACCESS_WRITES, n, shift))
    return true;
  return shift == 2 && n == 1   ? touch_quickly(x, x->lanes, 0, ACCESS_WRITES, 1, 2)
         : shift == 2 && n == 2 ? touch_quickly(x, x->lanes, 0, ACCESS_WRITES, 2, 2)
                                : touch_quickly(x, x->lanes, 0, ACCESS_WRITES, n, shift);
}

void global_touch_lanes(const CellAccess *x, uint32_t places, uint32_t several) {
  const unsigned n = granules(x->insn, x->memory);
  if (!x->simple ||
      !(x->kind == ACCESS_READS ? read_quickly(x, places, several, n) : write_quickly(x, n)))
    touch_granules(x, n, x->memory->shadow->shift);
}
