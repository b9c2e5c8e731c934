/* What was sampled of a launch: some of its blocks, and of each of their warps the way it took.
 *
 * A way is a list of runs: a basic block, gone through once by some lanes. Each run has its memory accesses, in the
 * order of the code. A long warp is not kept whole: after its first stretch come short ones, at distances that double,
 * and each stands for all that was executed up to the next. They are whole rounds of a loop, of the outermost
 * whose rounds are short enough: a part of one would stand for what is different from it.
 */
#ifndef TIMING_TRACE_H
#define TIMING_TRACE_H

#include "../state/launch.h"

typedef struct TracedAccess {
  uint32_t insn; /* index in the function's code */
  uint32_t line; /* first of its lines in the warp's list; an earlier access may have the same */
  uint8_t space; /* PtxSpace where it went; PTX_GENERIC: no lane was active */
  uint8_t
      lines; /* different lines of 128 bytes, of global and constant memory; of local memory words side by side */
  uint8_t lanes;  /* active */
  uint16_t bytes; /* of all lanes */
  bool whole;     /* every byte of its sectors is accessed */
  /* A store that is whole together with other stores of its warp. */
  bool filled;
  uint8_t most;        /* atomics: lanes that meet in one address */
  uint16_t wavefronts; /* by the rules of shared memory's banks; of constant memory passes */
} TracedAccess;

typedef struct TracedRun {
  uint16_t function; /* index in the module */
  uint16_t stretch;
  uint32_t block;
  uint32_t lanes;  /* mask */
  uint32_t access; /* its first in the warp's list */
} TracedRun;

/* Where the lanes of an access stand, seen from the first: what decides how many wavefronts it takes. */
typedef struct TracedShape {
  const PtxInsn *insn;
  uint32_t lanes, phase; /* phase: the first lane's place in a word */
  uint32_t offset[WARP_LANES], wavefronts, banks;
} TracedShape;

/* The sectors of an access's lanes, none of which goes to two, and the lines that they are in. */
typedef struct TracedSectors {
  uint64_t sector[WARP_LANES]; /* 0: inactive */
  uint32_t lanes, line;
  uint8_t lines;
} TracedSectors;

/* Lines are addresses / 128, shifted by 4 to make room for a mask of their sectors. */
#define LINE_BYTES 128
#define ALL_SECTORS 15u
enum { STRETCHES = 24, TRACED_SHAPES = 128, TRACED_SECTORS = 4 };
typedef struct TracedWarp {
  TracedRun *runs;
  TracedAccess *accesses;
  uint64_t *lines;
  uint32_t nruns, naccesses, nlines, runs_room, accesses_room, lines_room;
  uint64_t executed;            /* PTX instructions so far */
  uint64_t from[STRETCHES];     /* at which count each stretch began */
  uint32_t recorded[STRETCHES]; /* instructions it has */
  uint32_t nstretches;
  uint8_t phase;
  uint64_t next, start; /* counts: at which that changes; where the stretch was meant to begin */
  uint32_t first_length;
  uint32_t before, header; /* blocks: the last one; where rounds of the outermost loop begin */
  const struct Trace *trace;
  TracedSectors sectors[TRACED_SECTORS]; /* seen last */
  uint32_t nsectors;
} TracedWarp;

typedef struct TracedBlock {
  uint64_t number;
  TracedWarp *warps;   /* [Trace.nwarps] */
  TracedShape *shapes; /* [TRACED_SHAPES] seen last, by instruction, and the mode of the banks */
} TracedBlock;

typedef struct Trace {
  const PtxModule *module;
  const PtxFunction *kernel;
  uint32_t grid[3], block[3];
  uint32_t shared_bytes, nwarps; /* of a block */
  BankMode banks;
  uint64_t nblocks;
  uint64_t instructions; /* PTX instructions of the whole launch, 0: nobody counted */
  TracedBlock *blocks;   /* in ascending order of number */
  TracedShape *shapes;   /* of all of them */
  uint32_t nsampled;
  /* The block in the middle of the grid and its neighbours along x, y and z: indices in `blocks`, or
   * UINT32_MAX. What they share is how the launch's use of memory as a whole is judged. */
  uint32_t middle, neighbour[3];
  atomic_bool waits_for_others; /* its blocks, for what others write, which were not run */
} Trace;

static inline uint64_t traced_line(uint64_t entry) { return entry >> 4; }
static inline unsigned traced_sectors(uint64_t entry) { return (unsigned)(entry & 15); }

#endif
