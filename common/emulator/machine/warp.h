/* Inside the machine: grid -> block -> warp -> 32 lanes.
 *
 * launch.c   a launch: workers take blocks until the grid is done, then counters are summed
 * block.c    a block: its warps in turn, barriers, what happens when all wait
 * warp.c     a warp: positions of its lanes, the instruction loop, calls
 * access.c   loads and stores, by memory space: shared.c, strided.c (a column of shared memory),
 *            global.c; lanes.c: how 32 addresses lie and 32 elements get into registers
 * atomic.c   atomic operations
 * texture.c  fetches through texture objects
 * grid.c     the barrier of the whole grid
 * sync.c     instructions in which lanes meet: shuffles, votes, __syncwarp
 * builtin.c  functions that PTX expects from outside: printf, assert, the math library
 *
 * Divergence needs no stack. While all lanes of a warp agree they share one position. When a branch
 * parts them each lane has its own, and the warp always runs the lanes whose block comes first in
 * reverse post-order: the others wait, and where the paths join, so do the lanes.
 */
#ifndef MACHINE_WARP_H
#define MACHINE_WARP_H

#include <pthread.h>
#include <stdatomic.h>

#include "machine.h"
#include "../observe/banks.h"
#include "../observe/report.h"

/* For bodies that are written once and called with constant sizes: each call becomes a loop of its
 * own. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

#define ALL_LANES UINT32_MAX
#define NOWHERE UINT32_MAX /* position of a lane that cannot run */

/* What one worker counts for one instruction that accesses memory. */
typedef struct AccessCount {
  uint64_t whole,
      same; /* by a whole warp without conflict: consecutive lanes; one address for all */
  uint64_t requests, lanes, wavefronts, ideal; /* all others */
  uint64_t sectors;                            /* global memory: of every request */
  uint64_t distance; /* shared memory, lanes a fixed distance apart: how far, and what that costs */
  BankUse use;
  uint64_t previous; /* address of the last whole-warp request, to guess the next */
} AccessCount;

typedef struct Sample Sample; /* observe/samples.h */

/* Counts of one function on one worker; summed over workers after the launch. */
typedef struct FunctionCount {
  uint64_t *block_runs;  /* [nblocks] warps that ran the block */
  uint64_t *block_lanes; /* [nblocks] lanes active in those runs */
  uint64_t *parted;      /* [nblocks] runs whose ending branch parted the lanes */
  uint64_t *unsampled;   /* [nblocks] warps before this place are wanted as samples */
  Sample **samples;      /* [ncode] NULL: none yet */
  AccessCount *access;   /* [ncode] */
  Allocation **recent;   /* [ncode] the allocation that this access found last */
  uint64_t guarded_flop; /* of guarded instructions, counted one by one */
} FunctionCount;

/* Where undefined values came from: a load, and what its lanes read. */
typedef struct Origin {
  const PtxInsn *insn;
  uint32_t lanes; /* that found nothing there */
  uint8_t space;
  uint64_t address[WARP_LANES];
} Origin;
#define ORIGINS 64

/* One call depth of a warp. Its memory stays with the depth and serves the next call at it. */
typedef struct Frame {
  const PtxFunction *function;
  const PtxCall *call; /* that led here; NULL in the kernel itself */
  uint32_t called;     /* lanes that came */
  uint8_t *memory;
  size_t capacity;
  FunctionCount *count;
  AccessCount *access;            /* count->access */
  uint8_t *registers;             /* nslots slots */
  uint32_t *undefined;            /* per slot: lanes whose value nothing defined */
  uint8_t *origin;                /* per slot: number of the Origin, for undefined lanes */
  uint8_t *arguments;             /* argument_bytes per lane, lane after lane */
  uint32_t lanes;                 /* that are in this frame and have not returned */
  bool parted;                    /* lanes have positions of their own */
  uint32_t position;              /* block, while together */
  uint32_t positions[WARP_LANES]; /* block of each lane; NOWHERE when not in this frame or asleep */
  uint32_t local_base;            /* first byte of the frame's local memory */
} Frame;

/* How the addresses in a register lie across the warp. */
typedef enum Pattern { SAME, CONSECUTIVE, SCATTERED } Pattern;
typedef struct Base {
  uint64_t first; /* the lowest lane's address, unless scattered */
  Pattern pattern;
} Base;

typedef enum WarpState { WARP_READY, WARP_WAITING, WARP_DONE } WarpState;

