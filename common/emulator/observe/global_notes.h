/* Stores compact records (notes) of accesses to global memory. The workers write notes while a
 * kernel runs (global_races.h), and global_settle.c merges them when the kernel is done. */
#ifndef OBSERVE_GLOBAL_NOTES_H
#define OBSERVE_GLOBAL_NOTES_H

#include <assert.h>
#include <stdlib.h>

#include "../state/lanes.h"
#include "global_cells.h"
#include "global_races.h"

/* For each granule and class of access, a worker keeps two notes: for the first block that accessed
 * the granule, and for the second. A note has these bits:
 *
 *   63..39 block + 1     28..19 site     18 the values written differ
 *   38..29 thread                        15..0 hash of the value written
 *
 * 0: no access. The numerically smallest note is that of the first block, thread and site. All
 * blocks from GLOBAL_RACE_BLOCKS on have the same number in notes, so races among these blocks are
 * not detected. */
enum { BLOCK_SHIFT = 39, THREAD_SHIFT = 29, SITE_SHIFT = 19 };
#define DIFFER (UINT64_C(1) << 18)
#define HASH_MASK UINT64_C(0xffff)

enum { CHUNK_BYTES = 4096 };
/* Access classes used to detect races between blocks. Strong writes have PtxInsn.strong. Strong
 * reads do not race with atomic operations: they are volatile, or the first read of a
 * compare-and-swap loop. WIDE_CHANGES are atomic operations on 64 bits. CHANGES_IN_BLOCK are atomic
 * operations with block scope. */
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

/* Most accesses are rows: consecutive lanes access consecutive granules, and no two lanes access
 * the same granule. For rows that are plain reads or writes, one note covers LINE granules. It is
 * the note of the first granule, with `1 + log2(granules per lane)` in place of the hash. Hashes
 * and times (global_cells.h) are stored separately. When an access that is not such a row reaches
 * the chunk, the rows are converted to marks, or to notes and cells of each granule
 * (global_notes.c). */
enum { LINE = 8 };
typedef struct Rows {
  /* Hashes of the values written, one per granule. The array is stored after the notes. */
  uint16_t *hash;
  /* One time per line. The array is stored after the hashes. */
  uint32_t *time;
  /* One note per line; 0: no access. */
  uint64_t note[];
} Rows;

/* Accesses that are not rows are recorded as one mark per granule, as long as one thread at one
 * source line reads the granule, and one thread at one source line writes it, always with the same
 * value. A mark has these bits:
 *
 *   31..20 time since the first access to the chunk, from 1     19..10 thread     9..0 site
 *
 * 0: no access. A mark has half the size of a cell, and a quarter of the size of a cell and a note
 * together. With marks, copies of float4 run 1.6 times as fast as with cells alone. */
enum { MARK_TIME = 20, MARK_LATEST = 4095 };
typedef struct GranuleMarks {
  uint32_t *of;
  /* Hashes of the values written; NULL: these are the marks of reads. */
  uint16_t *hash;
} GranuleMarks;

/* The records of one worker about CHUNK_BYTES bytes of a buffer. Data of an earlier epoch is
 * invalid. In each epoch, a chunk first has rows, then marks, then cells and notes; the data is
 * converted from one representation to the next. */
typedef struct Chunk {
  uint32_t epoch[NOTES], epoch_of_rows[CLASSES], epoch_of_marks[CLASSES], epoch_of_cells;
  /* `first_time`: time of the first access to the chunk in the epoch `epoch_of_first`. */
  uint32_t epoch_of_first, first_time;
  /* The rows have been converted to marks in the epoch `epoch_of_first`. */
  bool marked;
  /* Only for READS and WRITES. These arrays and those of the following members are allocated when
   * they are first used. */
  GranuleMarks marks[CLASSES];
  /* Only for READS and WRITES. */
  Rows *rows[CLASSES];
  /* One note per granule. */
  uint64_t *notes[NOTES];
  /* global_cells.h */
  struct Cells *cells;
} Chunk;

struct GlobalShadow {
  size_t chunks;
  /* log2 of the granule size. */
  unsigned shift;
  /* [settings->workers]; NULL: the worker has not accessed the buffer yet. */
  Chunk *of_worker[];
};

static inline uint64_t block_of(uint64_t note) { return note >> BLOCK_SHIFT; }

/* Adds the note `mine` to the two notes that a worker keeps for one granule and class. */
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

/* Replaces the rows and marks of a chunk by notes for each granule. */
void global_notes_spread(const Run *, const struct GlobalShadow *, uint32_t worker, Chunk *);
/* Replaces the rows and marks of a chunk by notes and cells for each granule. Later accesses in
 * this epoch are recorded in notes and in cells. */
void global_cells_open(const Run *, const struct GlobalShadow *, uint32_t worker, Chunk *);
/* For each granule of a chunk, writes to `block` 1 + the number of the block that made the mark; 0:
 * no access. The stretch that contains the time of the mark (global_cells.h) has the block
 * number. */
void global_blocks_of_marks(const Timeline *, const Chunk *, Class, uint32_t *block,
                            size_t granules);
/* Clears the n-th array of notes of a chunk and makes it valid in this epoch. */
void global_notes_open(const Run *, const struct GlobalShadow *, Chunk *, unsigned n);

/* ---- recording an access --------------------------------------------------------------------- */
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

/* Returns true if adding the note `mine` would not change the note `old`. */
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

/* Returns the number of granules that a lane accesses, at least 1. */
static inline unsigned granules(const PtxInsn *insn, const Allocation *a) {
  unsigned n = access_bytes(insn) >> a->shadow->shift;
  return n ? n : 1;
}

/* Sets the time of the first access to the chunk, if this is the first access. */
static inline void note_first_time(const Run *run, Chunk *c, uint32_t time) {
  if (c->epoch_of_first == run->observed->epoch)
    return;
  c->epoch_of_first = run->observed->epoch;
  c->first_time = time;
  c->marked = false;
}

#endif
