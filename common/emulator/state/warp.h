/* Defines the state of a running launch: a worker runs blocks, a block has warps, a warp has 32
 * lanes.
 *
 * The machine and the observers read these structs; only the machine changes them. There are two
 * exceptions: only the observers use members that are marked "Observers'" and the structs to which
 * `observed` points. */
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
/* The maximum distance in bytes between the address of a lane and that of the lowest active
 * lane. */
#define SHAPE_REACH (UINT64_C(1) << 30)
#define NO_LANE UINT32_MAX

/* The sum of the costs of memory requests. The struct has the size of one 64-byte vector. */
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
  /* `below`: distance in bytes from the lowest address to the address of the lowest active lane.
   * `span`: number of bytes from the lowest address to the end of the element with the highest
   * address. */
  uint32_t below, span;
  /* The bitwise OR of all offsets, for alignment checks. */
  uint32_t odd;
  /* All 32 lanes are active and have consecutive addresses. */
  bool row;
  /* All 32 lanes are active, and each group of 8 lanes has consecutive addresses. */
  bool runs;
  /* The following four members describe the distinct offsets ("places"); shape_places fills them
   * in. `place`: one lane for each place. `several`: for each lane, all ones if another lane has
   * the same offset. `lanes_of_place`: a lane mask for each place. */
  /* The number of distinct offsets; 0: not computed yet. */
  uint32_t nplaces;
  uint8_t place[WARP_LANES];
  uint32_t several[WARP_LANES];
  uint32_t lanes_of_place[WARP_LANES];
  /* The span is at most SHAPE_WINDOW bytes, and all offsets are multiples of 4. */
  bool in_window;
  /* If in_window: the number of each lane's first word in the window. */
  uint32_t word[WARP_LANES];
  /* The following members up to `several_of_word` describe the words of the span; shape_words fills
   * them in. `lane_of_word`: the first lane that accesses the word, or NO_LANE. `several_of_word`:
   * all ones if several lanes access the word. `words_shared`: several lanes access at least one of
   * the words. */
  /* The number of words; 0: not computed yet, more than SHAPE_WORDS, or the span does not consist
   * of whole words. */
  uint32_t nwords;
  bool words_asked, words_shared;
  uint32_t lane_of_word[SHAPE_WORDS], several_of_word[SHAPE_WORDS];
  /* Observers': the number of sectors of the request, indexed by the position in bytes of the
   * lowest lane's address in its sector; 0: not computed yet. */
  uint8_t sectors[SECTOR_BYTES];
  /* Observers': cost[i] is the cost of a shared-memory request whose cost_key() is cost_key[i]; 0:
   * not computed yet. */
  uint64_t cost_key[COSTS_KEPT];
  Requests cost[COSTS_KEPT];
  /* The next stored shape of the same instruction, which was used less recently. */
  struct Shape *next;
} Shape;

/* Data about the most recent accesses of an instruction. All frames of a function on one worker
 * share this data. */
typedef struct Recent {
  Allocation *memory;
  /* Address of the last request by a full warp, from which the address of the next request is
   * predicted. */
  uint64_t previous;
  /* Shape of the last scattered request; NULL: no such request so far. */
  Shape *shape;
  /* Number of consecutive requests whose shape was not stored. */
  uint32_t strangers;
} Recent;

/* Counts that are used to detect lanes which poll memory. */
typedef struct Polls {
  /* Number of polls since the lanes last changed memory. */
  uint32_t count;
  /* Number of branches since the lanes' last poll. */
  uint32_t calm;
} Polls;