typedef struct Warp {
  struct Block *block;
  struct Worker *worker;
  Frame *top;      /* the frame that runs: frames[depth - 1] */
  uint8_t *shared; /* the block's shared memory and its shadow, close at hand */
  struct SharedShadow *shadow;
  uint32_t shared_bytes;
  bool checks;
  Base bases[PTX_BASES];               /* of the block of instructions that runs */
  uint32_t thread[3][WARP_LANES];      /* threadIdx of each lane */
  uint32_t number;                     /* in its block */
  uint64_t place;                      /* in its launch: blocks by linear index, then warps */
  uint32_t existing;                   /* lanes that stand for a thread */
  uint32_t alive;                      /* that have not exited */
  uint32_t asleep;                     /* at a barrier or waiting for lanes of the warp */
  uint32_t sleep_position[WARP_LANES]; /* the block they sleep at */
  uint32_t sleep_depth[WARP_LANES];    /* and the frame: frames[sleep_depth] */
  bool tainted;                        /* some register of some frame may hold an undefined value */
  uint8_t state;                       /* WarpState */
  Frame *frames;
  uint32_t depth, frame_capacity; /* frames in use; frames[depth - 1] runs */
  uint8_t *local;                 /* local memory, lane after lane: local_size bytes each */
  uint8_t *local_defined;
  uint32_t local_size, local_used;
  uint64_t branches;   /* executed in this launch */
  uint32_t picks;      /* choices among parted lanes so far */
  uint32_t sync_floor; /* shared shadow entries from here on are not ordered by __syncwarp */
  uint32_t turn;       /* line of the last condition that all lanes came to, 0: none yet */
  uint32_t parting[WARP_LANES]; /* where each lane last went another way than others of its warp */
  uint32_t exit_line[WARP_LANES]; /* of a lane that has exited: the condition that led it out */
  Origin *origins;                /* [ORIGINS], made when first needed */
  uint32_t norigins;
  uint32_t barrier_value;             /* predicates brought to a bar.red */
  bool resting;                       /* grid.c: its thread waits for the grid */
  uint32_t passed, holds, gives_back; /* global shadow: lanes on their way through a lock */
} Warp;

typedef struct Block {
  const struct Run *run;
  uint32_t index[3]; /* blockIdx */
  uint64_t number;   /* linear */
  uint32_t nwarps, nthreads;
  Warp *warps;
  uint8_t *shared; /* static then dynamic, poisoned at the start */
  uint32_t shared_bytes;
  struct SharedShadow *shadow;
  uint32_t arrivals[16]; /* bar.arrive, per barrier */
  bool holds;            /* global shadow: some thread held a lock at the last barrier */
  bool divergent;        /* some barrier was not reached by all, and that was said */
  bool stalled;          /* its last turn ended without all of its warps done or at a barrier */
  bool resting;          /* grid.c: until the grid's barrier has been passed this often ... */
  uint32_t rest_until, rest_line, rest_thread; /* ... and who waits where */
} Block;

typedef struct Worker {
  struct Run *run;
  pthread_t thread;
  uint32_t number;
  FunctionCount *functions; /* [module->nfunctions] */
  Block **resident;         /* block contexts, reused */
  uint32_t nresident, most;
  uint64_t blocks_run, barriers;
} Worker;

/* A launch under way. */
typedef struct Run {
  const Launch *launch;
  const PtxModule *module;
  const PtxFunction *function;
  uint64_t nblocks;
  atomic_uint_least64_t next_block;
  atomic_int status; /* LaunchStatus: the first that is not LAUNCH_DONE */
  atomic_bool stop;  /* the launch is lost: every warp leaves at its next branch */
  uint64_t order_multiplier, order_offset; /* block order under a seed */
  bool checks;
  bool has_cas;      /* some atomicCAS: plain reads beside it are its idiom */
  bool shared_cas;   /* ... perhaps in shared memory */
  bool watch_global; /* races between blocks are possible at all */
  uint32_t epoch;    /* of the global shadow */
  uint32_t nthreads, nwarps;
  uint32_t shared_bytes;
  uint32_t bank_bytes;                           /* BankMode */
  uint64_t branch_limit;                         /* per warp */
  uint64_t grid_memory;                          /* grid.c: address of the grid's barrier, 0 none */
  atomic_uint_least64_t grid_arrived, grid_done; /* blocks at it; that have returned */
  atomic_uint_least32_t grid_passed;
  atomic_bool grid_lost; /* some block never comes */
} Run;

/* ---- launch.c -------------------------------------------------------------------------------- */
void run_fail(Run *,
              LaunchStatus); /* keeps the first failure; the launch goes on unless `stop` is set */
uint64_t mix(uint64_t seed, uint64_t value);
void count_create(FunctionCount *, const PtxFunction *);
void count_destroy(FunctionCount *, const PtxFunction *);

/* ---- block.c --------------------------------------------------------------------------------- */
Block *block_create(Worker *);
void block_destroy(Block *);
void block_start(Block *, uint64_t number);
/* Gives each ready warp a turn. Returns false when the block needs no more turns. */
bool block_turn(Block *);

