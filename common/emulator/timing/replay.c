#include "replay.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "schedule.h"
#include "timeline.h"

enum {
  MOST_SCHEDULERS = 4,
  /* Accesses of a scheduler that can wait for shared memory, and as many for L1. */
  QUEUE = 8,
  /* Groups of asynchronous copies that are tracked per warp. */
  COPY_GROUPS = 16
};
#define NEVER 1e300
#define NO_RUN UINT32_MAX
/* The following times are in clocks and were measured on an H200. */
/* Time between a branch and the next instruction if no lane takes it: its stall count in machine
 * code, and the stalls that Nsight Compute reports behind branches. */
#define BRANCH_STALL 4
/* micro/divergence.cu: a branch that is taken occupies the scheduler for one clock more (loops, 32
 * warps). This was measured on no card with dual issue, so `branch_clocks` is all that they have.
 * Code in which lanes may diverge has two more instructions, BSSY and BSYNC, and the instruction
 * behind BSYNC starts 13 clocks later (Nsight Compute). If the lanes do diverge, each side executes
 * BSYNC and waits ('if of 16' by 0, 16 and 32 lanes). */
#define TAKEN_CLOCKS 1
#define REJOIN_CLOCKS 12
/* Extra time of a round of a loop if some lanes leave the loop (micro/divergence.cu, one warp). */
#define LEAVE_CLOCKS 8
/* Minimum time between the arrivals of two warps of an SM at barriers. */
#define BARRIER_ARRIVAL 2
/* Time between the starts of two consecutive warps of a block. */
#define WARP_START 5
/* Minimum time of a global-memory request in L1. */
#define REQUEST_CLOCKS 4 / 3.
/* Time of the machine code at the start of a kernel that its PTX does not contain: special
 * registers and constants are loaded. Warps of an H200 reach their first load after 93 to 107
 * clocks if the address takes few instructions (samples of Nsight Compute). */
#define PROLOGUE 50
/* The number of its instructions: the stack pointer and the descriptor of global memory; from
 * compute capability 9.0 on the size of the block and each parameter, too. The rows of
 * tests/timing/unseen.csv and strangers.csv with up to 100 instructions execute 3 LDC and ULDC and
 * one for each parameter, as a mean (Nsight Compute). Older cards read constants as operands. The
 * address of shared memory takes three instructions, because it depends on the block's number in
 * its cluster (SR_CgaCtaId). */
enum { PROLOGUE_SLOTS = 2, PROLOGUE_LOADS = 1, PROLOGUE_SHARED = 3 };
/* A warp whose last instruction is a store occupies its place until the data have left its
 * registers (the stall "drain" of Nsight Compute: 47 to 60 clocks in 20 kernels). */
#define DRAIN_CLOCKS 45
/* Latency of a tensor-core product beyond the time that its pipe is busy. */
#define TENSOR_LATENCY 18
/* Time of the lookup of one line in L1. */
#define TAG_CLOCKS 0.27
/* Time of the fetch of a machine instruction that an SM executes for the first time
 * (tests/timing/micro/code.cu). */
#define FETCH_CLOCKS 2
/* Latency for each further wavefront of a load (tests/timing/micro/l1.cu), and for each further
 * line of a load from local memory (micro/local.cu). */
#define WAVEFRONT_LATENCY 1.2
#define LOCAL_LINE_LATENCY 0.2
/* Stores to local memory are written through to L2: Nsight Compute counts their sectors there. Time
 * of a sector in units of a sector that is read, if the store fills it or not (micro/local.cu). */
#define LOCAL_WHOLE_STORE 1.7
#define LOCAL_PARTIAL_STORE 3.4
/* tests/timing/micro/constants.cu: latency of a load from constant memory at a run-time address,
 * and for each further word of the warp; time of a word in the constant cache of the SM, and of a
 * miss; latency of a miss. A chain of loads 64 bytes apart misses each time if the footprint is
 * 4 KB and never if it is 2 KB, so a line has 64 bytes. Loads of 1024 to 16384 words at random
 * then need 27 to 30 clocks for each miss if the cache holds 48 lines. */
#define CONSTANT_LATENCY 29
#define CONSTANT_WORD_LATENCY 11
#define CONSTANT_WORD_CLOCKS 2
#define CONSTANT_MISS_CLOCKS 28.5
#define CONSTANT_MISS_LATENCY 70
enum { CONSTANT_CACHE_LINES = 48 };
/* Lines that the replay remembers of those that an SM has asked for. */
enum { FETCHED_BYTES = 4 << 20 };
/* The same for the lines that each block has used. */
enum { TOUCHED_BYTES = 16 << 20 };
/* Time that L2 needs for a line, in units of a sector that is read: minimum for a read; for each
 * sector stored as a whole; for a line stored in part, and for each such sector (micro/few.cu).
 * Accesses that bypass L1 go sector by sector. */
#define LEAST_OF_LINE 2.1
#define WHOLE_STORE 2.2
#define PARTIAL_STORE 1.6
#define PART_OF_SECTOR 2.6
/* L2 of some cards has two partitions. Half of what DRAM delivers crosses from one to the other.
 * Time of an access and of each sector that DRAM moves, in the same unit, for the whole card. They
 * are a fit to the utilisation of L2 (lts__throughput) by the requests and sectors of
 * srcunit_ltcfabric for 27 kernels on an H200. An access causes 1.6 to 2 such requests, whether it
 * reads one sector or four. */
#define CROSSING_ACCESS 2.7
#define CROSSING_SECTOR 1.9
/* Atomic operations: time that L2 needs for a sector, and for a byte, in the same unit; the factor
 * by which both are longer if the program uses the returned value (micro/atomics.cu). */
#define ATOMIC_SECTOR 3.4
#define ATOMIC_BYTE 0.05
#define FETCHED_ATOMIC 1.4
/* Time of an integer operation on a word of L2 that other blocks use (micro/atomics.cu). */
#define MEETING_TURN 1.45
/* Extra latency of DRAM when it is busy all the time. It grows with the square of the load. */
#define LOADED_LATENCY 900

/* Unlike fmax and fmin, these do not test for NaN. No time is NaN. */
static inline double later(double a, double b) { return a > b ? a : b; }
static inline double earlier(double a, double b) { return a < b ? a : b; }

typedef struct SmWarp {
  const TracedWarp *way;
  struct SmBlock *block;
  LoweredFunction *lowered;
  const Schedule *schedule;
  /* Index in way->runs of the first entry that the current schedule covers, and the current step of
   * the schedule. */
  uint32_t run, step;
  /* Index in way->runs of the first entry after the schedule. */
  uint32_t after;
  /* Index in way->runs for each block of the schedule; NO_RUN if no lane executes the block. */
  uint32_t *place;
  uint32_t places;
  /* [room] When each value is available. */
  double *value;
  /* [room] The Wait of a warp that needs the value earlier. */
  uint8_t *reason;
  uint32_t room;
  /* When its last instruction was issued. */
  double since;
  /* When the operands of the next instruction are available. */
  double ready;
  /* The Wait of the warp until `ready`. */
  uint8_t why;
  /* Weight of the current stretch (stretch_weight). */
  double weight;
  /* Number of the warp in the SM: its row in the timeline. Its scheduler is row % nschedulers. */
  uint32_t row;
  /* When the copies of each group are complete. The last group is open. */
  double copied[COPY_GROUPS];
  uint32_t groups;
  /* The first line of its last atomic operation and of its last volatile load, as entries of the
   * trace; 0 if there was none. `polls` is the instruction of that load. */
  uint64_t changed, polled;
  const PtxInsn *polls;
  /* The number of iterations since a loop of LoweredFunction.turns counted. `within`: the schedule
   * ends an iteration that does not. */
  uint8_t turn;
  /* Index in way->barriers of the barrier at which it waits, or of the next one. */
  uint32_t barrier;
  bool within, at_barrier, done;
} SmWarp;

typedef struct SmBlock {
  SmWarp *warps;
  uint32_t nwarps, live, waiting, index;
  /* How many blocks before it were runs of the same sampled block. */
  uint64_t turn;
  /* When the last warp arrived at the barrier, when the data of all stores of the block have left
   * its registers, and when L2 has acknowledged these stores. */
  double last_arrival, drained, stored;
} SmBlock;

