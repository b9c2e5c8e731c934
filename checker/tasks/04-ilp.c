/* Lab 04: several outputs per thread. Each rung must be right at every size first; what it is for
 * is then read from the counters of a run at a whole size, where no edge is in the way: shared
 * loads per multiply-add, and what could make that number small in the wrong way.
 */
#include "explain/explain.h"
#include "grade/sheet.h"
#include "words.h"

#include <string.h>

#include "harness/harness.h"

enum { TASK_PREDICT = 1 };
enum { TILE = 32, WARP = 32, VECTOR_BYTES = 16, DEPTH = 8 };
enum { PARAMETER_C = 2 };

typedef struct Rung {
  const char *variant, *kernel;
  size_t size;       /* of the square product whose counters are read */
  int outputs;       /* per thread */
  double threads;    /* per block */
  double loads;      /* shared loads per multiply-add, the gate */
  double elements;   /* loaded from global memory per multiply-add, the gate */
  const char *shape; /* of a block, in words */
  double spread;     /* sectors that a store may touch for one that its bytes fill */
} Rung;

static const Rung two = {"smem4", "matmul_2", 64, 2, 512, 1.5, 2 / 32.0, "32×16", 1};
static const Rung four = {"smem5", "matmul_4", 64, 4, 256, 1.25, 2 / 32.0, "32×8", 1};
/* 16 elements, in vectors of two at least, for 64 multiply-adds. */
static const Rung beyond = {"8x8", "matmul_8x8", 128, 64, 256, 8 / 64.0, 2 / 128.0, "16×16", 4};

static ProductRun run_of(const Rung *rung) {
  return (ProductRun){.variant = rung->variant, .m = rung->size, .k = rung->size, .n = rung->size};
}

/* ---- counters ------------------------------------------------------------------------------- */

