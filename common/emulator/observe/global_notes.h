/* What workers note of global memory while a kernel runs (global_races.c), and is put together when it is done
 * (global_settle.c).
 */
#ifndef OBSERVE_GLOBAL_NOTES_H
#define OBSERVE_GLOBAL_NOTES_H

#include <assert.h>
#include <stdlib.h>

#include "../state/lanes.h"
#include "global_cells.h"
#include "global_races.h"

/* What a worker notes of a granule, in each class: the first block that touched it, and the first
 * other one. A note packs
 *
 *   63..39 block + 1     28..19 site     18 not all wrote the same
 *   38..29 thread                        15..0 hash of what it wrote
 *
 * so that the smallest is the one of the first block, thread and site; 0: nobody. Blocks from
 * GLOBAL_RACE_BLOCKS on share one number: races among them are not seen. */
enum { BLOCK_SHIFT = 39, THREAD_SHIFT = 29, SITE_SHIFT = 19 };
#define DIFFER (UINT64_C(1) << 18)
#define HASH_MASK UINT64_C(0xffff)

enum { CHUNK_BYTES = 4096 };
/* Ways to touch memory, as far as it matters between blocks. Strong are writes of PtxInsn.strong, and reads that atomic
 * operations do not disturb: volatile, or the first of a loop around a compare-and-swap. In the block: of its scope only. */
typedef enum Class {
  WRITES,
  STRONG_WRITES,
  CHANGES,
  WIDE_CHANGES,
  CHANGES_IN_BLOCK,
  READS,
  STRONG_READS,
  CLASSES
} Class;
enum { FIRST, SECOND, NOTES = 2 * CLASSES };

/* Most accesses are rows: neighbouring lanes touch neighbouring granules, and nobody else does. Of plain reads and writes
 * of such there is one note for LINE granules, that of the first with `1 + log2(granules of a lane)` in place of the
 * hash, and apart the hashes and the time (global_cells.h). Whatever else touches the chunk first makes notes and
 * cells of each granule of them (global_races.c). */
enum { LINE = 8 };
typedef struct Rows {
  uint16_t *hash;  /* of what is written, one per granule: behind the notes */
  uint32_t *time;  /* one per line: behind the hashes */
  uint64_t note[]; /* one per line; 0: nobody */
} Rows;

/* Other accesses make a mark for each granule, as long as each is read by one thread in one line, and written by one in
 * one line, which writes one value:
 *
 *   31..20 time since the first access to the chunk, from 1 on     19..10 thread     9..0 site
 *
 * 0: nobody. That is half of what cells need, and a quarter with their notes: copies of float4 run 1.6 times as fast as with
 * cells alone. */
enum { MARK_TIME = 20, MARK_LATEST = 4095 };
typedef struct GranuleMarks {
  uint32_t *of;
  uint16_t *hash; /* of what is written; NULL: these are reads */
} GranuleMarks;

/* The notes on CHUNK_BYTES of a buffer; of an earlier epoch they mean nothing. In one epoch a chunk first has rows, then
 * marks, then cells and notes. What comes later takes over what was before. */
typedef struct Chunk {
  uint32_t epoch[NOTES], epoch_of_rows[CLASSES], epoch_of_marks[CLASSES], epoch_of_cells;
  uint32_t epoch_of_first, first_time; /* of an access to the chunk */
  bool marked;                         /* it has no rows any more */
  GranuleMarks marks[CLASSES]; /* made when first needed, as is what follows; of READS and WRITES */
  Rows *rows[CLASSES];         /* likewise */
  uint64_t *notes[NOTES];      /* one per granule */
  struct Cells *cells;         /* global_cells.h */
} Chunk;

struct GlobalShadow {
  size_t chunks;
  unsigned shift;     /* log2 of the granule */
  Chunk *of_worker[]; /* [settings->workers]; NULL: has touched nothing yet */
};

static inline uint64_t block_of(uint64_t note) { return note >> BLOCK_SHIFT; }

/* One more note enters the two smallest. */
static inline void enter(uint64_t *first, uint64_t *second, uint64_t mine) {
  uint64_t differ = (*first ^ mine) & HASH_MASK ? DIFFER : 0;
  if (!*first) {
    *first = mine;
  } else if (block_of(*first) == block_of(mine)) {
    differ |= (*first | mine) & DIFFER;
    *first = (mine >> SITE_SHIFT < *first >> SITE_SHIFT ? mine : *first) | differ;
  } else if (mine < *first) {
    *second = *first;
    *first = mine | differ | (*second & DIFFER);
  } else {
    *first |= differ | (mine & DIFFER);
    if (!*second || mine >> SITE_SHIFT < *second >> SITE_SHIFT)
      *second = mine;
  }
}

