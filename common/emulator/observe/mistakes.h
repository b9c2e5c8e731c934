/* Reports of mistakes that the machine detects: one section for each file. Each function makes one
 * report. */
#ifndef OBSERVE_MISTAKES_H
#define OBSERVE_MISTAKES_H

#include "not_on_a_gpu.h"
#include "observed.h"
#include "report.h"

/* ---- report_places.c ---- */
/* Fills in the source line, thread and block of a lane. */
void mistake_place(ReportPlace *, const Warp *, unsigned lane, uint32_t line);
/* The shared array of a kernel that contains the address or is before it, and the start of that
 * array. NULL: none. */
const PtxVariable *mistake_shared_variable(const PtxModule *, const PtxFunction *kernel,
                                           uint64_t address, uint32_t *start);

/* ---- address_reports.c ---- */
/* An access of `bytes` bytes at `address` that the device refuses. In shared and local space,
 * `address` is an offset. The kind is REPORT_OUT_OF_BOUNDS, REPORT_MISALIGNED or, for a store or an
 * atomic operation on constant memory, REPORT_READ_ONLY. */
void mistake_access(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                    unsigned bytes, ReportKind);

/* ---- race_reports.c ---- */
typedef enum AccessKind { ACCESS_READS, ACCESS_WRITES, ACCESS_CHANGES } AccessKind;
/* An earlier access, as remembered by shadow memory. */
typedef struct Earlier {
  uint64_t block;
  uint32_t thread, site;
  AccessKind kind;
  /* Made by several lanes of the thread's warp, including this one. */
  bool several;
  /* Volatile or atomic. */
  bool strong;
  /* Atomic with block scope. */
  bool in_block;
  /* Made by another lane in the same instruction. */
  bool together;
  /* Both accesses write the same value. */
  bool same_value;
  /* Global memory: its thread held a lock. */
  bool locked;
  /* The current thread holds the same lock. */
  bool same_lock;
  /* Another lane of the current warp has acquired something that was released after it. */
  bool heard;
} Earlier;
/* A race: nothing orders the two accesses. In shared space, `address` is an offset. */
void mistake_race(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                  const Earlier *, AccessKind now);
/* The memory is the target of a cp.async of that thread that has not been waited for. */
void mistake_pending(Warp *, const PtxInsn *, unsigned lane, uint32_t offset, uint32_t thread,
                     uint32_t site, bool writes_now);
/* A race of two blocks on one granule. Blocks from GLOBAL_RACE_BLOCKS on share one number. */
#define GLOBAL_RACE_BLOCKS ((UINT64_C(1) << 25) - 2)
typedef struct GlobalRace {
  const Allocation *memory;
  uint64_t address, block[2];
  uint32_t thread[2], site[2];
  AccessKind kind[2];
  bool same_value;
  /* One of the two is atomic with block scope. */
  bool in_block;
  /* Both are atomic, with different sizes. */
  bool mixed;
} GlobalRace;
/* `times`: number of granules with this race. */
void mistake_global_race(const Run *, const GlobalRace *, uint64_t times);
/* One access of a race between streams. */
typedef struct StreamAccess {
  /* "kernel scale", "stream 1", "wrote" */
  const char *work, *where, *verb;
  /* The stream is the default stream; was made with cudaStreamNonBlocking. */
  bool defaults, apart;
  /* The work is a node of a graph. */
  bool in_graph;
  const CallSite *site;
} StreamAccess;
/* `at`: offset of the first byte in the allocation that both access. `element`: bytes of an element
 * if the allocation has no type of its own; 0: unknown. */
void mistake_stream_race(const Allocation *, uint64_t at, unsigned element,
                         const StreamAccess *earlier, const StreamAccess *later);

/* ---- undefined_reports.c ---- */
/* An undefined value from `origin` (NULL: a register) is used at `line`. `use` describes the use,
 * for example "stored it". */
void mistake_undefined(Warp *, const Origin *, unsigned lane, uint32_t line, const char *use);
/* An atomic operation on memory that was never written. */
void mistake_undefined_atomic(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address);

/* ---- stopped_reports.c ---- */
/* Any other mistake that the machine finds. Each kind names the members that it uses. */
typedef enum MistakeKind {
  /* at: the warp takes more branches than the limit. */
  MISTAKE_ENDLESS,
  /* at: the kernel waits for a value that the host would write after the launch. */
  MISTAKE_HOST_AWAITED,
  /* at, report, did, sentence. */
  MISTAKE_STOPPED,
  /* at, on_a_gpu, did, sentence: a GPU behaves differently there. */
  MISTAKE_KINDER,
  /* at, lanes: the mask of a warp function does not include the lane `at`. */
  MISTAKE_MASK,
  /* at, lanes: `at` waits for lanes that do not arrive. */
  MISTAKE_LANES,
  /* at, odd, missing, expected: some threads of the block never reach the barrier. */
  MISTAKE_BARRIER,
  /* at, number, expected, come: the same for a named barrier. */
  MISTAKE_BARRIER_COUNT,
  /* at: the grid's barrier in a launch that is not cooperative. */
  MISTAKE_GRID_BARRIER,
  /* at, missing, expected: some blocks never reach the grid's barrier. */
  MISTAKE_GRID_LOST,
  /* at.warp, expected, come: `come` blocks wait for one another; `expected` fit the card. */
  MISTAKE_TOO_MANY_WAIT,
  /* at, function (may be NULL), sentence: a kernel launches one that the card cannot run. */
  MISTAKE_CHILD_REFUSED,
  /* function, expected: more launches are queued than the `expected` ones that the card keeps. */
  MISTAKE_CHILDREN_TOO_MANY,
  /* function: it launches itself without end. */
  MISTAKE_CHILDREN_ENDLESS,
  /* function: it is not launched, because it uses something that is not implemented. */
  MISTAKE_REFUSED,
} MistakeKind;
typedef struct Mistake {
  MistakeKind kind;
  /* `odd`: a thread at another barrier; its warp is NULL if there is none. */
  ThreadPlace at, odd;
  ReportKind report;
  NotOnAGpu on_a_gpu;
  const PtxFunction *function;
  /* The thread's action, and the mistake in a sentence. */
  const char *did, *sentence;
  uint32_t lanes, number;
  uint64_t missing, expected, come;
} Mistake;
void mistake_tell(const Mistake *);
/* Values that a line of the kernel stores in shared memory are lost. */
void mistake_lost_store(const Run *);

#endif
