/* The tasks of lab 03, bank conflicts, and their checks. Task 1, the transpose, is checked by its
 * values and its traffic to global memory. Predictions are compared with the addresses in a tile
 * and in the given kernel SMEM-1. The kernels of tasks 3 to 5 must have no bank conflicts, no more
 * shared memory than needed, and no more loads from global memory than the tiles need. */
#include "explain/explain.h"
#include "grade/sheet.h"

#include <string.h>

#include "harness/harness.h"

enum { TASK_TRANSPOSE = 1, TASK_PREDICT, TASK_PAD, TASK_EXCHANGE, TASK_DOUBLE };
enum { TILE = 32, LANES = 32 };

/* A kernel of the lab and its tiles. */
typedef struct Rung {
  const char *variant, *kernel;
  /* The number of tiles of a block, and of elements in a row of a tile, padding included. */
  size_t tiles, row;
} Rung;

static const Rung smem2 = {"smem2", "smem2", 2, TILE + 1}, smem3 = {"smem3", "smem3", 2, TILE},
                  smem2_double = {"double2", "smem2_double", 2, TILE + 1},
                  smem3_double = {"double3", "smem3_double", 2, TILE},
                  transpose_tile = {"transpose_tile", "transpose_tile", 1, TILE},
                  transpose_padded = {"transpose_padded", "transpose_padded", 1, TILE + 1};

/* ---- the transpose: what its mistakes compute ------------------------------------------------ */

/* An element of At, or a thread of the grid. The mistakes in 03-bank-conflicts.mistakes.def compute
 * an index from these values. */
typedef struct Spot {
  /* The sizes of A. */
  size_t m, k;
  /* above: the number of rows above the tile of the element or thread. left: the number of columns
   * to the left of the tile. (x, y): the position in the tile. */
  size_t above, left, x, y;
} Spot;
typedef size_t Index(const Spot *);

typedef struct Mistake {
  Index *index;
  SayId says;
} Mistake;

#define INDEX(name, value)                                                                         \
  static size_t name(const Spot *p) {                                                              \
    const size_t m = p->m, k = p->k, above = p->above, left = p->left, x = p->x, y = p->y;         \
    (void)m, (void)k, (void)above, (void)left, (void)x, (void)y;                                   \
    return (value);                                                                                \
  }

#define TURNED(id, index) INDEX(turned_##id, index)
#define LOADED(id, index) INDEX(loaded_##id, index)
#define STORED(id, index) INDEX(stored_##id, index)
#include "tasks/03-bank-conflicts.mistakes.def"

#define TURNED(id, index) {turned_##id, SAY_##id},
#define LOADED(id, index)
#define STORED(id, index)
static const Mistake turned[] = {
#include "tasks/03-bank-conflicts.mistakes.def"
};
#define TURNED(id, index)
#define LOADED(id, index) {loaded_##id, SAY_##id},
#define STORED(id, index)
static const Mistake loaded[] = {
#include "tasks/03-bank-conflicts.mistakes.def"
};
#define TURNED(id, index)
#define LOADED(id, index)
#define STORED(id, index) {stored_##id, SAY_##id},
static const Mistake stored[] = {
#include "tasks/03-bank-conflicts.mistakes.def"
};

static void transposed(const Instance *instance, double *At) {
  gold_transposed(instance, (size_t)instance->size[MATMUL_M], (size_t)instance->size[MATMUL_K], At);
}

/* The margin is 0, because elements are moved without arithmetic. */
static void no_margin(const Instance *instance, double *margin) {
  memset(margin, 0,
         (size_t)instance->size[MATMUL_M] * (size_t)instance->size[MATMUL_K] * sizeof *margin);
}

static Spot spot_of_element(const Instance *instance, size_t row, size_t column) {
  return (Spot){.m = (size_t)instance->size[MATMUL_M],
                .k = (size_t)instance->size[MATMUL_K],
                .above = row / TILE * TILE,
                .left = column / TILE * TILE,
                .x = column % TILE,
                .y = row % TILE};
}

