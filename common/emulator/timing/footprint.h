/* What a launch as a whole asks of L2 and DRAM, judged by a few of its blocks.
 *
 * Of each buffer: how many different sectors a block touches, and how many more each neighbour along x, y and z adds.
 * Blocks that share a row of a matrix add nothing along it; that gives the sectors of all blocks together, which come
 * from DRAM once, if L2 can hold them.
 */
#ifndef TIMING_FOOTPRINT_H
#define TIMING_FOOTPRINT_H

#include "../state/device.h"
#include "trace.h"

/* Lines of memory are numbered buffer by buffer: what lies above these bits is the buffer's number. */
enum { LINE_BITS = 32, BUFFERS = 64 };
#define LINE_PRIVATE (UINT64_C(1) << 59) /* no other sampled block touches it */
static inline uint32_t line_buffer(uint64_t line) {
  return (uint32_t)((line & ~LINE_PRIVATE) >> LINE_BITS) & 255;
}
static inline bool line_is_private(uint64_t line) { return (line & LINE_PRIVATE) != 0; }

typedef struct BufferUse {
  uint32_t buffer;
  double block_sectors; /* different ones that a block touches, and ... */
  double all_sectors;   /* that all do */
  double cold;          /* of the first that a block asks for: the share that comes from DRAM */
  double written;       /* different ones that all blocks store to */
  double written_back;  /* of each sector stored: the share that goes on to DRAM */
  /* Of a sector that DRAM reads, and of one that it writes because a part of it was stored: what that moves, and the
   * time that it takes, in sectors of a copy. */
  double read_moves, read_takes, part_takes;
  double room; /* sectors that the line of a sector takes in L2 */
  /* Blocks load it at random, again and again: sectors asked for in all, for each different one, and the share of
   * those asked for again that L2 no longer holds. */
  bool scattered;
  double asked, density, missed;
} BufferUse;

typedef struct Footprint {
  BufferUse use[BUFFERS];
  uint32_t nuses;
} Footprint;

/* Renumbers the lines of a trace, once, while its buffers are still there. */
void footprint_number_lines(Trace *, uint64_t near);
/* Clocks that a slice of L2 takes for the atomic operations of all blocks on its chunk of global memory; the most of all
 * chunks on which several blocks have some. *unmeasured: the most of operations whose turns nobody measured. */
double footprint_meeting(const Trace *, double *unmeasured);
/* at_once: blocks on the card at a time. */
Footprint footprint_of(const Trace *, const Device *, uint64_t at_once);
const BufferUse *footprint_use(const Footprint *, uint64_t line);
/* Of a stretch: how many instructions executed each that was recorded stands for. */
double stretch_weight(const TracedWarp *, uint32_t stretch);

#endif
