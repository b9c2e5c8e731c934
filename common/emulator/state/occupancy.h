/* How many blocks of a kernel one multiprocessor holds at a time, and which resource is the limit.
 * Implements the published rules of the CUDA Occupancy Calculator with each card's numbers. Pure
 * functions. */
#ifndef STATE_OCCUPANCY_H
#define STATE_OCCUPANCY_H

#include "../ptx/program.h"
#include "device.h"

typedef enum OccupancyLimit {
  OCCUPANCY_BLOCKS, /* maximum number of resident blocks */
  OCCUPANCY_THREADS,
  OCCUPANCY_REGISTERS,
  OCCUPANCY_SHARED
} OccupancyLimit;

typedef struct Occupancy {
  /* Blocks per multiprocessor; 0: not even one block fits. */
  uint32_t blocks;
  /* Warps of these blocks. */
  uint32_t warps;
  /* The first resource, in the order above, that allows no more blocks. */
  OccupancyLimit limit;
} Occupancy;

/* `threads` per block, `registers` per thread, `shared`: bytes of static and dynamic shared memory
 * per block. */
Occupancy occupancy_of(const Device *, uint32_t threads, uint32_t registers, uint32_t shared);

/* Number of registers that must be free before the hardware starts a block. */
uint32_t occupancy_block_registers(const Device *, uint32_t threads, uint32_t registers);
/* The maximum number of registers per thread for a block of `threads` to fit. */
uint32_t occupancy_registers_for(const Device *, uint32_t threads);
/* The maximum number of registers per thread that lets `blocks` blocks be resident at a time (0
 * counts as 1). Returns 16 if even that is too many. */
uint32_t occupancy_registers_beside(const Device *, uint32_t threads, uint32_t blocks);
/* The maximum number of registers per thread under __launch_bounds__ and -maxrregcount. */
uint32_t occupancy_registers_left(const Device *, const PtxFunction *);
/* Bytes of shared memory that a block takes on its multiprocessor. */
uint32_t occupancy_block_shared(const Device *, uint32_t shared);
/* The maximum shared memory per block that lets `blocks` blocks be resident, as far as shared
 * memory is the limit. */
uint32_t occupancy_shared_for(const Device *, uint32_t blocks);

#endif
