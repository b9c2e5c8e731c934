/* Lab 03: bank conflicts. Every task is seen in the counters of shared memory: the predictions are
 * held against the given SMEM-1, the two cures against conflict-free accesses, with no more shared
 * memory than they need and no more global loads than tiles make.
 */
#include "explain/explain.h"
#include "grade/sheet.h"

#include <string.h>

#include "harness/harness.h"

enum { TASK_PREDICT = 1, TASK_PAD, TASK_EXCHANGE, TASK_DOUBLE };
enum { TILE = 32 };

/* One of the lab's kernels. */
typedef struct Rung {
  const char *variant, *kernel;
  size_t row; /* elements in a row of a tile, padding included */
} Rung;

static const Rung smem2 = {"smem2", "smem2", TILE + 1}, smem3 = {"smem3", "smem3", TILE},
                  smem2_double = {"double2", "smem2_double", TILE + 1},
                  smem3_double = {"double3", "smem3_double", TILE};

static bool right_at_all_sizes(Check *check, const Rung *rung) {
  const char *v = rung->variant;
  const ProductRun runs[] = {
      {.variant = v, .m = 32, .k = 64, .n = 96},
      {.variant = v, .m = 64, .k = 96, .n = 32},
      {.variant = v, .m = 33, .k = 33, .n = 33},
      {.variant = v, .m = 31, .k = 13, .n = 40},
      {.variant = v, .m = 96, .k = 40, .n = 13},
      {.variant = v, .m = 1, .k = 1, .n = 1},
      {.variant = v, .m = 13, .k = 65, .n = 70},
      {.variant = v, .m = 40, .k = 44, .n = 50, .fill = FILL_INFINITE},
      {.variant = v, .m = 33, .k = 33, .n = 33, .fill = FILL_WHOLE},
  };
  return product_all_right(check, runs, sizeof runs / sizeof runs[0]);
}

/* A right product, with its counters in *trial, which is to be freed in any case. */
static bool measured(Check *check, const Rung *rung, const ProductRun *run, Trial *trial) {
  return product_right(check, run, trial) &&
         (check->settings->build.on_gpu || traffic_alone(check, &trial->log, rung->kernel));
}

/* ---- predictions ---------------------------------------------------------------------------- */

/* In SMEM-1 the lanes of a warp, tx = 0 … 31, store As[tx][ty] and Bs[tx][ty] and load Bs[tx][i], a row apart, and load As[i][ty],
 * the same element. */
typedef struct Question {
  const char *name;
  SayId what;
  size_t apart; /* elements between two lanes */
} Question;

static const Question in_float[] = {
    {"PREDICT_STORE_AS", SAY_Q_WAYS_STORE_AS, TILE},
    {"PREDICT_STORE_BS", SAY_Q_WAYS_STORE_BS, TILE},
    {"PREDICT_LOAD_AS", SAY_Q_WAYS_LOAD_AS, 0},
    {"PREDICT_LOAD_BS", SAY_Q_WAYS_LOAD_BS, TILE},
};
static const Question in_double[] = {
    {"PREDICT_DOUBLE_STORE_AS", SAY_Q_WAYS_STORE_DOUBLES_AS, TILE},
    {"PREDICT_DOUBLE_STORE_BS", SAY_Q_WAYS_STORE_DOUBLES_BS, TILE},
    {"PREDICT_DOUBLE_LOAD_AS", SAY_Q_WAYS_LOAD_DOUBLES_AS, 0},
    {"PREDICT_DOUBLE_LOAD_BS", SAY_Q_WAYS_LOAD_DOUBLES_BS, TILE},
};
enum { QUESTIONS = sizeof in_float / sizeof in_float[0] };
static const char passes_name[] = "PREDICT_DOUBLE_PASSES_WHEN_CURED";

static void ask(Check *check, const Question *all, size_t bytes) {
  for (size_t i = 0; i < QUESTIONS; i++)
    predict_check(check, all[i].name, all[i].what, pattern_ways(all[i].apart * bytes, bytes));
}

