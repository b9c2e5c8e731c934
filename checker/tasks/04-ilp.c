/* The tasks of lab 04, several outputs per thread, and their checks. Each kernel must first be
 * right at every size. Its cost is then read from the counters of two runs: one whose sizes are
 * multiples of the tile, so that no edge adds work, and one at arbitrary sizes. The main gate
 * limits shared loads per multiply-add. The other gates reject kernels that reduce shared loads but
 * increase other costs. Multiply-adds with zeros at the edges are counted. */
#include "explain/explain.h"
#include "grade/sheet.h"
#include "words.h"

#include <string.h>

#include "harness/harness.h"

enum { TASK_PREDICT = 1 };
enum { TILE = 32, WARP = 32, VECTOR_BYTES = 16 };
enum { PARAMETER_C = 2 };

typedef struct Rung {
  const char *variant, *kernel;
  /* The side of a tile of C, and the number of terms in one step. */
  size_t side, depth;
  /* The number of outputs of a thread. */
  int outputs;
  /* The number of threads of a block. */
  double threads;
  /* The gate for shared loads per multiply-add. */
  double loads;
  /* The gate for elements that these loads read, per multiply-add. */
  double read;
  /* The shape of a block as text. */
  const char *shape;
  /* The number of barriers of a warp per step. */
  double barriers;
  /* The number of additional barriers of a warp, which are needed if two buffers are filled before
   * the first step. */
  double once_more;
  /* The gate for sectors, as a multiple of the number of sectors that the bytes would fill. */
  double spread;
} Rung;

static const Rung two = {"smem4", "matmul_2", 32, 32, 2, 512, 1.5, 1.5, "32×16", 2, 0, 1};
static const Rung four = {"smem5", "matmul_4", 32, 32, 4, 256, 1.25, 1.25, "32×8", 2, 0, 1};
/* A thread reads 4 + 4 elements for 16 multiply-adds (square), or 8 + 8 for 64 (tile). */
static const Rung square = {"4x4", "matmul_4x4", 32, 32, 16, 64, 0.5, 0.5, "8×8", 2, 0, 2};
static const Rung tile = {"tile", "matmul_tile", 128, 8, 64, 256, 0.25, 0.25, "16×16", 2, 0, 2};
/* A thread reads 16 elements for 64 multiply-adds, or 20 elements if it has 4×16 outputs. Each load
 * is a vector of at least two elements. */
static const Rung vectors = {"vectors", "matmul_vectors", 128,     8, 64, 256,
                             8 / 64.0,  20 / 64.0,        "16×16", 2, 0,  4};
static const Rung buffers = {"8x8",    "matmul_8x8", 128,     8, 64, 256,
                             8 / 64.0, 20 / 64.0,    "16×16", 1, 2,  4};

/* ---- counters ------------------------------------------------------------------------------- */

typedef struct Counts {
  ProductRun run;
  /* The costs of the solution at these sizes. */
  TileCosts costs;
  /* true: all sizes are multiples of the tile. */
  bool whole;
  /* The number of threads of a block. */
  double threads;
  /* Requests of full warps per multiply-add: shared loads, and shuffles that replace shared
   * loads. */
  double loads;
  /* Elements that these loads and shuffles read, per multiply-add. */
  double read;
  /* Elements that are loaded from global memory, per multiply-add. */
  double elements;
  /* The number of global load requests, divided by the number that 16-byte loads of full warps
   * need. */
  double global_pieces;
  /* The global load requests that load one element per lane. */
  LogAccess single;
  double all_requests;
  /* The wavefronts of stores to shared memory. */
  double filling;
  /* The wavefronts above the ideal number, per shared request. */
  double conflicts;
  /* The number of barriers of a warp per step. */
  double barriers;
  /* The number of times that each element of C is stored. */
  double stored;
  /* The stores to C. */
  LogAccess stores;
  /* The loads of A or of B, whichever has more requests. */
  LogAccess inputs;
  /* The shared access with the most conflicts; its `requests` are 0 if no access has conflicts. */
  LogAccess collides;
  /* The sectors that are stored, divided by the number that the bytes would fill. */
  double store_sectors;
  /* The sectors that are loaded from global memory, divided by the number that the bytes would
   * fill. */
  double sectors;
  /* The number of sectors that the loaded bytes would fill. */
  double filled;
} Counts;

