/* Lab 06: N bodies. Task 1 is seen while the CPU moves the bodies; task 2 and the two other kernels
 * of tasks 3 and 4 in whole trajectories. The ladder is one of traffic: positions from global
 * memory, from shared memory, from registers.
 */
#include "checker.h"

#include <stdio.h>

#include "harness/harness.h"

enum { TASK_SHARED = 3, TASK_PREDICT = 5 };
enum { BLOCK = 256, WARP = 32 };

#define RUN_OF(subject_, name, n, steps)                                                           \
  {                                                                                                \
    .subject = &subject_, .variant = name, .size = { n, steps }                                    \
  }
#define RUN(name, n, steps) RUN_OF(bodies_subject, name, n, steps)
#define FIRST(n, steps) RUN_OF(accelerations_subject, "acceleration", n, steps)
/* 105 pairs at as many distances and directions. */
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

/* What a kernel did for each warp and body: 32 interactions. Sizes are whole blocks, no edge is in
 * the way. Global loads are counted in Vectors, since a compiler may move one in two halves. False:
 * it was never launched. */
typedef struct Cost {
  double global_loads, global_requests, shared_loads, instructions;
  double barriers, shared_bytes; /* of a warp, of a block */
  double operations, blocks;     /* of each two bodies; launched */
} Cost;

static bool cost_of(Check *check, const Trial *trial, const char *kernel, int n, Cost *cost) {
  const Log *log = &trial->log;
  double interactions = (double)n * n / WARP, vector = 2 * (double)check_element_bytes(check);
  cost->global_loads =
      log_counter(log, kernel, "global_load_bytes") / (WARP * vector) / interactions;
  cost->global_requests = log_counter(log, kernel, "global_load_requests") / interactions;
  cost->shared_loads = log_shared_loads(log, kernel) / interactions;
  cost->instructions = log_counter(log, kernel, "warp_instructions") / interactions;
  cost->barriers =
      log_counter(log, kernel, "barriers") / (log_counter(log, kernel, "threads") / WARP);
  cost->shared_bytes = log_shared_bytes(log, kernel);
  cost->operations = log_counter(log, kernel, "flop") / ((double)n * n);
  cost->blocks = log_counter(log, kernel, "blocks");
  if (cost->instructions > 0)
    return traffic_alone(check, log, kernel) && traffic_clean(check, log, kernel, false) &&
           traffic_stored_once(check, log, kernel, n * vector, 1);
  verdict_set(&check->verdict, VERDICT_NOT_LAUNCHED, "%s was never launched", kernel);
  return false;
}

/* One global load for each warp and tile, and one for the own position. */
static const char by_all[] = "a request serves all 32 threads of a warp: each of them stages one "
                             "position, side by side";

static void gate_shared(Check *check) {
  enum { N = 1024 };
  static const JudgedRun run = RUN("shared", N, 1);
  const double ideal = 1.0 / BLOCK + 1.0 / N,
               tile = 2.0 * BLOCK * (double)check_element_bytes(check);
  Trial trial;
  Cost cost;
  if (judged_right(check, &run, &trial) && cost_of(check, &trial, "accelerate_shared", N, &cost)) {
    if (!check_gate(check, "global loads per interaction", cost.global_loads, ideal, 1.3 * ideal,
                    NULL))
      verdict_cause(&check->verdict,
                    cost.global_loads < 3 * ideal
                        ? "a thread loads its own position once, before the "
                          "phases, and then one of each phase's 256"
                        : "the positions in the sum come from global memory: "
                          "stage 256 of them in shared memory and read them there");
    else if (!check_gate(check, "global load requests per interaction", cost.global_requests, ideal,
                         2 * ideal, NULL))
      verdict_cause(&check->verdict, "%s", by_all);
    else if (!check_gate(check, "shared loads per interaction", cost.shared_loads, 1, 1.05, NULL))
      verdict_cause(&check->verdict, "one load of a whole Vector brings x and y; the own position "
                                     "belongs into registers");
    else if (!check_gate(check, "barriers of a warp", cost.barriers, 2.0 * N / BLOCK,
                         2.0 * N / BLOCK, NULL))
      verdict_cause(&check->verdict,
                    "two barriers a phase: after the loads, and before the next ones");
    else if (!check_gate(check, "bytes of shared memory", cost.shared_bytes, tile, 4 * tile, NULL))
      verdict_cause(&check->verdict,
                    "a tile holds the positions of one phase, 256 of them: all bodies at once "
                    "fit for few bodies only");
  }
  trial_free(&trial);
}

static void check_shared(Check *check) {
  static const JudgedRun runs[] = {
      RUN("shared", 256, 2),  RUN("shared", 512, 2),
      RUN("shared", 257, 1),  RUN("shared", 300, 3),
      RUN("shared", 31, 2),   RUN("shared", 800, 1),
      RUN("shared", 1, 1),    PAIRS(bodies_subject, "shared"),
      RUN("shared", 2100, 1),
  };
  if (judged_all_right(check, ALL(runs)) && !check->settings->on_gpu)
    gate_shared(check);
}

