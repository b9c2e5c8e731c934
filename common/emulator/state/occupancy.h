/* Computes how many blocks of a kernel are resident on one multiprocessor at the same time, and
 * which resource is the limit. Implements the published rules of the CUDA Occupancy Calculator with
 * the numbers of each card. The functions have no side effects. */
#ifndef STATE_OCCUPANCY_H
#define STATE_OCCUPANCY_H

#include "../ptx/program.h"
#include "device.h"

typedef enum OccupancyLimit {
  OCCUPANCY_BLOCKS, /* the card's maximum number of resident blocks */
  OCCUPANCY_THREADS,
  OCCUPANCY_REGISTERS,
  OCCUPANCY_SHARED
} OccupancyLimit;

typedef struct Occupancy {
  /* Number of blocks per multiprocessor; 0: not even one block fits. */
  uint32_t blocks;
  /* Number of warps of these blocks. */
  uint32_t warps;
  /* The resource that limits the number of blocks; if there are several, the first in the order of
   * OccupancyLimit. */
  OccupancyLimit limit;
} Occupancy;

/* Computes the occupancy. `threads`: per block. `registers`: per thread. `shared`: bytes of static
 * and dynamic shared memory per block. */
Occupancy occupancy_of(const Device *, uint32_t threads, uint32_t registers, uint32_t shared);

/* Returns the number of registers that must be free before the hardware starts a block. */
uint32_t occupancy_block_registers(const Device *, uint32_t threads, uint32_t registers);
/* Returns the maximum number of registers per thread with which a block of `threads` threads fits.
 */
uint32_t occupancy_registers_for(const Device *, uint32_t threads);
/* Returns the maximum number of registers per thread with which `blocks` blocks are resident at a
 * time; 0 counts as 1. Returns 16 if even 16 registers are too many. */
uint32_t occupancy_registers_beside(const Device *, uint32_t threads, uint32_t blocks);
/* Returns the maximum number of registers per thread under __launch_bounds__ and -maxrregcount. */
uint32_t occupancy_registers_left(const Device *, const PtxFunction *);
/* Returns the bytes of shared memory that the multiprocessor allocates for a block. `shared`: the
 * bytes that the block requests. */
uint32_t occupancy_block_shared(const Device *, uint32_t shared);
/* Returns the maximum number of bytes of shared memory per block with which `blocks` blocks fit
 * into the shared memory of a multiprocessor. */
uint32_t occupancy_shared_for(const Device *, uint32_t blocks);

#endif