static void check_predict(Check *check) {
  ask(check, in_float, sizeof(float));
  if (check->verdict.kind == VERDICT_PREDICTION)
    verdict_cause(&check->verdict, SAID(COUNT_WORDS_OF_A_BANK));
}

/* ---- the cures ------------------------------------------------------------------------------ */

static bool uses_tiles(Check *check, const Rung *rung, const TileCosts *costs, const Log *log) {
  double loads = log_counter(log, rung->kernel, "global_load_requests");
  double needed = costs->elements / TILE;
  LogAccess access;
  LogAccess of[2] = {{.requests = 0}};
  for (int i = 0; i < 2; i++)
    log_access(log, rung->kernel, i, false, &of[i]);
  if (!check_gate(check, SAY_Q_GLOBAL_LOADS_OF_WARP, loads, needed, needed,
                  of[0].requests > of[1].requests ? &of[0] : &of[1]))
    verdict_cause(&check->verdict, SAID(FROM_GLOBAL_AGAIN));
  else if (!log_shared_access(log, rung->kernel, false, 0, &access))
    verdict_say(&check->verdict, VERDICT_NO_TILES);
  return !verdict_failed(&check->verdict);
}

/* What the cure may not be paid with: sectors of A, B and C, barriers, atomic operations, and lanes that take turns in
 * instructions of their own. Of a term a warp loads two rows of its tiles, and it stores each row once. */
static bool costs_no_more(Check *check, const Rung *rung, const TileCosts *costs,
                          size_t element_bytes, const Log *log) {
  double row = (double)element_bytes / sizeof(float);
  double rows = (2 * costs->multiply_adds + costs->elements) / TILE;
  double wavefronts = log_counter(log, rung->kernel, "shared_load_wavefronts") +
                      log_counter(log, rung->kernel, "shared_store_wavefronts");
  double warps = log_counter(log, rung->kernel, "threads") / 32, barriers = 2 * costs->steps;
  double sectors = log_counter(log, rung->kernel, "global_load_sectors");
  double made = log_counter(log, rung->kernel, "barriers") / warps;
  return traffic_clean(check, log, rung->kernel, strstr(rung->kernel, "double"),
                       costs->elements / TILE) &&
         CHECK_GATES(
             check,
             {SAY_Q_SECTORS_LOADED, sectors, costs->sectors, costs->sectors,
              SAY_CONFLICT_MOVED_TO_GLOBAL, NULL},
             {SAY_Q_SHARED_WAVEFRONTS, wavefronts, rows * row, 1.1 * rows * row, SAY_LANES_IN_TURN,
              NULL},
             {SAY_Q_BARRIERS_OF_WARP, made, barriers, barriers, SAY_TWO_BARRIERS_A_STEP, NULL}) &&
         traffic_stored_once(check, log, rung->kernel, costs->stored, costs->stored_sectors);
}

/* The line with the most conflicts decides. */
static bool free_of_conflicts(Check *check, const Rung *rung, const Log *log, bool store) {
  LogAccess all, worst;
  if (!log_shared_access(log, rung->kernel, store, 0, &all))
    return true;
  log_shared_access(log, rung->kernel, store, all.line, &worst);
  return check_gate(check, store ? SAY_Q_CONFLICTS_PER_STORE : SAY_Q_CONFLICTS_PER_LOAD,
                    log_conflicts(&worst), 0, 0, &all);
}

/* No tile needs them, but who loads and stores by them must meet at no bank either. */
static bool atomics_free_of_conflicts(Check *check, const Rung *rung, const Log *log) {
  LogAccess all, worst;
  if (!log_shared_atomic(log, rung->kernel, 0, &all))
    return true;
  log_shared_atomic(log, rung->kernel, all.line, &worst);
  return CHECK_GATES(check, {SAY_Q_CONFLICTS_PER_ATOMIC, log_conflicts(&worst), 0, 0,
                             SAY_ATOMICS_TAKE_TURNS, &all});
}

