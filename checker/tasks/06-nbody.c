/* The tasks of lab 06, N bodies, and their checks. Task 1 is checked with bodies that the CPU
 * moves. Task 2 and the kernels of tasks 4 and 5 are checked with whole trajectories. The kernels
 * differ in where they read positions from: global memory, shared memory, registers. */
#include "explain/explain.h"
#include "grade/sheet.h"

#include <math.h>
#include <stdio.h>

#include "harness/harness.h"

enum { TASK_PREDICT = 3 };
enum { BLOCK = 256, WARP = 32 };

#define RUN_OF(subject_, name, n, steps)                                                           \
  {                                                                                                \
    .subject = &subject_, .variant = name, .size = { n, steps }                                    \
  }
#define RUN(name, n, steps) RUN_OF(bodies_subject, name, n, steps)
#define FIRST(n, steps) RUN_OF(accelerations_subject, "acceleration", n, steps)
/* 105 pairs of bodies. Each pair has a different distance and direction. */
#define PAIRS(subject_, name)                                                                      \
  { .subject = &subject_, .variant = name, .size = {210, 1}, .fill = FILL_PAIRS }
#define ALL(runs) runs, sizeof runs / sizeof runs[0]

static void check_acceleration(Check *check) {
  static const JudgedRun runs[] = {
      FIRST(256, 1), FIRST(600, 2), FIRST(33, 3),
      FIRST(513, 2), FIRST(1, 1),   PAIRS(accelerations_subject, "acceleration"),
  };
  judged_all_right(check, ALL(runs));
}

static void check_positions(Check *check) {
  static const JudgedRun runs[] = {
      RUN("global", 256, 1), RUN("global", 300, 4), RUN("global", 13, 10),
      RUN("global", 257, 2), RUN("global", 1, 3),
  };
  judged_all_right(check, ALL(runs));
}

/* ---- shared memory -------------------------------------------------------------------------- */

/* The cost of a kernel, per 32 interactions of a warp with one body. Interactions with the padding
 * bodies of the last block count, too. Global loads are counted in Vectors, because a compiler may
 * split the load of a Vector into two. */
typedef struct Cost {
  double global_loads, global_requests, shared_loads, instructions;
  /* The barriers of a warp, and the bytes of shared memory of a block. */
  double barriers, shared_bytes;
  /* The operations per pair of bodies, and the number of blocks. */
  double operations, blocks;
} Cost;

/* Fills in the cost of a kernel. most: the largest number of bodies that a block of a reasonable
 * kernel moves. Returns false if the kernel was never launched or has costs that no lab needs. */
static bool cost_of(Check *check, const Trial *trial, const char *kernel, int n, int most,
                    Cost *cost) {
  enum { OPERATIONS_LEAST = 8 }; /* for a pair of bodies */
  const Log *log = &trial->log;
  const double whole = BLOCK * (double)CEIL_DIV(n, BLOCK);
  const double blocks = log_counter(log, kernel, "blocks");
  const double moved = blocks > 1 ? n * blocks / (blocks - 1) : INFINITY;
  const double filled = fmin(most * (double)CEIL_DIV(n, most), moved) * whole;
  const double computed = log_counter(log, kernel, "flop") / OPERATIONS_LEAST;
  double interactions = (most > BLOCK ? fmin(filled, computed) : filled) / WARP;
  double vector = 2 * (double)check_element_bytes(check), bytes = n * vector;
  cost->global_loads =
      log_counter(log, kernel, "global_load_bytes") / (WARP * vector) / interactions;
  cost->global_requests = log_counter(log, kernel, "global_load_requests") / interactions;
  const double wide = log_counter(log, kernel, "shared_load_bytes") / (WARP * vector);
  cost->shared_loads =
      (fmax(log_shared_loads(log, kernel), wide) + log_exchanges(log, kernel)) / interactions;
  cost->instructions = log_counter(log, kernel, "warp_instructions") / interactions;
  cost->barriers =
      log_counter(log, kernel, "barriers") / (log_counter(log, kernel, "threads") / WARP);
  cost->shared_bytes = log_shared_bytes(log, kernel);
  cost->operations = log_counter(log, kernel, "flop") / ((double)n * n);
  cost->blocks = blocks;
  if (cost->instructions > 0)
    return traffic_alone(check, log, kernel) &&
           traffic_clean(check, log, kernel, false, filled / WARP / BLOCK) &&
           traffic_stored_once(check, log, kernel, bytes, ceil(bytes / 32));
  verdict_set(&check->verdict, VERDICT_NOT_LAUNCHED, SAID(KERNEL_NEVER_LAUNCHED, kernel));
  return false;
}