/* In place of its rows and marks, if the chunk has some, notes of each granule. */
void global_notes_spread(const Run *, const struct GlobalShadow *, uint32_t worker, Chunk *);
/* And cells as well: from then on it has both. */
void global_cells_open(const Run *, const struct GlobalShadow *, uint32_t worker, Chunk *);
/* The block of each mark on a worker's chunk, + 1; 0: nobody. A stretch is the time that a worker spends on one block
 * (global_cells.h). */
void global_blocks_of_marks(const Timeline *, const Chunk *, Class, uint32_t *block,
                            size_t granules);
/* The notes on a chunk, for each of whose granules there is none. */
void global_notes_open(const Run *, const struct GlobalShadow *, Chunk *, unsigned n);

/* ---- of an access ------------------------------------------------------------------------------ */
static inline Timeline *timeline_of(const Warp *w) {
  return &w->worker->run->observed->timelines[w->worker->number];
}

static inline Chunk *chunk_of(Warp *w, const Allocation *a, uint64_t at) {
  struct GlobalShadow *s = a->shadow;
  Chunk **table = &s->of_worker[w->worker->number];
  if (__builtin_expect(!*table, 0)) {
    *table = calloc(s->chunks, sizeof **table);
    assert(*table);
  }
  return &(*table)[at / CHUNK_BYTES];
}

static inline uint64_t note_of(const Warp *w, const PtxInsn *insn, unsigned lane) {
  const uint64_t number = w->block->number, last = GLOBAL_RACE_BLOCKS;
  return ((number < last ? number : last) + 1) << BLOCK_SHIFT |
         (uint64_t)(w->number * WARP_LANES + lane) << THREAD_SHIFT |
         (uint64_t)insn->site << SITE_SHIFT;
}

/* Does it tell nothing new? */
static inline bool is_noted(uint64_t old, uint64_t mine) {
  return old && block_of(old) == block_of(mine) && old >> SITE_SHIFT <= mine >> SITE_SHIFT &&
         (old & DIFFER || !((old ^ mine) & HASH_MASK));
}

static inline uint64_t *notes_of(const Run *run, const Allocation *a, Chunk *c, unsigned n) {
  if (__builtin_expect(c->epoch[n] != run->observed->epoch, 0))
    global_notes_open(run, a->shadow, c, n);
  return c->notes[n];
}

static inline void note(const Run *run, const Allocation *a, Chunk *c, Class class, size_t g,
                        uint64_t mine) {
  uint64_t *first = notes_of(run, a, c, 2 * class + FIRST) + g, none = 0;
  if (!*first)
    *first = mine;
  else if (block_of(*first) == block_of(mine) && !is_noted(*first, mine))
    enter(first, &none, mine);
  else if (block_of(*first) != block_of(mine))
    enter(first, notes_of(run, a, c, 2 * class + SECOND) + g, mine);
}

static inline Class class_of(const PtxInsn *insn, AccessKind kind) {
  if (kind == ACCESS_CHANGES)
    return insn->flags & PTX_BLOCK_SCOPE              ? CHANGES_IN_BLOCK
           : ptx_type_bytes((PtxType)insn->type) == 8 ? WIDE_CHANGES
                                                      : CHANGES;
  if (kind == ACCESS_WRITES)
    return insn->strong && !(insn->flags & PTX_UPDATES) ? STRONG_WRITES : WRITES;
  return insn->flags & (PTX_SEED | PTX_VOLATILE) ? STRONG_READS : READS;
}

/* The granules that a lane touches, at least one. */
static inline unsigned granules(const PtxInsn *insn, const Allocation *a) {
  unsigned n = access_bytes(insn) >> a->shadow->shift;
  return n ? n : 1;
}

/* The time of the first access to the chunk. */
static inline void note_first_time(const Run *run, Chunk *c, uint32_t time) {
  if (c->epoch_of_first == run->observed->epoch)
    return;
  c->epoch_of_first = run->observed->epoch;
  c->first_time = time;
  c->marked = false;
}

#endif
