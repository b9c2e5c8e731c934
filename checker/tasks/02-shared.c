/* The tasks of lab 02, tiles in shared memory, and their checks. Task 1 is checked in the warm-up
 * kernel, task 2 in the given kernel `tiles`, tasks 3 and 4 in the product. Task 5 asks by which
 * factor the product loads fewer sectors than the naive kernel. */
#include "explain/explain.h"
#include "grade/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

enum { PIECE = 128, TILE = 32 }; /* as in shared.cu */
enum { PARAMETER_A, PARAMETER_B };
enum { TASK_WARM_UP = 1, TASK_LOAD, TASK_MULTIPLY };

static double *values_of(const Instance *instance, int operand) {
  size_t count = operand_bytes(instance, operand) / instance->element_bytes;
  double *all = numbers(count);
  for (size_t i = 0; i < count; i++)
    all[i] = element_get(instance->operand[operand], instance->element_bytes, i);
  return all;
}

static bool within(double got, double expected, double margin) {
  return fabs(got - expected) <= margin; /* false for NaN */
}

/* ---- warm-up: reverses each piece of a vector ------------------------------------------------ */

static void reversed(const Instance *instance, double *y) {
  gold_reversed(instance, (size_t)instance->size[0], (size_t)PIECE, y);
}

/* The margin is 0, because elements are moved without arithmetic. */
static void no_margin(const Instance *instance, double *margin) {
  memset(margin, 0, (size_t)instance->size[0] * sizeof *margin);
}

static void suspect_reversed(const Instance *instance, const double *margin,
                             const ResultFile *output, Hypotheses *found) {
  size_t n = (size_t)instance->size[0], same = 0, whole = 0, first = 0;
  double *x = values_of(instance, 0);
  (void)margin;
  for (size_t i = 0; i < n; i++) {
    same += output->values[i] == x[i];
    whole += output->values[i] == x[n - 1 - i];
    size_t piece = i / PIECE * PIECE, count = n - piece < (size_t)PIECE ? n - piece : (size_t)PIECE;
    first += output->values[i] == x[count - 1 - (i - piece)];
  }
  free(x);
  if (n > 1 && same == n)
    hypotheses_add(found, SAID(Y_IS_X));
  if (n > (size_t)PIECE && first == n)
    hypotheses_add(found, SAID(FIRST_PIECE_TURNED));
  if (n > (size_t)PIECE && whole == n)
    hypotheses_add(found, SAID(VECTOR_TURNED));
}

/* Explains an access out of bounds. Thread i uses element count - 1 - i of its piece. If `count` is
 * the number of elements up to the end of the vector, the first piece would have n elements. */
static void blame_count(const Instance *instance, const json_t *report, Verdict *verdict) {
  long long block = json_integer_value(json_array_get(json_object_get(report, "block"), 0));
  long long thread = json_integer_value(json_array_get(json_object_get(report, "thread"), 0));
  if (verdict->kind == VERDICT_OUT_OF_BOUNDS && strcmp(text_at(report, "buffer"), "piece") == 0 &&
      number_at(report, "element") == instance->size[0] - PIECE * block - 1 - thread)
    verdict_cause(verdict, SAID(COUNT_PAST_PIECE));
}

static const Problem reverse_problem = {
    .formula = "y = x, each piece turned around",
    .size_names = {"n"},
    .operands = {{"x", 0, ONE, {1, 0}}, {"y", 0, ONE, {0, 0}}},
    .gold = reversed,
};

static const Subject reverse_subject = {
    .problem = &reverse_problem,
    .margin = no_margin,
    .suspect = suspect_reversed,
    .blame = blame_count,
    .moves = true,
    .drawn_most = {9999},
    .drawn_work = 9999,
    .never_stored = SAY_COUNT_IS_ZERO,
    .turned_away = SAY_COUNT_TOO_SMALL,
};

/* Checks the cost of the warm-up: each element is loaded once, passed to another thread through
 * shared memory with one barrier, and stored once. */
