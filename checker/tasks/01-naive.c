/* Lab 01: the naive matrix product. Tasks 1, 2 and 5 are seen in the kernel, which the harness
 * launches; task 3 in the student's own host code; task 4 in the numbers that the kernel of task 5
 * gives.
 */
#include "explain/explain.h"
#include "grade/sheet.h"

#include <math.h>

#include "harness/harness.h"

enum { PARAMETER_A, PARAMETER_B, PARAMETER_C };
enum { TILE = 32 }; /* rows and columns of a block, as in naive.cu */
enum { TASK_INDEX = 1, TASK_GUARD, TASK_HOST, TASK_PREDICT };

/* Whole blocks of 32×32: no edge sticks out. */
static void check_index(Check *check) {
  static const ProductRun runs[] = {
      {.variant = "kernel", .m = 32, .k = 96, .n = 32},
      {.variant = "kernel", .m = 96, .k = 64, .n = 96},
  };
  product_all_right(check, runs, sizeof runs / sizeof runs[0]);
}

/* Who moves the threads outside of C to its edge gets the right numbers and stores these elements once for each. Of one
 * term; a sum that grows in C is task 5's. */
static void outside_is_idle(Check *check) {
  ProductRun run = product_drawn(check, "kernel", TILE, 1, false);
  run.m = 3 + run.m % 16;
  run.k = 1;
  Trial trial;
  double bytes = (double)(run.m * run.n * check_element_bytes(check));
  if (product_right(check, &run, &trial) &&
      !check_gate(check, SAY_Q_BYTES_STORED,
                  log_counter(&trial.log, "matmul", "global_store_bytes"), bytes, 2 * bytes, NULL))
    verdict_cause(&check->verdict, SAID(EDGE_STORED_BY_SEVERAL));
  trial_free(&trial);
}

static void check_guard(Check *check) {
  static const ProductRun runs[] = {
      {.variant = "kernel", .m = 33, .k = 33, .n = 33},
      {.variant = "kernel", .m = 32, .k = 96, .n = 64},
      {.variant = "kernel", .m = 31, .k = 13, .n = 40},
      {.variant = "kernel", .m = 96, .k = 40, .n = 13},
      {.variant = "kernel", .m = 13, .k = 1, .n = 65},
      {.variant = "kernel", .m = 9, .k = 333, .n = 40},
      {.variant = "kernel", .m = 1, .k = 1, .n = 1},
      {.variant = "kernel", .m = 2, .k = 33000, .n = 3}, /* more than 16 bits */
      {.variant = "kernel", .m = 33, .k = 33, .n = 33, .fill = FILL_WHOLE},
  };
  if (product_all_right(check, runs, sizeof runs / sizeof runs[0]) &&
      !check->settings->build.on_gpu)
    outside_is_idle(check);
}

/* The result must come from the kernel: its multiply-adds are counted. */
static bool launched(Check *check, const ProductRun *what, const Trial *trial) {
  double needed = 2.0 * (double)what->m * (double)what->k * (double)what->n;
  double counted = log_counter(&trial->log, "matmul", "flop");
  if (check->settings->build.on_gpu || counted >= needed)
    return true;
  if (counted < 0)
    verdict_set(&check->verdict, VERDICT_NOT_LAUNCHED, SAID(NEVER_LAUNCHED_ONE));
  else
    verdict_set(&check->verdict, VERDICT_NOT_LAUNCHED, SAID(TOO_FEW_OPERATIONS, counted, needed));
  verdict_cause(&check->verdict, SAID(LAUNCH_THE_KERNEL));
  return false;
}

/* Blocks of a warp or more, of any shape, and none to spare: a grid in elements, <<<block, grid>>>, or n / TILE + 1
 * give the right product and a launch that no GPU deserves. */
