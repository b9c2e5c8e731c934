/* The state of a running launch: a worker runs blocks, a block has warps, a warp has 32 lanes.
 *
 * The machine and the observers read these structs; only the machine changes them. The exceptions
 * are members marked "Observers'" and the structs behind the `observed` pointers: only the
 * observers use these. */
#ifndef STATE_WARP_H
#define STATE_WARP_H

#include "launch.h"
#include "vector.h"

/* For functions that are called with constant sizes. The compiler generates a specialised loop for
 * each call. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

#define ALL_LANES UINT32_MAX
#define NO_POINT UINT32_MAX

#define SHAPE_WINDOW 128 /* maximum span in bytes for Shape.in_window */
#define SHAPE_WORDS 144  /* maximum of Shape.nwords */
/* The maximum distance of a lane from the lowest lane, in bytes. */
#define SHAPE_REACH (UINT64_C(1) << 30)
#define NO_LANE UINT32_MAX

/* The costs of requests to memory, summed. The struct has the size of one 64-byte vector. */
typedef struct Requests {
  _Alignas(64) uint64_t requests;
  uint64_t lanes, sectors, wavefronts, ideal;
  /* The costs after merging: a GPU's assembler merges some accesses (observe/counters.h). */
  uint64_t gpu_requests, gpu_wavefronts, gpu_ideal;
} Requests;
/* The number of values that PtxMerged.slot can have. */
#define COSTS_KEPT 8

/* The relative addresses of the lanes of a scattered request. An instruction usually repeats a few
 * shapes, so shapes.c computes the properties of each shape only once. */
typedef struct Shape {
  uint32_t lanes, nlanes;
  /* Signed distance in bytes from the lowest active lane's address; 0 for inactive lanes. */
  uint32_t offset[WARP_LANES];
  /* All ones for active lanes, otherwise 0. */
  uint32_t member[WARP_LANES];
  /* `below`: distance in bytes from the lowest address to the lowest active lane's address. `span`:
   * bytes from the lowest address to the end of the highest element. */
  uint32_t below, span;
  /* The bitwise OR of all offsets, for alignment checks. */
  uint32_t odd;
  /* All 32 lanes are active and have consecutive addresses. */
  bool row;
  /* All 32 lanes are active, and each group of 8 lanes has consecutive addresses. */
  bool runs;
  /* The distinct offsets ("places"). `place`: one lane for each of them. `several`: for each lane,
   * all ones if another lane has the same offset. shape_places fills in these members. */
  /* The number of distinct offsets; 0: not computed yet. */
  uint32_t nplaces;
  uint8_t place[WARP_LANES];
  uint32_t several[WARP_LANES];
  uint32_t lanes_of_place[WARP_LANES];
  /* The span is at most SHAPE_WINDOW bytes, and all offsets are multiples of 4. */
  bool in_window;
  /* If in_window: the number of each lane's first word in the window. */
  uint32_t word[WARP_LANES];
  /* The words of the span. `lane_of_word`: the first lane that accesses the word, or NO_LANE.
   * `several_of_word`: all ones if several lanes access the word. shape_words fills in these
   * members. */
  /* The number of words; 0: not computed yet, more than SHAPE_WORDS, or the span does not consist
   * of whole words. */
  uint32_t nwords;
  bool words_asked, words_shared;
  uint32_t lane_of_word[SHAPE_WORDS], several_of_word[SHAPE_WORDS];
  /* Observers': the number of sectors of the request, indexed by the lowest lane's position in its
   * sector; 0: not computed yet. */
  uint8_t sectors[SECTOR_BYTES];
  /* Observers': cost[i] is the cost of a shared-memory request whose cost_key() is cost_key[i]; 0:
   * not computed yet. */
  uint64_t cost_key[COSTS_KEPT];
  Requests cost[COSTS_KEPT];
  /* Another kept shape of the same instruction, used less recently. */
  struct Shape *next;
} Shape;

/* The most recent accesses of an instruction. All frames of a function on one worker share them. */
typedef struct Recent {
  Allocation *memory;
  /* Address of the last request by a full warp, from which the address of the next one is
   * predicted. */
  uint64_t previous;
  /* Shape of the last scattered request; NULL: none yet. */
  Shape *shape;
  /* Number of consecutive requests whose shape was none of the kept ones. */
  uint32_t strangers;
} Recent;

/* Counts used to detect lanes that poll memory that other threads may change. */
typedef struct Polls {
  /* Number of polls since the lanes last changed memory. */
  uint32_t count;
  /* Number of branches since the lanes' last poll. */
  uint32_t calm;
} Polls;

