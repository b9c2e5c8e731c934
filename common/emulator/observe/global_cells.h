/* Finds races on global memory within a block, and between blocks that run in turn: records which
 * threads accessed a granule last, and checks whether these accesses are ordered before the current
 * one.
 *
 * A granule has the size of the kernel's narrowest access, usually 4 bytes. Up to five cells
 * describe a granule: the last write, two reads by different warps, and two atomic operations by
 * different warps. An access is compared with the cells of accesses that conflict with it. It is a
 * race if order.h does not order the earlier access before it. If the blocks may synchronise with
 * one another, one worker runs all of them (Run.in_turn), and accesses by different blocks are
 * compared through cells too. Otherwise blocks count as concurrent, and global_settle.c compares
 * their accesses.
 *
 * A cell is a 64-bit number. The upper half stores the time of the access, the lower half its
 * instruction (the site) and its thread:
 *
 *   63..32 time     31..20 flags     19..10 thread     9..0 site
 *
 * Each worker has a clock that is not reset between launches. A stretch is an interval of the
 * worker's time in which accesses of one block are recorded. Within a stretch, the clock advances
 * with the block's epoch. A worker usually runs one block after the other, so each block has one
 * stretch:
 *
 *   time     ...  | block 6         | block 7           now
 *                                   ^       ^ floor: the last barrier of block 7
 *                                   start of its stretch
 *
 * A cell whose time is before the floor belongs to another launch or block, or is ordered by the
 * barrier. Such cells are not compared. All other cells are called hot; one comparison decides this
 * (cell_is_hot). The block and epoch of a cell are looked up in the list of stretches only if the
 * cell is hot and belongs to another thread. With 16-byte cells that store block and epoch, kernels
 * that copy 16 bytes per thread, LU decomposition and Floyd-Warshall take 2.3 to 2.5 times as
 * long. */
#ifndef OBSERVE_GLOBAL_CELLS_H
#define OBSERVE_GLOBAL_CELLS_H

#include "mistakes.h"

typedef uint64_t Cell;
enum { CELL_SITE_MASK = 1023, CELL_THREAD = 10, CELL_TIME = 32 };
enum {
  /* Several lanes of the warp made this access in one instruction. */
  CELL_SEVERAL = 1 << 20,
  /* The access is atomic, or it is strong (PtxInsn.strong) and not an update. */
  CELL_STRONG = 1 << 21,
  /* The access is atomic, and the thread uses the old value. */
  CELL_USED = 1 << 22,
  /* The access is atomic with block scope. */
  CELL_IN_BLOCK = 1 << 23,
  /* The access has 64 bits. */
  CELL_WIDE = 1 << 24,
  /* A read that does not race with atomic operations: it is volatile, or has PTX_SEED. */
  CELL_SEED = 1 << 25,
  /* The thread held a lock. */
  CELL_LOCKED = 1 << 26,
  CELL_UNFENCED =
      /* The thread had executed no block-scope fence since it took the lock. The next higher bit
       * has the same meaning for a device-scope fence. */
  1 << 27
};

enum { LAST_WRITE, READ, OTHER_READ, CHANGE, OTHER_CHANGE, CELL_KINDS };
typedef struct Cells {
  /* One cell per granule of a chunk; NULL: not allocated yet. */
  Cell *of[CELL_KINDS];
  /* 16-bit hashes, one per granule: `hash` of the value written, `lock` of the address of the lock
   * if CELL_LOCKED is set. NULL: no access wrote, or no thread held a lock. */
  uint16_t *hash[CELL_KINDS], *lock[CELL_KINDS];
} Cells;

/* An interval of a worker's clock in which accesses of one block are recorded. */
typedef struct Stretch {
  /* The worker's time when the stretch begins, and the block's epoch at that time. */
  uint32_t start, epoch;
  uint32_t block;
} Stretch;
typedef struct Timeline {
  /* The time of the latest access. */
  uint32_t latest;
  uint32_t count, room;
  /* The stretches since the start of the launch or the last grid barrier. */
  Stretch *stretches;
} Timeline;

/* An access of one instruction by some lanes. */
typedef struct CellAccess {
  Warp *w;
  const PtxInsn *insn;
  Allocation *memory;
  AccessKind kind;
  uint32_t lanes;
  /* For each lane: its offset in the allocation. */
  const uint64_t *at;
  /* For writes: the values of all lanes, contiguous. */
  const uint8_t *value;
  const Timeline *timeline;
  /* The time at which the stretch began. */
  uint32_t start;
  /* Only barriers order the threads, so every hot cell of another thread is a race if it
   * conflicts. */
  bool simple;
  /* The block's last barrier orders cells of the block below `floor`. The warp's last __syncwarp
   * orders cells of the warp below `met`. */
  Cell floor, met;
  /* The value that an access by lane 0 would store in a cell. */
  Cell mine;
} CellAccess;

/* Returns the current time of the warp's block. */
uint32_t cell_time(const Warp *, Timeline *);
/* Returns the stretch that contains a time of this launch. */
const Stretch *cell_stretch(const Timeline *, uint32_t time);
CellAccess cell_access(Warp *, const PtxInsn *, Allocation *, AccessKind, Timeline *);
/* Checks and records that a lane accesses granule g of a chunk, at offset `at` in the allocation.
 * `hash`: hash of the value that it writes. */
void cells_touch(const CellAccess *, Cells *, size_t granules, size_t g, unsigned lane, uint64_t at,
                 uint32_t hash);
/* Returns a 16-bit hash of the value written to a granule. */
static inline uint32_t cell_hash(uint32_t value) { return value * UINT32_C(0x9e3779b1) >> 16; }
Cell *cells_of(Cells *, unsigned kind, size_t granules);
uint16_t *cell_hashes_of(Cells *, unsigned kind, size_t granules);
uint16_t *cell_locks_of(Cells *, unsigned kind, size_t granules);
/* Allocates the cells that accesses with CellAccess.simple use: for writes, or for reads. */
void cells_make(Cells *, bool writes, size_t granules);
void cells_free(Cells *);

/* ---- fast path: nothing to report ------------------------------------------------------------ */
static inline bool cell_is_hot(const CellAccess *x, Cell c) { return c >= x->floor; }
static inline bool cell_same_thread(Cell c, Cell mine) {
  return !((c ^ mine) & (UINT64_C(1023) << CELL_THREAD | CELL_SEVERAL));
}
static inline bool cell_same_warp(Cell c, Cell mine) {
  return !((c ^ mine) >> CELL_THREAD & 1023 & ~(uint32_t)(WARP_LANES - 1));
}
/* Returns true if the access in cell g may be unordered with the current access. `several`: not 0
 * if other lanes access the granule in the same instruction. */
static inline bool cell_concerns(const CellAccess *x, const Cell *cells, size_t g, Cell mine,
                                 Cell several) {
  return cells && cell_is_hot(x, cells[g]) && (several || !cell_same_thread(cells[g], mine)) &&
         !(cell_same_warp(cells[g], mine) && cells[g] < x->met);
}

/* Records a read with CellAccess.simple in a cell. Returns false if the cell has a hot read by
 * another warp. */
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
