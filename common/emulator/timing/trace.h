/* A sample of a launch: some of its blocks, with the path of each of their warps.
 *
 * A path is a list of runs. A run is one execution of a basic block by some lanes, with its memory
 * accesses in the order of the code. Only parts of a long warp are recorded: a first stretch, then
 * short stretches at distances that double. Each represents everything that was executed up to the
 * next one. A short stretch consists of whole iterations of a loop, the outermost loop whose
 * iterations are short enough, because a part of an iteration would not represent the rest.
 */
#ifndef TIMING_TRACE_H
#define TIMING_TRACE_H

#include "../state/launch.h"

typedef struct TracedAccess {
  /* Index in the function's code. */
  uint32_t insn;
  /* Index of its first line in TracedWarp.lines. Several accesses may share entries. */
  uint32_t line;
  /* The PtxSpace of the access; PTX_GENERIC if no lane was active. */
  uint8_t space;
  /* Number of different 128-byte lines of global or constant memory. In local memory, word i of all
   * lanes is one line. */
  uint8_t lines;
  /* Number of active lanes. */
  uint8_t lanes;
  /* Bytes of all lanes. */
  uint16_t bytes;
  /* The access touches every byte of its sectors. */
  bool whole;
  /* A store that fills its sectors together with other stores of its warp. */
  bool filled;
  /* A store to sectors that its warp has loaded before in the same basic block. */
  bool loaded;
  /* Atomic operations: the maximum number of lanes that use one address. */
  uint8_t most;
  /* Wavefronts by the rules of shared-memory banks. Constant memory: the number of different
   * addresses. */
  uint16_t wavefronts;
} TracedAccess;

typedef struct TracedRun {
  /* Index in the module. */
  uint16_t function;
  uint16_t stretch;
  uint32_t block;
  /* Mask of the lanes that execute it. */
  uint32_t lanes;
  /* Index of its first access in the warp's list. */
  uint32_t access;
} TracedRun;

/* The addresses of an access relative to the first lane. They determine how many wavefronts it
 * takes. */
typedef struct TracedShape {
  const PtxInsn *insn;
  /* `phase` is the offset of the first lane's address in its word. */
  uint32_t lanes, phase;
  uint32_t offset[WARP_LANES], wavefronts, banks;
} TracedShape;

/* The sector of each lane of an access, if no lane touches two, and the lines of these sectors. */
typedef struct TracedSectors {
  /* 0: the lane is inactive. */
  uint64_t sector[WARP_LANES];
  uint32_t lanes, line;
  uint8_t lines;
} TracedSectors;

/* Line numbers are addresses / 128. They are shifted left by 4 to make room for a mask of
 * sectors. */
#define LINE_BYTES 128
/* Consecutive stores of a warp to at most this number of lines are combined before L2. Structs of 3
 * floats stored word by word reach the rate of whole stores on an H200, structs of 6, 7 and 8 words
 * that of partial stores (tests/timing/micro/dram.cu). */
enum { COMBINED_LINES = 5 };
#define ALL_SECTORS 15u
enum { STRETCHES = 24, TRACED_SHAPES = 128, TRACED_SECTORS = 4 };
typedef struct TracedWarp {
  TracedRun *runs;
  TracedAccess *accesses;
  uint64_t *lines;
  uint32_t nruns, naccesses, nlines, runs_room, accesses_room, lines_room;
  /* [nbarriers] The recorded barriers that it passed: the number of the stretch << 16, plus the
   * number of the barrier in this stretch. */
  uint32_t *barriers;
  uint32_t nbarriers, barriers_room;
  /* Number of PTX instructions executed so far. */
  uint64_t executed;
  /* The value of `executed` at the start of each stretch. */
  uint64_t from[STRETCHES];
  /* Number of recorded instructions of each stretch. */
  uint32_t recorded[STRETCHES];
  uint32_t nstretches;
  uint8_t phase;
  /* Values of `executed`: the next change of `phase`, and the planned start of the stretch. */
  uint64_t next, start;
  uint32_t first_length;
  /* The previous basic block, and the block at which the outermost loop begins. */
  uint32_t before, header;
  const struct Trace *trace;
  /* The sectors of the most recent accesses. */
  TracedSectors sectors[TRACED_SECTORS];
  uint32_t nsectors;
} TracedWarp;

typedef struct TracedBlock {
  uint64_t number;
  /* [Trace.nwarps] */
  TracedWarp *warps;
  /* [TRACED_SHAPES] The most recent shapes, by instruction and bank mode. */
  TracedShape *shapes;
} TracedBlock;

typedef struct Trace {
  const PtxModule *module;
  const PtxFunction *kernel;
  uint32_t grid[3], block[3];
  /* `nwarps` is per block. */
  uint32_t shared_bytes, nwarps;
  BankMode banks;
  uint64_t nblocks;
  /* PTX instructions of the whole launch; 0 if they were not counted. */
  uint64_t instructions;
  /* In ascending order of number. */
  TracedBlock *blocks;
  /* The shapes of all blocks. */
  TracedShape *shapes;
  uint32_t nsampled;
  /* The block in the middle of the grid and its neighbours along x, y and z: indices in `blocks`,
   * or UINT32_MAX. The memory that they share is used to estimate the memory use of the whole
   * launch. */
  uint32_t middle, neighbour[3];
  /* True if its blocks wait for values that blocks which did not run would write. */
  bool waits_for_others;
} Trace;

static inline uint64_t traced_line(uint64_t entry) { return entry >> 4; }
static inline unsigned traced_sectors(uint64_t entry) { return (unsigned)(entry & 15); }

#endif
