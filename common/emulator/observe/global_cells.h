/* Who touched a granule of global memory last, and in which order with what is done now?
 *
 * A granule is the narrowest access of the kernel, 4 bytes as a rule. Behind each lie up to five cells: the last
 * write, two reads of different warps, and two atomic operations of different warps. An access meets the cells that it
 * conflicts with; where order.h does not say that these come before, it is a race. So it is within each block. Between
 * blocks cells are looked at only where one worker runs all of them (Run.in_turn), as the blocks order one
 * another; else global_settle.c compares blocks, which then are always concurrent.
 */
#ifndef OBSERVE_GLOBAL_CELLS_H
#define OBSERVE_GLOBAL_CELLS_H

#include "mistakes.h"

typedef struct Cell {
  uint32_t serial; /* of the block: none has the same in two stretches (RunObserved.first_serial) */
  uint32_t epoch;  /* of the block, when it was there */
  uint32_t who;    /* site, thread << CELL_THREAD and the bits below */
  uint32_t hash;   /* of what it wrote, 16 bits; above them of its lock's address, if CELL_LOCKED */
} Cell;
enum { CELL_SITE_MASK = 1023, CELL_THREAD = 10 };
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
} Cells;

/* Lanes of one instruction, as they meet cells. */
typedef struct CellAccess {
  Warp *w;
  const PtxInsn *insn;
  Allocation *memory;
  AccessKind kind;
  uint32_t lanes;
  const uint64_t *at;   /* of each lane, in the allocation */
  const uint8_t *value; /* writes: of each lane, one behind the other */
  unsigned shift;       /* log2 of the granule */
  uint32_t serial, epoch, who;
  uint32_t first_live, live; /* serials of blocks that matter: so many from the first on */
} CellAccess;

CellAccess cell_access(Warp *, const PtxInsn *, Allocation *, AccessKind, unsigned shift);
/* A lane touches granule g of a chunk, at `at` in the allocation. `hash`: of what it writes there. */
void cells_touch(const CellAccess *, Cells *, size_t granules, size_t g, unsigned lane, uint64_t at,
                 uint32_t hash);
/* 16 bits for what is written to a granule. */
static inline uint32_t cell_hash(uint32_t value) { return value * UINT32_C(0x9e3779b1) >> 16; }
Cell *cells_of(Cells *, unsigned kind, size_t granules);
void cells_free(Cells *);

#endif
