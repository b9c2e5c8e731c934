/* The state of a running launch: worker -> block -> warp -> 32 lanes.
 *
 * The machine and the observers read it; only the machine changes it. The observers' own data about
 * a warp, block or run is behind the `observed` pointers, which only they use. */
#ifndef STATE_WARP_H
#define STATE_WARP_H

#include "launch.h"
#include "vector.h"

/* For function bodies that are called with constant sizes: each call becomes a specialised loop. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

#define ALL_LANES UINT32_MAX
#define NO_POINT UINT32_MAX

#define SHAPE_WINDOW 128 /* bytes */
#define SHAPE_WORDS 144  /* words of 4 bytes */
/* The maximum distance of a lane from the lowest lane, in bytes. */
#define SHAPE_REACH (UINT64_C(1) << 30)
#define NO_LANE UINT32_MAX

/* The cost of requests to memory, padded to one vector. */
typedef struct Requests {
  _Alignas(64) uint64_t requests;
  uint64_t lanes, sectors, wavefronts, ideal;
  /* The same on a GPU, whose assembler merges accesses: see observe/counters.h. */
  uint64_t gpu_requests, gpu_wavefronts, gpu_ideal;
} Requests;
/* Number of values of PtxMerged.slot. */
#define COSTS_KEPT 8

/* The relative addresses of the lanes of a scattered request. An instruction usually repeats the
 * same few shapes, so everything derived from a shape is computed once (shapes.c). */
typedef struct Shape {
  uint32_t lanes, nlanes;
  /* Signed distance from the lowest lane's address, in bytes; 0 for inactive lanes. */
  uint32_t offset[WARP_LANES];
  /* All ones for active lanes, otherwise 0. */
  uint32_t member[WARP_LANES];
  /* `below`: distance of the lowest offset below the lowest lane's. `span`: distance from there to
   * the end of the highest. In bytes. */
  uint32_t below, span;
  /* The bitwise OR of all offsets. */
  uint32_t odd;
  /* A full warp with consecutive addresses. */
  bool row;
  /* A full warp in which each group of 8 lanes has consecutive addresses. */
  bool runs;
  /* `place`: one lane for each distinct offset. `several`: all ones for lanes whose offset occurs
   * more than once. Filled in by shape_places. */
  /* 0: not computed yet. */
  uint32_t nplaces;
  uint8_t place[WARP_LANES];
  uint32_t several[WARP_LANES];
  uint32_t lanes_of_place[WARP_LANES];
  /* The span is at most SHAPE_WINDOW and offsets are multiples of 4. */
  bool in_window;
  /* Each lane's first word in the window. */
  uint32_t word[WARP_LANES];
  /* For every word of the span: the first lane that accesses it, or NO_LANE; and all ones if
   * several lanes access it. Filled in by shape_words. */
  /* 0: not computed yet, or the span exceeds SHAPE_WORDS, or it is not made of whole words. */
  uint32_t nwords;
  bool words_asked, words_shared;
  uint32_t lane_of_word[SHAPE_WORDS], several_of_word[SHAPE_WORDS];
  /* Observers': number of sectors, indexed by the lowest lane's position in its sector; 0: not
   * computed yet. */
  uint8_t sectors[SECTOR_BYTES];
  /* Identifies shared-memory requests of equal cost; 0: not computed yet. */
  uint64_t cost_key[COSTS_KEPT];
  Requests cost[COSTS_KEPT];
  /* An earlier shape of the same instruction. */
  struct Shape *next;
} Shape;

/* The most recent accesses of an instruction, per frame. */
typedef struct Recent {
  Allocation *memory;
  /* Address of the last full-warp request, to predict the next. */
  uint64_t previous;
  /* Shape of the last scattered request; NULL: none yet. */
  Shape *shape;
  /* Number of consecutive requests whose shape was not among the recent ones. */
  uint32_t strangers;
} Recent;

/* Detects lanes that poll memory that others may change. */
typedef struct Polls {
  /* Polls since the lanes last changed something. */
  uint32_t count;
  /* Branches since their last poll. */
  uint32_t calm;
} Polls;

/* One activation of a function, by the lanes that called it from one place. */
typedef struct Frame {
  const PtxFunction *function;
  /* NULL: the kernel itself */
  struct Frame *caller;
  /* The call that created the frame. */
  const PtxCall *call;
  /* The block of the caller that contains the call. */
  uint32_t call_block;
  /* The convergence point that the caller's lanes are heading for. */
  uint32_t call_point;
  uint32_t depth;
  /* Bytes per lane that this frame and its callers use of a GPU's stack. */
  uint32_t stack;
  /* Lanes that are in the function and have not returned. */
  uint32_t lanes;
  /* Lanes that wait for the others to return. */
  uint32_t returned;
  /* The polls of the lanes in `returned`. */
  Polls polls;
  /* Backing store of the following arrays; kept when the frame is reused. */
  uint8_t *memory;
  /* Nslots slots. */
  uint8_t *registers;
  /* argument_bytes per lane, interleaved (lanes.h) */
  uint8_t *arguments;
  /* The frame's range of local memory, in bytes per lane. */
  uint32_t local_base, local_end;
  /* One per instruction. */
  Recent *recent;
  /* observers' */
  struct FunctionCount *count;
  /* count->access */
  struct AccessCount *access;
  /* count->blocks */
  struct BlockCount *blocks;
  /* Observers': which registers are undefined. */
  struct Marks *marks;
  /* The next unused frame. */
  struct Frame *next;
} Frame;