static LogAccess worst_input(const Log *log, const char *kernel) {
  LogAccess of[2] = {{.requests = 0}};
  for (int i = 0; i < 2; i++)
    log_access(log, kernel, i, false, &of[i]);
  return of[of[1].requests > of[0].requests];
}

static LogAccess worst_of_shared(const Log *log, const char *kernel) {
  LogAccess worst = {.requests = 0}, line, all;
  for (int store = 0; store < 2; store++)
    if (log_shared_access(log, kernel, store, 0, &all) &&
        log_shared_access(log, kernel, store, all.line, &line) &&
        (worst.requests == 0 || log_conflicts(&line) > log_conflicts(&worst)))
      worst = line;
  return worst;
}

static void count(const Check *check, const Log *log, const Rung *rung, Counts *counts) {
#define COUNT(name) log_counter(log, rung->kernel, name)
  const TileCosts *costs = &counts->costs;
  double bytes = (double)check_element_bytes(check);
  double loads = log_shared_loads(log, rung->kernel);
  double exchanges = log_exchanges(log, rung->kernel);
  double requests = loads + COUNT("shared_store_requests");
  double conflicts = COUNT("shared_load_conflicts") + COUNT("shared_store_conflicts") +
                     COUNT("shared_atomic_conflicts");
  double warps = COUNT("threads") / WARP;
  *counts = (Counts){
      .run = counts->run,
      .costs = *costs,
      .whole = counts->whole,
      .threads = COUNT("threads") / COUNT("blocks"),
      .loads = (loads + exchanges) * WARP / costs->multiply_adds,
      .read = (COUNT("shared_load_bytes") / bytes + exchanges * WARP) / costs->multiply_adds,
      .elements = COUNT("global_load_bytes") / bytes / costs->multiply_adds,
      .all_requests = COUNT("global_load_requests"),
      .global_pieces =
          COUNT("global_load_requests") * WARP * VECTOR_BYTES / COUNT("global_load_bytes"),
      .filling = COUNT("shared_store_wavefronts"),
      .conflicts = requests > 0 ? conflicts / requests : 0,
      .barriers = COUNT("barriers") / warps / costs->steps,
      .sectors = COUNT("global_load_sectors") * 32 / COUNT("global_load_bytes"),
      .filled = COUNT("global_load_bytes") / 32,
      .stored = COUNT("global_store_bytes") / costs->stored,
      .store_sectors = COUNT("global_store_sectors") * 32 / COUNT("global_store_bytes"),
      .inputs = worst_input(log, rung->kernel),
      .collides = worst_of_shared(log, rung->kernel),
  };
  log_narrow_loads(log, rung->kernel, (int)bytes, &counts->single);
  log_access(log, rung->kernel, PARAMETER_C, true, &counts->stores);
#undef COUNT
}

/* Runs the product and fills in its counters. Returns false if it is wrong. */
static bool measure(Check *check, const Rung *rung, bool whole, Counts *counts) {
  const ProductRun run = product_drawn(check, rung->variant, rung->side, rung->depth, whole);
  const TileCosts costs =
      tile_costs(run.m, run.k, run.n, check_element_bytes(check), rung->side, rung->depth);
  Trial trial;
  bool right = product_right(check, &run, &trial) &&
               traffic_alone(check, &trial.log, rung->kernel) &&
               traffic_clean(check, &trial.log, rung->kernel, false, costs.elements / WARP);
  *counts = (Counts){.run = run, .costs = costs, .whole = whole};
  if (right)
    count(check, &trial.log, rung, counts);
  trial_free(&trial);
  return right;
}

/* Gates for the shape of blocks and tiles. A kernel that keeps its sums in C stores and loads C
 * several times. */
