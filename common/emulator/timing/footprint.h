/* The L2 and DRAM traffic of a whole launch, estimated from a few of its blocks.
 *
 * For each buffer, the model counts the different sectors that one block touches, and how many more
 * each neighbour along x, y and z adds. Blocks that share a row of a matrix add nothing along it.
 * This gives the sectors of all blocks together. DRAM delivers each of them once if L2 can hold
 * them.
 */
#ifndef TIMING_FOOTPRINT_H
#define TIMING_FOOTPRINT_H

#include "../state/device.h"
#include "trace.h"

/* Lines of memory are numbered within their buffer. The bits above LINE_BITS are the number of the
 * buffer. */
enum { LINE_BITS = 32, BUFFERS = 64 };
/* No other sampled block touches the line. */
#define LINE_PRIVATE (UINT64_C(1) << 59)
static inline uint32_t line_buffer(uint64_t line) {
  return (uint32_t)((line & ~LINE_PRIVATE) >> LINE_BITS) & 255;
}
static inline bool line_is_private(uint64_t line) { return (line & LINE_PRIVATE) != 0; }

typedef struct BufferUse {
  uint32_t buffer;
  /* Sectors of the buffer. */
  double size;
  /* Different sectors that one block touches. */
  double block_sectors;
  /* Different sectors that all blocks touch. */
  double all_sectors;
  /* The share of a block's first reads of a sector that comes from DRAM. */
  double cold;
  /* The share of its later reads of a sector that comes from DRAM. */
  double cold_again;
  /* Different sectors that all blocks store to. */
  double written;
  /* The share of stored sectors that L2 writes to DRAM. */
  double written_back;
  /* Stores leave bytes of their sectors unwritten. L2 reads such a sector when it evicts it. */
  bool has_holes;
  /* Cost of one sector in units of a copied sector: what a read moves, the time of a read, and the
   * time of writing a sector that was stored in part. */
  double read_moves, read_takes, part_takes;
  /* How many sectors of L2 the line of one touched sector takes. */
  double room;
  /* Blocks read the same lines at the same places of their programs. */
  bool in_step;
  /* True if blocks load the buffer at random and repeatedly. Then `asked` is the number of sectors
   * read in all, `density` that number per different sector, and `missed` the share of repeated
   * reads that L2 no longer holds. */
  bool scattered;
  double asked, density, missed;
} BufferUse;

typedef struct Footprint {
  BufferUse use[BUFFERS];
  uint32_t nuses;
} Footprint;

/* Renumbers the lines of a trace. Must be called once, before its buffers are freed. */
void footprint_number_lines(Trace *, uint64_t near);
/* Returns the clocks that a slice of L2 needs for the atomic operations of all blocks on one chunk
 * of global memory: the maximum over the chunks that several blocks use. *unmeasured is the maximum
 * for operations whose cost was not measured. */
double footprint_meeting(const Trace *, double *unmeasured);
/* Returns the clocks of an atomic operation in a slice of L2, for one line of the access. */
double footprint_turn(const TracedAccess *, const PtxInsn *, unsigned sectors);
/* Lines of a chunk. A slice executes the operations on a chunk one after the other. */
enum { CHUNK_LINES = 4 };
/* `at_once` is the number of blocks that are resident on the card. */
Footprint footprint_of(const Trace *, const Device *, uint64_t at_once);
const BufferUse *footprint_use(const Footprint *, uint64_t line);
/* Returns how many executed instructions each recorded instruction of the stretch represents. */
double stretch_weight(const TracedWarp *, uint32_t stretch);

#endif