static bool through_pieces(Check *check, SizeRange range) {
  const char *kernel = "reverse_pieces";
  const JudgedRun run = judged_drawn(
      check, (JudgedRun){.subject = &reverse_subject, .variant = "warmup"}, &range, range.most);
  const int n = run.size[0],
            in_short = n % PIECE ? PIECE / 32 : 0; /* warps of a short last piece */
  const double bytes = n * (double)check_element_bytes(check);
  Trial trial;
  const Log *log = &trial.log;
  const bool right = judged_right(check, &run, &trial);
  const double loaded = log_counter(log, kernel, "global_load_bytes");
  const double barriers =
      log_counter(log, kernel, "barriers") / (log_counter(log, kernel, "threads") / 32);
  if (right &&
      (!(log_counter(log, kernel, "shared_load_requests") > 0) || log_shared_kept(log, kernel))) {
    verdict_say(&check->verdict, VERDICT_NOT_SHARED);
    verdict_cause(&check->verdict, SAID(GO_THROUGH_SHARED));
  } else if (right &&
             CHECK_GATES(
                 check, {SAY_Q_BYTES_LOADED, loaded, bytes, bytes, SAY_ONE_LOAD_ONE_BARRIER, NULL},
                 {SAY_Q_BARRIERS_OF_WARP, barriers, 1, 1, SAY_ONE_LOAD_ONE_BARRIER, NULL})) {
    traffic_stored_once(check, log, kernel, bytes, bytes / 32 + 2 * in_short);
  }
  trial_free(&trial);
  return !verdict_failed(&check->verdict);
}

static void check_warm_up(Check *check) {
  static const int sizes[] = {128, 256, 300, 129, 127, 1};
  const SizeRange whole = {PIECE, PIECE, 12 * PIECE}, any = {PIECE + 1, 1, 12 * PIECE};
  JudgedRun runs[sizeof sizes / sizeof sizes[0]];
  size_t count = sizeof sizes / sizeof sizes[0];
  for (size_t i = 0; i < count; i++)
    runs[i] = (JudgedRun){.subject = &reverse_subject, .variant = "warmup", .size = {sizes[i]}};
  if (judged_all_right(check, runs, count) && !check->settings->build.on_gpu &&
      through_pieces(check, whole))
    through_pieces(check, any);
}

/* ---- load: the tiles of one step ------------------------------------------------------------- */

/* A thread of the grid in one step. The element that it loads depends on these values. */
typedef struct Spot {
  /* The sizes of the matrices. */
  size_t m, k, n;
  /* above: the number of rows above the thread's block. left: the number of columns to its left.
   * (x, y): the position of the thread in the block. t: the number of the step times TILE. */
  size_t above, left, x, y, t;
} Spot;

static size_t a_right(const Spot *p) { return (p->above + p->y) * p->k + p->t + p->x; }
static size_t b_right(const Spot *p) { return (p->t + p->y) * p->n + p->left + p->x; }

/* A mistake in the tiles. For a load, returns the wrong index. For a guard, returns true if the
 * guard excludes the element. */
typedef size_t Pick(const Spot *);
#define PICK(name, value)                                                                          \
  static size_t name(const Spot *p) {                                                              \
    const size_t m = p->m, k = p->k, n = p->n, above = p->above, left = p->left, x = p->x;         \
    const size_t y = p->y, t = p->t;                                                               \
    (void)m, (void)k, (void)n, (void)above, (void)left, (void)x, (void)y, (void)t;                 \
    return (value);                                                                                \
  }
#define A_TILE(name, id, index) PICK(pick_##name, index)
#define B_TILE(name, id, index) PICK(pick_##name, index)
#define TILE_GUARD(name, id, condition) PICK(pick_##name, condition)
#include "tasks/02-shared.mistakes.def"

typedef struct TileSuspect {
  Pick *pick;
  SayId says;
} TileSuspect;
#define ROW(name, id) {pick_##name, SAY_##id},
#define A_TILE(name, id, index) ROW(name, id)
#define B_TILE(name, id, index)
#define TILE_GUARD(name, id, condition)
static const TileSuspect a_suspects[] = {
    {a_right, SAY_NOTHING},
#include "tasks/02-shared.mistakes.def"
};
#define A_TILE(name, id, index)
#define B_TILE(name, id, index) ROW(name, id)
#define TILE_GUARD(name, id, condition)
static const TileSuspect b_suspects[] = {
    {b_right, SAY_NOTHING},
#include "tasks/02-shared.mistakes.def"
};
#define A_TILE(name, id, index)
#define B_TILE(name, id, index)
#define TILE_GUARD(name, id, condition) ROW(name, id)
static const TileSuspect guards[] = {
#include "tasks/02-shared.mistakes.def"
};
enum { TILE_SUSPECTS = sizeof a_suspects / sizeof a_suspects[0] };