static bool gate_tiles(Check *check, const Rung *rung, const Counts *now) {
  const double elements = 2.0 / (double)rung->side;
  const SayId stores = now->whole ? SAY_SUMS_IN_REGISTERS : SAY_OUTSIDE_STORES_NOTHING;
  if (check_gate(check, SAY_Q_THREADS_PER_BLOCK, now->threads, rung->threads, rung->threads, NULL))
    return CHECK_GATES(check, {SAY_Q_TIMES_C_STORED, now->stored, 1, 1, stores, &now->stores},
                       {SAY_Q_ELEMENTS_PER_MULTIPLY_ADD, now->elements, elements, elements,
                        SAY_EACH_TILE_ELEMENT_ONCE, &now->inputs});
  verdict_cause(&check->verdict, SAID(OUTPUTS_PER_THREAD, rung->outputs, rung->shape));
  return false;
}

/* Gates for the sectors of global memory: neighbouring threads must access neighbouring elements. A
 * row that does not begin at a sector boundary touches one more sector. If each lane accesses
 * several elements of the row, each access touches one more sector. */
static bool gate_places(Check *check, const Rung *rung, const Counts *now) {
  const TileCosts *costs = &now->costs;
  const double apart = costs->shifted ? rung->spread : 1;
  const double loaded = apart * costs->sectors / now->filled;
  const double stored = rung->spread * costs->stored_sectors * 32 / costs->stored;
  return CHECK_GATES(
      check,
      {SAY_Q_SECTORS_LOADED_PER_FILLED, now->sectors, 1, loaded, SAY_NEIGHBOURS_SIDE_BY_SIDE, NULL},
      {SAY_Q_SECTORS_STORED_PER_FILLED, now->store_sectors, 1, stored, SAY_NEIGHBOURS_SIDE_BY_SIDE,
       NULL});
}

/* ---- tasks ---------------------------------------------------------------------------------- */

/* Adds a cause to a wrong product: a mistake in the outputs per thread, or in the size of a
 * block. */
static void explain(Check *check, const Rung *rung) {
  Verdict *verdict = &check->verdict;
  const char *size[] = {"--variant", rung->variant, "--size", "64", NULL};
  bool nothing = verdict->fact_count == 0; /* no element of C was stored */
  if (check->settings->build.on_gpu)
    return;
  if (verdict->kind == VERDICT_UNWRITTEN && !nothing && verdict->certainty != CERTAINTY_PROVEN)
    verdict_cause(verdict, SAID(EACH_OUTPUT_ITS_ROW, rung->outputs, rung->shape, TILE, TILE));
  Trial trial = check_start(check, size);
  double threads = log_counter(&trial.log, rung->kernel, "threads") /
                   log_counter(&trial.log, rung->kernel, "blocks");
  trial_free(&trial);
  if (threads == rung->threads || (verdict->kind == VERDICT_UNWRITTEN && nothing))
    return;
  verdict_fact(verdict, "", SAID(BLOCK_HAS_THREADS, threads, rung->shape, rung->threads));
  verdict_cause(verdict, SAID(KERNEL_AND_DEFINE_AGREE));
}

/* A check of some counters of a kernel. A list of these ends with NULL. */
typedef bool Gate(Check *, const Rung *, const Counts *);

static bool counts_held(Check *check, const Rung *rung, Gate *const *gates, bool whole) {
  Counts now;
  bool held = measure(check, rung, whole, &now);
  for (; held && *gates; gates++)
    held = (*gates)(check, rung, &now);
  return held;
}

/* Checks the counters at two sizes. On a GPU nothing is checked, because it has no counters. */
static void gate_rung(Check *check, const Rung *rung, Gate *const *gates) {
  if (!check->settings->build.on_gpu && counts_held(check, rung, gates, true))
    counts_held(check, rung, gates, false);
}

/* Returns the additional barriers as a fraction of the steps. */
static double more_steps(const Rung *rung, const Counts *now) {
  return rung->once_more / now->costs.steps;
}

