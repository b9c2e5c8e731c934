/* Defines the parameters of a launch, its result, and the state that its workers share while it
 * runs. */
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
  /* Numbers of blocks and of threads along x, y and z. */
  uint32_t grid[3], block[3];
  /* Dynamic shared memory per block in bytes. */
  uint32_t dynamic_shared;
  /* The bank mode that the program chose for this kernel. */
  BankChoice banks;
  /* All blocks are resident at once and may use the grid barrier. */
  bool cooperative;
  /* The accesses to each buffer are recorded (observe/touched.h), because work in other streams may
   * access the buffer too. */
  bool tracked;
  /* A kernel made the launch, not host code. */
  bool nested;
  /* The kernel's arguments: function->param_bytes bytes. function->params has the offset of each
   * argument. */
  const uint8_t *parameters;
  /* [function->nparams], or NULL. If an argument points to the host copy of a device variable, the
   * element is the name of the variable; otherwise NULL. */
  const char **host_copies;
} Launch;

/* How a launch ended, in ascending severity. If there are several failures, the status is that of
 * the most severe failure. */
typedef enum LaunchStatus {
  LAUNCH_DONE,
  LAUNCH_MISALIGNED,
  /* An access was out of bounds or through an invalid pointer. It was skipped and reported. */
  LAUNCH_ILLEGAL_ADDRESS,
  /* assert() failed in the kernel. */
  LAUNCH_ASSERT,
  LAUNCH_TRAP,
  /* A warp reached the limit of branches (LOCKSTEP_LIMIT), or the remaining threads wait for an
   * event that cannot happen. */
  LAUNCH_ENDLESS,
  /* The kernel uses a feature that is not implemented (PtxFunction.refusal), or calls an unknown
   * function. This was reported. */
  LAUNCH_REFUSED
} LaunchStatus;
enum { LAUNCH_STATUSES = LAUNCH_REFUSED + 1 };

/* Size of a cache line of the host in bytes. Data that several workers write is aligned to two
 * lines, because the CPU may also prefetch the adjacent line. */
enum { HOST_LINE = 64 };

/* A running launch.
 *
 * A block has two numbers: the linear index in the grid, and the start order, which depends on the
 * seed. A block that stops the launch stops all blocks with a higher start order. Blocks with a
 * lower start order run to their end, so the reports do not depend on the number of workers. */
typedef struct Run {
  const Launch *launch;
  const PtxModule *module;
  const PtxFunction *function;
  uint64_t nblocks;
  /* For each status: the lowest start order of a block that failed with this status; UINT64_MAX: no
   * block failed with it. */
  atomic_uint_least64_t failed[LAUNCH_STATUSES];
  /* Blocks with this or a higher start order are stopped at their next branch. */
  atomic_uint_least64_t stop;
  /* The order of blocks under a seed: number = (order_offset + start_order * order_multiplier) mod
   * nblocks. order_inverse is the inverse of order_multiplier modulo nblocks. */
  uint64_t order_multiplier, order_inverse, order_offset;
  uint32_t nthreads, nwarps;
  /* Maximum number of blocks that are resident on the card at the same time. */
  uint64_t most_resident;
  uint32_t shared_bytes;
  BankMode bank_mode;
  /* The maximum number of branches of a warp. */
  uint64_t branch_limit;
  uint32_t nworkers;
  bool checks;
  /* The kernel has fences, so its blocks may synchronise with one another. Then one worker runs all
   * blocks, so that the reports, and the polls of a sampled launch, do not depend on the scheduling
   * of worker threads. */
  bool in_turn;
  /* [nworkers] */
  struct Worker *workers;
  struct RunObserved *observed;
  /* grid.c: device address of the memory of the grid barrier; 0: the launch has no grid barrier. */
  uint64_t grid_memory;
  /* Number of the launch in the program, from 1. */
  uint64_t number;
  /* machine/stepwise.c; NULL: the run has no prescribed order. */
  struct Stepwise *stepwise;
  /* Workers write the following members during the launch. These members are on other cache lines
   * than the read-only members above. */
  /* The start order of the next block that a worker takes. */
  alignas(2 * HOST_LINE) atomic_uint_least64_t next_block;
  /* launch.c: the number of workers that have seen no progress (lower 16 bits), and the sum of
   * Worker.progress at that time (upper bits). */
  atomic_uint_least64_t stuck;
  /* Number of workers that have finished their last block. */
  atomic_uint_least64_t finished;
  /* Number of blocks that have started and not finished. */
  atomic_uint_least64_t resident;
  /* Running blocks wait for an event that cannot happen, for example because too few blocks fit on
   * the card. This has been reported. */
  atomic_bool full;
  /* Running blocks may wait for values that blocks which are not sampled would write. */
  atomic_bool waits_for_skipped;
  /* `grid_arrived`: number of blocks that wait at the grid barrier. `grid_passed`: number of times
   * that all blocks have passed the barrier. */
  atomic_uint_least64_t grid_arrived;
  atomic_uint_least32_t grid_passed;
  /* At least one block will never arrive at the grid barrier. */
  atomic_bool grid_lost;
} Run;

/* Returns the start order of block number `number`. */
static inline uint64_t run_start_order(const Run *run, uint64_t number) {
  const uint64_t n = run->nblocks;
  const uint64_t from_offset =
      number < run->order_offset ? number + (n - run->order_offset) : number - run->order_offset;
  return (uint64_t)((unsigned __int128)from_offset * run->order_inverse % n);
}

/* Returns the highest start order of the blocks that certainly run. Blocks with a higher start
 * order might not run, because the launch was stopped; UINT64_MAX: all blocks run. */
static inline uint64_t run_certain(const Run *run) {
  return atomic_load(&run->grid_lost) ? UINT64_MAX : atomic_load(&run->stop);
}

/* Checks a launch against the card's limits. Returns NULL if the card can run the launch. Otherwise
 * writes the reason to `text` and returns `text`. `shared`: bytes of dynamic shared memory, which
 * may exceed the range of Launch.dynamic_shared. */
const char *launch_limit(const Launch *, size_t shared, char *text, size_t size);

/* Returns the kinds of access that the launch may make to the allocation. If the decoder has traced
 * all pointers of the kernel to parameters, only accesses through parameters that point into the
 * allocation count. */
unsigned launch_accesses(const Launch *, const Allocation *);
/* Returns the allocation that the argument for a kernel parameter points to; NULL if the argument
 * is not a pointer or does not point to an allocation. */
Allocation *launch_buffer(const Launch *, const PtxParameter *);

#endif
