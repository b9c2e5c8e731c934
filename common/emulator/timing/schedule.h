/* The order in which an assembler puts the instructions of one stretch of straight code.
 *
 * Straight code is a basic block, the blocks behind it that nothing else leads to, or a few rounds of a loop that it
 * unrolls. Whatever others wait for longest goes first, as far as operands and the order of memory allow; that puts
 * independent loads in front.
 */
#ifndef TIMING_SCHEDULE_H
#define TIMING_SCHEDULE_H

#include "lowering.h"

typedef struct Step {
  const Op *op;
  uint32_t insn;   /* index in the code; NO_INSN: the branch at the end */
  uint32_t line;   /* index in PtxModule.lines */
  uint16_t run;    /* which of the schedule's runs it comes from */
  uint16_t access; /* the number of its access there */
  uint32_t read;   /* first of its values */
  uint16_t nreads;
  bool nothing; /* costs nothing here */
  bool copies;  /* stores what is still on its way */
} Step;
#define NO_INSN UINT32_MAX

typedef struct Commit {
  uint32_t slot, value;
} Commit;

/* Values are numbered: those of the function's slots before it begins, then one for each step. */
typedef struct Schedule {
  Step *steps;
  uint32_t nsteps, nruns;
  uint32_t *reads;
  Commit *commits; /* what slots hold after it */
  uint32_t ncommits, nreads;
} Schedule;

/* A piece is the beginning of a chain, for the end of a stretch that does not have all of it. */
typedef enum ScheduleKind {
  SCHEDULE_BLOCK,
  SCHEDULE_PIECE,
  SCHEDULE_CHAIN,
  SCHEDULE_UNROLLED,
  SCHEDULES
} ScheduleKind;
/* Made when first asked for. */
const Schedule *schedule_of(LoweredFunction *, uint32_t block, ScheduleKind);
void schedule_free(Schedule *);

#endif
