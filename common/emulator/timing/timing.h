/* Predicted time: how long a launch would take on a card, and what its warps would wait for.
 *
 *   observe/trace.c   samples blocks while the emulator runs them: the basic blocks that each warp
 *                     executed, the wavefronts and the lines of memory of its accesses
 *   lowering.c        what a GPU's assembler generates from the PTX: machine instructions, their
 *                     pipes and latencies
 *   loops.c           the loops that the assembler unrolls, and straight-line code
 *   rejoins.c         the branches after which diverged lanes reconverge
 *   sparing.c, registers.c
 *                     how many registers the assembler needs
 *   schedule.c        the order of instructions
 *   replay.c          one multiprocessor that runs sampled blocks clock by clock
 *   waves.c           the whole grid: resident blocks, waves, the start of the launch
 *   observe/predict.c requests a prediction for each kernel and writes it to the log
 *
 * Nothing here runs a program; the trace is the only input. The cost depends on the sample, not on
 * the size of the grid or the length of its kernels. A long warp is sampled in stretches that each
 * represent what follows them. Blocks beyond a few waves follow at the rate of the last wave.
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
  /* Time of one launch as Nsight Compute measures it: caches flushed, clock rate not locked. */
  double us;
  /* Shares of that time, 0 to 1. */
  double busy[RESOURCES];
  /* Shares of the time of all resident warps. They add up to 1. */
  double waits[WAITS];
  /* [nlines][WAITS]: the same for each source line, by index in PtxModule.lines. */
  double *line_waits;
  uint32_t nlines;
  Occupancy occupancy;
  /* Mean number of resident warps. */
  double achieved;
  /* Registers of each thread: allocated, and spilled to local memory. */
  uint32_t registers, spilled;
  /* Blocks of an SM divided by its resident blocks. */
  double waves;
  double l2_bytes, dram_bytes;
  /* Rows, and clocks per column. */
  uint32_t timeline_warps, timeline_clocks;
  /* [timeline_warps][TIMELINE_COLUMNS]: '#' if the warp issues, otherwise the letter of a wait. */
  char *timeline;
  /* The part of this kernel that the model cannot predict; NULL if there is none. */
  const char *unknown;
} Prediction;

const char *resource_name(Resource);
const char *wait_name(Wait);
char wait_letter(Wait);
/* Returns the busiest resource. Returns RESOURCES if none is busy more than half of the time; then
 * latencies limit the kernel. */
Resource prediction_limit(const Prediction *);
/* Returns "latency" for RESOURCES. */
const char *prediction_limit_name(const Prediction *);

#endif