/* Returns the thread for an element of C, and the step that the given kernel chooses for its
 * block. */
static Spot spot_of(const Instance *instance, size_t row, size_t column) {
  Spot p = {.m = (size_t)instance->size[MATMUL_M],
            .k = (size_t)instance->size[MATMUL_K],
            .n = (size_t)instance->size[MATMUL_N],
            .x = column % TILE,
            .y = row % TILE};
  p.above = row - p.y;
  p.left = column - p.x;
  p.t = (row / TILE + column / TILE) % CEIL_DIV(p.k, (size_t)TILE) * TILE;
  return p;
}

/* Returns the product of the elements at row y and column x of both tiles, or NaN if a load is
 * outside of its matrix. Only whole tiles are compared; task 4 checks the edges in the product. */
static double spot_product(const Spot *p, const double *A, const double *B, Pick *a, Pick *b) {
  size_t a_at = a(p), b_at = b(p);
  return a_at < p->m * p->k && b_at < p->k * p->n ? A[a_at] * B[b_at] : NAN;
}

static void tile_products(const Instance *instance, double *C) { gold_tiles(instance, TILE, C); }

/* The margin is the rounding of one multiplication of numbers below 1. */
static void one_rounding(const Instance *instance, double *margin) {
  size_t count = (size_t)instance->size[MATMUL_M] * (size_t)instance->size[MATMUL_N];
  for (size_t at = 0; at < count; at++)
    margin[at] = instance->element_bytes == sizeof(float) ? 1e-7 : 1e-15;
}

/* Compares a result with a pair of mistakes. The pair must explain at least one wrong element that
 * is not 0, because a 0 may also be the effect of a wrong guard. */
static Alibi alibi_of(const Instance *instance, const double *A, const double *B, Pick *a, Pick *b,
                      const double *margin, const ResultFile *output) {
  size_t told = 0, wrong = 0, count = output->rows * output->columns;
  for (size_t at = 0; at < count; at++) {
    Spot p = spot_of(instance, at / output->columns, at % output->columns);
    double product = spot_product(&p, A, B, a, b);
    if (isnan(product) || output->values[at] == 0) /* unknown: a load outside, or a guard's 0 */
      continue;
    if (!within(output->values[at], product, margin[at]))
      return ALIBI_CONTRADICTED;
    told++;
    wrong += !within(output->values[at], instance->gold[at], margin[at]);
  }
  return told * 4 > count && wrong ? ALIBI_NONE : ALIBI_SILENT;
}

/* Compares a result with the effect of a guard that uses a wrong size and so leaves zeros in the
 * tile. */
static Alibi alibi_of_guard(const Instance *instance, Pick *guard, const double *margin,
                            const ResultFile *output) {
  size_t wrong = 0;
  for (size_t at = 0; at < output->rows * output->columns; at++) {
    Spot p = spot_of(instance, at / output->columns, at % output->columns);
    if (!within(output->values[at], guard(&p) ? 0 : instance->gold[at], margin[at]))
      return ALIBI_CONTRADICTED;
    wrong += !within(output->values[at], instance->gold[at], margin[at]);
  }
  return wrong ? ALIBI_NONE : ALIBI_SILENT;
}

/* Returns the cause if As contains elements of B, or Bs contains elements of A; otherwise
 * SAY_NOTHING. The index in the wrong matrix may be the index for A or the index for B. */
static SayId from_the_other(const Instance *instance, const double *A, const double *B,
                            const double *margin, const ResultFile *output) {
  size_t a = operand_bytes(instance, MATMUL_A) / instance->element_bytes;
  size_t b = operand_bytes(instance, MATMUL_B) / instance->element_bytes;
  bool agrees[4] = {true, true, true, true}; /* As from B, with A's and with B's index; Bs from A */
  size_t told = 0;
  for (size_t at = 0; at < output->rows * output->columns; at++) {
    Spot p = spot_of(instance, at / output->columns, at % output->columns);
    size_t index[] = {a_right(&p), b_right(&p)};
    for (size_t i = 0; i < 4; i++) {
      bool known = index[i % 2] < (i < 2 ? b : a) && index[0] < a && index[1] < b;
      double other = !known  ? 0
                     : i < 2 ? B[index[i % 2]] * B[index[1]]
                             : A[index[0]] * A[index[i % 2]];
      agrees[i] &= !known || within(output->values[at], other, margin[at]);
      told += known;
    }
  }
  return told < 64                ? SAY_NOTHING
         : agrees[0] || agrees[1] ? SAY_AS_FROM_B
         : agrees[2] || agrees[3] ? SAY_BS_FROM_A
                                  : SAY_NOTHING;
}

