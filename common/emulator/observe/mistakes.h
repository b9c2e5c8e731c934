/* Reports of mistakes that the machine detects. Each function makes one report. */
#ifndef OBSERVE_MISTAKES_H
#define OBSERVE_MISTAKES_H

#include "not_on_a_gpu.h"
#include "observed.h"
#include "report.h"

/* Fills in the source line, thread and block of a lane. */
void mistake_place(ReportPlace *, const Warp *, unsigned lane, uint32_t line);
/* An access of `bytes` bytes at `address` is outside all memory. In shared and local space,
 * `address` is an offset. */
void mistake_out_of_bounds(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                           unsigned bytes);
void mistake_misaligned(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                        unsigned bytes);
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
/* An undefined value from `origin` (NULL: a register) is used at `line`. `use` describes the use,
 * for example "stored it". */
void mistake_undefined(Warp *, const Origin *, unsigned lane, uint32_t line, const char *use);
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
/* An atomic operation on memory that was never written. */
void mistake_undefined_atomic(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address);
void mistake_endless(Warp *, uint32_t line, unsigned lane);
/* A store or an atomic operation on constant memory. */
void mistake_constant_written(Warp *, const PtxInsn *, unsigned lane, uint64_t address,
                              unsigned bytes);
/* A lane executes a warp function whose mask does not include it. */
void mistake_left_out(Warp *, const PtxInsn *, unsigned lane, uint32_t mask);
/* Any other mistake at a line. `did`: what the thread did there. */
void mistake_stop(Warp *, ReportKind, uint32_t line, unsigned lane, const char *did,
                  const char *sentence);

/* The thread uses something that behaves differently on a GPU. */
void mistake_not_on_a_gpu(const Warp *, NotOnAGpu, uint32_t line, unsigned lane, const char *did,
                          const char *sentence);

/* Some threads never reach the barrier of the whole block at which `first` waits. `odd`: a thread
 * at another barrier; its warp is NULL if there is none. */
void mistake_barrier(const Block *, ThreadPlace first, ThreadPlace odd, uint32_t missing,
                     uint32_t expected);
/* A deadlock: a thread waits at a barrier of that number for more threads than arrive, or at a warp
 * instruction for lanes that do not arrive. */
void mistake_barrier_count(ThreadPlace, uint32_t number, uint32_t expected, uint32_t come);
void mistake_lanes_missing(ThreadPlace, uint32_t missing);
/* The grid's barrier is used in a launch that is not cooperative, or some blocks never reach it. */
void mistake_grid_barrier(ThreadPlace);
void mistake_grid_lost(ThreadPlace, uint64_t missing, uint64_t blocks);
/* A thread launches a kernel (NULL: none) that the card cannot run; so many child kernels that some
 * may find no room in the queue; or launches without end. */
void mistake_child_refused(ThreadPlace, const PtxFunction *child, const char *why);
void mistake_children_too_many(const PtxFunction *parent, size_t most);
void mistake_children_endless(const PtxFunction *child);
/* More blocks wait for one another than the card holds. The warp belongs to one of them. */
void mistake_too_many_wait(const Warp *, uint64_t fit, uint64_t waiting);
/* The kernel uses something that is not implemented. */
void mistake_refused(const PtxFunction *);
/* Values that a line of the kernel stores in shared memory are lost. */
void mistake_lost_store(const Run *);

/* The shared array of a kernel that contains the address or is before it, and the start of that
 * array. NULL: none. */
const PtxVariable *mistake_shared_variable(const PtxModule *, const PtxFunction *kernel,
                                           uint64_t address, uint32_t *start);

#endif
