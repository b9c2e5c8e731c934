/* What a launch looks like while it runs: worker -> block -> warp -> 32 lanes.
 *
 * Machine and observers both read this. The machine alone changes it; what observers keep of a warp,
 * a block, a run hangs at the `observed` pointers, which nobody else follows.
 */
#ifndef STATE_WARP_H
#define STATE_WARP_H

#include "launch.h"
#include "vector.h"

/* For bodies that are written once and called with constant sizes: each call becomes a loop of its
 * own. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

#define ALL_LANES UINT32_MAX
#define NO_POINT UINT32_MAX

#define SHAPE_WINDOW 128                /* bytes */
#define SHAPE_WORDS 144                 /* words of 4 bytes */
#define SHAPE_REACH (UINT64_C(1) << 30) /* bytes that lanes lie from the lowest at most */
#define NO_LANE UINT32_MAX

/* What requests to memory come to, in one vector. */
typedef struct Requests {
  _Alignas(64) uint64_t requests;
  uint64_t lanes, sectors, wavefronts, ideal;
  uint64_t gpu_requests, gpu_wavefronts, gpu_ideal; /* on a GPU, for it: see observe/counters.h */
} Requests;
#define COSTS_KEPT 8 /* PtxMerged.slot */

/* How the lanes of a scattered request lie to one another. The same instruction usually comes with the
 * same few shapes again, so all that follows from one is worked out once (shapes.c). */
typedef struct Shape {
  uint32_t lanes, nlanes;
  uint32_t offset[WARP_LANES]; /* bytes from the lowest lane's address, signed; 0: takes no part */
  uint32_t member[WARP_LANES]; /* all ones, or 0 */
  uint32_t below, span;        /* bytes: the lowest offset lies so far below the lowest lane's; from
                                  there to the end of the highest */
  uint32_t odd;                /* bits that are set in some offset */
  bool row;                    /* a whole warp, each lane just behind the other */
  bool runs;                   /* a whole warp, every 8 lanes are so */
  /* Lanes that stand for all that have the same offset; `several`: all ones where others have a lane's, too.
   * See shape_places. */
  uint32_t nplaces; /* 0: nobody asked yet */
  uint8_t place[WARP_LANES];
  uint32_t several[WARP_LANES];
  uint32_t lanes_of_place[WARP_LANES];
  bool in_window;            /* the span is at most SHAPE_WINDOW, offsets are multiples of 4: */
  uint32_t word[WARP_LANES]; /* each lane's first word in it */
  /* Every word of the span: who of the lanes has it first, NO_LANE: nobody; all ones where several do.
   * See shape_words. */
  uint32_t
      nwords; /* 0: nobody asked yet, or the span is longer than SHAPE_WORDS, or has odd bytes */
  bool words_asked, words_shared;
  uint32_t lane_of_word[SHAPE_WORDS], several_of_word[SHAPE_WORDS];
  /* observers': sectors, by place of the lowest lane in its sector, 0: not counted yet */
  uint8_t sectors[SECTOR_BYTES];
  uint64_t cost_key
      [COSTS_KEPT]; /* of requests to shared memory that cost the same; 0: nobody asked yet */
  Requests cost[COSTS_KEPT];
  struct Shape *next; /* of the same instruction, that came before it */
} Shape;

/* What an instruction accessed last. */
typedef struct Recent {
  Allocation *memory;
  uint64_t previous;  /* address of the last whole-warp request, to guess the next */
  Shape *shape;       /* the last scattered request's; NULL: none yet */
  uint32_t strangers; /* requests whose shape was none of the last ones', one after the other */
} Recent;

/* Lanes that read again and again what others may change. */
typedef struct Polls {
  uint32_t count; /* since they last changed something themselves */
  uint32_t calm;  /* branches since they last did */
} Polls;

