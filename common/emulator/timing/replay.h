/* One multiprocessor, clock by clock: schedulers, scoreboard, pipes, shared memory, L1, and its
 * share of L2 and DRAM. */
#ifndef TIMING_REPLAY_H
#define TIMING_REPLAY_H

#include "footprint.h"
#include "lowering.h"
#include "timing.h"
#include "trace.h"

/* The input of a replay. The SM runs `nblocks` blocks in the given order. Each is a sampled block
 * of the trace, and the same one may occur several times. */
typedef struct ReplayPlan {
  const Trace *trace;
  /* [module->nfunctions], built on first use. */
  LoweredFunction **lowered;
  const Device *device;
  const Footprint *footprint;
  /* [nblocks] Indices in Trace.blocks. */
  const uint32_t *blocks;
  uint32_t nblocks, resident;
  /* The number of different blocks. After them, the list repeats. */
  uint32_t different;
  /* Clocks per sector at this SM's share of the bandwidth. */
  double l2_clocks, dram_clocks;
  /* Clocks between the starts of the first blocks. */
  double first_clocks;
  /* Number of SMs that have blocks. */
  double active;
  /* True if the list contains all blocks that the SM gets. */
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