/* One activation of a function, for the lanes that called the function together from one place. */
typedef struct Frame {
  const PtxFunction *function;
  /* The frame of the calling function; NULL: this frame is the kernel's. */
  struct Frame *caller;
  /* The call that created the frame. */
  const PtxCall *call;
  /* The basic block of the caller that contains the call. */
  uint32_t call_block;
  /* The convergence point that the lanes were heading for when they called. */
  uint32_t call_point;
  uint32_t depth;
  /* Bytes per lane of a GPU's stack that this frame and its callers use. */
  uint32_t stack;
  /* Lanes that have entered the function and not returned. */
  uint32_t lanes;
  /* Lanes that have returned and wait for the other lanes of the frame. */
  uint32_t returned;
  /* The poll counts of the lanes in `returned`. */
  Polls polls;
  /* The memory of `registers` and `arguments`. It is kept when the frame is reused. */
  uint8_t *memory;
  /* function->nslots slots. */
  uint8_t *registers;
  /* function->argument_bytes bytes per lane, interleaved (lanes.h). */
  uint8_t *arguments;
  /* The range of local memory that belongs to the frame, in bytes per lane. */
  uint32_t local_base, local_end;
  /* Array with one element per instruction of the function. */
  Recent *recent;
  /* Observers': the counts of the function on this worker. */
  struct FunctionCount *count;
  /* Observers': count->access. */
  struct AccessCount *access;
  /* Observers': count->blocks. */
  struct BlockCount *blocks;
  /* Observers': which registers are undefined. */
  struct Marks *marks;
  /* The next frame in the worker's list of unused frames. */
  struct Frame *next;
} Frame;

/* The place where lanes that diverged at a branch reconverge: the branch's immediate
 * post-dominator. */
typedef struct ConvergencePoint {
  Frame *frame;
  uint32_t block;
  /* Lane masks: `members` are the lanes that reconverge here, without those that have exited;
   * `arrived` are the lanes that wait here. */
  uint32_t members, arrived;
  /* The convergence point that all members are heading for after this one; NO_POINT: none. */
  uint32_t outer;
  /* The poll counts of the lanes in `arrived`. */
  Polls polls;
  bool in_use;
} ConvergencePoint;

/* Lanes of a warp that run together, at the same instruction. */
typedef struct Path {
  uint32_t lanes;
  uint32_t block;
  /* The convergence point that the path is heading for; NO_POINT: the end of its function. */
  uint32_t point;
  Frame *frame;
  /* The path waits at a barrier, or at a warp function for other lanes of its warp. */
  bool asleep;
  /* machine/stepwise.c: `held` is 1 + the number of the hold that stops the path; 0: none. `at` is
   * the number of instructions of the current instruction block that have been executed. */
  uint8_t held;
  uint32_t at;
  Polls polls;
} Path;

/* The pattern of the addresses that a register has in the lanes of a warp. */
typedef enum Pattern { SAME, CONSECUTIVE, SCATTERED } Pattern;
typedef struct Base {
  /* The lowest active lane's address. */
  uint64_t first;
  Pattern pattern;
  /* The shape if the pattern is SCATTERED; NULL: the lanes are too far apart for a shape. */
  const Shape *shape;
  /* Executes the later loads of an unrolled loop. If the first load has found all of them in bounds
   * and has recorded all of them as read, this function only counts the load and moves its values
   * (machine/shared.c). */
  void (*step)(struct Warp *, const PtxInsn *, uint32_t lanes);
} Base;

typedef enum WarpState { WARP_READY, WARP_WAITING, WARP_DONE } WarpState;

#define POLLED 4
typedef struct Warp {
  /* The members that every turn and every instruction block uses come first, so that they share
   * cache lines. */
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
  /* Number of branches that the warp has executed in this launch. */
  uint64_t branches;
  /* The number of the warp in its grid: linear block index * warps per block + number in the block.
   */
  uint64_t grid_number;
  uint32_t shared_bytes;
  /* The number of the warp in its block. */
  uint32_t number;
  /* Mask of the lanes that correspond to a thread of the block. */
  uint32_t existing;
  /* Mask of the lanes that have not exited. */
  uint32_t alive;
  /* Mask of the lanes of sleeping paths. */
  uint32_t asleep;
  /* A WarpState. */
  uint8_t state;
  /* grid.c: a thread of the warp waits at the grid barrier. */
  bool at_grid_barrier;
  /* Mask of the lanes whose invalid load returned NO_VALUE. */
  uint32_t lost;
  /* `polled`: since the last branch, the warp has polled: it has read an address in polled_at
   * again. `changed`: since the last branch, it has changed memory. */
  bool polled, changed;
  /* The warp ended its turn because all its paths only poll. */
  bool polling;
  uint32_t npaths, running;
  Path paths[WARP_LANES];
  /* Address patterns of registers, valid during one instruction block. The last element is scratch
   * space for accesses without a base register. */
  Base bases[PTX_BASES + 1];
  /* threadIdx.x, .y and .z of each lane. */
  uint32_t thread[3][WARP_LANES];
  ConvergencePoint *points;
  /* `npoints`: number of elements of `points`. `free_points`: number of unused ones. */
  uint32_t npoints, free_points;
  /* Local memory, interleaved (lanes.h): local_bytes bytes per lane. */
  uint8_t *local;
  uint32_t local_bytes;
  /* The last addresses that lanes polled, and the values that they read. */
  uint64_t polled_at[POLLED];
  uint64_t polled_value[POLLED];
  uint32_t npolled;
  /* The last addresses that atomicCAS and atomicExch changed, the lanes that did so, and the value
   * that the first of these lanes stored. */
  uint64_t swapped_at[POLLED];
  uint32_t swapped_by[POLLED], nswapped;
  uint64_t swapped_in[POLLED];
  /* Mask of the predicates that the lanes passed to a bar.red. */
  uint32_t barrier_value;
  /* machine/stepwise.c: number of paths that holds stop. */
  uint32_t nheld;
  /* machine/stepwise.c: number of accesses by site and kind of access; NULL: not needed yet. */
  uint32_t *accesses;
} Warp;