static void suspect_tiles(const Instance *instance, const double *margin, const ResultFile *output,
                          Hypotheses *found) {
  for (size_t i = 0; i < sizeof guards / sizeof guards[0]; i++)
    hypotheses_judge(found, alibi_of_guard(instance, guards[i].pick, margin, output),
                     guards[i].says);
  double *A = values_of(instance, MATMUL_A), *B = values_of(instance, MATMUL_B);
  for (size_t both = 1; both < TILE_SUSPECTS * TILE_SUSPECTS; both++) {
    const TileSuspect *a = &a_suspects[both % TILE_SUSPECTS];
    const TileSuspect *b = &b_suspects[both / TILE_SUSPECTS];
    hypotheses_judge(found, alibi_of(instance, A, B, a->pick, b->pick, margin, output),
                     a->says ? a->says : b->says);
  }
  SayId other = from_the_other(instance, A, B, margin, output);
  if (other)
    hypotheses_add(found, said_plain(other));
  free(A);
  free(B);
}

/* Returns the number of threads whose index, with this mistake, is not below `elements`. */
static size_t threads_outside(const Instance *instance, Pick *pick, size_t elements) {
  const size_t rows = (size_t)instance->size[MATMUL_M], columns = (size_t)instance->size[MATMUL_N];
  size_t outside = 0;
  for (size_t at = 0; at < rows * columns; at++) {
    Spot p = spot_of(instance, at / columns, at % columns);
    outside += pick(&p) >= elements;
  }
  return outside;
}

/* Returns the mistake with which this thread accesses the element that the report names. If several
 * mistakes do, chooses the mistake with which as many threads access elements outside as the report
 * says. Returns SAY_NOTHING if no mistake remains, or more than one. */
static SayId slip_of(const Instance *instance, int operand, const Spot *p, const json_t *report) {
  const TileSuspect *all = operand == MATMUL_A ? a_suspects : b_suspects;
  const size_t elements = operand_bytes(instance, operand) / instance->element_bytes;
  const size_t element = (size_t)number_at(report, "element");
  const size_t times = (size_t)number_at(report, "times");
  SayId only[2] = {SAY_NOTHING, SAY_NOTHING}; /* by element; by element and threads */
  size_t count[2] = {0, 0};
  for (size_t i = 1; i < TILE_SUSPECTS; i++) {
    if (all[i].pick(p) != element)
      continue;
    const bool exact = threads_outside(instance, all[i].pick, elements) == times;
    for (size_t by = 0; by < 1u + exact; by++) {
      count[by] += only[by] != all[i].says;
      only[by] = all[i].says;
    }
  }
  return count[1] == 1 ? only[1] : count[0] == 1 ? only[0] : SAY_NOTHING;
}

/* Explains a load outside of A or B. */
static void blame_tiles(const Instance *instance, const json_t *report, Verdict *verdict) {
  const char *buffer = text_at(report, "buffer");
  const bool of_a = strcmp(buffer, "A") == 0;
  if (verdict->kind != VERDICT_OUT_OF_BOUNDS || (!of_a && strcmp(buffer, "B") != 0) ||
      !json_object_get(report, "thread"))
    return;
  size_t at[4];
  for (size_t i = 0; i < 4; i++)
    at[i] = (size_t)json_integer_value(
        json_array_get(json_object_get(report, i < 2 ? "thread" : "block"), i % 2));
  const Spot p = spot_of(instance, at[3] * TILE + at[1], at[2] * TILE + at[0]);
  const bool before = json_object_get(report, "elements_before");
  const SayId slip =
      before ? SAY_NOTHING : slip_of(instance, of_a ? MATMUL_A : MATMUL_B, &p, report);
  if (slip)
    verdict_proven(verdict, said_plain(slip));
  else if (of_a)
    verdict_cause(verdict, SAID(A_TILE_OUTSIDE, at[0], at[1], at[2], at[3], p.t / TILE));
  else
    verdict_cause(verdict, SAID(B_TILE_OUTSIDE, at[0], at[1], at[2], at[3], p.t / TILE));
}

