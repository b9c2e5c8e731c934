/* What a launch asks for, what becomes of it, and what all of its warps share while it runs. */
#ifndef STATE_LAUNCH_H
#define STATE_LAUNCH_H

#include <stdalign.h>
#include <stdatomic.h>

#include "device.h"
#include "memory.h"
#include "module.h"

typedef struct Launch {
  const PtxModule *module;
  const PtxFunction *function;
  uint32_t grid[3], block[3]; /* x, y, z */
  uint32_t dynamic_shared;    /* bytes */
  BankChoice banks;           /* of the kernel itself */
  bool cooperative;           /* all blocks at once, with a barrier of the grid */
  bool tracked;               /* what it touches is wanted: other streams may touch it, too */
  bool nested;                /* a kernel launched it */
  const uint8_t *parameters;  /* function->param_bytes, laid out as function->params says */
  /* [function->nparams] the variable of the device whose copy on the host this argument points to, or NULL; NULL: no
   * argument does */
  const char **host_copies;
} Launch;

/* From mild to grave: where several things go wrong, the launch ends with the gravest. */
typedef enum LaunchStatus {
  LAUNCH_DONE,
  LAUNCH_MISALIGNED,
  LAUNCH_ILLEGAL_ADDRESS, /* some access out of bounds or through a wrong pointer (it was skipped
                             and reported) */
  LAUNCH_ASSERT,          /* assert() failed in the kernel */
  LAUNCH_TRAP,
  LAUNCH_ENDLESS, /* LOCKSTEP_LIMIT reached, or all that is left waits for what cannot come */
  LAUNCH_REFUSED  /* function->refusal, or an unknown callee: reported by name and line */
} LaunchStatus;
enum { LAUNCH_STATUSES = LAUNCH_REFUSED + 1 };

/* Bytes of the host's caches that its processors hand to one another at once; it may fetch the next with them. */
enum { HOST_LINE = 64 };

/* Blocks are numbered twice: linearly in the grid, and in the order in which they start, which a
 * seed changes. A block that stops the launch stops those behind it in that order; those before it
 * run to their end, so what is seen does not depend on the number of workers. */
typedef struct Run {
  const Launch *launch;
  const PtxModule *module;
  const PtxFunction *function;
  uint64_t nblocks;
  /* the first block, in order of starting, that failed so; UINT64_MAX: none */
  atomic_uint_least64_t failed[LAUNCH_STATUSES];
  atomic_uint_least64_t stop; /* blocks that start from here on leave at their next branch */
  /* Block order under a seed: number = (offset + start_order * multiplier) mod nblocks, and back. */
  uint64_t order_multiplier, order_inverse, order_offset;
  uint32_t nthreads, nwarps;
  uint64_t most_resident; /* blocks that the card holds at once */
  uint32_t shared_bytes;
  BankMode bank_mode;
  uint64_t branch_limit; /* per warp */
  uint32_t nworkers;
  bool checks;
  /* The kernel has fences by which its blocks may order one another. Then one worker runs all of them, so that what is found
   * does not depend on how the workers' blocks take turns. */
  bool in_turn;
  struct Worker *workers; /* [nworkers] */
  struct RunObserved *observed;
  uint64_t grid_memory;      /* grid.c: address of the grid's barrier, 0 none */
  uint64_t number;           /* of the launch in the program, from 1 on */
  struct Stepwise *stepwise; /* machine/stepwise.c: NULL: there is no prescribed order */
  /* What workers write while others run: apart from what all read again and again. */
  alignas(2 * HOST_LINE) atomic_uint_least64_t next_block; /* in order of starting */
  atomic_uint_least64_t stuck;    /* workers that see only waiting, by progress */
  atomic_uint_least64_t finished; /* workers without a block */
  atomic_uint_least64_t resident; /* blocks that have started, and are not done */
  atomic_bool full; /* more blocks wait for one another than the card holds, and that was said */
  atomic_uint_least64_t grid_arrived; /* blocks at the grid's barrier */
  atomic_uint_least32_t grid_passed;
  atomic_bool grid_lost; /* some block never comes */
} Run;

/* When does a block start, in the order of starting? */
static inline uint64_t run_start_order(const Run *run, uint64_t number) {
  const uint64_t n = run->nblocks;
  const uint64_t from_offset =
      number < run->order_offset ? number + (n - run->order_offset) : number - run->order_offset;
  return (uint64_t)((unsigned __int128)from_offset * run->order_inverse % n);
}

/* Blocks that start up to here certainly ran: those behind one that stopped the launch may not have. */
static inline uint64_t run_certain(const Run *run) {
  return atomic_load(&run->grid_lost) ? UINT64_MAX : atomic_load(&run->stop);
}

/* May the card run it? NULL, or one sentence of why not, which lies in `text`. `shared`: dynamic shared memory, which may be
 * more than a launch can name. */
const char *launch_limit(const Launch *, size_t shared, char *text, size_t size);

/* In which ways can the launch access the allocation? Only as it does through a parameter that leads there, if
 * all pointers are traced. */
unsigned launch_accesses(const Launch *, const Allocation *);
/* The buffer that a parameter of the kernel points to; NULL: it is no pointer, or points to none. */
Allocation *launch_buffer(const Launch *, const PtxParameter *);

#endif