/* Compares the output with a mistake. The mistake explains the output if it gives the value of
 * every element, and at least one element is wrong. Elements for which the mistake's index is
 * outside of A are not compared. */
static Alibi alibi_of(const Instance *instance, const Mistake *mistake, const ResultFile *output) {
  size_t wrong = 0;
  for (size_t at = 0; at < output->rows * output->columns; at++) {
    const Spot p = spot_of_element(instance, at / output->columns, at % output->columns);
    const size_t from = mistake->index(&p);
    if (from >= p.m * p.k)
      continue;
    if (output->values[at] != element_get(instance->operand[0], instance->element_bytes, from))
      return ALIBI_CONTRADICTED;
    wrong += output->values[at] != instance->gold[at];
  }
  return wrong ? ALIBI_NONE : ALIBI_SILENT;
}

static void suspect_transpose(const Instance *instance, const double *margin,
                              const ResultFile *output, Hypotheses *found) {
  (void)margin;
  for (size_t i = 0; i < sizeof turned / sizeof turned[0]; i++)
    hypotheses_judge(found, alibi_of(instance, &turned[i], output), turned[i].says);
}

static size_t coordinate(const json_t *report, const char *of, size_t i) {
  return (size_t)json_integer_value(json_array_get(json_object_get(report, of), i));
}

static Spot spot_of_thread(const Instance *instance, const json_t *report, const char *block,
                           const char *thread) {
  return (Spot){.m = (size_t)instance->size[MATMUL_M],
                .k = (size_t)instance->size[MATMUL_K],
                .above = coordinate(report, block, 1) * TILE,
                .left = coordinate(report, block, 0) * TILE,
                .x = coordinate(report, thread, 0),
                .y = coordinate(report, thread, 1)};
}

static size_t load_index(const Spot *p) { return (p->above + p->y) * p->k + p->left + p->x; }
static size_t store_index(const Spot *p) { return (p->left + p->y) * p->m + p->above + p->x; }

/* Returns true if the thread in a report accesses the reported element with this index. For a race,
 * the other thread must also access the element with this index. */
static bool leads_there(Index *index, const Instance *instance, const json_t *report) {
  const size_t element = (size_t)number_at(report, "element");
  const Spot one = spot_of_thread(instance, report, "block", "thread");
  const Spot other = spot_of_thread(instance, report, "other_block", "other_thread");
  return index(&one) == element &&
         (!json_object_get(report, "other_thread") || index(&other) == element);
}

static SayId index_at(const Mistake *all, size_t count, Index *expected, const Instance *instance,
                      const json_t *report, SayId otherwise) {
  if (leads_there(expected, instance, report))
    return otherwise;
  for (size_t i = 0; i < count; i++)
    if (leads_there(all[i].index, instance, report))
      return all[i].says;
  return otherwise;
}

/* Explains an access out of bounds and a race on At. */
static void blame_transpose(const Instance *instance, const json_t *report, Verdict *verdict) {
  const bool outside = verdict->kind == VERDICT_OUT_OF_BOUNDS;
  const char *buffer = text_at(report, "buffer");
  if (strcmp(buffer, "A") == 0 && outside)
    verdict_cause(verdict, said_plain(index_at(loaded, sizeof loaded / sizeof loaded[0], load_index,
                                               instance, report, SAY_TRANSPOSE_LOAD_GUARD)));
  else if (strcmp(buffer, "At") == 0 && (outside || verdict_is_race(verdict)))
    verdict_cause(
        verdict,
        said_plain(index_at(stored, sizeof stored / sizeof stored[0], store_index, instance, report,
                            outside ? SAY_TRANSPOSE_STORE_GUARD : SAY_TRANSPOSE_STORED_TWICE)));
}

static const Problem transpose_problem = {
    .formula = "At = A transposed",
    .size_names = {"m", "k"},
    .operands = {{"A", MATMUL_M, MATMUL_K, {0, 0}}, {"At", MATMUL_K, MATMUL_M, {0, 0}}},
    .gold = transposed,
};