static const Problem tiles_problem = {
    .formula = "C = the tiles of one step, place by place",
    .size_names = {"m", "k", "n"},
    .operands = {{"A", MATMUL_M, MATMUL_K, {0, 0}},
                 {"B", MATMUL_K, MATMUL_N, {0, 0}},
                 {"C", MATMUL_M, MATMUL_N, {0, 0}}},
    .gold = tile_products,
};

static const Subject tiles_subject = {
    .problem = &tiles_problem,
    .margin = one_rounding,
    .suspect = suspect_tiles,
    .blame = blame_tiles,
    .moves = true,
    .drawn_most = {300, 400, 300},
    .drawn_work = 1500000,
    .never_stored = SAY_TILES_STORE_ALL,
    .turned_away = SAY_TILES_STORE_ALL,
};

/* The first run has several steps and several rows and columns of blocks, so that different
 * mistakes give different results. */
static const JudgedRun loads[] = {
    {.subject = &tiles_subject, .variant = "tiles", .size = {64, 96, 128}},
    {.subject = &tiles_subject, .variant = "tiles", .size = {96, 64, 32}},
    {.subject = &tiles_subject, .variant = "tiles", .size = {32, 32, 64}},
};
enum { LOADS = sizeof loads / sizeof loads[0] };

/* Returns true if no guard excludes this element, not even one that compares an index with a wrong
 * size or with a size minus one. */
static bool beyond_guards(const Instance *instance, size_t row, size_t column) {
  const Spot p = spot_of(instance, row, column);
  const size_t least = p.m < p.k ? (p.m < p.n ? p.m : p.n) : p.k < p.n ? p.k : p.n;
  return row + 1 < least && column + 1 < least && p.t + p.x + 1 < least && p.t + p.y + 1 < least;
}

/* Returns true if all elements for which beyond_guards is true are right. Other elements are not
 * compared. */
static bool right_beyond_guards(Check *check, const JudgedRun *run) {
  const size_t rows = (size_t)run->size[MATMUL_M], columns = (size_t)run->size[MATMUL_N];
  const Recipe recipe = {FILL_UNIFORM, check->settings->run.seed};
  Instance instance = instance_make(&tiles_problem, run->size, check_element_bytes(check), recipe);
  Trial trial = judged_start(check, run, NULL);
  const ResultFile *output = &trial.output;
  double *margin = numbers(rows * columns);
  instance_gold(&instance);
  one_rounding(&instance, margin);
  bool right = trial.end.how == CHILD_EXITED && !log_report(&trial.log, "error") && output->there &&
               output->rows == rows && output->columns == columns;
  for (size_t at = 0; at < rows * columns && right; at++)
    right = !beyond_guards(&instance, at / columns, at % columns) ||
            (output->states[at] == ELEMENT_VALUE &&
             within(output->values[at], instance.gold[at], margin[at]));
  free(margin);
  trial_free(&trial);
  instance_free(&instance);
  return right;
}

/* Task 2: checks the loads. The guards are in the same lines, but a wrong guard is a mistake in
 * task 4 only. */
static void check_load(Check *check) {
  const SizeRange tiles = {2 * TILE, TILE, 6 * TILE};
  if (judged_all_right(check, loads, LOADS))
    return;
  const JudgedRun drawn = judged_drawn(check, loads[0], (const SizeRange[]){tiles, tiles, tiles},
                                       tiles_subject.drawn_work);
  bool right = right_beyond_guards(check, &drawn);
  for (size_t i = 0; i < LOADS && right; i++)
    right = right_beyond_guards(check, &loads[i]);
  if (right)
    memset(&check->verdict, 0, sizeof check->verdict);
}

/* ---- traffic --------------------------------------------------------------------------------- */

/* Sums the loads of A and of B. If the kernel does not load one of them, fills in the verdict and
 * returns false. */
static bool loads_of(Check *check, const Log *log, LogAccess *a, LogAccess *b) {
  bool both = log_access(log, "matmul", PARAMETER_A, false, a) &&
              log_access(log, "matmul", PARAMETER_B, false, b);
  if (!both)
    verdict_set(&check->verdict, VERDICT_NO_COUNTERS, SAID(DOES_NOT_READ_AB, "matmul"));
  return both;
}