static bool gate_barriers(Check *check, const Rung *rung, const Counts *now) {
  const SayId why = rung->once_more > 0 ? SAY_TWO_BUFFERS_ONE_BARRIER : SAY_ONE_BARRIER_EACH;
  return CHECK_GATES(check, {SAY_Q_BARRIERS_PER_STEP, now->barriers, rung->barriers,
                             rung->barriers + more_steps(rung, now), why, NULL});
}

static bool gate_filling(Check *check, const Rung *rung, const Counts *now) {
  const double row = (double)check_element_bytes(check) / sizeof(float);
  const double rows = row * now->costs.elements / WARP;
  return CHECK_GATES(check, {SAY_Q_SHARED_WAVEFRONTS, now->filling, rows,
                             1.1 * (1 + more_steps(rung, now)) * rows, SAY_LANES_IN_TURN, NULL});
}

/* Gates for shared loads: each element that is read must be used for all outputs of its row or
 * column. */
static bool gate_reads(Check *check, const Rung *rung, const Counts *now, SayId why) {
  return CHECK_GATES(
      check, {SAY_Q_SHARED_LOADS_PER_MULTIPLY_ADD, now->loads, rung->loads, rung->loads, why, NULL},
      {SAY_Q_ELEMENTS_READ_PER_MULTIPLY_ADD, now->read, rung->read, rung->read, why, NULL});
}

static bool gate_conflicts(Check *check, const Rung *rung, const Counts *now) {
  enum { FEW_WAYS = 8 }; /* conflicts of a column have at least this order */
  const SayId why = log_conflicts(&now->collides) >= FEW_WAYS ? SAY_DOWN_A_COLUMN_OF_TILE
                                                              : SAY_TILE_ELEMENTS_APART;
  (void)rung;
  return CHECK_GATES(
      check, {SAY_Q_CONFLICTS_PER_SHARED_REQUEST, now->conflicts, 0, 0, why, &now->collides});
}

static bool gate_column(Check *check, const Rung *rung, const Counts *now) {
  return gate_reads(check, rung, now, SAY_KEEP_B_IN_A_VARIABLE);
}

static bool gate_square(Check *check, const Rung *rung, const Counts *now) {
  return gate_reads(check, rung, now, SAY_ELEMENT_FOR_ALL_OUTPUTS);
}

static Gate *const of_columns[] = {
    gate_tiles, gate_column, gate_conflicts, gate_places, gate_barriers, gate_filling, NULL};
static Gate *const of_squares[] = {
    gate_tiles, gate_square, gate_conflicts, gate_places, gate_barriers, gate_filling, NULL};

static void check_rung(Check *check, const Rung *rung, const ProductRun *runs, size_t count) {
  if (product_all_right(check, runs, count))
    gate_rung(check, rung, of_columns);
  else
    explain(check, rung);
}

/* Sizes at which all, some or none of the outputs of a thread are inside of C. */
#define RUNS(name, terms)                                                                          \
  {                                                                                                \
    {.variant = name, .m = 32, .k = 64, .n = 96}, {.variant = name, .m = 64, .k = 96, .n = 32},    \
        {.variant = name, .m = 33, .k = 33, .n = 33},                                              \
        {.variant = name, .m = 20, .k = 40, .n = 70},                                              \
        {.variant = name, .m = 60, .k = 13, .n = 31},                                              \
        {.variant = name, .m = 3, .k = terms, .n = 2}, {.variant = name, .m = 1, .k = 1, .n = 1},  \
        {.variant = name, .m = 161, .k = 5, .n = 150},                                             \
        {.variant = name, .m = 40, .k = 44, .n = 50, .fill = FILL_INFINITE},                       \
        {.variant = name, .m = 33, .k = 33, .n = 33, .fill = FILL_WHOLE},                          \
  }

static void check_two(Check *check) {
  static const ProductRun runs[] = RUNS("smem4", 33000);
  check_rung(check, &two, runs, sizeof runs / sizeof runs[0]);
}

static void check_four(Check *check) {
  static const ProductRun runs[] = RUNS("smem5", 33000);
  check_rung(check, &four, runs, sizeof runs / sizeof runs[0]);
}

