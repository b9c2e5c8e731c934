/* How many blocks of a kernel one multiprocessor holds at a time, and what forbids more: the
 * published rules of the CUDA Occupancy Calculator, with each card's own numbers. Pure functions.
 */
#ifndef STATE_OCCUPANCY_H
#define STATE_OCCUPANCY_H

#include "../ptx/program.h"
#include "device.h"

typedef enum OccupancyLimit {
  OCCUPANCY_BLOCKS, /* no more blocks, however small */
  OCCUPANCY_THREADS,
  OCCUPANCY_REGISTERS,
  OCCUPANCY_SHARED
} OccupancyLimit;

typedef struct Occupancy {
  uint32_t blocks;      /* on one multiprocessor; 0: such a block does not fit at all */
  uint32_t warps;       /* of these blocks */
  OccupancyLimit limit; /* the first in the order above that allows no more */
} Occupancy;

/* A block of so many threads, each with so many registers; shared: bytes of the block, static and
 * dynamic. */
Occupancy occupancy_of(const Device *, uint32_t threads, uint32_t registers, uint32_t shared);

/* Registers that the hardware asks for before it starts a block. */
uint32_t occupancy_block_registers(const Device *, uint32_t threads, uint32_t registers);
/* The most registers a thread of such a block may have. */
uint32_t occupancy_registers_for(const Device *, uint32_t threads);
/* The most that leave room for so many of them at a time; 0: for one. */
uint32_t occupancy_registers_beside(const Device *, uint32_t threads, uint32_t blocks);
/* The most that __launch_bounds__ and -maxrregcount leave to a thread of the kernel. */
uint32_t occupancy_registers_left(const Device *, const PtxFunction *);
/* Shared memory that a block takes from its multiprocessor. */
uint32_t occupancy_block_shared(const Device *, uint32_t shared);
/* The most shared memory of a block of which so many are resident: as far as shared memory
 * decides. */
uint32_t occupancy_shared_for(const Device *, uint32_t blocks);

#endif