static const Subject transpose_subject = {
    .problem = &transpose_problem,
    .margin = no_margin,
    .suspect = suspect_transpose,
    .blame = blame_transpose,
    .moves = true,
    .drawn_most = {300, 300},
    .drawn_work = 60000,
    .never_stored = SAY_TRANSPOSE_NEVER_STORED,
    .turned_away = SAY_TRANSPOSE_TURNED_AWAY,
    .by_hand = SAY_TRANSPOSE_BY_HAND,
};

/* ---- products -------------------------------------------------------------------------------- */

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

/* Returns true if the product is right and its counters can be used. Stores the run in *trial,
 * which the caller frees in both cases. */
static bool measured(Check *check, const Rung *rung, const ProductRun *run, Trial *trial) {
  return product_right(check, run, trial) &&
         (check->settings->build.on_gpu || traffic_alone(check, &trial->log, rung->kernel));
}

/* ---- padding and other indices: costs -------------------------------------------------------- */

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

static double shared_wavefronts(const Log *log, const char *kernel) {
  return log_counter(log, kernel, "shared_load_wavefronts") +
         log_counter(log, kernel, "shared_store_wavefronts");
}

/* Checks that a kernel without conflicts has no other costs: more sectors of A, B and C, more
 * barriers, atomic operations, or one instruction for each lane. For each term a warp may load two
 * rows of the tiles, and it may store each row of the tiles once. */