static bool few_blocks(Check *check, const ProductRun *what, const Trial *trial) {
  double blocks = log_counter(&trial->log, "matmul", "blocks"), all = (double)(what->m * what->n);
  if (check->settings->build.on_gpu ||
      (blocks <= all / 32 && log_counter(&trial->log, "matmul", "threads") < 1.2 * all))
    return true;
  verdict_set(&check->verdict, VERDICT_TOO_MANY_BLOCKS,
              SAID(BLOCKS_LAUNCHED, blocks, ((what->m + 31) / 32) * ((what->n + 31) / 32)));
  verdict_cause(&check->verdict, SAID(GRID_THEN_BLOCK));
  check_again(check, "--variant %s --m %zu --k %zu --n %zu", what->variant, what->m, what->k,
              what->n);
  return false;
}

static bool copied_once(Check *check, const Trial *trial) {
  double in = log_copied_again(&trial->log, "to_device");
  double out = log_copied_again(&trial->log, "to_host");
  if (!(in > 0) && !(out > 0))
    return true;
  verdict_set(
      &check->verdict, VERDICT_COPIED_TWICE,
      SAID(BYTES_COPIED_TWICE, in > 0 ? in : out, phrase(in > 0 ? SAY_TO_THE_DEVICE : SAY_BACK)));
  verdict_cause(&check->verdict, SAID(COPY_ONCE));
  return false;
}

static const HostSide host_side = {.function = "matmul_on_device",
                                   .cause = SAY_BYTES_DO_NOT_FIT_INT};
/* Whole blocks, and not as many each way. */
static ProductRun whole_blocks(const Check *check) {
  ProductRun run = product_drawn(check, "host", TILE, 1, true);
  run.own_launch = true;
  run.n += run.n == run.m ? TILE : 0;
  return run;
}

/* Sizes that fit no block need the kernel's guard: without it only whole blocks are judged. */
static bool host_is_right(Check *check) {
  static const ProductRun unguarded[] = {
      {.variant = "host", .m = 64, .k = 64, .n = 64, .own_launch = true},
      {.variant = "host", .m = 96, .k = 40, .n = 32, .own_launch = true},
      {.variant = "host", .m = 32, .k = 31, .n = 96, .own_launch = true},
  };
  static const ProductRun ragged[] = {
      {.variant = "host", .m = 64, .k = 64, .n = 64, .own_launch = true},
      {.variant = "host", .m = 33, .k = 33, .n = 33, .own_launch = true},
      {.variant = "host", .m = 96, .k = 40, .n = 13, .own_launch = true},
      {.variant = "host", .m = 13, .k = 31, .n = 96, .own_launch = true},
      {.variant = "host", .m = 3, .k = 130, .n = 1100, .own_launch = true},
  };
  if (check_task_failed(check, TASK_GUARD))
    return product_all_right(check, unguarded, sizeof unguarded / sizeof unguarded[0]);
  return product_all_right(check, ragged, sizeof ragged / sizeof ragged[0]);
}

/* Numbers of blocks and threads for sizes of more than 16 bits. */
static bool host_is_right_for_wide(Check *check) {
  static const ProductRun wide[] = {
      {.variant = "host", .m = 33000, .k = 2, .n = 1, .own_launch = true},
      {.variant = "host", .m = 1, .k = 2, .n = 33000, .own_launch = true},
  };
  return check_task_failed(check, TASK_GUARD) || product_all_right(check, wide, 2);
}

/* Without a launch, and where the program did not end, the rest of the host side cannot be observed. */
static bool has_launched(const Trial *trial) {
  return trial->end.how == CHILD_EXITED && log_counter(&trial->log, "matmul", "launches") > 0;
}

/* The product, the errors and the sizes in bytes have points of their own: each is judged, whatever is wrong with the
 * others. */
