/* The order in which the assembler places the instructions of a piece of straight-line code.
 *
 * Such a piece is a basic block, a block and its successors that have no other predecessor, or
 * several iterations of an unrolled loop. The instruction at the start of the longest dependence
 * chain comes first, as far as operands and memory order allow. Thus independent loads come first.
 */
#ifndef TIMING_SCHEDULE_H
#define TIMING_SCHEDULE_H

#include "lowering.h"

typedef struct Step {
  const Op *op;
  /* Index in the code; NO_INSN for the branch at the end. */
  uint32_t insn;
  /* Index in PtxModule.lines. */
  uint32_t line;
  /* The run of the schedule that contains the instruction. */
  uint16_t run;
  /* The number of its access in that run. */
  uint16_t access;
  /* Index of its first operand in Schedule.reads. */
  uint32_t read;
  uint16_t nreads;
  /* Costs nothing here. */
  bool nothing;
  /* The first operand is the condition of a predicated instruction or a branch. */
  bool guarded;
  /* Counts or jumps back at the end of a loop of LoweredFunction.turns. */
  bool counts;
  /* Stores a value that has not arrived yet (an asynchronous copy). */
  bool copies;
} Step;
#define NO_INSN UINT32_MAX
/* Extra latency of a condition if a branch or a predicated instruction depends on it. An H200
 * issues both 13 clocks after the comparison, a selection 4 or 5 clocks after it (stall counts of
 * 144 kernels under Nsight Compute; tests/timing/micro/divergence.cu: short loops). */
enum { GUARD_CLOCKS = 8 };

typedef struct Commit {
  uint32_t slot, value;
} Commit;

/* Values are numbered: first the values of the function's slots at the start, then one for each
 * step. */
typedef struct Schedule {
  Step *steps;
  uint32_t nsteps, nruns;
  uint32_t *reads;
  /* The values of slots after the last step. */
  Commit *commits;
  uint32_t ncommits, nreads;
} Schedule;

/* A piece is the first part of a chain. It is used at the end of a stretch that does not contain
 * the whole chain. The last iterations of an unrolled loop use code for half or a quarter of its
 * body: loops that ptxas unrolls by 16 also have bodies of 8, 4 and 1 (cuobjdump -sass). */
typedef enum ScheduleKind {
  SCHEDULE_BLOCK,
  SCHEDULE_PIECE,
  SCHEDULE_CHAIN,
  SCHEDULE_QUARTER,
  SCHEDULE_HALF,
  SCHEDULE_UNROLLED,
  SCHEDULES
} ScheduleKind;
static inline uint32_t schedule_rounds(const LoweredFunction *l, uint32_t block, ScheduleKind k) {
  return k >= SCHEDULE_QUARTER ? l->unroll[block] >> (SCHEDULE_UNROLLED - k) : 1;
}
/* Builds the schedule on first use. */
const Schedule *schedule_of(LoweredFunction *, uint32_t block, ScheduleKind);
void schedule_free(Schedule *);

#endif