/* Gates for the sectors per tile. A row of a tile consists of TILE consecutive elements. */
static bool gates_held(Check *check, const TileCosts *costs, const Log *log) {
  const double tiles = costs->elements / 2 / TILE / TILE, gate = costs->sectors / 2 / tiles;
  const double ideal = TILE * TILE * (double)check_element_bytes(check) / 32;
  LogAccess a, b;
  if (!loads_of(check, log, &a, &b))
    return false;
  bool held = check_gate(check, SAY_Q_SECTORS_PER_TILE_A, a.sectors / tiles, ideal, gate, &a);
  held &= check_gate(check, SAY_Q_SECTORS_PER_TILE_B, b.sectors / tiles, ideal, gate, &b);
  bool apart = a.sectors > gate * a.requests / TILE || b.sectors > gate * b.requests / TILE;
  if (!held)
    verdict_cause(&check->verdict,
                  said_plain(apart ? SAY_LOADS_APART : SAY_MORE_TRAFFIC_THAN_TILES));
  return held;
}

/* ---- the product ----------------------------------------------------------------------------- */

/* Gates for barriers and operations: two barriers for each step, and one multiply-add for each
 * term. steps: the number of additional steps that are allowed. */
static bool costs_held(Check *check, const TileCosts *costs, const Log *log, double steps) {
  double needed = costs->steps, flop = 2 * costs->multiply_adds / needed;
  double warps = log_counter(log, "matmul", "threads") / 32;
  double barriers = log_counter(log, "matmul", "barriers") / warps;
  double operations = log_counter(log, "matmul", "flop");
  return traffic_clean(check, log, "matmul", false, costs->elements / TILE) &&
         CHECK_GATES(check,
                     {SAY_Q_BARRIERS_OF_WARP, barriers, 2 * needed, 2 * (needed + steps),
                      SAY_STEPS_AND_BARRIERS, NULL},
                     {SAY_Q_OPERATIONS, operations, needed * flop, 1.1 * (needed + steps) * flop,
                      SAY_STEPS_AND_BARRIERS, NULL});
}

/* Judges the counters of a run. whole: its sizes are multiples of TILE. */
static bool counted(Check *check, bool whole, double steps) {
  const ProductRun run = product_drawn(check, "shared", TILE, TILE, whole);
  const TileCosts costs = tile_costs(run.m, run.k, run.n, check_element_bytes(check), TILE, TILE);
  Trial trial;
  if (check->settings->build.on_gpu)
    return true;
  bool held = product_right(check, &run, &trial) && product_counted(check, &trial.log, "matmul") &&
              gates_held(check, &costs, &trial.log) &&
              costs_held(check, &costs, &trial.log, steps) &&
              traffic_stored_once(check, &trial.log, "matmul", costs.stored, costs.stored_sectors);
  trial_free(&trial);
  return held;
}

static const ProductRun whole_products[] = {
    {.variant = "shared", .m = 32, .k = 96, .n = 64},
    {.variant = "shared", .m = 64, .k = 96, .n = 128},
};
enum { WHOLE_PRODUCTS = sizeof whole_products / sizeof whole_products[0] };

/* Checks products in which m, n and k are equal. Such a product is right even if a guard or the
 * number of steps uses another of these sizes. */
static bool multiplies_cubes(Check *check) {
  ProductRun cubes[] = {{.variant = "shared", .m = 3 * TILE},
                        product_drawn(check, "shared", TILE, TILE, true)};
  bool held = true;
  for (size_t i = 0; i < sizeof cubes / sizeof cubes[0] && held; i++) {
    ProductRun *run = &cubes[i];
    Trial trial;
    run->m += run->m == TILE ? TILE : 0; /* at least two steps */
    run->k = run->n = run->m;
    const TileCosts costs =
        tile_costs(run->m, run->k, run->n, check_element_bytes(check), TILE, TILE);
    held = product_right_inside(check, run, TILE, &trial) &&
           (check->settings->build.on_gpu ||
            (product_counted(check, &trial.log, "matmul") &&
             gates_held(check, &costs, &trial.log) && costs_held(check, &costs, &trial.log, 1)));
    trial_free(&trial);
  }
  return held;
}

/* Task 3: checks the product. Wrong guards, and a wrong number of steps, are mistakes in task 4. */
static void check_multiply(Check *check) {
  if (product_all_right(check, whole_products, WHOLE_PRODUCTS)) {
    counted(check, true, 1);
    return;
  }
  const Verdict seen = check->verdict;
  memset(&check->verdict, 0, sizeof check->verdict);
  if (!multiplies_cubes(check))
    check->verdict = seen;
}