typedef struct Scheduler {
  SmWarp **warps;
  uint32_t nwarps;
  /* When it can issue again, and when each pipe is free. queue[0] is for shared memory, queue[1]
   * for L1: when the last QUEUE accesses left it. */
  double free, pipe_free[PIPES], queue[2][QUEUE];
  uint32_t queued[2];
  /* The warp that issued last. */
  SmWarp *last;
  /* The next warp and its time; NULL if they must be found. */
  SmWarp *next;
  double when;
} Scheduler;

typedef struct Sm {
  const ReplayPlan *plan;
  const Device *d;
  Replayed *out;
  Scheduler schedulers[MOST_SCHEDULERS];
  uint32_t nschedulers;
  /* [resident] */
  SmBlock *blocks;
  uint32_t started, ended;
  double last_start, last_end;
  /* State of passing(). */
  double window, slots, weighted, passed;
  double lsu_free, constant_free, l2_free, dram_free, barrier_free, dram_busy;
  Cache cache, constants, fetched, touched;
  /* One entry for each chunk of L2. `ready`: when the slice has executed all operations on it. */
  Cache chunks;
  double cold_debt[BUFFERS], asked[BUFFERS];
  /* Sectors that L1 has fetched of each buffer. */
  double held[BUFFERS];
  /* All buffers fit in L1 together. */
  bool holds_all;
  Timeline timeline;
  double issue_clocks, pipe_clocks[PIPES];
  /* [nfunctions][nblocks] When the instructions of each block arrive; 0 if they were not
   * requested. */
  double **code;
  double code_free;
} Sm;

/* ---- the path of a warp ---------------------------------------------------------------------- */
/* ptxas moves loads across guarded blocks for compute capability 8.0 and later. Cards with dual
 * issue are older, and so are their compilers. */
static LoweredFunction *lowered(const Sm *sm, uint32_t function) {
  LoweredFunction **l = &sm->plan->lowered[function];
  if (!*l)
    *l = lower_function(sm->plan->trace->module, &sm->plan->trace->module->functions[function],
                        !sm->d->dual_issue, sm->d->capability[0] >= 9);
  return *l;
}

/* Returns true if the warp's path continues with all blocks of the chain, or with all iterations of
 * the unrolled loop. Stores the run of each block in w->place. */
static bool goes_through(SmWarp *w, const LoweredFunction *l, uint32_t nruns, bool unrolled) {
  const TracedRun *from = &w->way->runs[w->run];
  uint32_t block = from->block, run = w->run;
  for (uint32_t i = 0; i < nruns; i++) {
    const TracedRun *here = run < w->way->nruns ? &w->way->runs[run] : NULL;
    const bool same = here && here->block == block && here->function == from->function &&
                      here->stretch == from->stretch;
    if (l->guarded[block] && i > 0) {
      w->place[i] = same ? run++ : NO_RUN;
    } else {
      if (!same || here->lanes != from->lanes)
        return false;
      w->place[i] = run++;
    }
    block = unrolled && block == l->loop_end[from->block] ? from->block : l->chain_next[block];
  }
  w->after = run;
  return true;
}

static void make_places(SmWarp *w, uint32_t n) {
  if (n <= w->places)
    return;
  w->place = realloc(w->place, n * sizeof *w->place);
  assert(w->place);
  w->places = n;
}

/* Returns the longest schedule that the warp's path contains next. */
static const Schedule *choose_schedule(LoweredFunction *l, SmWarp *w) {
  const uint32_t block = w->way->runs[w->run].block;
  for (ScheduleKind k = SCHEDULE_UNROLLED; k > SCHEDULE_BLOCK; k--) {
    const bool unrolled = k >= SCHEDULE_QUARTER;
    if (unrolled ? schedule_rounds(l, block, k) <= 1 : l->chain_next[block] == PTX_NO_BLOCK)
      continue;
    const Schedule *s = schedule_of(l, block, k);
    make_places(w, s->nruns);
    if (goes_through(w, l, s->nruns, unrolled))
      return s;
  }
  make_places(w, 1);
  w->place[0] = w->run;
  w->after = w->run + 1;
  return schedule_of(l, block, SCHEDULE_BLOCK);
}

static void make_room(SmWarp *w, uint32_t values) {
  if (values <= w->room)
    return;
  w->value = realloc(w->value, values * sizeof *w->value);
  w->reason = realloc(w->reason, values);
  assert(w->value && w->reason);
  for (uint32_t i = w->room; i < values; i++)
    w->value[i] = w->reason[i] = 0;
  w->room = values;
}

/* Returns true if all lanes of the warp go on behind the branch. */
static bool falls_through(const SmWarp *w, const TracedRun *from, const TracedRun *to) {
  const PtxBlock *b = &w->lowered->function->blocks[from->block];
  return to && to->function == from->function && b->end == PTX_END_IF && to->block == b->next &&
         to->lanes == from->lanes;
}

/* Finds out whether the schedule ends an iteration after which an unrolled loop does not count. */
static void take_turn(SmWarp *w, const LoweredFunction *l) {
  const TracedRun *last = &w->way->runs[w->after - 1];
  const TracedRun *next = w->after < w->way->nruns ? &w->way->runs[w->after] : NULL;
  const unsigned turns = l->turns[last->block];
  const bool again = next && next->function == last->function && next->block <= last->block;
  w->within = turns > 1 && again && ++w->turn % turns;
}

/* Returns the clocks until the warp can continue after a branch to that run. */
static double branch_delay(const Sm *sm, const SmWarp *w, const TracedRun *from,
                           const TracedRun *to) {
  const PtxBlock *b = &w->lowered->function->blocks[from->block];
  if (b->end == PTX_END_FALL || w->lowered->predicated[from->block] || w->within)
    return 0;
  if (falls_through(w, from, to))
    return BRANCH_STALL;
  const uint8_t ways = w->lowered->rejoins[from->block];
  const bool some_leave = to && to->lanes != from->lanes && ways &&
                          (ways & REJOINS_BOTH) != REJOINS_BOTH && !sm->d->dual_issue;
  return sm->d->branch_clocks + (some_leave ? LEAVE_CLOCKS : 0);
}

/* Returns how often the warp reconverges after a branch to that run. */
static unsigned rejoins(const Sm *sm, const SmWarp *w, const TracedRun *from, const TracedRun *to) {
  const PtxBlock *b = &w->lowered->function->blocks[from->block];
  const uint8_t ways = w->lowered->rejoins[from->block];
  if (!ways || !to || to->function != from->function || sm->d->dual_issue)
    return 0;
  if (to->lanes != from->lanes)
    return (ways & REJOINS_BOTH) == REJOINS_BOTH ? 2 : 0;
  return (ways & (to->block == b->taken ? REJOINS_TAKEN : REJOINS_NEXT)) != 0;
}

static void retire(Sm *sm, SmWarp *w);

/* Returns the time if all instructions had been run. A stretch represents more instructions than it
 * has, and its time is scaled by the mean weight of what was issued in it. */
static double passing(const Sm *sm, double now) {
  return sm->passed + (now - sm->window) * (sm->slots > 0 ? sm->weighted / sm->slots : 1);
}
/* In clocks. */
enum { WINDOW = 400 };
static void pass(Sm *sm, double now, double slots, double weight) {
  if (now > sm->window + WINDOW) {
    sm->passed = passing(sm, now);
    sm->window = now;
    sm->slots = sm->weighted = 0;
  }
  sm->slots += slots;
  sm->weighted += slots * weight;
}

/* The SM fetches the code of a schedule when the first warp reaches it. No warp finishes the
 * schedule before the code has arrived. */
static void fetch_code(Sm *sm, const SmWarp *w, const TracedRun *run) {
  double **code = &sm->code[run->function];
  double slots = 0;
  if (!*code)
    *code = calloc(w->lowered->function->nblocks + 1u, sizeof **code);
  assert(*code);
  if ((*code)[run->block] > 0)
    return;
  for (uint32_t i = 0; i < w->schedule->nsteps; i++) {
    const Step *step = &w->schedule->steps[i];
    slots += step->nothing ? 0 : step->op->kind == OP_COMPUTE ? op_slots(step->op) : 1;
  }
  sm->code_free = later(sm->code_free, w->since) + FETCH_CLOCKS * slots;
  (*code)[run->block] = sm->code_free;
}
static void await_code(Sm *sm, SmWarp *w) {
  const TracedRun *run = &w->way->runs[w->run];
  const double there = sm->code[run->function][run->block], wait = later(there - w->since, 0);
  w->since += wait;
  sm->out->waits[WAIT_BRANCH] += wait * w->weight;
  timeline_add(&sm->timeline, w->row, w->since - wait, w->since, WAIT_BRANCH);
}