/* Number of barriers of a block. */
#define BARRIERS 16
#define SHARED_PADDING 192
typedef struct Block {
  const struct Run *run;
  /* blockIdx */
  uint32_t index[3];
  /* The linear block index. */
  uint64_t number;
  /* 0, 1, 2 ... in the order in which blocks start. */
  uint64_t start_order;
  uint32_t nwarps, nthreads;
  Warp *warps;
  /* Static and then dynamic shared memory. It is filled with NaN when the block starts, and
   * SHARED_PADDING bytes follow it. */
  uint8_t *shared;
  uint32_t shared_bytes;
  struct BlockObserved *observed;
  /* For each barrier: number of threads that have executed bar.arrive. */
  uint32_t arrivals[BARRIERS];
  /* Number of turns that the block has taken. With a seed, the order of warps depends on it. */
  uint64_t turns;
  /* Some threads did not reach a barrier of the block. This has been reported. */
  bool divergent;
  /* The last turn ended while some warp could still run. */
  bool stalled;
  /* In the last turn, all warps that ran only polled. */
  bool polling;
  /* grid.c: the block waits until the grid barrier has been passed grid_wait_until times.
   * grid_wait_line and grid_wait_thread: the waiting thread and its line, for reports. */
  bool at_grid_barrier;
  uint32_t grid_wait_until, grid_wait_line, grid_wait_thread;
} Block;

typedef struct Worker {
  alignas(2 * HOST_LINE) Run *run;
  uint32_t number;
  struct WorkerObserved *observed;
  /* [module->nfunctions]: Frame.recent of each function; NULL: this worker has not called the
   * function. */
  Recent **recent;
  /* [module->nfunctions]: list of the frames of each function that no warp uses. */
  Frame **unused;
  /* The blocks that the worker has allocated. Each is reused for many blocks of the grid. */
  Block **resident;
  uint32_t nresident, most;
  /* Number of polls after which a warp ends its turn. */
  uint32_t patience;
  /* atomic.c: the worker's private sums, which are added to memory when all workers are done. */
  struct Sums *sums;
  /* children.h: the kernels that the worker's blocks launched; NULL: none. */
  struct Children *children;
  /* Start orders of the blocks that the worker has taken and not started yet: `taken` to
   * `taken_end` - 1. */
  uint64_t taken, taken_end;
  uint64_t blocks_run;
  /* Number of blocks that the worker has finished or skipped. Only this worker writes `blocks_done`
   * and `progress`. */
  atomic_uint_least64_t blocks_done;
  /* A counter that increases whenever a block of the worker does something other than wait. */
  atomic_uint_least64_t progress;
  /* launch.c: the sum of all workers' `progress` when the blocks of this worker last did nothing
   * but poll. */
  uint64_t seen_progress;
  /* launch.c: number of consecutive times that blocks only polled and the sum did not change. */
  uint32_t idle_passes;
} Worker;

/* Returns the number of blocks of the launch that are finished or skipped. */
static inline uint64_t run_blocks_done(const Run *run) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < run->nworkers; i++)
    sum += atomic_load(&run->workers[i].blocks_done);
  return sum;
}

/* One thread at one source line. Used in reports. */
typedef struct ThreadPlace {
  const Warp *warp;
  unsigned lane;
  /* Index in PtxModule.lines. */
  uint32_t line;
} ThreadPlace;

/* Returns the number of bytes that one lane reads or writes. */
static inline unsigned access_bytes(const PtxInsn *insn) {
  return ptx_type_bytes((PtxType)insn->type) * (insn->form == PTX_ATOM ? 1 : insn->count);
}

/* Returns the sleeping path that contains the lane; NULL: none. */
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
/* Returns the instruction that the path has reached. It must be alone in its instruction block. */
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
/* Loops over the lanes of a mask, the lowest first. */
#define EACH_SET(lane, mask)                                                                       \
  for (uint32_t lane = 0, rest_ = (mask); rest_ && (lane = lowest(rest_), true); rest_ &= rest_ - 1)

#endif