/* ---- beyond --------------------------------------------------------------------------------- */

/* What costs several times as much because most threads compute for nobody has another cause. */
static void blame_grid(Verdict *verdict, const Cost *cost) {
  enum { OPERATIONS = 12 };
  if (cost->operations >= 2 * OPERATIONS)
    verdict_cause(
        verdict,
        "%.0f additions and multiplications were made for each two bodies, %d are needed: "
        "of the %.0f blocks most compute for bodies that are not there, or that others have, too. "
        "BODIES_PER_BLOCK counts all bodies of all threads of a block",
        cost->operations, OPERATIONS, cost->blocks);
}

/* Two bodies a thread halve the loads. A root and a division are two instructions here and dozens
 * on a GPU; what the gate sees is that one instruction does for both, that the pair too close costs
 * no branch, and that the loop's own instructions are shared by several bodies. */
static void gate_fast(Check *check) {
  enum { N = 2048 };
  static const JudgedRun run = RUN("fast", N, 1);
  Trial trial;
  Cost cost = {.operations = 0};
  if (judged_right(check, &run, &trial) && cost_of(check, &trial, "accelerate_fast", N, &cost)) {
    if (!check_gate(check, "shared loads per interaction", cost.shared_loads, 0.25, 0.55, NULL))
      verdict_cause(&check->verdict, "let a thread keep several bodies in registers, and use each "
                                     "position that it reads for all of them");
    else if (!check_gate(check, "global loads per interaction", cost.global_loads, 0.005, 0.02,
                         NULL))
      verdict_cause(&check->verdict, "the positions in the sum come from global memory: stage them "
                                     "in shared memory");
    else if (!check_gate(check, "global load requests per interaction", cost.global_requests, 0.01,
                         0.04, NULL))
      verdict_cause(&check->verdict, "%s", by_all);
    else if (!check_gate(check, "instructions per interaction", cost.instructions, 12, 15, NULL))
      verdict_cause(&check->verdict,
                    "rsqrt(d2) gives 1/sqrt(d2) at once, its cube is the weight; choose 0 for a "
                    "pair too close instead of branching around it, and unroll the loop");
  }
  if (check->verdict.kind == VERDICT_GATE)
    blame_grid(&check->verdict, &cost);
  trial_free(&trial);
}

static void check_fast(Check *check) {
  static const JudgedRun runs[] = {
      RUN("fast", 1024, 2),          RUN("fast", 1025, 2), RUN("fast", 300, 3),
      RUN("fast", 2100, 1),          RUN("fast", 13, 2),   RUN("fast", 1, 1),
      PAIRS(bodies_subject, "fast"),
  };
  /* More blocks than a grid has along y. */
  static const JudgedRun large = RUN("fast", 50000000, 1), small = RUN("fast", 40, 1);
  static const HostSide side = {
      .function = "launch_fast",
      .calls = "cudaLaunch",
      .cause =
          "as many blocks as bodies take: along x a grid may have 2^31 - 1 of them, along y 65535"};
  JudgedRun own[sizeof runs / sizeof runs[0]];
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    own[i] = runs[i];
    own[i].own_launch = true; /* how many bodies a block has is in the student's file */
  }
  if (!judged_all_right(check, ALL(own)) || check->settings->on_gpu)
    return;
  gate_fast(check);
  if (!check->verdict.headline[0] && host_tells_launches(check, &side, &small))
    host_counts_bytes(check, &side, &large);
}

/* ---- predict -------------------------------------------------------------------------------- */

static const char *const names[] = {"PREDICT_GLOBAL_LOADS", NULL};

static void check_predict(Check *check) {
  enum { N = 2560 };
  static const JudgedRun run = RUN("shared", N, 1);
  Trial trial;
  Cost cost = {.shared_loads = 0};
  if (!judged_right(check, &run, &trial) ||
      !cost_of(check, &trial, "accelerate_shared", N, &cost) || !(cost.shared_loads > 0))
    check->waits_for = TASK_SHARED;
  else if (!predict_check(check, names[0], "loads of a thread", cost.global_loads * N))
    verdict_cause(&check->verdict,
                  "in how many phases are 2560 positions staged, 256 in each, and what else "
                  "does a thread read from global memory?");
  trial_free(&trial);
}

static Task tasks[] = {
    {.title = "acceleration", .check = check_acceleration},
    {.title = "positions", .needs = 1, .check = check_positions},
    {.title = "shared memory",
     .needs = 2,
     .predict_first = TASK_PREDICT,
     .check = check_shared,
     .timed = "shared"},
    {.title = "beyond", .needs = 3, .check = check_fast, .timed = "fast"},
    {.title = "predict", .predictions = names, .check = check_predict, .counters = true},
};

SHEET(.name = "06-nbody", .title = "N bodies", .baseline = 0, .timed_size = 16384, .tasks = tasks,
      .task_count = sizeof tasks / sizeof tasks[0])