/* ---- warp.c ---------------------------------------------------------------------------------- */
void warp_create(Warp *, Block *, uint32_t number);
void warp_destroy(Warp *);
void warp_start(Warp *);
/* Runs until the warp exits, waits or has used up its turn. */
void warp_run(Warp *);
/* Starts a device function on some lanes. false: the stack is full. */
bool frame_push(Warp *, const PtxFunction *, const PtxCall *, uint32_t lanes);
static inline Frame *warp_frame(const Warp *w) { return w->top; }
void lanes_sleep(Warp *, uint32_t lanes);           /* at their present block */
void lanes_wake(Warp *, uint32_t lanes, bool next); /* at it again, or at the one after */
/* The frame that a sleeping lane sleeps in, and the instruction, alone in its block, that it waits
 * at. Not always the frame that runs: other lanes may have called a function meanwhile. */
static inline Frame *sleep_frame(const Warp *w, unsigned lane) {
  return &w->frames[w->sleep_depth[lane]];
}
static inline const PtxInsn *sleep_insn(const Warp *w, unsigned lane) {
  const PtxFunction *f = sleep_frame(w, lane)->function;
  return &f->code[f->blocks[w->sleep_position[lane]].first];
}
/* Steps of the forms that neither compute nor access memory. */
void (*simple_step(const PtxInsn *))(Warp *, const PtxInsn *, uint32_t lanes); /* simple.c */
/* Index of an instruction's function-wide counters. */
static inline AccessCount *access_count(const Warp *w, const PtxInsn *insn) {
  return &w->top->access[insn->number];
}

/* ---- access.c -------------------------------------------------------------------------------- */
typedef void (*Step)(Warp *, const PtxInsn *, uint32_t lanes);
/* Of each lane. */
static inline unsigned access_bytes(const PtxInsn *insn) {
  return ptx_type_bytes((PtxType)insn->type) * (insn->form == PTX_ATOM ? 1 : insn->count);
}
Step access_step(const PtxInsn *);
/* Does that step look at how the addresses lie, and leave it in Warp.bases for later ones? */
bool access_finds_base(const PtxInsn *);
/* One lane's bytes at a generic address, for printf: NULL when it is not valid. */
const uint8_t *generic_bytes(Warp *, unsigned lane, uint64_t address, size_t bytes);

/* ---- strided.c ---- */
/* A whole warp's access to shared memory, lanes a fixed distance apart. false: not that, or
 * something to report; nothing was done. */
bool strided_shared(Warp *, const PtxInsn *, const uint64_t *address);

/* ---- atomic.c -------------------------------------------------------------------------------- */
void step_atomic(Warp *, const PtxInsn *, uint32_t lanes);

/* ---- grid.c ---------------------------------------------------------------------------------- */
void grid_prepare(Run *);
/* A lane has done an atomic operation on global memory: at the grid's barrier its block rests. */
void grid_added(Warp *, uint64_t address, uint32_t line, unsigned lane);
/* Does the function look for the grid's barrier in a launch that has none? Then it stops itself. */
bool grid_is_missing(const Warp *);
void grid_report_missing(Warp *, uint32_t line, unsigned lane);
/* Does the block rest still? Says so when it waits for blocks that do not come, and lets go. */
bool grid_rests(Block *);

/* ---- texture.c ------------------------------------------------------------------------------- */
void step_texture(Warp *, const PtxInsn *, uint32_t lanes);

/* ---- sync.c ---------------------------------------------------------------------------------- */
/* Executes an instruction that is alone in its block. Returns the lanes that go on to the next. */
uint32_t sync_step(Warp *, const PtxInsn *, uint32_t lanes);
/* The lanes that a sleeping lane's mask names and that are elsewhere. */
uint32_t sync_missing(const Warp *, unsigned lane);
/* Lanes that waited for one that has exited since go on. true: some did. */
bool sync_recheck(Warp *);
static inline bool is_sync(unsigned form) {
  return form >= PTX_BARRIER && form <= PTX_CALL && form != PTX_FENCE;
}

/* ---- builtin.c ------------------------------------------------------------------------------- */
/* Calls an external function on each lane. */
typedef void (*Builtin)(Warp *, const PtxCall *, uint32_t lanes);
/* The function of that name, if it takes what the call passes; else NULL. */
Builtin builtin_find(const PtxCall *);

/* ---- helpers --------------------------------------------------------------------------------- */
static inline uint32_t *slot32(uint8_t *registers, uint32_t offset) {
  return (uint32_t *)(void *)(registers + offset);
}
static inline uint64_t *slot64(uint8_t *registers, uint32_t offset) {
  return (uint64_t *)(void *)(registers + offset);
}
static inline unsigned lowest(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }
/* for each lane in a mask, from the lowest */
#define EACH_SET(lane, mask)                                                                       \
  for (uint32_t lane = 0, rest_ = (mask); rest_ && (lane = lowest(rest_), true); rest_ &= rest_ - 1)

#endif