/* How many of a warp's lanes meet in one bank, at the worst. */
static double lanes_that_meet(const Rung *rung, const Log *log) {
  double most = 0;
  LogAccess all, worst;
  for (int store = 0; store < 2; store++)
    if (log_shared_access(log, rung->kernel, store, 0, &all) &&
        log_shared_access(log, rung->kernel, store, all.line, &worst) &&
        log_conflicts(&worst) > most)
      most = log_conflicts(&worst);
  return most + 1;
}

static void blame_padding(Check *check, bool conflicts, double now, double plain, double meet) {
  if (!conflicts)
    verdict_cause(&check->verdict, SAID(PADDED_TOO_MUCH));
  else if (now <= plain && meet < TILE / 2)
    verdict_cause(&check->verdict, SAID(NOT_PADDED_INDICES_CHANGED, meet));
  else if (now <= plain)
    verdict_cause(&check->verdict, SAID(ROWS_OF_32));
  else
    verdict_cause(&check->verdict, SAID(PADDING_OF_WRONG_LENGTH));
}

static void blame_exchange(Check *check, bool stores, bool loads) {
  if (!stores && !loads)
    verdict_cause(&check->verdict, SAID(NO_PADDING_NEEDED));
  else if (!stores)
    verdict_cause(&check->verdict, SAID(CONFLICT_MOVED_TO_LOADS));
  else if (!loads)
    verdict_cause(&check->verdict, SAID(STORES_CONFLICT));
  else
    verdict_cause(&check->verdict, SAID(WALKS_DOWN_A_TILE));
}

static bool holds_doubles(Check *check, const Rung *rung, const Log *log) {
  double bytes = log_counter(log, rung->kernel, "shared_load_bytes");
  double loads = log_counter(log, rung->kernel, "shared_load_requests");
  if (bytes == 32 * loads * (double)sizeof(double))
    return true;
  verdict_set(&check->verdict, VERDICT_ELEMENT_SIZE,
              SAID(TILES_HOLD_WIDTH, rung->kernel, bytes / loads / 32));
  verdict_cause(&check->verdict, SAID(DECLARE_TILES_WITH_T));
  return false;
}

/* Values that are wrong in double alone: tiles of another type say why. */
static void blame_tiles(Check *check, const Rung *rung) {
  const ProductRun run = product_drawn(check, rung->variant, TILE, TILE, true);
  Trial trial;
  if (!measured(check, rung, &run, &trial))
    holds_doubles(check, rung, &trial.log);
  trial_free(&trial);
}

/* Free of conflicts and within its bytes? */
static void gate_cure(Check *check, const Rung *rung, size_t element_bytes, const Log *log) {
  double now = log_shared_bytes(log, rung->kernel);
  double plain = (double)(2 * TILE * TILE * element_bytes);
  double most = (double)(2 * TILE * rung->row * element_bytes);
  bool stores = !free_of_conflicts(check, rung, log, true);
  bool loads = !free_of_conflicts(check, rung, log, false);
  if (check_gate(check, SAY_Q_SHARED_BYTES_PER_BLOCK, now, most, most, NULL) && !stores && !loads)
    return;
  if (rung->row > TILE)
    blame_padding(check, stores || loads, now, plain, lanes_that_meet(rung, log));
  else
    blame_exchange(check, stores, loads);
}

/* Right from tiles, and nothing else was paid for it? */
static bool counted(Check *check, const Rung *rung, size_t element_bytes, const ProductRun *run) {
  const TileCosts costs =
      tile_costs(run->m, run->k, run->n, check_element_bytes(check), TILE, TILE);
  Trial trial;
  if (measured(check, rung, run, &trial) && uses_tiles(check, rung, &costs, &trial.log) &&
      atomics_free_of_conflicts(check, rung, &trial.log)) {
    gate_cure(check, rung, element_bytes, &trial.log);
    if (!verdict_failed(&check->verdict))
      costs_no_more(check, rung, &costs, element_bytes, &trial.log);
  }
  trial_free(&trial);
  return !verdict_failed(&check->verdict);
}