/* Starts the next schedule, or ends the warp. */
static void enter(Sm *sm, SmWarp *w) {
  if (w->run >= w->way->nruns) {
    retire(sm, w);
    return;
  }
  const TracedRun *run = &w->way->runs[w->run];
  LoweredFunction *l = lowered(sm, run->function);
  if (l != w->lowered && w->lowered)
    /* The registers of another function are all available. */
    for (uint32_t i = 0; i < w->room; i++)
      w->value[i] = 0;
  w->lowered = l;
  w->schedule = choose_schedule(l, w);
  take_turn(w, l);
  w->step = 0;
  make_room(w, l->function->nslots + w->schedule->nsteps + 1);
  fetch_code(sm, w, run);
  if (w->run == 0 || w->way->runs[w->run - 1].stretch != run->stretch)
    w->weight = stretch_weight(w->way, run->stretch);
}

/* Clocks of one issue slot of a scheduler. */
static double slot_clocks(const Device *d) {
  return d->dual_issue ? 0.5 * d->issue_clocks : d->issue_clocks;
}

/* Issues that number of instructions that depend on nothing. */
static void take_slots(Sm *sm, SmWarp *w, double slots) {
  const double clocks = slots * slot_clocks(sm->d);
  w->since += clocks;
  sm->schedulers[w->row % sm->nschedulers].free += clocks;
  sm->issue_clocks += clocks * w->weight;
  sm->out->waits[WAIT_SELECTED] += clocks * w->weight;
}

/* Predicated instructions take issue slots even if no lane executes them, and accesses take one
 * wavefront each. On an H200, 512 iterations of four predicated loads from shared memory make the
 * same number of wavefronts and take the same time for no lane as for all. */
static void skip_guarded(Sm *sm, SmWarp *w, const TracedRun *from, const TracedRun *to) {
  const LoweredFunction *l = w->lowered;
  const PtxBlock *b = &l->function->blocks[from->block];
  if (b->end != PTX_END_IF || !l->predicated[from->block] || !to)
    return;
  uint32_t other = to->block == b->taken ? b->next : b->taken;
  if (to->block != b->taken && to->block != b->next)
    return;
  if (!l->predicated[other] || l->predicated[to->block])
    return;
  double slots = 0, wavefronts = 0;
  for (uint32_t i = l->function->blocks[other].first, n = l->function->blocks[other].count; n--;
       i++) {
    slots += l->ops[i].kind == OP_FREE      ? 0
             : l->ops[i].kind == OP_COMPUTE ? op_slots(&l->ops[i])
                                            : 1;
    wavefronts += l->ops[i].kind != OP_FREE && op_is_access(&l->function->code[i]);
  }
  take_slots(sm, w, slots);
  wavefronts *= sm->d->wavefront_clocks;
  sm->lsu_free = later(sm->lsu_free, w->since) + wavefronts;
  sm->out->busy[RESOURCE_SHARED] += wavefronts * w->weight;
}

static void leave(Sm *sm, SmWarp *w) {
  const Schedule *s = w->schedule;
  const uint32_t last = w->after - 1;
  for (uint32_t i = 0; i < s->ncommits; i++) {
    w->value[s->commits[i].slot] = w->value[s->commits[i].value];
    w->reason[s->commits[i].slot] = w->reason[s->commits[i].value];
  }
  const TracedRun *next = last + 1 < w->way->nruns ? &w->way->runs[last + 1] : NULL;
  await_code(sm, w);
  double delay = branch_delay(sm, w, &w->way->runs[last], next);
  skip_guarded(sm, w, &w->way->runs[last], next);
  if (delay > BRANCH_STALL && next && !sm->d->dual_issue)
    sm->schedulers[w->row % sm->nschedulers].free += TAKEN_CLOCKS * slot_clocks(sm->d);
  const unsigned joins = rejoins(sm, w, &w->way->runs[last], next);
  take_slots(sm, w, joins ? 1 + joins : 0);
  delay += joins * REJOIN_CLOCKS;
  w->run = last + 1;
  if (delay > 0) {
    w->since += delay;
    sm->out->waits[WAIT_BRANCH] += delay * w->weight;
    timeline_add(&sm->timeline, w->row, w->since - delay, w->since, WAIT_BRANCH);
  }
  enter(sm, w);
}

/* Returns when all closed groups of copies but the last `groups` are complete. */
static double copies_there(const SmWarp *w, uint32_t groups) {
  double then = 0;
  for (uint32_t i = groups + 1; i < COPY_GROUPS && i <= w->groups; i++)
    then = later(then, w->copied[(w->groups - i) % COPY_GROUPS]);
  return then;
}

/* Advances to the next step that costs something and finds when its operands are available. */
static void look_ahead(Sm *sm, SmWarp *w) {
  while (!w->done) {
    if (w->step == w->schedule->nsteps) {
      leave(sm, w);
      continue;
    }
    const Step *step = &w->schedule->steps[w->step];
    const uint32_t *reads = w->schedule->reads + step->read;
    double ready = 0;
    uint8_t why = WAIT_WAIT;
    for (uint32_t i = 0; i < step->nreads; i++) {
      const bool guards = i == 0 && step->guarded && !step->nothing;
      const double then = w->value[reads[i]] + (guards ? GUARD_CLOCKS : 0);
      if (then > ready && !(step->copies && w->reason[reads[i]] == WAIT_LONG)) {
        ready = then;
        why = w->reason[reads[i]];
      }
    }
    if (step->op->kind == OP_COPY_WAIT) {
      ready = copies_there(w, step->op->groups);
      why = WAIT_LONG;
    }
    if (!step->nothing && !(step->counts && w->within)) {
      w->ready = ready > w->since ? ready : w->since;
      w->why = why;
      return;
    }
    uint32_t result = w->lowered->function->nslots + w->step;
    w->value[result] = ready;
    w->reason[result] = why;
    w->step++;
  }
}

/* ---- blocks ---------------------------------------------------------------------------------- */
static double prologue_slots(const Sm *sm) {
  const Trace *t = sm->plan->trace;
  if (sm->d->capability[0] < 9)
    return PROLOGUE_SLOTS;
  return PROLOGUE_SLOTS + PROLOGUE_LOADS + t->kernel->nparams +
         (t->shared_bytes ? PROLOGUE_SHARED : 0);
}

static void start_warp(Sm *sm, SmWarp *w, const TracedWarp *way, double now) {
  w->way = way;
  w->run = 0;
  w->lowered = NULL;
  w->done = w->at_barrier = false;
  w->groups = 0;
  w->barrier = 0;
  w->changed = w->polled = 0;
  w->turn = 0;
  w->copied[0] = 0;
  w->weight = 1;
  for (uint32_t i = 0; i < w->room; i++)
    w->value[i] = w->reason[i] = 0;
  take_slots(sm, w, prologue_slots(sm));
  w->since = now + PROLOGUE;
  enter(sm, w);
  look_ahead(sm, w);
}

/* One unit starts the blocks of the whole card, so a multiprocessor waits while each of the others
 * gets a block. */
static double block_clocks(const Sm *sm) { return sm->d->start_clocks * sm->plan->active; }

static void start_block(Sm *sm, SmBlock *b, double now) {
  const TracedBlock *traced = &sm->plan->trace->blocks[sm->plan->blocks[sm->started]];
  double between = sm->started < sm->plan->resident ? sm->plan->first_clocks : block_clocks(sm);
  between = later(between, WARP_START * b->nwarps);
  double start = sm->started ? later(now, sm->last_start + between) : now;
  sm->last_start = start;
  b->index = sm->started++;
  b->turn = b->index / sm->plan->different;
  b->live = b->nwarps;
  b->waiting = 0;
  b->last_arrival = b->drained = b->stored = 0;
  for (uint32_t i = 0; i < b->nwarps; i++) {
    start_warp(sm, &b->warps[i], &traced->warps[i], start + WARP_START * i);
    sm->schedulers[b->warps[i].row % sm->nschedulers].next = NULL;
  }
}

static uint32_t next_barrier(const SmWarp *w) {
  return w->barrier < w->way->nbarriers ? w->way->barriers[w->barrier] : UINT32_MAX;
}

/* Returns true and stores the first barrier at which warps wait if no other warp will arrive there.
 * The stretch of one warp can contain more barriers than that of another, which then does not
 * arrive at the last ones. */
