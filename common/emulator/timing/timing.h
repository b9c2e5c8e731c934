/* Predicted time: how long a launch would take on a card, and what it would wait for.
 *
 *   observe/trace.c   samples blocks while the machine runs them: which basic blocks each warp went through, how
 *                     many wavefronts and which lines of memory its accesses touched
 *   lowering.c        what a GPU's assembler makes of the PTX: machine instructions, their pipes and latencies, the
 *                     order inside a basic block
 *   replay.c          one multiprocessor that runs sampled blocks clock by clock
 *   waves.c           the whole grid: blocks an SM at a time, waves, the last one, the start of the launch
 *   observe/predict.c asks for a prediction of each kernel and writes it to the log
 *
 * Nothing here runs a program; a trace is all that is read. The cost is that of the sample, whatever the size of the
 * grid and the length of its kernels: a long warp is sampled in stretches that each stand for what follows them, and
 * blocks beyond a few waves follow at the rate of the last.
 */
#ifndef TIMING_TIMING_H
#define TIMING_TIMING_H

#include "../state/launch.h"
#include "../state/occupancy.h"

typedef enum Resource {
#define RESOURCE(id, ...) RESOURCE_##id,
#include "timing.def"
  RESOURCES
} Resource;
typedef enum Wait {
#define WAIT(id, ...) WAIT_##id,
#include "timing.def"
  WAITS
} Wait;

enum { TIMELINE_COLUMNS = 120 };

typedef struct Prediction {
  double us; /* one launch, as Nsight Compute measures: caches cold, clocks as they are */
  double busy[RESOURCES]; /* 0 .. 1 of that time */
  double waits[WAITS];    /* shares of the time of resident warps; they add to 1 */
  double *line_waits;     /* [nlines][WAITS]: the same, by index in PtxModule.lines */
  uint32_t nlines;
  Occupancy occupancy;
  double achieved; /* resident warps, the mean */
  uint32_t registers,
      spilled;  /* of each thread: given; that did not fit and live in local memory */
  double waves; /* blocks an SM runs, in units of those that are resident */
  double l2_bytes, dram_bytes;
  uint32_t timeline_warps, timeline_clocks; /* rows; clocks of a column */
  char *timeline;      /* [timeline_warps][TIMELINE_COLUMNS]: '#' issues, or the letter of a wait */
  const char *unknown; /* what the model does not know of this kernel; NULL: nothing */
} Prediction;

const char *resource_name(Resource);
const char *wait_name(Wait);
char wait_letter(Wait);
/* The busiest; RESOURCES where none is busy more than half the time: latencies decide. */
Resource prediction_limit(const Prediction *);
const char *prediction_limit_name(const Prediction *); /* or "latency" */

#endif