static void check_host(Check *check) {
  /* A matrix of more bytes than 32 bits count: B, A, C. */
  static const ProductRun large[] = {
      {.variant = "host", .m = 3, .k = 30000, .n = 40000, .own_launch = true},
      {.variant = "host", .m = 40000, .k = 30000, .n = 3, .own_launch = true},
      {.variant = "host", .m = 30000, .k = 3, .n = 40000, .own_launch = true},
  };
  const ProductRun whole = whole_blocks(check);
  Trial trial;
  const bool right = host_is_right(check);
  const Verdict seen = check->verdict;
  if (seen.kind == VERDICT_TIME_OUT) { /* the other tasks need the time of further runs */
    check_end_part(check);
    return;
  }
  const bool once_more = product_right(check, &whole, &trial) && launched(check, &whole, &trial) &&
                         few_blocks(check, &whole, &trial) && copied_once(check, &trial);
  if (!right)
    check->verdict = seen;
  else if (once_more)
    host_is_right_for_wide(check);
  check_end_part(check);
  if (!has_launched(&trial)) {
    trial_free(&trial);
    return;
  }
  product_host_tells(check, &host_side, &whole, &trial.log);
  check_end_part(check);
  for (size_t i = 0; i < sizeof large / sizeof large[0] && !verdict_failed(&check->verdict); i++)
    product_host_counts(check, &host_side, &large[i]);
  check_end_part(check);
  trial_free(&trial);
}

/* ---- counters ------------------------------------------------------------------------- */

typedef struct Traffic {
  LogAccess a, b, c; /* loads of A and B, stores of C */
  double loads;      /* of A or B that one multiply-add of each thread makes, by warps */
  double stored;     /* sectors that C fills */
} Traffic;

/* Sectors per request where the product is right; false: not measured. */
static bool measure(Check *check, const ProductRun *run, Traffic *traffic) {
  Trial trial;
  bool right = product_right(check, run, &trial);
  const Log *log = &trial.log;
  if (right && !product_counted(check, log, "matmul"))
    right = false;
  if (right && !(log_access(log, "matmul", PARAMETER_A, false, &traffic->a) &&
                 log_access(log, "matmul", PARAMETER_B, false, &traffic->b) &&
                 log_access(log, "matmul", PARAMETER_C, true, &traffic->c))) {
    verdict_set(&check->verdict, VERDICT_NO_COUNTERS, SAID(KERNEL_DOES_NOT_READ_AB));
    right = false;
  }
  traffic->loads = log_counter(log, "matmul", "threads") / 32 * (double)run->k;
  traffic->stored = ceil((double)(run->m * run->n * check_element_bytes(check)) / 32);
  trial_free(&trial);
  return right;
}

static double per_request(const LogAccess *access) { return access->sectors / access->requests; }

/* What a warp that reads one element, or neighbours, touches at best. */
static double sectors_of_neighbours(const Check *check) {
  return 32.0 * (double)check_element_bytes(check) / 32.0;
}

/* The harness launches a square grid: threads outside of C may load, too, and any thread a term ahead. */
static double most_sectors(const Traffic *traffic, double each) {
  return 1.1 * traffic->loads * each;
}

static bool along_a_row(const Check *check, const Traffic *traffic, bool shifted) {
  double best = sectors_of_neighbours(check), row = best + shifted;
  return per_request(&traffic->a) <= 1 + shifted && per_request(&traffic->b) <= row &&
         per_request(&traffic->c) <= row &&
         traffic->a.sectors <= most_sectors(traffic, 1 + shifted) &&
         traffic->b.sectors <= most_sectors(traffic, row);
}

/* A mean gets better, too, by more loads that cost little, or by 32 loads of one lane in the place
 * of one; the sum does not. */
static void gate_sums(Check *check, const Traffic *traffic, bool shifted) {
  double best = sectors_of_neighbours(check), loads = traffic->loads;
  double stored = shifted ? INFINITY : traffic->stored;
  CHECK_GATES(check,
              {SAY_Q_SECTORS_STORED, traffic->c.sectors, traffic->stored, stored,
               SAY_STORED_SEVERAL_TIMES, &traffic->c},
              {SAY_Q_SECTORS_OF_A, traffic->a.sectors, loads, most_sectors(traffic, 1 + shifted),
               SAY_ONE_LOAD_PER_TERM, &traffic->a},
              {SAY_Q_SECTORS_OF_B, traffic->b.sectors, loads * best,
               most_sectors(traffic, best + shifted), SAY_ONE_LOAD_PER_TERM, &traffic->b});
}