static bool is_complete(const SmBlock *b, uint32_t *first) {
  *first = UINT32_MAX;
  for (uint32_t i = 0; i < b->nwarps; i++)
    if (b->warps[i].at_barrier && next_barrier(&b->warps[i]) < *first)
      *first = next_barrier(&b->warps[i]);
  for (uint32_t i = 0; i < b->nwarps; i++)
    if (!b->warps[i].done && !b->warps[i].at_barrier && next_barrier(&b->warps[i]) <= *first)
      return false;
  return true;
}

static void release(Sm *sm, SmBlock *b) {
  uint32_t first;
  while (b->waiting && is_complete(b, &first)) {
    double then = b->last_arrival + sm->d->barrier_clocks;
    for (uint32_t i = 0; i < b->nwarps; i++) {
      SmWarp *w = &b->warps[i];
      if (!w->at_barrier || next_barrier(w) != first)
        continue;
      w->at_barrier = false;
      w->barrier++;
      b->waiting--;
      double wait = later(then - w->since, 0) * w->weight;
      sm->out->waits[WAIT_BARRIER] += wait;
      sm->out->line_waits[(size_t)w->schedule->steps[w->step - 1].line * WAITS + WAIT_BARRIER] +=
          wait;
      timeline_add(&sm->timeline, w->row, w->since, then, WAIT_BARRIER);
      w->since = later(then, w->since);
      look_ahead(sm, w);
      sm->schedulers[w->row % sm->nschedulers].next = NULL;
    }
  }
}

static void retire(Sm *sm, SmWarp *w) {
  SmBlock *b = w->block;
  w->done = true;
  w->ready = NEVER;
  if (--b->live) {
    release(sm, b);
    return;
  }
  double end = b->drained;
  for (uint32_t i = 0; i < b->nwarps; i++)
    end = later(end, b->warps[i].since);
  /* Resident blocks that are done at the same time end one after the other (micro/starts.cu). */
  sm->last_end = end = later(end, sm->last_end + block_clocks(sm));
  sm->out->finished[sm->ended++] = passing(sm, end);
  if (sm->started < sm->plan->nblocks) {
    start_block(sm, b, end + sm->d->refill_clocks);
  } else if (sm->out->full_clocks == 0) {
    sm->out->full_clocks = passing(sm, end);
    /* replay_run() divides it by the clocks of all instructions. */
    sm->out->full_share = sm->issue_clocks;
  }
}

/* ---- memory ---------------------------------------------------------------------------------- */
/* Returns the share of sectors that come from DRAM. If blocks load at random, early loads find
 * little in L2, and late loads find most. */
static double cold_share(Sm *sm, const BufferUse *use, double sectors) {
  if (!use->scattered || !sm->plan->whole || use->asked <= 0)
    return use->cold;
  double *asked = &sm->asked[use - sm->plan->footprint->use];
  const double before = *asked * sm->plan->active / use->asked;
  *asked += sectors;
  return use->missed + (1 - use->missed) * exp(-use->density * before);
}

/* Multiplied by the number of a block, it makes different keys of its lines. */
#define ODD UINT64_C(0x9e3779b97f4a7c15)
/* Returns the sectors that the block uses for the first time. */
static unsigned new_to_block(Sm *sm, const SmWarp *w, uint64_t line, unsigned sectors, double now) {
  CacheLine *c = cache_find(&sm->touched, line ^ (w->block->index + UINT64_C(1)) * ODD, now);
  const unsigned new = sectors & ~c->sectors;
  c->sectors |= sectors;
  return new;
}

/* Adds the share of an access that comes from DRAM to the debt of its buffer: of sectors that are
 * new to the block, also if L1 has them, and of others that L1 has lost. */
static void owe_cold(Sm *sm, const SmWarp *w, const BufferUse *use, uint64_t line, unsigned wanted,
                     unsigned missing, double now) {
  if (!use)
    return;
  /* If L1 keeps no global data, the shares of buffers are for each load. */
  const unsigned new = sm->d->l1_holds_globals ? new_to_block(sm, w, line, wanted, now) : wanted;
  double *debt = &sm->cold_debt[use - sm->plan->footprint->use];
  *debt += use->cold_again * __builtin_popcount(missing & ~new);
  if (new)
    *debt += cold_share(sm, use, __builtin_popcount(new) * w->weight) * __builtin_popcount(new);
}

/* Returns how many sectors of a line come from DRAM: all or none of them. `cold_debt` makes the
 * mean equal to the share of the buffer, without random numbers. */
static double cold_of(Sm *sm, const BufferUse *use, unsigned sectors) {
  if (!use)
    return 0;
  double *debt = &sm->cold_debt[use - sm->plan->footprint->use];
  double now = *debt >= 0.999 ? sectors : 0;
  *debt -= now;
  return now;
}

/* The latency of DRAM grows with its load, averaged over more than one access. */
static double dram_latency(const Sm *sm, double now) {
  double busy = sm->dram_busy / (now + sm->d->memory_latency);
  busy = busy < 1 ? busy : 1;
  return sm->d->memory_latency + LOADED_LATENCY * busy * busy;
}

/* Returns the clocks that L2 needs for sectors of a line, of which `cold` come from DRAM. */
static double l2_of_read(const Sm *sm, const BufferUse *use, unsigned sectors, double cold) {
  const Device *d = sm->d;
  const double units = d->l1_holds_globals ? later(sectors, LEAST_OF_LINE) : sectors;
  const double clocks = units * sm->plan->l2_clocks;
  if (cold <= 0 || d->l2_partitions < 2)
    return clocks;
  const double crossing = CROSSING_ACCESS + CROSSING_SECTOR * use->read_moves * cold;
  return later(clocks, crossing * SECTOR_BYTES * sm->plan->active / d->l2_bytes_clock);
}

/* Returns true if L2 waits for DRAM although another SM asked for the line before: the blocks of
 * the first wave read the same lines at the same time. DRAM delivers pairs of sectors, so the
 * second one of a pair is in L2 (footprint.c, pieces of DRAM). */
static bool waits_for_dram(Sm *sm, const SmWarp *w, const BufferUse *use, uint64_t line,
                           unsigned sectors, double now) {
  if (!use || !use->in_step || w->block->index >= sm->plan->resident)
    return false;
  CacheLine *c = cache_find(&sm->fetched, line, now);
  const bool first = (c->sectors & sectors) != sectors;
  c->sectors |= sectors | (sectors & 5) << 1 | (sectors & 10) >> 1;
  return first;
}

static double fetch(Sm *sm, const SmWarp *w, double start, uint64_t line, unsigned mask) {
  const double weight = w->weight;
  const unsigned sectors = (unsigned)__builtin_popcount(mask);
  const Device *d = sm->d;
  const BufferUse *use = footprint_use(sm->plan->footprint, line);
  double at_l2 = later(start, sm->l2_free), cold = cold_of(sm, use, sectors);
  const double l2_clocks = l2_of_read(sm, use, sectors, cold);
  sm->l2_free = at_l2 + l2_clocks;
  sm->out->l2_clocks += l2_clocks * weight;
  sm->out->l2_sectors += sectors * weight;
  double ready = sm->l2_free + d->l2_latency;
  if (cold > 0) {
    const double clocks = cold * use->read_takes * sm->plan->dram_clocks;
    sm->out->dram_sectors += cold * use->read_moves * weight;
    sm->out->dram_clocks += clocks * weight;
    sm->dram_busy += clocks;
    sm->dram_free = later(at_l2, sm->dram_free) + clocks;
    ready = later(ready, sm->dram_free + dram_latency(sm, at_l2));
  } else if (waits_for_dram(sm, w, use, line, mask, at_l2)) {
    ready = later(ready, at_l2 + dram_latency(sm, at_l2));
  }
  return ready;
}

/* A block that is run a second time to represent another must not hit lines that are private to the
 * first. */
static uint64_t own_line(const SmWarp *w, const TracedAccess *a, uint64_t line) {
  if (a->space == PTX_LOCAL)
    return UINT64_C(1) << 58 | (uint64_t)w->row << 34 | (uint64_t)w->block->index << 42 | line;
  return line_is_private(line) ? line | w->block->turn << (LINE_BITS + 8) : line;
}

/* Returns true if a line that L1 does not have was fetched by instructions that the trace skipped:
 * if all buffers fit in L1, it fetches each sector once. Otherwise counts the sectors. */
