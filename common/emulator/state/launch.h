/* The parameters of a launch, its result, and the state that all its warps share while it runs. */
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
  /* x, y, z */
  uint32_t grid[3], block[3];
  /* bytes */
  uint32_t dynamic_shared;
  /* The kernel's own choice. */
  BankChoice banks;
  /* All blocks are resident at once and may use the grid barrier. */
  bool cooperative;
  /* Records the memory it touches, because work of other streams may touch it too. */
  bool tracked;
  /* Launched by a kernel. */
  bool nested;
  /* function->param_bytes bytes, laid out as described by function->params. */
  const uint8_t *parameters;
  /* [function->nparams], or NULL. For each argument that points to the host copy of a device
   * variable, the variable's name; otherwise NULL. */
  const char **host_copies;
} Launch;

/* In ascending severity. If several failures occur, the launch ends with the most severe. */
typedef enum LaunchStatus {
  LAUNCH_DONE,
  LAUNCH_MISALIGNED,
  /* An access out of bounds or through an invalid pointer. It was skipped and reported. */
  LAUNCH_ILLEGAL_ADDRESS,
  /* assert() failed in the kernel. */
  LAUNCH_ASSERT,
  LAUNCH_TRAP,
  /* LOCKSTEP_LIMIT was reached, or everything left waits for something that cannot happen. */
  LAUNCH_ENDLESS,
  /* function->refusal, or an unknown callee. Reported by name and line. */
  LAUNCH_REFUSED
} LaunchStatus;
enum { LAUNCH_STATUSES = LAUNCH_REFUSED + 1 };

/* Size of a cache line of the host. The CPU may also prefetch the adjacent line. */
enum { HOST_LINE = 64 };

/* Blocks have two numbers: the linear index in the grid, and the start order, which depends on the
 * seed. A block that stops the launch stops all blocks behind it in start order. Blocks before it
 * run to their end, so the reports do not depend on the number of workers. */
typedef struct Run {
  const Launch *launch;
  const PtxModule *module;
  const PtxFunction *function;
  uint64_t nblocks;
  /* For each status, the start order of the first block that failed so; UINT64_MAX: none. */
  atomic_uint_least64_t failed[LAUNCH_STATUSES];
  /* Blocks with this start order or a later one leave at their next branch. */
  atomic_uint_least64_t stop;
  /* Block order under a seed: number = (offset + start_order * multiplier) mod nblocks.
   * order_inverse gives the way back. */
  uint64_t order_multiplier, order_inverse, order_offset;
  uint32_t nthreads, nwarps;
  /* Number of blocks that the card holds at once. */
  uint64_t most_resident;
  uint32_t shared_bytes;
  BankMode bank_mode;
  /* Per warp. */
  uint64_t branch_limit;
  uint32_t nworkers;
  bool checks;
  /* The kernel has fences by which its blocks may synchronise with one another. Then one worker
   * runs all blocks, so that the reports, and the polls of a sampled launch, do not depend on how
   * workers interleave. */
  bool in_turn;
  /* [nworkers] */
  struct Worker *workers;
  struct RunObserved *observed;
  /* grid.c: address of the grid's barrier; 0: none. */
  uint64_t grid_memory;
  /* Number of the launch in the program, from 1. */
  uint64_t number;
  /* machine/stepwise.c; NULL: no prescribed order. */
  struct Stepwise *stepwise;
  /* Members that workers write during the launch, on cache lines separate from the read-only ones.
   */
  /* The start order of the next block to run. */
  alignas(2 * HOST_LINE) atomic_uint_least64_t next_block;
  /* launch.c: the number of workers that see no progress, and the progress they saw. */
  atomic_uint_least64_t stuck;
  /* Number of workers that have no blocks left. */
  atomic_uint_least64_t finished;
  /* Number of blocks that have started and not finished. */
  atomic_uint_least64_t resident;
  /* More blocks wait for one another than the card holds, and this has been reported. */
  atomic_bool full;
  /* Number of blocks that wait at the grid barrier. */
  atomic_uint_least64_t grid_arrived;
  atomic_uint_least32_t grid_passed;
  /* Some block will never arrive. */
  atomic_bool grid_lost;
} Run;

/* The start order of a block. */
static inline uint64_t run_start_order(const Run *run, uint64_t number) {
  const uint64_t n = run->nblocks;
  const uint64_t from_offset =
      number < run->order_offset ? number + (n - run->order_offset) : number - run->order_offset;
  return (uint64_t)((unsigned __int128)from_offset * run->order_inverse % n);
}

/* Blocks that start before this one certainly ran. Blocks behind one that stopped the launch may
 * not have. */
static inline uint64_t run_certain(const Run *run) {
  return atomic_load(&run->grid_lost) ? UINT64_MAX : atomic_load(&run->stop);
}

/* Checks a launch against the card's limits. Returns NULL, or a sentence in `text` that says why
 * the card cannot run it. `shared`: bytes of dynamic shared memory, which may exceed the range of
 * Launch.dynamic_shared. */
const char *launch_limit(const Launch *, size_t shared, char *text, size_t size);

/* The kinds of access that the launch may make to the allocation. If all pointers of the kernel are
 * traced, only accesses through parameters that point into the allocation count. */
unsigned launch_accesses(const Launch *, const Allocation *);
/* The allocation that a kernel parameter points to; NULL if it is no pointer or points to none. */
Allocation *launch_buffer(const Launch *, const PtxParameter *);

#endif