/* Where lanes that diverged at a branch reconverge: its immediate post-dominator. */
typedef struct ConvergencePoint {
  Frame *frame;
  uint32_t block;
  /* Lane masks. Lanes that exit are removed from `members`. */
  uint32_t members, arrived;
  /* The point that all members are heading for after this one, or NO_POINT. */
  uint32_t outer;
  /* The polls of the lanes that have arrived. */
  Polls polls;
  bool in_use;
} ConvergencePoint;

/* Lanes that run together. */
typedef struct Path {
  uint32_t lanes;
  uint32_t block;
  /* The convergence point that the path is heading for; NO_POINT: the end of its frame. */
  uint32_t point;
  Frame *frame;
  /* Waits at a barrier, or for lanes of the warp to reach the same instruction. */
  bool asleep;
  /* machine/stepwise.c: `held` is the number of the hold that stops the path, from 1, or 0. `at` is
   * the number of instructions of the current block that are done. */
  uint8_t held;
  uint32_t at;
  Polls polls;
} Path;

/* The pattern of the addresses in a register across the warp. */
typedef enum Pattern { SAME, CONSECUTIVE, SCATTERED } Pattern;
typedef struct Base {
  /* The lowest lane's address. */
  uint64_t first;
  Pattern pattern;
  /* If SCATTERED; NULL: the lanes are too far apart for a shape. */
  const Shape *shape;
  /* Executes the later loads of an unrolled loop. They are foreseen if the first load has found all
   * of them in bounds and has noted all of them as read, so that each of them only counts and moves
   * its values (machine/shared.c). */
  void (*step)(struct Warp *, const PtxInsn *, uint32_t lanes);
} Base;

typedef enum WarpState { WARP_READY, WARP_WAITING, WARP_DONE } WarpState;

#define POLLED 4
typedef struct Warp {
  /* Members that every turn and every block of instructions need come first, to share cache lines.
   */
  struct Block *block;
  struct Worker *worker;
  /* The frame of the running path. */
  Frame *frame;
  /* A copy of block->shared. */
  uint8_t *shared;
  struct WarpObserved *observed;
  /* Observers': some register of some frame may be undefined. Then every instruction must be passed
   * to hook_instruction. */
  bool has_undefined;
  /* Number executed in this launch. */
  uint64_t branches;
  /* Number of the warp in its grid: blocks by linear index, then warps. */
  uint64_t grid_number;
  uint32_t shared_bytes;
  /* Number of the warp in its block. */
  uint32_t number;
  /* Lanes that correspond to a thread. */
  uint32_t existing;
  /* Lanes that have not exited. */
  uint32_t alive;
  /* Lanes of sleeping paths. */
  uint32_t asleep;
  /* WarpState */
  uint8_t state;
  /* grid.c: one of its threads waits at the grid barrier. */
  bool at_grid_barrier;
  /* Lanes that got NO_VALUE from an invalid load. */
  uint32_t lost;
  /* Since the last branch: polled memory that others may change; changed memory. */
  bool polled, changed;
  /* Ended its turn because all its paths only poll. */
  bool polling;
  uint32_t npaths, running;
  Path paths[WARP_LANES];
  /* Address patterns of registers, for the running block of instructions. The last is scratch for
   * accesses that have none. */
  Base bases[PTX_BASES + 1];
  /* threadIdx of each lane */
  uint32_t thread[3][WARP_LANES];
  ConvergencePoint *points;
  /* Size of `points`, and the number of unused entries. */
  uint32_t npoints, free_points;
  /* Interleaved: local_bytes per lane. */
  uint8_t *local;
  uint32_t local_bytes;
  /* The last addresses that lanes polled. */
  uint64_t polled_at[POLLED];
  /* The values read there. */
  uint64_t polled_value[POLLED];
  uint32_t npolled;
  /* The last addresses that atomicCAS and atomicExch changed, and the lanes that did. */
  uint64_t swapped_at[POLLED];
  uint32_t swapped_by[POLLED], nswapped;
  /* The value that the first of these lanes stored. */
  uint64_t swapped_in[POLLED];
  /* Predicates passed to a bar.red. */
  uint32_t barrier_value;
  /* machine/stepwise.c: number of paths that a hold stops. */
  uint32_t nheld;
  /* machine/stepwise.c: number of accesses by site and kind; NULL: not needed yet. */
  uint32_t *accesses;
} Warp;