static bool fetched_before(Sm *sm, uint64_t line, unsigned sectors, double weight) {
  const BufferUse *use = footprint_use(sm->plan->footprint, line);
  if (!use || !sm->holds_all)
    return false;
  double *held = &sm->held[use - sm->plan->footprint->use];
  if (*held >= use->size)
    return true;
  *held += sectors * weight;
  return false;
}

static double load_lines(Sm *sm, const SmWarp *w, const TracedAccess *a, bool bypasses,
                         double start) {
  const Device *d = sm->d;
  bool cached = !bypasses && (d->l1_holds_globals || a->space != PTX_GLOBAL);
  double ready = start + d->l1_latency +
                 (a->space == PTX_LOCAL ? LOCAL_LINE_LATENCY * (a->lines - 1)
                                        : WAVEFRONT_LATENCY * (later(a->wavefronts, 1) - 1));
  for (uint32_t i = a->line; i < a->line + a->lines; i++) {
    uint64_t line = own_line(w, a, traced_line(w->way->lines[i]));
    unsigned wanted = traced_sectors(w->way->lines[i]);
    CacheLine *c = cached ? cache_find(&sm->cache, line, start) : NULL;
    unsigned missing = c ? wanted & ~c->sectors : wanted;
    if (c && c->ready > ready)
      ready = c->ready;
    if (a->space != PTX_LOCAL)
      owe_cold(sm, w, footprint_use(sm->plan->footprint, line), line, wanted, missing, start);
    if (!missing)
      continue;
    if (c && d->l1_fetch_bytes == LINE_BYTES)
      missing = ALL_SECTORS & ~c->sectors;
    const unsigned sectors = (unsigned)__builtin_popcount(missing);
    const bool hits = a->space == PTX_LOCAL || (c && fetched_before(sm, line, sectors, w->weight));
    double then = hits ? start + d->l1_latency : fetch(sm, w, start, line, missing);
    if (c) {
      c->sectors |= missing;
      c->ready = later(c->ready, then);
    }
    ready = later(ready, then);
  }
  return ready;
}

/* Time that L2 needs for a line, in units of a sector that is read. */
static double l2_of_store(const Sm *sm, const TracedAccess *a, const Op *op, unsigned sectors) {
  if (op->kind == OP_ATOMIC)
    return (op->fetches ? FETCHED_ATOMIC : 1) *
           (ATOMIC_SECTOR * sectors + ATOMIC_BYTE * a->bytes / a->lines);
  if (!sm->d->l1_holds_globals)
    return sectors;
  if (a->space == PTX_LOCAL)
    return (a->whole ? LOCAL_WHOLE_STORE : LOCAL_PARTIAL_STORE) * sectors;
  /* The other sectors of such a line cost no more than if they were read. */
  if (!a->whole && a->loaded && a->lines > COMBINED_LINES)
    return PARTIAL_STORE + PART_OF_SECTOR + sectors - 1;
  return a->whole ? WHOLE_STORE * sectors : PARTIAL_STORE + PART_OF_SECTOR * sectors;
}

/* A sector that is stored in part is read when L2 evicts it, if no other store fills it. Atomic
 * operations read the sector first. */
static void store_lines(Sm *sm, const SmWarp *w, const TracedAccess *a, const Op *op,
                        double start) {
  const bool local = a->space == PTX_LOCAL;
  for (uint32_t i = a->line; i < a->line + a->lines; i++) {
    uint64_t line = traced_line(w->way->lines[i]);
    unsigned sectors = (unsigned)__builtin_popcount(traced_sectors(w->way->lines[i]));
    const BufferUse *use = local ? NULL : footprint_use(sm->plan->footprint, line);
    const bool whole = local || ((a->whole || a->filled || a->loaded) && op->kind != OP_ATOMIC);
    double moved = sectors * (use ? use->written_back : 0);
    if (use && op->kind == OP_ATOMIC) {
      owe_cold(sm, w, use, line, traced_sectors(w->way->lines[i]), 0, start);
      moved += cold_of(sm, use, sectors);
    } else if (use) {
      new_to_block(sm, w, line, traced_sectors(w->way->lines[i]), start);
      moved *= whole || !use->has_holes ? 1 : 2;
    }
    const double clocks = moved * (use && !whole ? use->part_takes : 1) * sm->plan->dram_clocks;
    const double l2_clocks = l2_of_store(sm, a, op, sectors) * sm->plan->l2_clocks;
    sm->l2_free = later(start, sm->l2_free) + l2_clocks;
    sm->out->l2_clocks += l2_clocks * w->weight;
    sm->dram_free = later(start, sm->dram_free) + clocks;
    sm->dram_busy += clocks;
    sm->out->dram_clocks += clocks * w->weight;
    sm->out->l2_sectors += sectors * w->weight;
    sm->out->dram_sectors += moved * w->weight;
  }
  w->block->drained = later(w->block->drained, start + DRAIN_CLOCKS);
  w->block->stored = later(w->block->stored, sm->l2_free + sm->d->l2_latency);
}

/* Returns when a slice of L2 has executed an atomic operation of the warp. The other SMs have as
 * many operations on each chunk as this one. */
static double meet_others(Sm *sm, const SmWarp *w, const TracedAccess *a, const PtxInsn *insn,
                          double start) {
  double done = start;
  for (uint32_t i = a->line; i < a->line + a->lines && a->space == PTX_GLOBAL; i++) {
    const uint64_t entry = w->way->lines[i], line = traced_line(entry);
    if (line_is_private(line))
      continue;
    CacheLine *c = cache_find(&sm->chunks, line / CHUNK_LINES, start);
    const double turn =
        footprint_turn(a, insn, (unsigned)__builtin_popcount(traced_sectors(entry)));
    const double begin = later(start, c->ready);
    done = later(done, begin + turn);
    c->ready = begin + turn * sm->plan->active;
  }
  return done;
}

/* ---- order between blocks -------------------------------------------------------------------- */
/* Returns true for an access to global memory that has one of `flags` and a scope wider than the
 * block. */
static bool meets_others(const PtxInsn *insn, const TracedAccess *a, unsigned flags) {
  return a->space == PTX_GLOBAL && insn->flags & flags && !(insn->flags & PTX_BLOCK_SCOPE);
}

/* Returns the clocks that a fence or a release takes. It waits until L2 has acknowledged the stores
 * before it, and then for one more exchange with L2. */
static double fence_clocks(const Sm *sm, const SmWarp *w, double now) {
  return later(w->block->stored - now, 0) + sm->d->l2_latency;
}

/* Empties L1. A load after an acquire must not find older values there. */
static void forget_l1(Sm *sm) {
  for (uint32_t i = 0; i < sm->cache.sets; i++)
    for (int way = 0; way < CACHE_WAYS; way++)
      sm->cache.set[i].lines[way].sectors = 0;
  memset(sm->held, 0, sizeof sm->held);
}

/* Returns when a volatile load is done. Repeated polls of one word take no time of their own: how
 * long a warp polls depends on others. A warp that polls the word which it has changed before waits
 * for the operations of all blocks on it, which L2 executes one after the other, and on average
 * for half of an exchange until its next poll. */
static double poll(Sm *sm, SmWarp *w, const TracedAccess *a, const PtxInsn *insn, double start) {
  const uint64_t entry = w->way->lines[a->line];
  const bool again = w->polled == entry && w->polls == insn;
  w->polled = entry;
  w->polls = insn;
  if (again)
    return start + 1;
  double ready = load_lines(sm, w, a, true, start);
  if (w->changed && traced_line(w->changed) == traced_line(entry))
    ready += 0.5 * sm->d->l2_latency + MEETING_TURN * sm->plan->active * sm->plan->resident;
  if (insn->flags & PTX_ACQUIRES)
    forget_l1(sm);
  return ready;
}

/* Shared-memory atomics that are loops: each lane of a conflict loads, adds and swaps in its turn,
 * and repeats if another warp was faster. Clocks of shared memory for one turn with 32 warps on
 * random bins, and clocks between turns (tests/timing/micro/atomics.cu). */
#define LOOP_TURN 12
#define LOOP_LATENCY 95
static bool is_loop(const PtxInsn *insn) {
  return insn->form == PTX_ATOM && insn->merged.turns == PTX_TURNS_LOOP;
}
static double shared_turns(const TracedAccess *a, const PtxInsn *insn) {
  if (is_loop(insn))
    return LOOP_TURN * a->most;
  if (insn->form != PTX_ATOM || insn->merged.turns == PTX_TURNS_WORDS)
    return a->wavefronts;
  return a->most > a->wavefronts ? a->most : a->wavefronts;
}

