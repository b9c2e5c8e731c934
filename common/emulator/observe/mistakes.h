/* Functions that report mistakes, one report for each call. Each section of this file declares the
 * functions of one file. */
#ifndef OBSERVE_MISTAKES_H
#define OBSERVE_MISTAKES_H

#include "not_on_a_gpu.h"
#include "observed.h"
#include "report.h"

/* ---- report_places.c ---- */
/* Fills in the source line, the thread and the block of a lane. */
void mistake_place(ReportPlace *, const Warp *, unsigned lane, uint32_t line);
/* Returns the last shared array of a kernel that starts at or before the address; NULL: there is no
 * such array. `*start` is set to the start of this array. */
const PtxVariable *mistake_shared_variable(const PtxModule *, const PtxFunction *kernel,
                                           uint64_t address, uint32_t *start);

/* ---- address_reports.c ---- */
/* Reports an access of `bytes` bytes at `address` that the device refuses. In shared and local
 * space, `address` is an offset. The kind is REPORT_OUT_OF_BOUNDS, REPORT_MISALIGNED or, for a
 * store or an atomic operation on constant memory, REPORT_READ_ONLY. */
void mistake_access(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                    unsigned bytes, ReportKind);

/* ---- race_reports.c ---- */
typedef enum AccessKind { ACCESS_READS, ACCESS_WRITES, ACCESS_CHANGES } AccessKind;
/* An earlier access, as recorded in shadow memory. */
typedef struct Earlier {
  uint64_t block;
  uint32_t thread, site;
  AccessKind kind;
  /* Several lanes of a warp, including that of `thread`, made the access in one instruction. */
  bool several;
  /* The access was volatile or atomic. */
  bool strong;
  /* The access was atomic with block scope. */
  bool in_block;
  /* Another lane made the access in the same instruction as the current access. */
  bool together;
  /* Both accesses write the same value. */
  bool same_value;
  /* In global memory: the thread of the earlier access held a lock. */
  bool locked;
  /* The current thread holds the same lock as the thread of the earlier access. */
  bool same_lock;
  /* A lane of the current warp, but not the current lane, has acquired the access
   * (order_is_heard). */
  bool heard;
} Earlier;
/* Reports a race: nothing orders the two accesses. In shared space, `address` is an offset. */
void mistake_race(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                  const Earlier *, AccessKind now);
/* Reports that a lane accesses the target of a cp.async which the copying thread `thread` has not
 * waited for. */
void mistake_pending(Warp *, const PtxInsn *, unsigned lane, uint32_t offset, uint32_t thread,
                     uint32_t site, bool writes_now);
/* A race between two blocks on one granule. If block[i] is GLOBAL_RACE_BLOCKS, the number of the
 * block is not known exactly: it is this number or a higher one. */
#define GLOBAL_RACE_BLOCKS ((UINT64_C(1) << 25) - 2)
typedef struct GlobalRace {
  const Allocation *memory;
  uint64_t address, block[2];
  uint32_t thread[2], site[2];
  AccessKind kind[2];
  bool same_value;
  /* One of the two accesses is atomic with block scope. */
  bool in_block;
  /* Both accesses are atomic, but have different sizes. */
  bool mixed;
} GlobalRace;
/* Reports a race between blocks. `times`: number of granules with this race. */
void mistake_global_race(const Run *, const GlobalRace *, uint64_t times);
/* One side of a race between streams. */
typedef struct StreamAccess {
  /* Words for the sentence, for example "kernel scale", "stream 1" and "wrote". */
  const char *work, *where, *verb;
  /* `defaults`: the work is in a default stream. `apart`: the stream of the work does not wait for
   * the default stream. */
  bool defaults, apart;
  /* The work is a node of a graph. */
  bool in_graph;
  const CallSite *site;
} StreamAccess;
/* Reports a race between work in two streams. `at`: offset in the allocation of the first byte that
 * both access. `element`: size of an element in bytes, used if the allocation has no element size;
 * 0: unknown. */
void mistake_stream_race(const Allocation *, uint64_t at, unsigned element,
                         const StreamAccess *earlier, const StreamAccess *later);

/* ---- undefined_reports.c ---- */
/* Reports that an undefined value is used at `line`. `origin`: the load or shuffle that produced
 * the value; NULL: the register was never set. `use`: describes the use, for example "stored
 * it". */
void mistake_undefined(Warp *, const Origin *, unsigned lane, uint32_t line, const char *use);
/* Reports an atomic operation on memory that was never written. */
void mistake_undefined_atomic(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address);

/* ---- stopped_reports.c ---- */
/* The kinds of the other mistakes that the machine finds. The comment of a kind first lists the
 * members of Mistake that the kind uses. */
typedef enum MistakeKind {
  /* `at`: the warp has executed more branches than the limit. */
  MISTAKE_ENDLESS,
  /* `at`: the kernel waits for a value that the host would write after the launch. */
  MISTAKE_HOST_AWAITED,
  /* `at`, `report`, `did`, `sentence`: the thread cannot continue, for the reason that `sentence`
   * gives. */
  MISTAKE_STOPPED,
  /* `at`, `on_a_gpu`, `did`, `sentence`: an action of the thread fails on a GPU. */
  MISTAKE_KINDER,
  /* `at`, `lanes`: the mask `lanes` of a warp function does not include the lane that calls it. */
  MISTAKE_MASK,
  /* `at`, `lanes`: a lane waits for the lanes in `lanes`, which never arrive. */
  MISTAKE_LANES,
  /* `at`, `odd`, `missing`, `expected`: `missing` of `expected` threads of the block never reach
   * the barrier. */
  MISTAKE_BARRIER,
  /* `at`, `number`, `expected`, `come`: barrier `number` waits for `expected` threads, but `come`
   * threads arrive at the barrier. */
  MISTAKE_BARRIER_COUNT,
  /* `at`: the kernel uses the barrier of the grid, but the launch is not cooperative. */
  MISTAKE_GRID_BARRIER,
  /* `at`, `missing`, `expected`: `missing` of `expected` blocks never reach the barrier of the
   * grid. */
  MISTAKE_GRID_LOST,
  /* `at.warp`, `expected`, `come`: `come` blocks wait for one another, but only `expected` blocks
   * are resident on the card at the same time. */
  MISTAKE_TOO_MANY_WAIT,
  /* `at`, `function` (may be NULL), `sentence`: a kernel launches a kernel that the card cannot
   * run. */
  MISTAKE_CHILD_REFUSED,
  /* `function`, `expected`: the kernel has queued more than `expected` launches, the limit of the
   * card. */
  MISTAKE_CHILDREN_TOO_MANY,
  /* `function`: the kernel launches itself without end. */
  MISTAKE_CHILDREN_ENDLESS,
  /* `function`: the launch is refused, because the kernel uses a feature that is not
   * implemented. */
  MISTAKE_REFUSED,
} MistakeKind;
typedef struct Mistake {
  MistakeKind kind;
  /* `at`: the thread that made the mistake. `odd`: a thread that waits at another barrier; if there
   * is no such thread, its warp is NULL. */
  ThreadPlace at, odd;
  ReportKind report;
  NotOnAGpu on_a_gpu;
  const PtxFunction *function;
  /* `did`: the action of the thread, such as "waits here". `sentence`: describes the mistake. */
  const char *did, *sentence;
  uint32_t lanes, number;
  uint64_t missing, expected, come;
} Mistake;
void mistake_tell(const Mistake *);
/* Reports a store of the kernel to shared memory whose values are overwritten before any thread
 * reads them. */
void mistake_lost_store(const Run *);

#endif