/* Returns a run of one step with a drawn number of bodies. */
static JudgedRun drawn(const Check *check, const char *variant, SizeRange bodies) {
  const SizeRange ranges[] = {bodies, {1, 1, 1}};
  return judged_drawn(check, (JudgedRun)RUN(variant, 0, 1), ranges, bodies.most);
}

/* Gates for positions in shared memory: one global load for each warp and tile, and one for the
 * thread's own position. Two requests for each of these loads are allowed, and a few more, because
 * the compiler loads `in ? R[i] : far` through a selected pointer, and loads x and y separately in
 * double. */
static bool gate_shared(Check *check, SizeRange bodies) {
  const JudgedRun run = drawn(check, "shared", bodies);
  const int n = run.size[NBODY_N];
  const double phases = CEIL_DIV(n, BLOCK), ideal = (1 + 1 / phases) / BLOCK,
               tile = 2.0 * BLOCK * (double)check_element_bytes(check);
  Trial trial;
  Cost cost;
  if (judged_right(check, &run, &trial) &&
      cost_of(check, &trial, "accelerate_shared", n, BLOCK, &cost)) {
    const SayId why =
        cost.global_loads < 3 * ideal ? SAY_OWN_POSITION_ONCE : SAY_POSITIONS_FROM_GLOBAL_256;
    CHECK_GATES(
        check,
        {SAY_Q_GLOBAL_LOADS_PER_INTERACTION, cost.global_loads, ideal, 1.3 * ideal, why, NULL},
        {SAY_Q_GLOBAL_REQUESTS_PER_INTERACTION, cost.global_requests, ideal, 2.5 * ideal,
         SAY_STAGED_BY_ALL, NULL},
        {SAY_Q_SHARED_LOADS_PER_INTERACTION, cost.shared_loads, 1, 1.05, SAY_ONE_LOAD_OF_A_VECTOR,
         NULL},
        {SAY_Q_BARRIERS_OF_WARP, cost.barriers, 2 * phases, 2 * phases, SAY_TWO_BARRIERS_A_PHASE,
         NULL},
        {SAY_Q_SHARED_BYTES, cost.shared_bytes, tile, 4 * tile, SAY_TILE_OF_ONE_PHASE, NULL});
  }
  trial_free(&trial);
  return !verdict_failed(&check->verdict);
}

static void check_shared(Check *check) {
  static const JudgedRun runs[] = {
      RUN("shared", 256, 2),  RUN("shared", 512, 2),
      RUN("shared", 257, 1),  RUN("shared", 300, 3),
      RUN("shared", 31, 2),   RUN("shared", 800, 1),
      RUN("shared", 1, 1),    PAIRS(bodies_subject, "shared"),
      RUN("shared", 2100, 1),
  };
  const SizeRange whole_blocks = {3 * BLOCK, BLOCK, 5 * BLOCK}, any = {2 * BLOCK + 1, 1, 5 * BLOCK};
  if (judged_all_right(check, ALL(runs)) && !check->settings->build.on_gpu &&
      gate_shared(check, whole_blocks))
    gate_shared(check, any);
}

/* ---- beyond --------------------------------------------------------------------------------- */

/* Adds the cause if most threads repeat the work of other threads, so that the cost is several
 * times too high. */
static void blame_grid(Verdict *verdict, const Cost *cost) {
  enum { OPERATIONS = 12 };
  if (cost->operations >= 2 * OPERATIONS)
    verdict_cause(verdict, SAID(MOST_BLOCKS_IDLE, cost->operations, OPERATIONS, cost->blocks));
}

/* Gates for several bodies per thread. Two bodies per thread halve the loads. The gate on
 * instructions allows a solution that uses one instruction for the root and the division, has no
 * branch for the condition on the distance, and shares the instructions of the loop among several
 * bodies. A separate root and division would be two instructions in PTX but dozens on a GPU. */