/* Returns the clocks of an access in shared memory or L1. 16 load/store units need two clocks for
 * the addresses of a warp; different lines or banks of the two half warps then cost nothing extra.
 * L1 of an A40 and an L40, with 16 units, delivers 64 bytes per clock; L1 of an A100, with 32,
 * delivers 125 (gpu-benches, gpu-cache). */
static double path_clocks(const Device *d, const TracedAccess *a, const PtxInsn *insn) {
  const double addresses = (double)WARP_LANES / d->lsu_lanes;
  if (a->space == PTX_SHARED)
    return later(addresses, d->wavefront_clocks * shared_turns(a, insn));
  if (a->space == PTX_LOCAL)
    return later(later(REQUEST_CLOCKS, addresses), a->lines * TAG_CLOCKS);
  const double data = addresses * earlier(a->wavefronts, (double)a->bytes / LINE_BYTES);
  return later(later(REQUEST_CLOCKS, a->lines * TAG_CLOCKS),
               later(later(addresses, data), d->wavefront_clocks * a->wavefronts));
}

/* The scheduler's queue in which an instruction waits, and the time at which it leaves the
 * queue. */
static bool goes_to_l1(const Step *step, const LoweredFunction *l) {
  return step->op->kind != OP_SHUFFLE && l->function->code[step->insn].space != PTX_SHARED;
}
static void enqueue(Scheduler *s, bool l1, double start) {
  s->queue[l1][s->queued[l1]++ % QUEUE] = start;
}

/* Each different word of a warp needs one pass in the constant cache. */
static double load_constant(Sm *sm, const SmWarp *w, const TracedAccess *a, double now) {
  const double start = later(now + 2, sm->constant_free);
  double clocks = a->wavefronts * CONSTANT_WORD_CLOCKS, misses = 0;
  for (uint32_t i = 2 * a->line; i < 2 * (a->line + a->lines); i++) {
    const uint64_t entry = w->way->lines[i / 2], half = i % 2;
    if (!(traced_sectors(entry) >> 2 * half & 3))
      continue;
    const uint64_t line = 2 * (traced_line(entry) & ~LINE_PRIVATE) + half;
    CacheLine *c = cache_find(&sm->constants, line, now);
    misses += !c->sectors;
    c->sectors = ALL_SECTORS;
  }
  clocks += misses * CONSTANT_MISS_CLOCKS;
  sm->constant_free = start + clocks;
  sm->out->busy[RESOURCE_CONSTANT] += clocks * w->weight;
  return start + CONSTANT_LATENCY - 2 + (a->wavefronts - 1) * CONSTANT_WORD_LATENCY +
         (misses > 0 ? CONSTANT_MISS_LATENCY : 0);
}

/* Issues an access. Returns when its result is available; *why is the Wait until then. */
static double access_memory(Sm *sm, SmWarp *w, const Step *step, double now, uint8_t *why) {
  const PtxInsn *insn = &w->lowered->function->code[step->insn];
  const uint32_t run = w->place[step->run];
  const Device *d = sm->d;
  *why = WAIT_LONG;
  if (run == NO_RUN) {
    sm->lsu_free = later(sm->lsu_free, now) + d->wavefront_clocks;
    sm->out->busy[RESOURCE_SHARED] += d->wavefront_clocks * w->weight;
    return now + 1;
  }
  const TracedAccess *a = &w->way->accesses[w->way->runs[run].access + step->access];
  if (!a->lanes)
    return now + 1;
  if (a->space == PTX_CONST) {
    *why = WAIT_SHORT;
    return load_constant(sm, w, a, now);
  }
  double clocks = path_clocks(d, a, insn), start = later(now + 2, sm->lsu_free);
  Scheduler *s = &sm->schedulers[w->row % sm->nschedulers];
  sm->lsu_free = start + clocks;
  enqueue(s, goes_to_l1(step, w->lowered), start);
  sm->out->busy[a->space == PTX_SHARED ? RESOURCE_SHARED : RESOURCE_L1] += clocks * w->weight;
  if (a->space == PTX_SHARED) {
    *why = WAIT_SHORT;
    if (is_loop(insn))
      return start + a->most * LOOP_LATENCY;
    return start + clocks - 1 + d->shared_latency +
           (insn->form == PTX_ATOM ? d->shared_latency : 0);
  }
  if (insn->form == PTX_LD && meets_others(insn, a, PTX_VOLATILE))
    return poll(sm, w, a, insn, start + clocks - 1);
  if (insn->form == PTX_LD)
    return load_lines(sm, w, a, false, start + clocks - 1);
  store_lines(sm, w, a, step->op, start + clocks - 1);
  w->polled = 0;
  if (insn->form != PTX_ATOM)
    return start;
  w->changed = w->way->lines[a->line];
  return later(meet_others(sm, w, a, insn, start), sm->l2_free) + d->l2_latency + 50;
}

/* ---- issuing --------------------------------------------------------------------------------- */
static double pipe_interval(const Device *d, Pipe p) {
  static const double none = 0;
  const uint32_t lanes[PIPES] = {
      [PIPE_FP32] = d->fp32_lanes,      [PIPE_HEAVY] = d->product_lanes, [PIPE_INT] = d->int_lanes,
      [PIPE_ANY] = d->int_lanes,        [PIPE_FP64] = d->fp64_lanes,     [PIPE_SFU] = d->sfu_lanes,
      [PIPE_CONVERT] = d->convert_lanes};
  return lanes[p] ? (double)WARP_LANES * d->schedulers / lanes[p] : none;
}
/* The registers of a scheduler deliver one 64-bit operand per clock, so a multiply-add of three
 * needs three clocks. An operand of the previous instruction is kept; ptxas 13 arranges this for
 * about half of them (33 of 64 in 8x8 of lab 04, 309 of 512 in its expert). */
#define THREE_OPERANDS 2.45
/* For the multiply-adds of a division or root: the 21 and 23 clocks of its 8 on an H100
 * (micro/floats.cu). */
#define THREE_OPERANDS_IN_DIVISION 2.75
static double arithmetic_interval(const Device *d, const Op *op, Pipe p) {
  const double interval = pipe_interval(d, p);
  if (p != PIPE_FP64 || !op->three_wide || d->dual_issue)
    return interval;
  return later(interval, op->slots[p] > 1 ? THREE_OPERANDS_IN_DIVISION : THREE_OPERANDS);
}
/* Tensor cores do twice as many multiply-adds in double precision as PIPE_FP64. */
static double tensor_clocks(const Device *d, const Op *op) {
  return (double)op->products * d->schedulers /
         (op->in_double     ? 2 * d->fp64_lanes
          : d->tensor_lanes ? d->tensor_lanes
                            : d->fp32_lanes);
}
/* Returns true if integers use the lanes of single precision. */
static bool lanes_shared(const Device *d) { return d->core_lanes < d->fp32_lanes + d->int_lanes; }
/* Returns true if the lanes for multiply-adds are two halves and only one of them, PIPE_HEAVY, does
 * integer products. Sums that do not use PIPE_INT use that half, too. In 'pi by Philox' it is busy
 * for 79 % of the time with 20 wide products, one product and 14 sums in 132 clocks, and the other
 * half is idle (fmaheavy and fma in Nsight Compute). */
static bool has_halves(const Device *d) {
  return 2 * d->product_lanes == d->fp32_lanes && !lanes_shared(d);
}
static Pipe earlier_pipe(const Scheduler *s, Pipe a, Pipe b) {
  return s->pipe_free[a] <= s->pipe_free[b] ? a : b;
}
/* Returns the pipe whose lanes an instruction uses. Integer products use the lanes of
 * multiply-adds, or have a few lanes of their own. */