static bool costs_no_more(Check *check, const Rung *rung, const TileCosts *costs,
                          size_t element_bytes, const Log *log) {
  double row = (double)element_bytes / sizeof(float);
  double rows = (2 * costs->multiply_adds + costs->elements) / TILE;
  double wavefronts = shared_wavefronts(log, rung->kernel);
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

/* Gate for the bank conflicts of the loads, or stores, in the source line with the most
 * conflicts. */
static bool free_of_conflicts(Check *check, const Rung *rung, const Log *log, bool store) {
  LogAccess all, worst;
  if (!log_shared_access(log, rung->kernel, store, 0, &all))
    return true;
  log_shared_access(log, rung->kernel, store, all.line, &worst);
  return check_gate(check, store ? SAY_Q_CONFLICTS_PER_STORE : SAY_Q_CONFLICTS_PER_LOAD,
                    log_conflicts(&worst), 0, 0, &all);
}

/* Gate for the bank conflicts of atomic operations on shared memory, which a kernel could use
 * instead of loads and stores. */
static bool atomics_free_of_conflicts(Check *check, const Rung *rung, const Log *log) {
  LogAccess all, worst;
  if (!log_shared_atomic(log, rung->kernel, 0, &all))
    return true;
  log_shared_atomic(log, rung->kernel, all.line, &worst);
  return CHECK_GATES(check, {SAY_Q_CONFLICTS_PER_ATOMIC, log_conflicts(&worst), 0, 0,
                             SAY_ATOMICS_TAKE_TURNS, &all});
}

/* Returns the largest number of lanes of a warp that access different words of one bank at the same
 * time. */
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

/* Adds a cause if only one of the tiles As and Bs is padded. Returns false if both tiles or none of
 * them are padded. */
static bool blame_other_tile(Check *check, const Rung *rung, size_t element_bytes, const Log *log) {
  const double plain = (double)(TILE * TILE * element_bytes);
  const double a = log_shared_array(log, rung->kernel, "As");
  const double b = log_shared_array(log, rung->kernel, "Bs");
  if (a > plain && b == plain)
    verdict_cause(&check->verdict, SAID(OTHER_TILE_NOT_PADDED, "As", "Bs"));
  else if (b > plain && a == plain)
    verdict_cause(&check->verdict, SAID(OTHER_TILE_NOT_PADDED, "Bs", "As"));
  return (a > plain && b == plain) || (b > plain && a == plain);
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

/* Adds the cause if the values in double are wrong because the tiles have elements of another
 * type. */
static void blame_tiles(Check *check, const Rung *rung) {
  const ProductRun run = product_drawn(check, rung->variant, TILE, TILE, true);
  Trial trial;
  if (!measured(check, rung, &run, &trial))
    holds_doubles(check, rung, &trial.log);
  trial_free(&trial);
}

/* Fails the check if there are conflicts, or if the tiles are larger than allowed. */
static void gate_cure(Check *check, const Rung *rung, size_t element_bytes, const Log *log) {
  double now = log_shared_bytes(log, rung->kernel);
  double plain = (double)(rung->tiles * TILE * TILE * element_bytes);
  double most = (double)(rung->tiles * TILE * rung->row * element_bytes);
  bool stores = !free_of_conflicts(check, rung, log, true);
  bool loads = !free_of_conflicts(check, rung, log, false);
  if (check_gate(check, SAY_Q_SHARED_BYTES_PER_BLOCK, now, most, most, NULL) && !stores && !loads)
    return;
  if (rung->row > TILE && (stores || loads) && blame_other_tile(check, rung, element_bytes, log))
    return;
  if (rung->row > TILE)
    blame_padding(check, stores || loads, now, plain, lanes_that_meet(rung, log));
  else
    blame_exchange(check, stores, loads);
}

/* Returns true if the product is computed from tiles without conflicts, and has no additional
 * costs. */
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

/* ---- the transpose: its costs ---------------------------------------------------------------- */

/* The traffic of a transpose whose warps load and store each element once, along rows. */
typedef struct TurnCosts {
  /* The number of bytes that are loaded; the same number is stored. */
  double bytes;
  /* The number of requests. */
  double loads, stores;
  double load_sectors, store_sectors;
} TurnCosts;

/* Returns the number of sectors of all rows. If rows do not begin at a sector boundary, 32
 * consecutive elements touch one or two more sectors. */
static double row_sectors(size_t rows, size_t columns, size_t bytes) {
  enum { SECTOR = 32 };
  const double all = (double)(rows * columns * bytes) / SECTOR;
  const double shifted = columns * bytes % SECTOR ? 2 : 0;
  return all + shifted * (double)(rows * CEIL_DIV(columns, LANES));
}

static TurnCosts turn_costs(size_t m, size_t k, size_t bytes) {
  return (TurnCosts){.bytes = (double)(m * k * bytes),
                     .loads = (double)(m * CEIL_DIV(k, LANES)),
                     .stores = (double)(k * CEIL_DIV(m, LANES)),
                     .load_sectors = row_sectors(m, k, bytes),
                     .store_sectors = row_sectors(k, m, bytes)};
}

/* Returns true if each element is loaded and stored once, along the rows of A and of At, with one
 * barrier. */
static bool moves_rows(Check *check, const char *kernel, const TurnCosts *costs, const Log *log) {
  const double bytes = costs->bytes, warps = log_counter(log, kernel, "threads") / LANES;
  const double load = costs->load_sectors / costs->loads;
  const double store = costs->store_sectors / costs->stores;
  LogAccess loads = {.requests = 0}, stores = {.requests = 0};
  log_access(log, kernel, 0, false, &loads);
  log_access(log, kernel, 1, true, &stores);
  return traffic_traced(check, log, kernel, 1, "A and At") &&
         CHECK_GATES(check,
                     {SAY_Q_BYTES_LOADED, log_counter(log, kernel, "global_load_bytes"), bytes,
                      bytes, SAY_TRANSPOSE_ONCE, NULL},
                     {SAY_Q_BYTES_STORED, log_counter(log, kernel, "global_store_bytes"), bytes,
                      bytes, SAY_TRANSPOSE_ONCE, NULL},
                     {SAY_Q_SECTORS_PER_LOAD_OF_A, loads.sectors / costs->loads, load, load,
                      SAY_LOADS_APART, &loads},
                     {SAY_Q_SECTORS_PER_STORE_OF_AT, stores.sectors / costs->stores, store, store,
                      SAY_STORES_APART, &stores},
                     {SAY_Q_BARRIERS_OF_WARP, log_counter(log, kernel, "barriers") / warps, 1, 1,
                      SAY_TRANSPOSE_ONE_BARRIER, NULL}) &&
         traffic_clean(check, log, kernel, false, costs->loads);
}

/* Returns true if each warp stores to the tile once and loads from it once, without conflicts. The
 * kernel may also store tile elements that are outside of A. */
static bool turns_without_conflicts(Check *check, const Rung *rung, const TurnCosts *costs,
                                    const Log *log) {
  const size_t bytes = check_element_bytes(check);
  const double row = (double)bytes / sizeof(float), rows = costs->loads + costs->stores;
  const double warps = log_counter(log, rung->kernel, "threads") / LANES;
  const double wavefronts = shared_wavefronts(log, rung->kernel);
  gate_cure(check, rung, bytes, log);
  return !verdict_failed(&check->verdict) &&
         CHECK_GATES(check, {SAY_Q_SHARED_WAVEFRONTS, wavefronts, row * rows, 1.1 * row * 2 * warps,
                             SAY_LANES_IN_TURN, NULL});
}

static bool turn_counted(Check *check, const Rung *rung, bool cured, bool whole) {
  const SizeRange range =
      whole ? (SizeRange){TILE, TILE, 8 * TILE} : (SizeRange){TILE + 1, 1, 8 * TILE};
  const JudgedRun run =
      judged_drawn(check, (JudgedRun){.subject = &transpose_subject, .variant = rung->variant},
                   (const SizeRange[]){range, range}, transpose_subject.drawn_work);
  const TurnCosts costs = turn_costs((size_t)run.size[MATMUL_M], (size_t)run.size[MATMUL_K],
                                     check_element_bytes(check));
  Trial trial;
  bool right = judged_right(check, &run, &trial) && traffic_alone(check, &trial.log, rung->kernel);
  if (right && !(log_counter(&trial.log, rung->kernel, "shared_load_requests") > 0)) {
    verdict_say(&check->verdict, VERDICT_NO_TILES);
    verdict_cause(&check->verdict, SAID(TRANSPOSE_THROUGH_TILE));
    right = false;
  }
  right = right && moves_rows(check, rung->kernel, &costs, &trial.log) &&
          (!cured || turns_without_conflicts(check, rung, &costs, &trial.log));
  trial_free(&trial);
  return right;
}

static void check_turn(Check *check, const Rung *rung, bool cured) {
  static const int sizes[][2] = {{64, 64}, {96, 32}, {32, 96}, {33, 33}, {33, 40},
                                 {70, 31}, {1, 65},  {100, 1}, {1, 1}};
  JudgedRun runs[sizeof sizes / sizeof sizes[0]];
  const size_t count = sizeof sizes / sizeof sizes[0];
  for (size_t i = 0; i < count; i++)
    runs[i] = (JudgedRun){.subject = &transpose_subject,
                          .variant = rung->variant,
                          .size = {sizes[i][0], sizes[i][1]}};
  if (judged_all_right(check, runs, count) && !check->settings->build.on_gpu &&
      turn_counted(check, rung, cured, true))
    turn_counted(check, rung, cured, false);
}

/* Task 1: checks the transpose. Bank conflicts in its tile are allowed until task 3. */
static void check_transpose(Check *check) { check_turn(check, &transpose_tile, false); }

/* ---- predictions ---------------------------------------------------------------------------- */

/* A prediction about the access of one warp, whose lanes are tx = 0 … 31. In SMEM-1 the lanes store
 * As[tx][ty] and Bs[tx][ty] and load Bs[tx][i]: neighbouring lanes access elements that are a row
 * apart. All lanes load the same element As[i][ty]. */
typedef struct Question {
  const char *name;
  SayId what;
  /* The distance of the elements of neighbouring lanes. */
  size_t apart;
} Question;

static const Question of_tile[] = {
    {"PREDICT_TILE_TY_TX", SAY_Q_WAYS_TY_TX, 1},
    {"PREDICT_TILE_TX_TY", SAY_Q_WAYS_TX_TY, TILE},
};
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
enum {
  OF_TILE = sizeof of_tile / sizeof of_tile[0],
  OF_SMEM1 = sizeof in_float / sizeof in_float[0]
};
static const char passes_name[] = "PREDICT_DOUBLE_PASSES_WHEN_CURED";

static void ask(Check *check, const Question *all, size_t count, size_t bytes) {
  for (size_t i = 0; i < count; i++)
    predict_check(check, all[i].name, all[i].what, pattern_ways(all[i].apart * bytes, bytes));
}

static void ask_in_float(Check *check, const Question *all, size_t count) {
  ask(check, all, count, sizeof(float));
  if (check->verdict.kind == VERDICT_PREDICTION)
    verdict_cause(&check->verdict, SAID(COUNT_WORDS_OF_A_BANK));
  check_end_part(check);
}

static void check_predict(Check *check) {
  ask_in_float(check, of_tile, OF_TILE);
  ask_in_float(check, in_float, OF_SMEM1);
}

/* ---- pad and exchange ------------------------------------------------------------------------ */

static void check_pad(Check *check) {
  if (check_task_failed(check, TASK_TRANSPOSE))
    verdict_set(&check->verdict, VERDICT_NOT_RUN, SAID(NEEDS_TASK, TASK_TRANSPOSE));
  else
    check_turn(check, &transpose_padded, true);
  check_end_part(check);
  check_cure(check, &smem2, check_element_bytes(check));
  if (check->verdict.kind == VERDICT_WRONG && check->verdict.certainty != CERTAINTY_PROVEN)
    verdict_cause(&check->verdict, SAID(WAS_RIGHT_BEFORE_PADDING));
  check_end_part(check);
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

/* Returns true if the product of task 3 is right, whether or not its transpose is right. The runs
 * are in the cache. */
static bool smem2_works(Check *check) {
  const Verdict before = check->verdict;
  memset(&check->verdict, 0, sizeof check->verdict);
  check_cure(check, &smem2, check_element_bytes(check));
  bool works = !verdict_failed(&check->verdict);
  check->verdict = before;
  return works;
}

/* Task 5. The kernels for double and for real share their code, so a kernel that fails for real
 * fails for double, too. */
static void check_double(Check *check) {
  ask(check, in_double, OF_SMEM1, sizeof(double));
  predict_check(check, passes_name, SAY_Q_PASSES_FOR_STORE,
                pattern_passes(sizeof(double), sizeof(double)));
  if (check->verdict.kind == VERDICT_PREDICTION)
    verdict_cause(&check->verdict, SAID(COUNT_HALF_WARPS));
  check_end_part(check);
  if (check_task_failed(check, TASK_EXCHANGE))
    verdict_set(&check->verdict, VERDICT_NOT_RUN, SAID(NEEDS_TASK, TASK_EXCHANGE));
  else if (check_task_failed(check, TASK_PAD) && !smem2_works(check))
    verdict_set(&check->verdict, VERDICT_NOT_RUN, SAID(NEEDS_TASK, TASK_PAD));
  else if (check_double_cure(check, &smem2_double))
    check_double_cure(check, &smem3_double);
  check_end_part(check);
}

static const char *const float_names[] = {"PREDICT_TILE_TY_TX",
                                          "PREDICT_TILE_TX_TY",
                                          "PREDICT_STORE_AS",
                                          "PREDICT_STORE_BS",
                                          "PREDICT_LOAD_AS",
                                          "PREDICT_LOAD_BS",
                                          NULL};
static const char *const double_names[] = {"PREDICT_DOUBLE_STORE_AS",
                                           "PREDICT_DOUBLE_STORE_BS",
                                           "PREDICT_DOUBLE_LOAD_AS",
                                           "PREDICT_DOUBLE_LOAD_BS",
                                           passes_name,
                                           NULL};

static Task tasks[] = {
    {.title = "transpose", .untouched = UNTOUCHED_EMPTY, .check = check_transpose},
    {.title = "predict",
     .predictions = float_names,
     .parts = {SAY_PART_TRANSPOSE, SAY_PART_PRODUCT},
     .check = check_predict},
    {.title = "pad",
     .untouched = 0x7db177e46276a9b8,
     .predict_first = TASK_PREDICT,
     .parts = {SAY_PART_TRANSPOSE, SAY_PART_PRODUCT},
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
      .untouched = 0xce69bddbecfa8dcb, .timed_size = 1024, .tasks = tasks,
      .task_count = sizeof tasks / sizeof tasks[0])
