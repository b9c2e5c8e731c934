/* One multiprocessor, clock by clock: schedulers, scoreboard, pipes, shared memory, L1, and its
 * share of L2 and DRAM. */
#ifndef TIMING_REPLAY_H
#define TIMING_REPLAY_H

#include "footprint.h"
#include "lowering.h"
#include "timing.h"
#include "trace.h"

/* The work of a replay. Blocks start in the given order. Each is a block of the trace; a block may
 * occur several times. */
typedef struct ReplayPlan {
  const Trace *trace;
  /* [module->nfunctions], built on first use. */
  LoweredFunction **lowered;
  const Device *device;
  const Footprint *footprint;
  /* Indices in the trace. */
  const uint32_t *blocks;
  uint32_t nblocks, resident;
  /* After this number of blocks, the list repeats. */
  uint32_t different;
  /* Clocks per sector at this SM's share of the bandwidth. */
  double l2_clocks, dram_clocks;
  /* Clocks between the starts of the first blocks. */
  double first_clocks;
  /* Number of SMs that have blocks. */
  double active;
  /* The list contains all blocks of an SM. */
  bool whole;
} ReplayPlan;

typedef struct Replayed {
  double clocks;
  /* Clocks until a block ended and no block replaced it, and the share of the work done until
   * then. */
  double full_clocks, full_share;
  /* [nblocks] When each block ended, in ascending order. */
  double *finished;
  /* In clocks. */
  double busy[RESOURCES];
  /* In warps times clocks. */
  double waits[WAITS];
  /* [nlines][WAITS] */
  double *line_waits;
  double l2_sectors, l2_clocks, dram_sectors, dram_clocks;
  uint64_t steps;
  uint32_t timeline_warps;
  /* Clocks per column. */
  double timeline_clocks;
  char *timeline;
} Replayed;

Replayed replay_run(const ReplayPlan *);
void replayed_free(Replayed *);

#endif