/* One activation of a function, by lanes that called it from one place. */
typedef struct Frame {
  const PtxFunction *function;
  struct Frame *caller; /* NULL: the kernel itself */
  const PtxCall *call;  /* that led here */
  uint32_t call_block;  /* of the caller */
  uint32_t call_point;  /* convergence point that the caller's lanes head for */
  uint32_t depth;
  uint32_t stack;     /* bytes that it and its callers take of a GPU's stack, per lane */
  uint32_t lanes;     /* that are in it and have not returned */
  uint32_t returned;  /* that wait for the others to return */
  Polls polls;        /* theirs */
  uint8_t *memory;    /* all of the following; stays with the frame when it is used again */
  uint8_t *registers; /* nslots slots */
  uint8_t *arguments; /* argument_bytes per lane, interleaved (lanes.h) */
  uint32_t local_base, local_end; /* bytes of local memory, per lane */
  Recent *recent;                 /* of each instruction */
  struct FunctionCount *count;    /* observers' */
  struct AccessCount *access;     /* count->access */
  struct BlockCount *blocks;      /* count->blocks */
  struct Marks *marks;            /* observers': which registers are undefined */
  struct Frame *next;             /* among those not in use */
} Frame;

/* Where lanes that diverged at a branch meet again: its immediate post-dominator. */
typedef struct ConvergencePoint {
  Frame *frame;
  uint32_t block;
  uint32_t members, arrived; /* lanes; members that exit are no longer */
  uint32_t outer;            /* point that all of them head for after it, or NO_POINT */
  Polls polls;               /* of those that have arrived */
  bool in_use;
} ConvergencePoint;

/* Lanes that run together. */
typedef struct Path {
  uint32_t lanes;
  uint32_t block;
  uint32_t point; /* the convergence point it heads for, NO_POINT: the end of its frame */
  Frame *frame;
  bool asleep; /* at a barrier, or until lanes of the warp come to the same instruction */
  /* machine/stepwise.c: instructions of its block that are done; the hold that stops it there, from 1 on, or 0 */
  uint8_t held;
  uint32_t at;
  Polls polls;
} Path;

/* How the addresses in a register lie across the warp. */
typedef enum Pattern { SAME, CONSECUTIVE, SCATTERED } Pattern;
typedef struct Base {
  uint64_t first; /* the lowest lane's address */
  Pattern pattern;
  const Shape *shape; /* scattered; NULL: lanes too far from one another for one */
  /* How the other loads of an unrolled loop run. They are foreseen if the first of them has found
   * all in bounds and has noted all as read, so that each only counts and moves its values
   * (machine/shared.c). */
  void (*step)(struct Warp *, const PtxInsn *, uint32_t lanes);
} Base;

typedef enum WarpState { WARP_READY, WARP_WAITING, WARP_DONE } WarpState;

#define POLLED 4
typedef struct Warp {
  /* what every turn and every block of instructions needs lies together */
  struct Block *block;
  struct Worker *worker;
  Frame *frame;    /* of the path that runs */
  uint8_t *shared; /* the block's shared memory, close at hand */
  struct WarpObserved *observed;
  uint64_t branches;    /* executed in this launch */
  uint64_t grid_number; /* in its grid: blocks by linear index, then warps */
  uint32_t shared_bytes;
  uint32_t number;      /* in its block */
  uint32_t existing;    /* lanes that stand for a thread */
  uint32_t alive;       /* that have not exited */
  uint32_t asleep;      /* lanes of sleeping paths */
  uint8_t state;        /* WarpState */
  bool at_grid_barrier; /* grid.c: its thread waits for the grid */
  uint32_t lost;        /* lanes that read where there is nothing, and got NO_VALUE */
  bool polled,
      changed;  /* since its last branch: read again what others may change; changed memory */
  bool polling; /* ended its turn since all that its paths do is that */
  uint32_t npaths, running;
  Path paths[WARP_LANES];
  Base bases[PTX_BASES + 1];      /* of the block of instructions that runs; the last: anybody's */
  uint32_t thread[3][WARP_LANES]; /* threadIdx of each lane */
  ConvergencePoint *points;
  uint32_t npoints, free_points; /* places; of these not in use */
  uint8_t *local;                /* local memory, interleaved: local_bytes per lane */
  uint32_t local_bytes;
  uint64_t polled_at[POLLED];    /* the last addresses at which lanes read what others may change */
  uint64_t polled_value[POLLED]; /* what they found there */
  uint32_t npolled;
  uint64_t swapped_at[POLLED]; /* what atomicCAS and atomicExch changed last, by which lanes ... */
  uint32_t swapped_by[POLLED], nswapped;
  uint64_t swapped_in[POLLED]; /* ... and what the first of them put there */
  uint32_t barrier_value;      /* predicates brought to a bar.red */
  uint32_t nheld;              /* machine/stepwise.c: paths that a hold stops */
  uint32_t *accesses; /* and how often it accessed memory at each line; NULL: never asked */
} Warp;