static void check_cure(Check *check, const Rung *rung, size_t element_bytes) {
  const ProductRun whole = product_drawn(check, rung->variant, TILE, TILE, true);
  const ProductRun ragged = product_drawn(check, rung->variant, TILE, TILE, false);
  if (!right_at_all_sizes(check, rung)) {
    if (check->verdict.kind == VERDICT_WRONG && check_element_bytes(check) == sizeof(double))
      blame_tiles(check, rung);
  } else if (!check->settings->build.on_gpu && counted(check, rung, element_bytes, &whole)) {
    counted(check, rung, element_bytes, &ragged);
  }
}

static void check_pad(Check *check) {
  check_cure(check, &smem2, check_element_bytes(check));
  if (check->verdict.kind == VERDICT_WRONG && check->verdict.certainty != CERTAINTY_PROVEN)
    verdict_cause(&check->verdict, SAID(WAS_RIGHT_BEFORE_PADDING));
}

static void check_exchange(Check *check) { check_cure(check, &smem3, check_element_bytes(check)); }

/* ---- double --------------------------------------------------------------------------------- */

static bool check_double_cure(Check *check, const Rung *rung) {
  const ProductRun run = product_drawn(check, rung->variant, TILE, TILE, true);
  const TileCosts costs = tile_costs(run.m, run.k, run.n, check_element_bytes(check), TILE, TILE);
  Trial trial;
  bool right = measured(check, rung, &run, &trial) && uses_tiles(check, rung, &costs, &trial.log) &&
               holds_doubles(check, rung, &trial.log);
  trial_free(&trial);
  if (right)
    check_cure(check, rung, sizeof(double));
  return !verdict_failed(&check->verdict);
}

/* The tiles of double share their code with those of real, so a cure that does not work there cannot work here. */
static void check_double(Check *check) {
  ask(check, in_double, sizeof(double));
  predict_check(check, passes_name, SAY_Q_PASSES_FOR_STORE,
                pattern_passes(sizeof(double), sizeof(double)));
  if (check->verdict.kind == VERDICT_PREDICTION)
    verdict_cause(&check->verdict, SAID(COUNT_HALF_WARPS));
  check_end_part(check);
  if (check_task_failed(check, TASK_PAD) || check_task_failed(check, TASK_EXCHANGE))
    verdict_set(&check->verdict, VERDICT_NOT_RUN,
                SAID(NEEDS_TASK, check_task_failed(check, TASK_PAD) ? TASK_PAD : TASK_EXCHANGE));
  else if (check_double_cure(check, &smem2_double))
    check_double_cure(check, &smem3_double);
  check_end_part(check);
}

static const char *const float_names[] = {"PREDICT_STORE_AS", "PREDICT_STORE_BS", "PREDICT_LOAD_AS",
                                          "PREDICT_LOAD_BS", NULL};
static const char *const double_names[] = {"PREDICT_DOUBLE_STORE_AS",
                                           "PREDICT_DOUBLE_STORE_BS",
                                           "PREDICT_DOUBLE_LOAD_AS",
                                           "PREDICT_DOUBLE_LOAD_BS",
                                           passes_name,
                                           NULL};

static Task tasks[] = {
    {.title = "predict", .predictions = float_names, .check = check_predict},
    {.title = "pad",
     .untouched = 0x2532dc275c66bfcc,
     .predict_first = TASK_PREDICT,
     .check = check_pad,
     .counters = true,
     .timed = "smem2"},
    {.title = "exchange",
     .untouched = 0x2bf4553d724cbad2,
     .predict_first = TASK_PREDICT,
     .check = check_exchange,
     .counters = true,
     .timed = "smem3"},
    {.title = "double",
     .predictions = double_names,
     .predicted = "double",
     .parts = {SAY_PART_PREDICTIONS, SAY_PART_KERNEL},
     .check = check_double,
     .counters = true},
};

SHEET(.name = "03-bank-conflicts", .title = "bank conflicts", .baseline = 0,
      .untouched = 0x7123385406c5af42, .timed_size = 1024, .tasks = tasks,
      .task_count = sizeof tasks / sizeof tasks[0])