static Pipe pipe_of(const Device *d, const Scheduler *s, Pipe p) {
  if (has_halves(d))
    return p == PIPE_FP32  ? earlier_pipe(s, PIPE_FP32, PIPE_HEAVY)
           : p == PIPE_ANY ? earlier_pipe(s, PIPE_INT, PIPE_HEAVY)
                           : p;
  if (p == PIPE_HEAVY)
    return 2 * d->product_lanes < d->fp32_lanes ? PIPE_HEAVY : PIPE_FP32;
  if (p == PIPE_ANY && d->dual_issue)
    return PIPE_INT;
  if (p == PIPE_ANY)
    return earlier_pipe(s, PIPE_INT, PIPE_FP32);
  return p;
}
static double pipe_latency(const Device *d, Pipe p) {
  switch (p) {
  case PIPE_FP64:
    return d->fp64_latency;
  case PIPE_SFU:
    return d->sfu_latency;
  /* In addition to the clocks of the product. */
  case PIPE_TENSOR:
    return TENSOR_LATENCY;
  case PIPE_CONVERT:
    return 0.7 * d->sfu_latency;
  /* A jump. */
  case PIPE_CONTROL:
    return d->branch_clocks;
  default:
    return d->fp32_latency + (p != PIPE_FP32 ? 0.5 : 0);
  }
}

static void occupy(Sm *sm, Scheduler *s, const SmWarp *w, Pipe p, double now, double clocks) {
  s->pipe_free[p] = later(s->pipe_free[p], now) + clocks;
  sm->pipe_clocks[p] += clocks * w->weight;
}

/* A product with a 64-bit result takes twice as long. */
static void use_halves(Sm *sm, Scheduler *s, const SmWarp *w, const Op *op, Pipe p, double now) {
  const double interval = pipe_interval(sm->d, PIPE_HEAVY);
  if (p == PIPE_HEAVY)
    occupy(sm, s, w, PIPE_HEAVY, now, (op->slots[p] + op->wide) * interval);
  for (unsigned i = 0; p == PIPE_FP32 && i < op->slots[p]; i++)
    occupy(sm, s, w, pipe_of(sm->d, s, p), now, interval);
}

static double compute(Sm *sm, Scheduler *s, SmWarp *w, const Op *op, double now, uint8_t *why) {
  double latency = 0;
  *why = op->chain[PIPE_SFU] || op->chain[PIPE_CONVERT] ? WAIT_SHORT : WAIT_WAIT;
  for (Pipe p = 0; p < PIPES; p++) {
    latency += op->chain[p] * pipe_latency(sm->d, p);
    if (!op->slots[p] || p == PIPE_CONTROL)
      continue;
    Pipe on = pipe_of(sm->d, s, p);
    if (has_halves(sm->d) && (p == PIPE_FP32 || p == PIPE_HEAVY)) {
      use_halves(sm, s, w, op, p, now);
      continue;
    }
    if (p == PIPE_TENSOR)
      latency += tensor_clocks(sm->d, op);
    occupy(sm, s, w, on, now,
           p == PIPE_TENSOR
               ? tensor_clocks(sm->d, op)
               : op->slots[p] * arithmetic_interval(sm->d, op, p == PIPE_ANY ? on : p));
    /* A product with a 64-bit result takes twice as long. Multiply-adds in single precision then
     * use the other half of the lanes. */
    if (op->wide && on == PIPE_FP32 && p == PIPE_HEAVY)
      occupy(sm, s, w, PIPE_HEAVY, now,
             (op->slots[p] + op->wide) * pipe_interval(sm->d, PIPE_HEAVY));
    if (on == PIPE_INT && lanes_shared(sm->d))
      occupy(sm, s, w, PIPE_FP32, now, op->slots[p] * pipe_interval(sm->d, PIPE_FP32));
  }
  return now + latency;
}

/* Returns when the pipe or queue that the warp needs is free. */
static double resource_free(const Device *d, const Scheduler *s, const SmWarp *w, uint8_t *why) {
  const Step *step = &w->schedule->steps[w->step];
  const Op *op = step->op;
  double then = 0;
  *why = WAIT_MATH;
  if (op->kind == OP_LOAD || op->kind == OP_STORE || op->kind == OP_ATOMIC ||
      op->kind == OP_SHUFFLE) {
    const bool l1 = goes_to_l1(step, w->lowered);
    *why = l1 ? WAIT_LG : WAIT_MIO;
    return s->queued[l1] >= QUEUE ? s->queue[l1][s->queued[l1] % QUEUE] : 0;
  }
  for (Pipe p = 0; p < PIPE_CONTROL && op->kind == OP_COMPUTE; p++)
    if (op->slots[p])
      then = later(then, s->pipe_free[pipe_of(d, s, p)]);
  return op->kind == OP_COMPUTE && op->wide ? later(then, s->pipe_free[PIPE_HEAVY]) : then;
}

static void account(Sm *sm, const SmWarp *w, const Step *step, double busy, uint8_t throttle,
                    double now, double slots) {
  double *line = sm->out->line_waits + (size_t)step->line * WAITS;
  double free = earlier(now, later(w->ready, busy));
  const struct {
    double from, to;
    Wait what;
  } parts[] = {{w->since, w->ready, w->why},
               {w->ready, free, throttle},
               {free, now, WAIT_NOT_SELECTED},
               {now, now + slots, WAIT_SELECTED}};
  for (int i = 0; i < 4; i++) {
    double clocks = parts[i].to - parts[i].from;
    if (clocks <= 0)
      continue;
    sm->out->waits[parts[i].what] += clocks * w->weight;
    line[parts[i].what] += clocks * w->weight;
    timeline_add(&sm->timeline, w->row, parts[i].from, parts[i].to, parts[i].what);
  }
}

static void arrive(Sm *sm, SmWarp *w, double now) {
  SmBlock *b = w->block;
  b->last_arrival = sm->barrier_free = later(sm->barrier_free, now) + BARRIER_ARRIVAL;
  w->at_barrier = true;
  w->ready = NEVER;
  b->waiting++;
  release(sm, b);
}

/* Returns true for fences beyond the block and for accesses with release semantics. */
static bool orders_others(const SmWarp *w, const Step *step) {
  if (step->insn == NO_INSN || w->place[step->run] == NO_RUN)
    return false;
  const PtxInsn *insn = &w->lowered->function->code[step->insn];
  if (step->op->kind == OP_FENCE)
    return insn->form == PTX_FENCE && insn->sub;
  if (!op_is_access(insn) || !(insn->flags & PTX_RELEASES) || insn->form == PTX_LD)
    return false;
  const TracedAccess *a =
      &w->way->accesses[w->way->runs[w->place[step->run]].access + step->access];
  return a->lanes && meets_others(insn, a, PTX_RELEASES);
}

static void copies_begin(SmWarp *w, const Step *step) {
  double *there = &w->copied[w->groups % COPY_GROUPS];
  for (uint32_t i = 0; i < step->nreads; i++)
    *there = later(*there, w->value[w->schedule->reads[step->read + i]]);
}

static void issue(Sm *sm, Scheduler *s, SmWarp *w, double now) {
  const Step *step = &w->schedule->steps[w->step];
  const Op *op = step->op;
  const uint32_t result = w->lowered->function->nslots + w->step;
  uint8_t why = WAIT_WAIT, throttle;
  double busy = resource_free(sm->d, s, w, &throttle);
  double slots = op->kind == OP_COMPUTE ? op_slots(op) : 1, then = now + 1;
  double per_slot = slot_clocks(sm->d);
  pass(sm, now, slots * per_slot, w->weight);
  account(sm, w, step, busy, throttle, now, slots * per_slot);
  double jump = 0, held = 0;
  if (op->kind == OP_COMPUTE) {
    jump = op->chain[PIPE_CONTROL] * pipe_latency(sm->d, PIPE_CONTROL);
    sm->out->waits[WAIT_BRANCH] += jump * w->weight;
    sm->out->line_waits[(size_t)step->line * WAITS + WAIT_BRANCH] += jump * w->weight;
    then = compute(sm, s, w, op, now, &why);
    if (divides_code(op))
      held = later(then - now - slots * per_slot - jump, 0);
    sm->out->waits[why] += held * w->weight;
    sm->out->line_waits[(size_t)step->line * WAITS + why] += held * w->weight;
    if (held > 0)
      timeline_add(&sm->timeline, w->row, then - held, then, why);
  } else if (op->kind == OP_SHUFFLE) {
    double start = later(now + 2, sm->lsu_free);
    sm->lsu_free = start + 1;
    enqueue(s, false, start);
    sm->out->busy[RESOURCE_SHARED] += w->weight;
    then = start + sm->d->shared_latency - 1;
    why = WAIT_SHORT;
  } else if (op->kind == OP_COPY_GROUP) {
    w->copied[++w->groups % COPY_GROUPS] = 0;
  } else if (op_is_access(&w->lowered->function->code[step->insn])) {
    if (step->copies)
      copies_begin(w, step);
    then = access_memory(sm, w, step, now, &why);
  }
  const double fence = orders_others(w, step) ? fence_clocks(sm, w, now) : 0;
  if (fence > 0) {
    then += fence;
    sm->out->waits[WAIT_LONG] += fence * w->weight;
    sm->out->line_waits[(size_t)step->line * WAITS + WAIT_LONG] += fence * w->weight;
    timeline_add(&sm->timeline, w->row, now + 1, now + fence, WAIT_LONG);
    if (op->kind == OP_FENCE)
      forget_l1(sm);
  }
  sm->out->steps++;
  sm->issue_clocks += slots * per_slot * w->weight;
  w->value[result] = then;
  w->reason[result] = why;
  w->step++;
  w->since = now + slots * per_slot + jump + held + fence;
  s->free = now + slots * per_slot;
  if (op->kind == OP_BARRIER)
    arrive(sm, w, now);
  else
    look_ahead(sm, w);
}

