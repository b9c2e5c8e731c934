/* What workers note of global memory while a kernel runs (global_races.c), and is put together when it is done
 * (global_settle.c).
 */
#ifndef OBSERVE_GLOBAL_NOTES_H
#define OBSERVE_GLOBAL_NOTES_H

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
 * hash, and apart the hashes and the epoch of the block (order.h). Whatever else touches the chunk first makes notes and
 * cells of each granule of them (global_races.c). */
enum { LINE = 8 };
typedef struct Rows {
  uint16_t *hash;  /* of what is written, one per granule: behind the notes */
  uint32_t *epoch; /* one per line: behind the hashes */
  uint64_t note[]; /* one per line; 0: nobody */
} Rows;

/* The notes on CHUNK_BYTES of a buffer; of an earlier epoch they mean nothing. In one epoch a chunk has either rows,
 * or notes and cells. */
typedef struct Chunk {
  uint32_t epoch[NOTES], epoch_of_rows[CLASSES], epoch_of_cells;
  Rows *rows[CLASSES];    /* made when first needed, as are the next two; of READS and WRITES */
  uint64_t *notes[NOTES]; /* one per granule */
  struct Cells *cells;    /* global_cells.h */
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

/* In place of its rows, if the chunk has some, notes of each granule. */
void global_notes_spread(const Run *, const struct GlobalShadow *, Chunk *);

#endif