/* Task 4: checks the edges. Repeats the runs of tasks 2 and 3, in which a wrong guard costs no
 * points. Runs at multiples of TILE exclude some causes. */
static void check_edges(Check *check) {
  static const ProductRun runs[] = {
      {.variant = "shared", .m = 32, .k = 96, .n = 64},
      {.variant = "shared", .m = 64, .k = 96, .n = 128},
      {.variant = "shared", .m = 32, .k = 70, .n = 32},
      {.variant = "shared", .m = 40, .k = 32, .n = 32},
      {.variant = "shared", .m = 32, .k = 32, .n = 40},
      {.variant = "shared", .m = 33, .k = 33, .n = 33},
      {.variant = "shared", .m = 31, .k = 13, .n = 40},
      {.variant = "shared", .m = 96, .k = 70, .n = 13},
      {.variant = "shared", .m = 13, .k = 1, .n = 65},
      {.variant = "shared", .m = 1, .k = 1, .n = 1},
      {.variant = "shared", .m = 40, .k = 44, .n = 50, .fill = FILL_INFINITE},
      {.variant = "shared", .m = 3, .k = 33000, .n = 2}, /* k does not fit in a short */
      {.variant = "shared", .m = 33000, .k = 2, .n = 1},
      {.variant = "shared", .m = 1, .k = 2, .n = 33000},
      {.variant = "shared", .m = 33, .k = 33, .n = 33, .fill = FILL_WHOLE},
  };
  if (judged_all_right(check, loads, LOADS) &&
      product_all_right(check, whole_products, WHOLE_PRODUCTS) &&
      product_all_right(check, runs, sizeof runs / sizeof runs[0]) && counted(check, false, 0))
    counted(check, true, 0);
}

/* Returns true if the student has begun task 4, whose guards are in the lines of task 2. A kernel
 * without these guards reads outside of A or B in both runs. */
static bool edges_begun(Check *check) {
  static const ProductRun runs[] = {
      {.variant = "shared", .m = 40, .k = 32, .n = 32},
      {.variant = "shared", .m = 32, .k = 32, .n = 40},
  };
  const Verdict kept = check->verdict;
  bool begun = false;
  for (size_t i = 0; i < 2 && !begun && !check->settings->build.on_gpu; i++) {
    memset(&check->verdict, 0, sizeof check->verdict);
    product_right(check, &runs[i], NULL);
    begun = check->verdict.kind != VERDICT_OUT_OF_BOUNDS;
  }
  check->verdict = kept;
  return begun;
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* The predictions, in float. For TILE terms, a warp without tiles loads one element of A and a row
 * of B for each term. With tiles it loads one row of A and one row of B once. */
static const char *const names[] = {"PREDICT_A_SECTORS_SAVED", "PREDICT_B_SECTORS_SAVED", NULL};

static void check_predict(Check *check) {
  static const SayId what[] = {SAY_Q_TIMES_FEWER_A, SAY_Q_TIMES_FEWER_B};
  const double row = pattern_sectors(sizeof(float), sizeof(float));
  const double before[] = {TILE * pattern_sectors(0, sizeof(float)), TILE * row};
  for (size_t i = 0; i < 2; i++)
    predict_check(check, names[i], what[i], before[i] / row);
  if (verdict_failed(&check->verdict))
    verdict_cause(&check->verdict, SAID(COUNT_BOTH_WAYS));
}

static Task tasks[] = {
    {.title = "warm-up", .untouched = UNTOUCHED_EMPTY, .check = check_warm_up},
    {.title = "load", .untouched = 0xe3ea8021f469ab92, .check = check_load},
    {.title = "multiply",
     .untouched = UNTOUCHED_EMPTY,
     .needs = TASK_LOAD,
     .check = check_multiply},
    {.title = "ragged edges",
     .untouched = 0xd1848b1fbfeaa468,
     .needs = TASK_MULTIPLY,
     .check = check_edges,
     .begun = edges_begun,
     .timed = "shared"},
    {.title = "predict", .predictions = names, .check = check_predict},
};

SHEET(.name = "02-shared", .title = "tiles in shared memory", .baseline = 0,
      .untouched = 0xd8403a63c453c0f1, .timed_size = 1024, .tasks = tasks,
      .task_count = sizeof tasks / sizeof tasks[0])