#define BARRIERS 16 /* of a block, by number */
#define SHARED_PADDING 192
typedef struct Block {
  const struct Run *run;
  uint32_t index[3];    /* blockIdx */
  uint64_t number;      /* linear */
  uint64_t start_order; /* 0, 1, 2 ... as blocks start */
  uint32_t nwarps, nthreads;
  Warp *warps;
  uint8_t *shared; /* static then dynamic, poisoned at the start; SHARED_PADDING bytes behind */
  uint32_t shared_bytes;
  struct BlockObserved *observed;
  uint32_t arrivals[BARRIERS]; /* bar.arrive */
  uint64_t turns;              /* taken so far, for the schedule */
  bool divergent;              /* some barrier was not reached by all, and that was said */
  bool stalled;         /* its last turn ended without all of its warps done or at a barrier */
  bool polling;         /* and none of its warps did anything but poll */
  bool at_grid_barrier; /* grid.c: until the grid's barrier has been passed this often ... */
  uint32_t grid_wait_until, grid_wait_line, grid_wait_thread; /* ... and who waits where */
} Block;

typedef struct Worker {
  alignas(2 * HOST_LINE) Run *run;
  uint32_t number;
  struct WorkerObserved *observed;
  Recent **recent;  /* [module->nfunctions]: Frame.recent; NULL: it never came to that function */
  Frame **unused;   /* [module->nfunctions]: frames that nobody is in */
  Block **resident; /* block contexts, reused */
  uint32_t nresident, most;
  uint32_t patience;         /* polls of a path before it gives way */
  struct Sums *sums;         /* atomic.c: what it adds to memory when it is done */
  struct Children *children; /* children.h: what its blocks launched; NULL: nothing */
  uint64_t taken, taken_end; /* blocks, in order of starting, that it has yet to run */
  uint64_t blocks_run;
  atomic_uint_least64_t blocks_done; /* or passed over; written by itself only, as is the next */
  atomic_uint_least64_t progress;    /* rises while its blocks do anything but wait */
  uint64_t
      seen_progress; /* launch.c: of the run, when all its blocks last did nothing but poll ... */
  uint32_t idle_passes; /* ... and how often that was so since */
} Worker;

/* Blocks of the launch that are done. */
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
  uint32_t line; /* index in PtxModule.lines */
} ThreadPlace;

/* The bytes that one lane reads or writes. */
static inline unsigned access_bytes(const PtxInsn *insn) {
  return ptx_type_bytes((PtxType)insn->type) * (insn->form == PTX_ATOM ? 1 : insn->count);
}

/* The sleeping path that a lane is in. */
static inline const Path *sleeping_path(const Warp *w, unsigned lane) {
  for (uint32_t i = 0; i < w->npaths; i++)
    if (w->paths[i].asleep && w->paths[i].lanes >> lane & 1)
      return &w->paths[i];
  return NULL;
}
/* The instruction, alone in its block, that a path stands at. */
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
/* for each lane in a mask, from the lowest */
#define EACH_SET(lane, mask)                                                                       \
  for (uint32_t lane = 0, rest_ = (mask); rest_ && (lane = lowest(rest_), true); rest_ &= rest_ - 1)

#endif