/* One activation of a function, for lanes that called the function together. */
typedef struct Frame {
  const PtxFunction *function;
  /* The frame of the calling function; NULL: this frame is the kernel's. */
  struct Frame *caller;
  /* The call that created the frame. */
  const PtxCall *call;
  /* The basic block of the caller that contains the call. */
  uint32_t call_block;
  /* The value of Path.point when the lanes called the function. */
  uint32_t call_point;
  uint32_t depth;
  /* Bytes of stack per lane that this frame and its callers would use on a GPU. */
  uint32_t stack;
  /* Lanes that have entered the function and have not returned. */
  uint32_t lanes;
  /* Lanes that have returned and wait for the other lanes of the frame. */
  uint32_t returned;
  /* The poll counts of the lanes in `returned`. */
  Polls polls;
  /* The memory of `registers` and `arguments`, which stays allocated when the frame is reused. */
  uint8_t *memory;
  /* The register file: function->nslots slots. */
  uint8_t *registers;
  /* The argument area: function->argument_bytes bytes per lane, interleaved (lanes.h). */
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

/* An instruction block at which lanes that diverged at a branch reconverge (PtxBlock.meet). */
typedef struct ConvergencePoint {
  Frame *frame;
  uint32_t block;
  /* Lane masks. `members`: the lanes that reconverge at this point and have not exited. `arrived`:
   * the lanes that wait at this point. */
  uint32_t members, arrived;
  /* The next convergence point of all members after this point; NO_POINT: there is no further
   * point. */
  uint32_t outer;
  /* The poll counts of the lanes in `arrived`. */
  Polls polls;
  bool in_use;
} ConvergencePoint;

/* Lanes of a warp that run together, at the same instruction. */
typedef struct Path {
  uint32_t lanes;
  uint32_t block;
  /* The innermost open convergence point of the path; NO_POINT: the path runs to the end of its
   * function. */
  uint32_t point;
  Frame *frame;
  /* The path waits at a barrier, or waits at a warp function for other lanes of its warp. */
  bool asleep;
  /* machine/stepwise.c: `held` is 1 + the number of the hold that stops the path; 0: the path is
   * not stopped. `at` is the number of instructions of the current instruction block that have been
   * executed. */
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
  /* The function that executes the later loads of an unrolled loop. If the first load has checked
   * and recorded all loads of the loop, this function only counts a load and transfers its values
   * (machine/shared.c). */
  void (*step)(struct Warp *, const PtxInsn *, uint32_t lanes);
} Base;

typedef enum WarpState { WARP_READY, WARP_WAITING, WARP_DONE } WarpState;

#define POLLED 4
typedef struct Warp {
  /* The members that are used in every turn and every instruction block are first, so that they
   * share cache lines. */
  struct Block *block;
  struct Worker *worker;
  /* The frame of the running path. */
  Frame *frame;
  /* The same pointer as block->shared. */
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
  /* Since the last branch, the warp has read an address in polled_at again (`polled`), or has
   * changed memory (`changed`). */
  bool polled, changed;
  /* The warp ended its turn because all its paths only poll. */
  bool polling;
  uint32_t npaths, running;
  Path paths[WARP_LANES];
  /* The address patterns of registers, which are valid during one instruction block. The last
   * element is for accesses whose pattern is not reused (PTX_NO_BASE). */
  Base bases[PTX_BASES + 1];
  /* threadIdx.x, .y and .z of each lane. */
  uint32_t thread[3][WARP_LANES];
  ConvergencePoint *points;
  /* `npoints`: number of elements of `points`. `free_points`: number of unused elements. */
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
  /* machine/stepwise.c: number of paths that are stopped at holds. */
  uint32_t nheld;
  /* machine/stepwise.c: number of accesses so far, by site and kind of access; NULL: not allocated
   * yet. */
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
  /* Static and then dynamic shared memory, which is filled with NaN when the block starts.
   * SHARED_PADDING bytes follow, which functions that load whole vectors may read. */
  uint8_t *shared;
  uint32_t shared_bytes;
  struct BlockObserved *observed;
  /* For each barrier: number of threads that have executed bar.arrive. */
  uint32_t arrivals[BARRIERS];
  /* Number of turns of the block so far. With a seed, the order of warps depends on this number. */
  uint64_t turns;
  /* Some threads did not reach a barrier of the block. This has been reported. */
  bool divergent;
  /* At the end of the last turn, at least one warp could still run. */
  bool stalled;
  /* In the last turn, all warps that ran did nothing but poll. */
  bool polling;
  /* grid.c: the block waits until Run.grid_passed is grid_wait_until. grid_wait_line and
   * grid_wait_thread: the waiting thread and its line, for reports. */
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
  /* [module->nfunctions]: for each function, the list of its frames that no warp uses. */
  Frame **unused;
  /* The Block structs that the worker has allocated. Each struct is reused for many blocks of the
   * grid. */
  Block **resident;
  uint32_t nresident, most;
  /* Number of polls after which a warp ends its turn. */
  uint32_t patience;
  /* atomic.c: the worker's private sums, which are added to memory when all workers are done. */
  struct Sums *sums;
  /* children.h: the kernels that the worker's blocks have launched; NULL: no kernels. */
  struct Children *children;
  /* The start orders of the blocks that the worker has reserved but not started: `taken` to
   * `taken_end` - 1. */
  uint64_t taken, taken_end;
  uint64_t blocks_run;
  /* Number of blocks that the worker has finished or skipped. Only this worker writes `blocks_done`
   * and `progress`. */
  atomic_uint_least64_t blocks_done;
  /* A counter that increases whenever a block of the worker starts, or runs without only
   * polling. */
  atomic_uint_least64_t progress;
  /* launch.c: the sum of all workers' `progress` when all blocks of this worker last only
   * polled. */
  uint64_t seen_progress;
  /* launch.c: number of consecutive times that all blocks of this worker only polled. */
  uint32_t idle_passes;
} Worker;

/* Returns the number of blocks of the launch that are finished or skipped. */
static inline uint64_t run_blocks_done(const Run *run) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < run->nworkers; i++)
    sum += atomic_load(&run->workers[i].blocks_done);
  return sum;
}

/* A thread and a source line, for reports. */
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

/* Returns the sleeping path that contains the lane; NULL: the lane does not sleep. */
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
/* Returns the instruction that the path has reached. The instruction must be alone in its
 * instruction block. */
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