/* Barriers of a block. */
#define BARRIERS 16
#define SHARED_PADDING 192
typedef struct Block {
  const struct Run *run;
  /* blockIdx */
  uint32_t index[3];
  /* Linear block index. */
  uint64_t number;
  /* 0, 1, 2 ... in the order in which blocks start. */
  uint64_t start_order;
  uint32_t nwarps, nthreads;
  Warp *warps;
  /* Static, then dynamic shared memory, filled with NaN at the start; SHARED_PADDING bytes follow.
   */
  uint8_t *shared;
  uint32_t shared_bytes;
  struct BlockObserved *observed;
  /* Threads that have executed bar.arrive. */
  uint32_t arrivals[BARRIERS];
  /* Number of turns taken, used by the seeded schedule. */
  uint64_t turns;
  /* Some threads did not reach a barrier, and this has been reported. */
  bool divergent;
  /* The last turn ended with warps that were neither done nor at a barrier. */
  bool stalled;
  /* In the last turn, all running warps only polled. */
  bool polling;
  /* grid.c: the block waits until the grid barrier has been passed grid_wait_until times. */
  bool at_grid_barrier;
  /* Also the line and thread that wait. */
  uint32_t grid_wait_until, grid_wait_line, grid_wait_thread;
} Block;

typedef struct Worker {
  alignas(2 * HOST_LINE) Run *run;
  uint32_t number;
  struct WorkerObserved *observed;
  /* [module->nfunctions]: Frame.recent of each function; NULL: not called yet. */
  Recent **recent;
  /* [module->nfunctions]: frames that no warp uses. */
  Frame **unused;
  /* Block contexts, reused. */
  Block **resident;
  uint32_t nresident, most;
  /* Number of polls after which a path yields. */
  uint32_t patience;
  /* atomic.c: private sums, added to memory when the worker is done. */
  struct Sums *sums;
  /* children.h: what its blocks launched; NULL: nothing. */
  struct Children *children;
  /* Range of block start orders that it has taken and not run yet. */
  uint64_t taken, taken_end;
  uint64_t blocks_run;
  /* Blocks that it has finished or skipped. Only this worker writes it and `progress`. */
  atomic_uint_least64_t blocks_done;
  /* Increases while its blocks do anything but wait. */
  atomic_uint_least64_t progress;
  /* launch.c: the run's progress when all its blocks last only polled. */
  uint64_t seen_progress;
  /* Number of such passes without progress in between. */
  uint32_t idle_passes;
} Worker;

/* Number of finished blocks of the launch. */
static inline uint64_t run_blocks_done(const Run *run) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < run->nworkers; i++)
    sum += atomic_load(&run->workers[i].blocks_done);
  return sum;
}

/* One thread at one source line, for reports. */
typedef struct ThreadPlace {
  const Warp *warp;
  unsigned lane;
  /* Index in PtxModule.lines. */
  uint32_t line;
} ThreadPlace;

/* Number of bytes that one lane reads or writes. */
static inline unsigned access_bytes(const PtxInsn *insn) {
  return ptx_type_bytes((PtxType)insn->type) * (insn->form == PTX_ATOM ? 1 : insn->count);
}

/* The sleeping path that contains a lane. */
static inline const Path *sleeping_path(const Warp *w, unsigned lane) {
  for (uint32_t i = 0; i < w->npaths; i++)
    if (w->paths[i].asleep && w->paths[i].lanes >> lane & 1)
      return &w->paths[i];
  return NULL;
}
/* Returns true if the warp polls memory that the host may write. */
static inline bool polls_host_memory(const Warp *w) {
  for (uint32_t i = 0; i < w->npolled && i < POLLED; i++) {
    const Allocation *a = memory_find(w->polled_at[i]);
    if (a && (a->kind == MEMORY_PINNED || a->kind == MEMORY_MANAGED))
      return true;
  }
  return false;
}
/* The instruction, alone in its block, at which a path is. */
static inline const PtxInsn *path_insn(const Path *p) {
  return &p->frame->function->code[p->frame->function->blocks[p->block].first];
}

/* ---- helpers --------------------------------------------------------------------------------- */
static inline uint32_t *slot32(uint8_t *registers, uint32_t offset) {
  return (uint32_t *)(void *)(registers + offset);
}
static inline uint64_t *slot64(uint8_t *registers, uint32_t offset) {
  return (uint64_t *)(void *)(registers + offset);
}
static inline unsigned lowest(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }
/* Iterates over the lanes of a mask, from the lowest. */
#define EACH_SET(lane, mask)                                                                       \
  for (uint32_t lane = 0, rest_ = (mask); rest_ && (lane = lowest(rest_), true); rest_ &= rest_ - 1)

#endif