/* Besides: one store for each element, however many terms its sum has, and nothing that costs without being a load. */
static bool gate_rest(Check *check, const ProductRun *run) {
  const TileCosts costs = tile_costs(run->m, run->k, run->n, check_element_bytes(check), 1, 1);
  Trial trial;
  bool held = product_right(check, run, &trial) &&
              traffic_clean(check, &trial.log, "matmul", false, 0) &&
              traffic_stored_once(check, &trial.log, "matmul", costs.stored, costs.stored_sectors);
  trial_free(&trial);
  return held;
}

static const char *const names[] = {"PREDICT_A_SECTORS_PER_REQUEST",
                                    "PREDICT_B_SECTORS_PER_REQUEST", NULL};
/* Of one term, the 32 threads of a warp load one element of A, and neighbours in a row of B. Asked for float. */
static double true_sectors(size_t of) {
  return pattern_sectors(of == 0 ? 0 : sizeof(float), sizeof(float));
}

static void check_orientation(Check *check) {
  static const ProductRun compared = {
      .variant = "kernel", .m = 96, .k = 64, .n = 96}; /* by a class */
  ProductRun square = product_drawn(check, "kernel", TILE, 1, true), run = square;
  Traffic traffic;
  double best = sectors_of_neighbours(check);
  run.n = run.m = square.n = square.m;
  if (check->settings->build.on_gpu || !product_right(check, &compared, NULL) ||
      !measure(check, &square, &traffic))
    return;
  bool along = along_a_row(check, &traffic, false), guarded = !check_task_failed(check, TASK_GUARD);
  /* The harness launches a square grid, which leaves a C of other sizes to the guard. */
  if (along && guarded)
    run = product_drawn(check, "kernel", TILE, 1, false);
  bool shifted = run.n != square.n || run.m != square.m;
  if (shifted && !measure(check, &run, &traffic))
    return;
  if (along && along_a_row(check, &traffic, shifted)) {
    square.m = square.n = TILE;
    square.k *= 16;
    if (gate_rest(check, &square))
      gate_rest(check, &run);
    return;
  }
  check_gate(check, SAY_Q_SECTORS_PER_REQUEST_A, per_request(&traffic.a), 1, 1 + shifted,
             &traffic.a);
  check_gate(check, SAY_Q_SECTORS_PER_REQUEST_B, per_request(&traffic.b), best, best + shifted,
             &traffic.b);
  check_gate(check, SAY_Q_SECTORS_PER_REQUEST_C, per_request(&traffic.c), best, best + shifted,
             &traffic.c);
  if (!verdict_failed(&check->verdict))
    gate_sums(check, &traffic, shifted);
  else if (per_request(&traffic.a) > 1 + shifted)
    verdict_cause(&check->verdict, SAID(X_WALKS_DOWN));
  else
    verdict_cause(&check->verdict, SAID(X_OWNS_APART));
}

static void check_predict(Check *check) {
  static const SayId what[] = {SAY_Q_SECTORS_PER_REQUEST_A, SAY_Q_SECTORS_PER_REQUEST_B};
  for (size_t i = 0; i < 2; i++)
    predict_check(check, names[i], what[i], true_sectors(i));
  if (verdict_failed(&check->verdict))
    verdict_cause(&check->verdict, SAID(COUNT_PIECES_OF_32));
}

static Task tasks[] = {
    {.title = "index", .untouched = UNTOUCHED_EMPTY, .check = check_index},
    {.title = "guard", .untouched = 0x8876e753a6d26c41, .needs = TASK_INDEX, .check = check_guard},
    {.title = "host side",
     .untouched = UNTOUCHED_EMPTY,
     .needs = TASK_INDEX,
     .parts = {SAY_PART_RESULT, SAY_PART_ERRORS, SAY_PART_SIZES},
     .check = check_host},
    {.title = "predict", .predictions = names, .check = check_predict},
    {.title = "orientation",
     .untouched = 0x13cdfc0a95fe0616,
     .needs = TASK_INDEX,
     .predict_first = TASK_PREDICT,
     .check = check_orientation,
     .counters = true,
     .timed = "kernel"},
};

SHEET(.name = "01-naive", .title = "naive matrix product", .baseline = 0,
      .untouched = 0x94a76976f48d36bc, .timed_size = 1024, .tasks = tasks,
      .task_count = sizeof tasks / sizeof tasks[0])