/* Task 4. At these sizes all, some or none of the 4×4 outputs of a thread are inside of C. */
static void check_square(Check *check) {
  static const ProductRun runs[] = RUNS("4x4", 3300);
  if (product_all_right(check, runs, sizeof runs / sizeof runs[0]))
    gate_rung(check, &square, of_squares);
}

/* ---- 8×8 outputs ----------------------------------------------------------------------------- */

#define TILE_RUNS(name)                                                                            \
  {                                                                                                \
    {.variant = name, .m = 128, .k = 32, .n = 128},                                                \
        {.variant = name, .m = 256, .k = 64, .n = 128},                                            \
        {.variant = name, .m = 33, .k = 33, .n = 33},                                              \
        {.variant = name, .m = 132, .k = 20, .n = 72},                                             \
        {.variant = name, .m = 65, .k = 13, .n = 142}, {.variant = name, .m = 1, .k = 1, .n = 1},  \
        {.variant = name, .m = 132, .k = 44, .n = 72, .fill = FILL_INFINITE},                      \
        {.variant = name, .m = 33, .k = 33, .n = 33, .fill = FILL_WHOLE},                          \
  }

static void check_tile(Check *check) {
  static const ProductRun runs[] = TILE_RUNS("tile");
  if (product_all_right(check, runs, sizeof runs / sizeof runs[0]))
    gate_rung(check, &tile, of_squares);
}

/* Gate for 16-byte loads from global memory, only at sizes that are multiples of the tile. If only
 * some loads read single elements, adds their number. */
static bool gate_vectors(Check *check, const Rung *rung, const Counts *now) {
  const LogAccess *single = &now->single;
  char place[200], left[COUNT_BYTES], all[COUNT_BYTES];
  (void)rung;
  if (!now->whole || CHECK_GATES(check, {SAY_Q_GLOBAL_LOADS_PER_512_BYTES, now->global_pieces, 1, 1,
                                         SAY_LOAD_16_BYTES_AT_ONCE, NULL}))
    return true;
  if (single->requests > 0 && single->requests < now->all_requests) {
    place_format(place, sizeof place, single->file, single->line);
    verdict_fact(&check->verdict, place,
                 SAID(SINGLE_REQUESTS, sentence_count(left, single->requests),
                      sentence_count(all, now->all_requests)));
    verdict_cause(&check->verdict, SAID(SOME_LOADED_SINGLY, now->run.n));
  }
  return false;
}

static bool gate_registers(Check *check, const Rung *rung, const Counts *now) {
  double vector = VECTOR_BYTES / (double)check_element_bytes(check);
  return CHECK_GATES(check,
                     {SAY_Q_SHARED_LOADS_PER_MULTIPLY_ADD, now->loads, 16 / vector / 64,
                      rung->loads, SAY_READ_TILES_AS_VECTORS, NULL},
                     {SAY_Q_ELEMENTS_READ_PER_MULTIPLY_ADD, now->read, 16 / 64.0, rung->read,
                      SAY_ELEMENT_FOR_ALL_OUTPUTS, NULL},
                     {SAY_Q_CONFLICTS_PER_SHARED_REQUEST, now->conflicts, 0, 0,
                      SAY_VECTORS_MEET_IN_A_BANK, &now->collides});
}

/* Gates for shared loads of a kernel that keeps its outputs in registers, with or without vector
 * loads. */
static bool gate_reuse(Check *check, const Rung *rung, const Counts *now) {
  (void)rung;
  return gate_reads(check, &tile, now, SAY_ELEMENT_FOR_ALL_OUTPUTS);
}

static bool vectors_right(Check *check, const ProductRun *runs, size_t count) {
  Verdict *verdict = &check->verdict;
  bool right = product_all_right(check, runs, count);
  if (verdict->kind == VERDICT_MISALIGNED)
    verdict_cause(verdict, strlen(verdict->buffer) > 1 ? SAID(TILE_ROW_NO_MULTIPLE)
                                                       : SAID(VECTOR_NOT_ALIGNED));
  return right;
}