typedef struct Counts {
  double threads;       /* per block */
  double loads;         /* shared loads of whole warps per multiply-add */
  double elements;      /* loaded from global memory per multiply-add of a thread */
  double global_pieces; /* requests per full warp's worth of 16-byte loads */
  LogAccess single;     /* of these requests those for an element of a lane */
  double all_requests;
  double conflicts;     /* wavefronts beyond the ideal, per shared request */
  double barriers;      /* per warp and DEPTH terms of the sums */
  double stored;        /* how often each element of C */
  LogAccess stores;     /* where */
  LogAccess inputs;     /* where that matrix is loaded of which more is */
  LogAccess collides;   /* in shared memory the line with the most conflicts; no requests: none */
  double store_sectors; /* for one that the bytes fill */
  double sectors;       /* loaded from global memory, for one that the bytes fill */
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

static Counts counts_of(const Check *check, const Log *log, const Rung *rung) {
#define COUNT(name) log_counter(log, rung->kernel, name)
  double multiply_adds = (double)(rung->size * rung->size * rung->size); /* that are needed */
  double bytes = (double)check_element_bytes(check);
  double loads = log_shared_loads(log, rung->kernel);
  double requests = loads + COUNT("shared_store_requests");
  double conflicts = COUNT("shared_load_conflicts") + COUNT("shared_store_conflicts") +
                     COUNT("shared_atomic_conflicts");
  double warps = COUNT("threads") / WARP;
  Counts counts = {
      .threads = COUNT("threads") / COUNT("blocks"),
      .loads = loads * WARP / multiply_adds,
      .elements = COUNT("global_load_bytes") / bytes / multiply_adds,
      .all_requests = COUNT("global_load_requests"),
      .global_pieces =
          COUNT("global_load_requests") * WARP * VECTOR_BYTES / COUNT("global_load_bytes"),
      .conflicts = requests > 0 ? conflicts / requests : 0,
      .barriers = COUNT("barriers") / warps / ((double)rung->size / DEPTH),
      .sectors = COUNT("global_load_sectors") * 32 / COUNT("global_load_bytes"),
      .stored = COUNT("global_store_bytes") / bytes / (double)(rung->size * rung->size),
      .store_sectors = COUNT("global_store_sectors") * 32 / COUNT("global_store_bytes"),
      .inputs = worst_input(log, rung->kernel),
      .collides = worst_of_shared(log, rung->kernel),
  };
  log_narrow_loads(log, rung->kernel, (int)bytes, &counts.single);
  log_access(log, rung->kernel, PARAMETER_C, true, &counts.stores);
  return counts;
#undef COUNT
}

/* The counters of a right product; false: it is not right. */
static bool measure(Check *check, const Rung *rung, Counts *counts) {
  ProductRun run = run_of(rung);
  Trial trial;
  bool right = product_right(check, &run, &trial) && traffic_alone(check, &trial.log, rung->kernel);
  if (right)
    right = traffic_clean(check, &trial.log, rung->kernel, false);
  if (right)
    *counts = counts_of(check, &trial.log, rung);
  trial_free(&trial);
  return right;
}

static bool gate_at(Check *check, const Rung *rung, SayId what, double now, double ideal,
                    double most, Said cause, const LogAccess *where) {
  if (check_gate(check, what, now, ideal, most, where))
    return true;
  verdict_cause(&check->verdict, cause);
  check_again(check, "--variant %s --size %zu", rung->variant, rung->size);
  return false;
}

static bool gate(Check *check, const Rung *rung, SayId what, double now, double ideal, double most,
                 Said cause) {
  return gate_at(check, rung, what, now, ideal, most, cause, NULL);
}

/* Does it work on tiles at all, and on blocks of the right shape? Sums that grow in C are loaded from there, too. */
static bool gate_tiles(Check *check, const Rung *rung, const Counts *now) {
  Said cause = SAID(OUTPUTS_PER_THREAD, rung->outputs, rung->shape);
  return gate(check, rung, SAY_Q_THREADS_PER_BLOCK, now->threads, rung->threads, rung->threads,
              cause) &&
         gate_at(check, rung, SAY_Q_TIMES_C_STORED, now->stored, 1, 1,
                 said_plain(SAY_SUMS_IN_REGISTERS), &now->stores) &&
         gate_at(check, rung, SAY_Q_ELEMENTS_PER_MULTIPLY_ADD, now->elements, rung->elements,
                 rung->elements, said_plain(SAY_EACH_TILE_ELEMENT_ONCE), &now->inputs);
}

/* Nothing else may have been paid for it. */
static bool gate_costs(Check *check, const Rung *rung, const Counts *now, SayId cure) {
  return gate_at(check, rung, SAY_Q_CONFLICTS_PER_SHARED_REQUEST, now->conflicts, 0, 0,
                 said_plain(cure), &now->collides);
}

/* Neighbours side by side. */
static bool gate_places(Check *check, const Rung *rung, const Counts *now) {
  const Said cause = SAID(NEIGHBOURS_SIDE_BY_SIDE);
  return gate(check, rung, SAY_Q_SECTORS_LOADED_PER_FILLED, now->sectors, 1, 1, cause) &&
         gate(check, rung, SAY_Q_SECTORS_STORED_PER_FILLED, now->store_sectors, 1, rung->spread,
              cause);
}

/* ---- tasks ---------------------------------------------------------------------------------- */

/* A GPU tells whether the product is right, and no counters. */
static bool counted(const Check *check) { return !check->settings->build.on_gpu; }

/* What a wrong product has to do with outputs per thread. */
static void explain(Check *check, const Rung *rung) {
  Verdict *verdict = &check->verdict;
  const char *size[] = {"--variant", rung->variant, "--size", "64", NULL};
  bool nothing = verdict->fact_count == 0; /* was stored at all */
  if (check->settings->build.on_gpu)
    return;
  if (verdict->kind == VERDICT_UNWRITTEN && !nothing && verdict->certainty != CERTAINTY_PROVEN)
    verdict_cause(verdict, SAID(EACH_OUTPUT_ITS_ROW, rung->outputs, rung->shape, TILE, TILE));
  Trial trial = check_start(check, size);
  double threads = counts_of(check, &trial.log, rung).threads;
  trial_free(&trial);
  if (threads == rung->threads || (verdict->kind == VERDICT_UNWRITTEN && nothing))
    return;
  verdict_fact(verdict, "", SAID(BLOCK_HAS_THREADS, threads, rung->shape, rung->threads));
  verdict_cause(verdict, SAID(KERNEL_AND_DEFINE_AGREE));
}

/* Threads outside of C store nothing: one that goes back to the edge stores what another one has stored. */
static void gate_edges(Check *check, const Rung *rung) {
  const ProductRun ragged = {.variant = rung->variant, .m = 33, .k = 7, .n = 45};
  const double bytes = (double)(ragged.m * ragged.n * check_element_bytes(check));
  Trial trial;
  if (product_right(check, &ragged, &trial) &&
      !check_gate(check, SAY_Q_BYTES_STORED,
                  log_counter(&trial.log, rung->kernel, "global_store_bytes"), bytes, bytes, NULL))
    verdict_cause(&check->verdict, SAID(OUTSIDE_STORES_NOTHING));
  trial_free(&trial);
}

enum { FEW_WAYS = 8 }; /* in which lanes collide that do not walk down a column */
static void check_rung(Check *check, const Rung *rung, const ProductRun *runs, size_t count) {
  Counts now;
  if (!product_all_right(check, runs, count)) {
    explain(check, rung);
    return;
  }
  if (counted(check) && measure(check, rung, &now) && gate_tiles(check, rung, &now) &&
      gate(check, rung, SAY_Q_SHARED_LOADS_PER_MULTIPLY_ADD, now.loads, rung->loads, rung->loads,
           said_plain(SAY_KEEP_B_IN_A_VARIABLE)))
    if (gate_costs(check, rung, &now,
                   log_conflicts(&now.collides) >= FEW_WAYS ? SAY_DOWN_A_COLUMN_OF_TILE
                                                            : SAY_TILE_ELEMENTS_APART) &&
        gate_places(check, rung, &now) &&
        gate(check, rung, SAY_Q_BARRIERS_PER_STEP, now.barriers * TILE / DEPTH, 2, 2,
             said_plain(SAY_ONE_BARRIER_EACH)))
      gate_edges(check, rung);
}

/* Ragged so that of a thread's outputs all, some or none are inside. */
#define RUNS(name)                                                                                 \
  {                                                                                                \
    {.variant = name, .m = 32, .k = 64, .n = 96}, {.variant = name, .m = 64, .k = 96, .n = 32},    \
        {.variant = name, .m = 33, .k = 33, .n = 33},                                              \
        {.variant = name, .m = 20, .k = 40, .n = 70},                                              \
        {.variant = name, .m = 60, .k = 13, .n = 31},                                              \
        {.variant = name, .m = 3, .k = 33000, .n = 2}, {.variant = name, .m = 1, .k = 1, .n = 1},  \
        {.variant = name, .m = 161, .k = 5, .n = 150},                                             \
        {.variant = name, .m = 40, .k = 44, .n = 50, .fill = FILL_INFINITE},                       \
        {.variant = name, .m = 33, .k = 33, .n = 33, .fill = FILL_WHOLE},                          \
  }

static void check_two(Check *check) {
  static const ProductRun runs[] = RUNS("smem4");
  check_rung(check, &two, runs, sizeof runs / sizeof runs[0]);
}

static void check_four(Check *check) {
  static const ProductRun runs[] = RUNS("smem5");
  check_rung(check, &four, runs, sizeof runs / sizeof runs[0]);
}

/* Which are left over is said once some come whole. */
static bool gate_vectors(Check *check, const Rung *rung, const Counts *now) {
  const LogAccess *single = &now->single;
  char place[200], left[COUNT_BYTES], all[COUNT_BYTES];
  if (gate(check, rung, SAY_Q_GLOBAL_LOADS_PER_512_BYTES, now->global_pieces, 1, 1,
           said_plain(SAY_LOAD_16_BYTES_AT_ONCE)))
    return true;
  if (single->requests > 0 && single->requests < now->all_requests) {
    place_format(place, sizeof place, single->file, single->line);
    verdict_fact(&check->verdict, place,
                 SAID(SINGLE_REQUESTS, sentence_count(left, single->requests),
                      sentence_count(all, now->all_requests)));
    verdict_cause(&check->verdict, SAID(SOME_LOADED_SINGLY, rung->size));
  }
  return false;
}

static bool gate_beyond(Check *check, const Counts *now) {
  const Rung *rung = &beyond;
  double vector = VECTOR_BYTES / (double)check_element_bytes(check);
  return gate(check, rung, SAY_Q_SHARED_LOADS_PER_MULTIPLY_ADD, now->loads, 16 / vector / 64,
              rung->loads, said_plain(SAY_READ_TILES_AS_VECTORS)) &&
         gate_vectors(check, rung, now) &&
         gate(check, rung, SAY_Q_BARRIERS_PER_STEP, now->barriers, 1, 1.25,
              said_plain(SAY_TWO_BUFFERS_ONE_BARRIER));
}

static void check_beyond(Check *check) {
  static const ProductRun runs[] = {
      {.variant = "8x8", .m = 128, .k = 32, .n = 128},
      {.variant = "8x8", .m = 256, .k = 64, .n = 128},
      {.variant = "8x8", .m = 33, .k = 33, .n = 33},
      {.variant = "8x8", .m = 132, .k = 20, .n = 72},
      {.variant = "8x8", .m = 65, .k = 13, .n = 142},
      {.variant = "8x8", .m = 1, .k = 1, .n = 1},
      {.variant = "8x8", .m = 132, .k = 44, .n = 72, .fill = FILL_INFINITE},
      {.variant = "8x8", .m = 33, .k = 33, .n = 33, .fill = FILL_WHOLE},
  };
  Counts now;
  bool right = product_all_right(check, runs, sizeof runs / sizeof runs[0]);
  if (!right && check->verdict.kind == VERDICT_RACE_SHARED &&
      strcmp(check->verdict.buffer, "C") != 0)
    verdict_cause(&check->verdict, SAID(BUFFERS_MEET));
  if (check->verdict.kind == VERDICT_MISALIGNED && strlen(check->verdict.buffer) > 1)
    verdict_cause(&check->verdict, SAID(TILE_ROW_NO_MULTIPLE));
  else if (check->verdict.kind == VERDICT_MISALIGNED)
    verdict_cause(&check->verdict, SAID(VECTOR_NOT_ALIGNED));
  if (right && counted(check) && measure(check, &beyond, &now) &&
      gate_tiles(check, &beyond, &now) &&
      gate_costs(check, &beyond, &now, SAY_VECTORS_MEET_IN_A_BANK))
    if (gate_beyond(check, &now) && gate_places(check, &beyond, &now))
      gate_edges(check, &beyond);
}

static const char *const names[] = {"PREDICT_LOADS_1_OUTPUT", "PREDICT_LOADS_2_OUTPUTS",
                                    "PREDICT_LOADS_4_OUTPUTS", NULL};

/* One step of the loop over i reads an element of A for each output of a thread, one of B for all, and makes as many
 * multiply-adds as outputs. */
static void check_predict(Check *check) {
  for (size_t i = 0; names[i]; i++) {
    double outputs = (double)(1 << i);
    predict_check(check, names[i], SAY_Q_SHARED_LOADS_PER_MULTIPLY_ADD, (outputs + 1) / outputs);
  }
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
    {.title = "beyond", .untouched = UNTOUCHED_EMPTY, .check = check_beyond, .timed = "8x8"},
};

SHEET(.name = "04-ilp", .title = "several outputs per thread", .baseline = 0,
      .untouched = 0xbc6f60ae88de8020, .timed_size = 1024, .tasks = tasks,
      .task_count = sizeof tasks / sizeof tasks[0])
