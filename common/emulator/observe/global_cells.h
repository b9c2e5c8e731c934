/* Who touched a granule of global memory last, and in which order with what is done now?
 *
 * A granule is the narrowest access of the kernel, 4 bytes as a rule. Up to five cells describe each: the last
 * write, two reads of different warps, and two atomic operations of different warps. An access meets the cells that it
 * conflicts with; where order.h does not say that these come before, it is a race. So it is within each block. Between
 * blocks cells are looked at only where one worker runs all of them (Run.in_turn), as the blocks order one
 * another; else global_settle.c compares blocks, which then are always concurrent.
 *
 * A cell is one number: the time of the access in the upper half, its line and thread in the lower half.
 *
 *   63..32 time     31..20 flags     19..10 thread     9..0 site
 *
 * Each worker has a clock of its own, which is not set back between launches. A stretch is a piece of this time in which
 * the accesses of one block were noted, and in a stretch the time goes as the block's epoch does. A worker usually runs
 * one block after the other, so that each block has one stretch:
 *
 *   time     ...  | block 6         | block 7           now
 *                                   ^       ^ floor: the last barrier of block 7
 *                                   start of its stretch
 *
 * A cell before the floor is of another launch or block, or comes before the barrier: there is nothing to compare. So one
 * comparison answers the usual question (cell_is_hot). Only if a cell is hot and of another thread, its block and epoch
 * are looked up in the list of stretches. Kernels that copy 16 bytes a thread, eliminate (LU) or find paths
 * (Floyd-Warshall) run 2.3 to 2.5 times as fast as with cells of 16 bytes that kept block and epoch, looked at one by one.
 */
#ifndef OBSERVE_GLOBAL_CELLS_H
#define OBSERVE_GLOBAL_CELLS_H

#include "mistakes.h"

typedef uint64_t Cell;
enum { CELL_SITE_MASK = 1023, CELL_THREAD = 10, CELL_TIME = 32 };
enum {
  CELL_SEVERAL = 1 << 20,  /* lanes of the warp */
  CELL_STRONG = 1 << 21,   /* PtxInsn.strong, but for updates; or atomic */
  CELL_USED = 1 << 22,     /* atomic, and the thread uses what it found */
  CELL_IN_BLOCK = 1 << 23, /* for its block only */
  CELL_WIDE = 1 << 24,     /* 64 bits */
  CELL_SEED = 1 << 25,     /* PTX_SEED or volatile: reads that atomic operations do not disturb */
  CELL_LOCKED = 1 << 26,   /* its thread held a lock */
  CELL_UNFENCED =
      1 << 27 /* ... that no fence followed, of the block; and one bit on, of the device */
};

enum { LAST_WRITE, READ, OTHER_READ, CHANGE, OTHER_CHANGE, CELL_KINDS };
typedef struct Cells {
  Cell *of[CELL_KINDS]; /* one per granule of a chunk; NULL: there are none yet */
  /* 16 bits of what was written, and of the lock's address where CELL_LOCKED; NULL: nobody wrote, or held a lock. */
  uint16_t *hash[CELL_KINDS], *lock[CELL_KINDS];
} Cells;

/* The clock of a worker. */
typedef struct Stretch {
  uint32_t start, epoch; /* the time, and the block's epoch at that time */
  uint32_t block;
} Stretch;
typedef struct Timeline {
  uint32_t latest; /* time of an access */
  uint32_t count, room;
  Stretch *stretches; /* of this launch, or since the grid's barrier */
} Timeline;

/* Lanes of one instruction, as they meet cells. */
typedef struct CellAccess {
  Warp *w;
  const PtxInsn *insn;
  Allocation *memory;
  AccessKind kind;
  uint32_t lanes;
  const uint64_t *at;   /* of each lane, in the allocation */
  const uint8_t *value; /* writes: of each lane, one behind the other */
  const Timeline *timeline;
  uint32_t start; /* of the stretch */
  bool simple;    /* nothing but barriers orders threads: then hot cells are all that matters */
  Cell floor,
      met;   /* cells of the block from here on come after its last barrier, of the warp after its
                       last __syncwarp */
  Cell mine; /* of lane 0 */
} CellAccess;

/* The block's time, as of now. */
uint32_t cell_time(const Warp *, Timeline *);
/* The stretch of a time in this launch. */
const Stretch *cell_stretch(const Timeline *, uint32_t time);
CellAccess cell_access(Warp *, const PtxInsn *, Allocation *, AccessKind, Timeline *);
/* A lane touches granule g of a chunk, at `at` in the allocation. `hash`: of what it writes there. */
void cells_touch(const CellAccess *, Cells *, size_t granules, size_t g, unsigned lane, uint64_t at,
                 uint32_t hash);
/* 16 bits for what is written to a granule. */
static inline uint32_t cell_hash(uint32_t value) { return value * UINT32_C(0x9e3779b1) >> 16; }
Cell *cells_of(Cells *, unsigned kind, size_t granules);
uint16_t *cell_hashes_of(Cells *, unsigned kind, size_t granules);
uint16_t *cell_locks_of(Cells *, unsigned kind, size_t granules);
/* All that simple accesses need. */
void cells_make(Cells *, bool writes, size_t granules);
void cells_free(Cells *);

/* ---- the usual access: nothing to say ------------------------------------------------------------ */
static inline bool cell_is_hot(const CellAccess *x, Cell c) { return c >= x->floor; }
static inline bool cell_same_thread(Cell c, Cell mine) {
  return !((c ^ mine) & (UINT64_C(1023) << CELL_THREAD | CELL_SEVERAL));
}
static inline bool cell_same_warp(Cell c, Cell mine) {
  return !((c ^ mine) >> CELL_THREAD & 1023 & ~(uint32_t)(WARP_LANES - 1));
}
/* May it be in no order with what the thread does? `several`: other lanes do the same. */
static inline bool cell_concerns(const CellAccess *x, const Cell *cells, size_t g, Cell mine,
                                 Cell several) {
  return cells && cell_is_hot(x, cells[g]) && (several || !cell_same_thread(cells[g], mine)) &&
         !(cell_same_warp(cells[g], mine) && cells[g] < x->met);
}

/* A simple access reads: false, if another warp did, and has the cell. */
static inline bool cell_reads(const CellAccess *x, Cell *c, Cell mine, Cell several) {
  const bool same_warp = cell_same_warp(*c, mine);
  if (!cell_is_hot(x, *c) || cell_same_thread(*c, mine) || (same_warp && *c < x->met))
    *c = mine | several;
  else if (same_warp)
    *c |= CELL_SEVERAL;
  else
    return false;
  return true;
}

#endif