enum { BODIES_MOST = 2048 };
static bool gate_fast(Check *check, SizeRange bodies) {
  const JudgedRun run = drawn(check, "fast", bodies);
  Trial trial;
  Cost cost = {.operations = 0};
  if (judged_right(check, &run, &trial) &&
      cost_of(check, &trial, "accelerate_fast", run.size[NBODY_N], BODIES_MOST, &cost)) {
    CHECK_GATES(check,
                {SAY_Q_SHARED_LOADS_PER_INTERACTION, cost.shared_loads, 0.25, 0.55,
                 SAY_SEVERAL_BODIES_IN_REGISTERS, NULL},
                {SAY_Q_GLOBAL_LOADS_PER_INTERACTION, cost.global_loads, 0.005, 0.02,
                 SAY_POSITIONS_FROM_GLOBAL, NULL},
                {SAY_Q_GLOBAL_REQUESTS_PER_INTERACTION, cost.global_requests, 0.01, 0.04,
                 SAY_STAGED_BY_ALL, NULL},
                {SAY_Q_INSTRUCTIONS_PER_INTERACTION, cost.instructions, 12, 15,
                 SAY_INSTRUCTIONS_FOR_ROOT, NULL});
  }
  if (check->verdict.kind == VERDICT_GATE)
    blame_grid(&check->verdict, &cost);
  trial_free(&trial);
  return !verdict_failed(&check->verdict);
}

static void check_fast(Check *check) {
  static const JudgedRun runs[] = {
      RUN("fast", 1024, 2),          RUN("fast", 1025, 2), RUN("fast", 300, 3),
      RUN("fast", 2100, 1),          RUN("fast", 13, 2),   RUN("fast", 1, 1),
      PAIRS(bodies_subject, "fast"),
  };
  /* More blocks than a grid can have along y. */
  static const JudgedRun large = RUN("fast", 50000000, 1), small = RUN("fast", 40, 1);
  static const HostSide side = {
      .function = "launch_fast", .calls = "cudaLaunch", .cause = SAY_BLOCKS_ALONG_X_BODIES};
  JudgedRun own[sizeof runs / sizeof runs[0]];
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    own[i] = runs[i];
    own[i].own_launch = true; /* The student's file determines the number of bodies. */
  }
  bool counted = !check->settings->build.on_gpu;
  const SizeRange whole_tiles = {5 * BLOCK, BLOCK, BODIES_MOST},
                  any = {2 * BLOCK + 1, 1, BODIES_MOST};
  if (judged_all_right(check, ALL(own)) && counted && gate_fast(check, whole_tiles))
    gate_fast(check, any);
  check_end_part(check);
  if (counted && host_tells_launches(check, &side, &small))
    host_counts_bytes(check, &side, &large);
  check_end_part(check);
}

/* ---- predict -------------------------------------------------------------------------------- */

static const char *const names[] = {"PREDICT_GLOBAL_LOADS", NULL};

/* Task 3. A thread loads its own position once, and one position in each phase. */
static void check_predict(Check *check) {
  const double bodies = predict_asked(check, "ASKED_BODIES", 2560);
  if (!predict_check(check, names[0], SAY_Q_LOADS_OF_A_THREAD, 1 + ceil(bodies / BLOCK)))
    verdict_cause(&check->verdict, SAID(COUNT_PHASES));
}

static Task tasks[] = {
    {.title = "acceleration", .untouched = UNTOUCHED_EMPTY, .check = check_acceleration},
    {.title = "positions", .untouched = UNTOUCHED_EMPTY, .needs = 1, .check = check_positions},
    {.title = "predict", .predictions = names, .check = check_predict},
    {.title = "shared memory",
     .untouched = UNTOUCHED_EMPTY,
     .needs = 2,
     .predict_first = TASK_PREDICT,
     .check = check_shared,
     .timed = "shared"},
    {.title = "beyond",
     .untouched = 0x4d69954803225b90,
     .needs = 2,
     .parts = {SAY_PART_KERNEL, SAY_PART_LAUNCH},
     .check = check_fast,
     .timed = "fast"},
};

SHEET(.name = "06-nbody", .title = "N bodies", .baseline = 0, .untouched = 0x823efdef8d44ad91,
      .timed_size = 16384, .tasks = tasks, .task_count = sizeof tasks / sizeof tasks[0])