/* Chooses the next warp. Among the warps that can issue, it is the one that issued last, otherwise
 * the youngest, as GPUs since Turing do (Huerta et al., Analyzing Modern NVIDIA GPU cores, 2025).
 * So warps drift apart, and lines that one fetched hit for the others. */
static bool goes_first(const SmWarp *w, const SmWarp *other, const SmWarp *last) {
  if (w == last || other == last)
    return w == last;
  return w->row > other->row;
}

static void find_next(const Device *d, Scheduler *s) {
  s->when = NEVER;
  s->next = NULL;
  for (uint32_t i = 0; i < s->nwarps; i++) {
    SmWarp *w = s->warps[i];
    uint8_t why;
    if (w->done || w->at_barrier || w->ready > s->when)
      continue;
    double then = later(later(w->ready, s->free), resource_free(d, s, w, &why));
    if (then < s->when || (then == s->when && goes_first(w, s->next, s->last))) {
      s->when = then;
      s->next = w;
    }
  }
}

static bool step_once(Sm *sm) {
  Scheduler *first = NULL;
  for (uint32_t i = 0; i < sm->nschedulers; i++) {
    Scheduler *s = &sm->schedulers[i];
    if (!s->next)
      find_next(sm->d, s);
    if (s->next && (!first || s->when < first->when))
      first = s;
  }
  if (!first)
    return false;
  SmWarp *w = first->next;
  first->next = NULL;
  first->last = w;
  issue(sm, first, w, first->when);
  return true;
}

/* ---- beginning and end ----------------------------------------------------------------------- */
static void prepare(Sm *sm, const ReplayPlan *plan) {
  const uint32_t nwarps = plan->trace->nwarps, all = plan->resident * nwarps;
  sm->plan = plan;
  sm->d = plan->device;
  sm->nschedulers = sm->d->schedulers;
  sm->blocks = calloc(plan->resident, sizeof *sm->blocks);
  assert(sm->blocks);
  for (uint32_t i = 0; i < sm->nschedulers; i++) {
    sm->schedulers[i].warps = calloc(all / sm->nschedulers + 1, sizeof(SmWarp *));
    assert(sm->schedulers[i].warps);
  }
  for (uint32_t i = 0; i < plan->resident; i++) {
    SmBlock *b = &sm->blocks[i];
    b->nwarps = nwarps;
    b->warps = calloc(nwarps, sizeof *b->warps);
    assert(b->warps);
    for (uint32_t k = 0; k < nwarps; k++) {
      SmWarp *w = &b->warps[k];
      w->block = b;
      w->row = i * nwarps + k;
      w->done = true;
      Scheduler *s = &sm->schedulers[w->row % sm->nschedulers];
      s->warps[s->nwarps++] = w;
    }
  }
  uint64_t shared =
      (uint64_t)occupancy_block_shared(sm->d, plan->trace->shared_bytes) * plan->resident;
  uint64_t rest = sm->d->l1_bytes > shared ? sm->d->l1_bytes - shared : 0;
  sm->constants = cache_create(CONSTANT_CACHE_LINES * LINE_BYTES);
  sm->fetched = cache_create(FETCHED_BYTES);
  sm->touched = cache_create(TOUCHED_BYTES);
  sm->chunks = cache_create(FETCHED_BYTES);
  sm->cache = cache_create(rest > 16384 ? rest : 16384);
  double buffers = 0;
  for (uint32_t i = 0; i < plan->footprint->nuses; i++)
    buffers += SECTOR_BYTES * plan->footprint->use[i].size;
  sm->holds_all = buffers <= rest;
  timeline_start(&sm->timeline, all);
  sm->code = calloc(plan->trace->module->nfunctions + 1u, sizeof *sm->code);
  assert(sm->code);
}

static void clean_up(Sm *sm) {
  for (uint32_t i = 0; i < sm->plan->resident; i++) {
    for (uint32_t k = 0; k < sm->blocks[i].nwarps; k++) {
      free(sm->blocks[i].warps[k].place);
      free(sm->blocks[i].warps[k].value);
      free(sm->blocks[i].warps[k].reason);
    }
    free(sm->blocks[i].warps);
  }
  for (uint32_t i = 0; i < sm->nschedulers; i++)
    free(sm->schedulers[i].warps);
  for (uint32_t i = 0; i < sm->plan->trace->module->nfunctions; i++)
    free(sm->code[i]);
  free(sm->code);
  free(sm->blocks);
  cache_free(&sm->cache);
  cache_free(&sm->constants);
  cache_free(&sm->fetched);
  cache_free(&sm->touched);
  cache_free(&sm->chunks);
}

Replayed replay_run(const ReplayPlan *plan) {
  Replayed out = {0};
  Sm *sm = calloc(1, sizeof *sm);
  assert(sm);
  out.finished = calloc(plan->nblocks + 1u, sizeof *out.finished);
  out.line_waits = calloc((size_t)plan->trace->module->nlines * WAITS, sizeof *out.line_waits);
  assert(out.finished && out.line_waits);
  sm->out = &out;
  prepare(sm, plan);
  for (uint32_t i = 0; i < plan->resident && sm->started < plan->nblocks; i++)
    start_block(sm, &sm->blocks[i], 0);
  while (step_once(sm)) {
  }
  double end = sm->ended ? out.finished[sm->ended - 1] : 0;
  for (uint32_t i = 0; i < sm->ended; i++)
    end = later(end, out.finished[i]);
  out.clocks = later(end, passing(sm, later(sm->lsu_free, later(sm->dram_free, sm->l2_free))));
  const double schedulers = sm->nschedulers;
  out.full_share = sm->issue_clocks > 0 ? out.full_share / sm->issue_clocks : 1;
  out.busy[RESOURCE_ISSUE] = sm->issue_clocks / schedulers;
  out.busy[RESOURCE_FP32] =
      later(sm->pipe_clocks[PIPE_FP32], sm->pipe_clocks[PIPE_HEAVY]) / schedulers;
  out.busy[RESOURCE_INT] = sm->pipe_clocks[PIPE_INT] / schedulers;
  out.busy[RESOURCE_FP64] = sm->pipe_clocks[PIPE_FP64] / schedulers;
  out.busy[RESOURCE_TENSOR] = sm->pipe_clocks[PIPE_TENSOR] / schedulers;
  out.busy[RESOURCE_SFU] = (sm->pipe_clocks[PIPE_SFU] + sm->pipe_clocks[PIPE_CONVERT]) / schedulers;
  /* Shared memory and L1 use one path. All its time is attributed to the one that uses it more. */
  Resource more =
      out.busy[RESOURCE_SHARED] >= out.busy[RESOURCE_L1] ? RESOURCE_SHARED : RESOURCE_L1;
  out.busy[more] = out.busy[RESOURCE_SHARED] + out.busy[RESOURCE_L1];
  out.busy[RESOURCE_L2] = out.l2_clocks;
  out.busy[RESOURCE_DRAM] = out.dram_clocks;
  out.busy[RESOURCE_START] = plan->nblocks * block_clocks(sm);
  out.timeline_warps = sm->timeline.rows;
  out.timeline_clocks = sm->timeline.clocks;
  out.timeline = timeline_draw(&sm->timeline);
  clean_up(sm);
  free(sm);
  return out;
}

void replayed_free(Replayed *r) {
  free(r->finished);
  free(r->line_waits);
  free(r->timeline);
}
