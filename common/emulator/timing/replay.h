/* One multiprocessor, clock by clock: schedulers, scoreboard, pipes, shared memory, L1, its share of L2 and DRAM. */
#ifndef TIMING_REPLAY_H
#define TIMING_REPLAY_H

#include "footprint.h"
#include "lowering.h"
#include "timing.h"
#include "trace.h"

/* What to run. Blocks take their turn in the order given; each is one of the trace's, perhaps once more. */
typedef struct ReplayPlan {
  const Trace *trace;
  LoweredFunction **lowered; /* [module->nfunctions], made when first needed */
  const Device *device;
  const Footprint *footprint;
  const uint32_t *blocks; /* indices in the trace */
  uint32_t nblocks, resident;
  uint32_t different;            /* after so many the list begins anew */
  double l2_clocks, dram_clocks; /* a sector, for this SM's share */
  double first_clocks;           /* between the first blocks' starts */
  double active;                 /* SMs that have blocks */
  bool whole;                    /* these are all blocks of an SM */
} ReplayPlan;

typedef struct Replayed {
  double clocks;
  double full_clocks, full_share; /* until then no place was empty, and so much of all was done */
  double *finished;               /* [nblocks] in ascending order */
  double busy[RESOURCES];         /* clocks */
  double waits[WAITS];            /* warps x clocks */
  double *line_waits;             /* [nlines][WAITS] */
  double l2_sectors, l2_clocks, dram_sectors, dram_clocks;
  uint64_t steps;
  uint32_t timeline_warps;
  double timeline_clocks; /* of a column */
  char *timeline;
} Replayed;

Replayed replay_run(const ReplayPlan *);
void replayed_free(Replayed *);

#endif
