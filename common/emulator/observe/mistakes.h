/* What the machine tells the observers about accesses that are not right: each of these makes one
 * report. */
#ifndef OBSERVE_MISTAKES_H
#define OBSERVE_MISTAKES_H

#include "not_on_a_gpu.h"
#include "observed.h"
#include "report.h"

/* Fills in source line, thread and block of a lane. */
void mistake_place(ReportPlace *, const Warp *, unsigned lane, uint32_t line);
/* An access of `bytes` at `address` (an offset in shared and local space) that is not inside any
 * memory. */
void mistake_out_of_bounds(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                           unsigned bytes);
void mistake_misaligned(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                        unsigned bytes);
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
void mistake_endless(Warp *, uint32_t line, unsigned lane);
/* false: it waits for something else, and nothing is reported. */
bool mistake_waits_for_host(Warp *, uint32_t line, unsigned lane);
/* A store or an atomic operation on constant memory. */
void mistake_constant_written(Warp *, const PtxInsn *, unsigned lane, uint64_t address,
                              unsigned bytes);
/* A lane executes a warp function whose mask does not name it. */
void mistake_left_out(Warp *, const PtxInsn *, unsigned lane, uint32_t mask);
/* Anything else, at a line; `did`: what the thread did there. */
void mistake_stop(Warp *, ReportKind, uint32_t line, unsigned lane, const char *did,
                  const char *sentence);

/* The thread does there what a GPU does otherwise. */
void mistake_not_on_a_gpu(const Warp *, NotOnAGpu, uint32_t line, unsigned lane, const char *did,
                          const char *sentence);

/* A barrier of the whole block, at which `first` waits, and some threads never come to it; `odd`:
 * somebody at another barrier, or no warp. */
void mistake_barrier(const Block *, ThreadPlace first, ThreadPlace odd, uint32_t missing,
                     uint32_t expected);
/* Nobody can go on: a thread waits at a barrier of that number for more than come, or at an
 * instruction of the warp for lanes that do not. */
void mistake_barrier_count(ThreadPlace, uint32_t number, uint32_t expected, uint32_t come);
void mistake_lanes_missing(ThreadPlace, uint32_t missing);
/* The grid's barrier: in a launch that has none; where some blocks never come. */
void mistake_grid_barrier(ThreadPlace);
void mistake_grid_lost(ThreadPlace, uint64_t missing, uint64_t blocks);
/* A thread launches a kernel (NULL: none) that the card does not run; so many kernels as that at once that some may not
 * come to wait; and launches that have no end. */
void mistake_child_refused(ThreadPlace, const PtxFunction *child, const char *why);
void mistake_children_too_many(const PtxFunction *parent, size_t most);
void mistake_children_endless(const PtxFunction *child);
/* More blocks wait for one another than the card holds; the warp is of one of them. */
void mistake_too_many_wait(const Warp *, uint64_t fit, uint64_t waiting);
/* The kernel has something that is not implemented. */
void mistake_refused(const PtxFunction *);
/* Values that a line of the kernel stores in shared memory are lost. */
void mistake_lost_store(const Run *);

/* The array of shared memory of a kernel that an address lies in or behind, and where it begins.
 * NULL: none. */
const PtxVariable *mistake_shared_variable(const PtxModule *, const PtxFunction *kernel,
                                           uint64_t address, uint32_t *start);

#endif