/* Judges two parts of a task, each by its own gates. Both parts need a right product. */
static void gate_parts(Check *check, const Rung *rung, bool right, Gate *const *first,
                       Gate *const *second) {
  const Verdict verdict = check->verdict;
  if (right)
    gate_rung(check, rung, first);
  check_end_part(check);
  check->verdict = verdict;
  if (right)
    gate_rung(check, rung, second);
  check_end_part(check);
}

static void check_vectors(Check *check) {
  static const ProductRun runs[] = TILE_RUNS("vectors");
  static Gate *const from_global[] = {gate_tiles, gate_vectors, gate_places, NULL},
                     *const from_shared[] = {gate_tiles, gate_registers, gate_barriers,
                                             gate_filling, NULL};
  bool right = vectors_right(check, runs, sizeof runs / sizeof runs[0]);
  gate_parts(check, &vectors, right, from_global, from_shared);
}

/* Task 7. The order of loads and barriers in a step is a part with its own points, because it can
 * be right without vector loads. */
static void check_buffers(Check *check) {
  static const ProductRun runs[] = TILE_RUNS("8x8");
  static Gate *const of_steps[] = {gate_tiles, gate_reuse, gate_barriers, NULL},
                     *const of_all[] = {gate_tiles,    gate_registers, gate_vectors, gate_places,
                                        gate_barriers, gate_filling,   NULL};
  bool right = vectors_right(check, runs, sizeof runs / sizeof runs[0]);
  if (check->verdict.kind == VERDICT_RACE_SHARED && strcmp(check->verdict.buffer, "C") != 0)
    verdict_cause(&check->verdict, SAID(BUFFERS_MEET));
  gate_parts(check, &buffers, right, of_steps, of_all);
}

/* ---- predictions ----------------------------------------------------------------------------- */

static const char *const names[] = {"PREDICT_LOADS_1_OUTPUT", "PREDICT_LOADS_2_OUTPUTS",
                                    "PREDICT_LOADS_ASKED_OUTPUTS", NULL};

/* Task 1. In one step of the loop over i, a thread reads one element of A for each output, and one
 * element of B for all outputs. The number of its multiply-adds is the number of its outputs. */
static void check_predict(Check *check) {
  const double outputs[] = {1, 2, predict_asked(check, "ASKED_OUTPUTS", 4)};
  for (size_t i = 0; names[i]; i++)
    predict_check(check, names[i], SAY_Q_SHARED_LOADS_PER_MULTIPLY_ADD,
                  (outputs[i] + 1) / outputs[i]);
  if (verdict_failed(&check->verdict))
    verdict_cause(&check->verdict, SAID(COUNT_READS_OF_A_STEP));
}

static Task tasks[] = {
    {.title = "predict", .predictions = names, .check = check_predict},
    {.title = "two outputs",
     .untouched = 0xbe89a201f204a5c1,
     .predict_first = TASK_PREDICT,
     .check = check_two,
     .timed = "smem4"},
    {.title = "four outputs",
     .untouched = 0x731858507bd1e71f,
     .predict_first = TASK_PREDICT,
     .check = check_four,
     .timed = "smem5"},
    {.title = "four by four", .untouched = UNTOUCHED_EMPTY, .check = check_square, .timed = "4x4"},
    {.title = "eight by eight", .untouched = UNTOUCHED_EMPTY, .check = check_tile, .timed = "tile"},
    {.title = "16 bytes a load",
     .untouched = 0x8be8bc0603924946,
     .parts = {SAY_PART_GLOBAL, SAY_PART_SHARED},
     .check = check_vectors,
     .timed = "vectors"},
    {.title = "two buffers",
     .untouched = UNTOUCHED_EMPTY,
     .parts = {SAY_PART_BARRIER, SAY_PART_VECTORS},
     .check = check_buffers,
     .timed = "8x8"},
};

SHEET(.name = "04-ilp", .title = "several outputs per thread", .baseline = 0,
      .untouched = 0x66bedc0adbc872aa, .timed_size = 1024, .tasks = tasks,
      .task_count = sizeof tasks / sizeof tasks[0])
