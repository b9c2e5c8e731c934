/* What the machine tells the observers about accesses that are not right: each of these makes one
 * report. */
#ifndef OBSERVE_MISTAKES_H
#define OBSERVE_MISTAKES_H

#include "not_on_a_gpu.h"
#include "observed.h"
#include "report.h"

/* Fills in source line, thread and block of a lane. */
void mistake_place(ReportPlace *, const Warp *, unsigned lane, uint32_t line);
/* An access of `bytes` at `address` (an offset in shared and local space) that the device refuses:
 * REPORT_OUT_OF_BOUNDS: not inside any memory; REPORT_MISALIGNED; REPORT_READ_ONLY: a store or an
 * atomic operation on constant memory. */
void mistake_access(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                    unsigned bytes, ReportKind);
typedef enum AccessKind { ACCESS_READS, ACCESS_WRITES, ACCESS_CHANGES } AccessKind;
/* What a shadow remembers of an earlier access. */
typedef struct Earlier {
  uint64_t block;
  uint32_t thread, site;
  AccessKind kind;
  bool several;    /* lanes of the thread's warp, of which it is one */
  bool strong;     /* volatile or atomic */
  bool in_block;   /* for its block only */
  bool together;   /* by another lane in the very same instruction */
  bool same_value; /* both write the same */
  bool locked;     /* in global memory: while its thread held a lock; */
  bool same_lock;  /* this one's thread holds that, too */
  bool heard;      /* what comes after it, another lane of this one's warp has acquired */
} Earlier;
/* Nothing orders the two. `address`: an offset in shared memory. */
void mistake_race(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                  const Earlier *, AccessKind now);
/* What that thread copies there (cp.async) has not been waited for. */
void mistake_pending(Warp *, const PtxInsn *, unsigned lane, uint32_t offset, uint32_t thread,
                     uint32_t site, bool writes_now);
/* The undefined value that came from `origin` (NULL: a register) is used at `line`: `use` says
 * what the thread did with it, "stored it". */
void mistake_undefined(Warp *, const Origin *, unsigned lane, uint32_t line, const char *use);
/* Two blocks on one granule: who, how, and by which lines (sites). All blocks from the last number on have that
 * number. */
#define GLOBAL_RACE_BLOCKS ((UINT64_C(1) << 25) - 2)
typedef struct GlobalRace {
  const Allocation *memory;
  uint64_t address, block[2];
  uint32_t thread[2], site[2];
  AccessKind kind[2];
  bool same_value;
  bool in_block; /* one of the two is atomic for its block only; */
  bool mixed;    /* both are atomic, of different sizes */
} GlobalRace;
/* `times`: granules on which it is so. */
void mistake_global_race(const Run *, const GlobalRace *, uint64_t times);
/* An atomic operation changes what nothing wrote. */
void mistake_undefined_atomic(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address);

/* Any other mistake that the machine finds. Each kind names the members that it uses. */
typedef enum MistakeKind {
  MISTAKE_ENDLESS, /* at: a warp takes more branches than the limit */
  MISTAKE_STOPPED, /* at, report, did, sentence */
  MISTAKE_KINDER,  /* at, on_a_gpu, did, sentence: a GPU does something else there */
  MISTAKE_MASK,    /* at, lanes: the mask of a warp function that leaves out the lane `at` */
  MISTAKE_LANES,   /* at, lanes: lanes for which `at` waits, and which do not arrive */
  MISTAKE_BARRIER, /* at, odd, missing, expected: a barrier that some threads of the block miss */
  MISTAKE_BARRIER_COUNT, /* at, number, expected, come: a named barrier, likewise */
  MISTAKE_GRID_BARRIER,  /* at: a barrier of the grid in a launch that has none */
  MISTAKE_GRID_LOST,     /* at, missing, expected: blocks that miss the grid's barrier */
  MISTAKE_TOO_MANY_WAIT, /* at.warp, expected, come: `come` blocks wait; `expected` fit the card */
  MISTAKE_CHILD_REFUSED, /* at, function (may be NULL), sentence: a launch in a kernel */
  MISTAKE_CHILDREN_TOO_MANY, /* function, expected: a card keeps at most `expected` launches */
  MISTAKE_CHILDREN_ENDLESS,  /* function: it launches itself without an end */
} MistakeKind;
typedef struct Mistake {
  MistakeKind kind;
  ThreadPlace at, odd; /* odd: a thread at another barrier; no warp: there is none */
  ReportKind report;
  NotOnAGpu on_a_gpu;
  const PtxFunction *function;
  const char *did, *sentence; /* what the thread did there, and what is wrong */
  uint32_t lanes, number;
  uint64_t missing, expected, come;
} Mistake;
void mistake_tell(const Mistake *);
/* The kernel has something that is not implemented. */
void mistake_refused(const PtxFunction *);
/* Values that a line of the kernel stores in shared memory are lost. */
void mistake_lost_store(const Run *);

/* The array of shared memory of a kernel that an address lies in or behind, and where it begins.
 * NULL: none. */
const PtxVariable *mistake_shared_variable(const PtxModule *, const PtxFunction *kernel,
                                           uint64_t address, uint32_t *start);

#endif
