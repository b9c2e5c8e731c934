/* The tasks of lab 05, the matrix-vector product, and their checks. Tasks 1, 4 and 5 are kernels
 * that the harness launches. Task 2 includes the student's own launch. Task 3 compares predictions
 * with the cost of the addresses. */
#include "explain/explain.h"
#include "grade/sheet.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

enum { TASK_PREDICT = 3 };
enum { TILE = 1024, WARP = 32 }; /* TILE is also the block size. */

/* ---- the subject ---------------------------------------------------------------------------- */

static size_t rows_of(const Instance *x) { return (size_t)x->size[MATVEC_ROWS]; }

static size_t columns_of(const Instance *x) { return (size_t)x->size[MATVEC_COLUMNS]; }

static double element(const Instance *x, int operand, size_t index) {
  return element_get(x->operand[operand], x->element_bytes, index);
}

/* Fills in the margin of each row: the rounding errors of all multiply-adds, in any order of
 * summation. */
static void margin(const Instance *x, double *margin) {
  size_t columns = columns_of(x);
  double unit = x->element_bytes == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
  for (size_t row = 0; row < rows_of(x); row++) {
    for (size_t i = 0; i < columns; i++)
      margin[row] +=
          fabs(element(x, MATVEC_MATRIX, row * columns + i) * element(x, MATVEC_VECTOR, i));
    margin[row] *= unit * (double)(columns + 8);
  }
}

/* ---- mistakes that explain a wrong result --------------------------------------------------- */

static double product(const Instance *x, size_t m, size_t v) {
  return m < rows_of(x) * columns_of(x)
             ? element(x, MATVEC_MATRIX, m) * element(x, MATVEC_VECTOR, v)
             : NAN;
}

static double right(const Instance *x, size_t row, size_t i) {
  return product(x, row * columns_of(x) + i, i);
}

static double sum_of_both(const Instance *x, size_t row, size_t i) {
  return element(x, MATVEC_MATRIX, row * columns_of(x) + i) + element(x, MATVEC_VECTOR, i);
}

/* Returns the number of lanes that add element i if each lane begins at its lane number and
 * advances by `step`. */
static double met_by_lanes(size_t i, size_t step) {
  size_t times = 0;
  for (size_t lane = 0; lane < WARP && lane <= i; lane++)
    times += (i - lane) % step == 0;
  return (double)times;
}

/* The number of elements in a load of 16 bytes, a pack. */
#define PACK(x) (16 / (x)->element_bytes)

/* Returns the number of elements of a row before its first address that is a multiple of 16
 * bytes. */
static size_t head_of_row(const Instance *x, size_t row) {
  size_t head = (PACK(x) - row * columns_of(x) % PACK(x)) % PACK(x);
  return head < columns_of(x) ? head : columns_of(x);
}

/* Returns the number of elements of a row that are in whole packs. */
static size_t packed_in_row(const Instance *x, size_t row) {
  return (columns_of(x) - head_of_row(x, row)) / PACK(x) * PACK(x);
}

static int part_of_row(const Instance *x, size_t row, size_t i) {
  size_t head = head_of_row(x, row);
  return i < head ? -1 : i >= head + packed_in_row(x, row);
}

typedef enum Kernels { OF_ALL, OF_THREAD, OF_LANES } Kernels;

typedef enum Mistake {
#define HYPOTHESIS(name, says, kernels, term) MISTAKE_##name,
#include "tasks/05-matvec.mistakes.def"
  MISTAKES
} Mistake;

static const struct {
  SayId says;
  Kernels of;
} mistakes[] = {
#define HYPOTHESIS(name, says, kernels, term) {SAY_##says, OF_##kernels},
#include "tasks/05-matvec.mistakes.def"
};

static double term_of(Mistake mistake, const Instance *x, size_t row, size_t i) {
  const size_t rows = rows_of(x), columns = columns_of(x);
  const int part = part_of_row(x, row, i);
#define only(condition) ((condition) ? right(x, row, i) : 0)
  switch (mistake) {
#define HYPOTHESIS(name, says, kernels, term)                                                      \
  case MISTAKE_##name:                                                                             \
    return term;
#include "tasks/05-matvec.mistakes.def"
  default:
    return NAN;
  }
#undef only
}

/* Compares the output with a mistake. The mistake explains the output if it gives the value of
 * every row, and enough rows differ from the correct result. */
static Alibi alibi_of(const Instance *x, const double *margins, const ResultFile *output,
                      Mistake mistake) {
  size_t told = 0, wrong = 0;
  for (size_t row = 0; row < output->rows; row++) {
    double sum = 0;
    for (size_t i = 0; i < columns_of(x); i++)
      sum += term_of(mistake, x, row, i);
    if (output->states[row] != ELEMENT_VALUE || isnan(sum))
      continue;
    if (!(fabs(output->values[row] - sum) <= 2 * margins[row]))
      return ALIBI_CONTRADICTED;
    told++;
    wrong += !(fabs(output->values[row] - x->gold[row]) <= margins[row]);
  }
  return wrong >= 1 && told >= 4 ? ALIBI_NONE : ALIBI_SILENT;
}

static void suspect(const Instance *x, const double *margins, const ResultFile *output, Kernels of,
                    Hypotheses *found) {
  /* If a row is shorter than a warp, lanes without an element store sums of 0. */
  bool enough = output->rows >= 4, whole = true, zero = columns_of(x) >= WARP;
  for (size_t row = 0; row < output->rows; row++) {
    whole &= output->values[row] == floor(output->values[row]);
    zero &= output->values[row] == 0;
  }
  if (enough && zero)
    hypotheses_add(found, SAID(ALL_ZERO));
  if (whole)
    hypotheses_judge(found, enough && !zero ? ALIBI_NONE : ALIBI_SILENT, SAY_WHOLE_NUMBERS);
  for (Mistake mistake = 0; mistake < MISTAKES; mistake++)
    if (mistakes[mistake].of == OF_ALL || mistakes[mistake].of == of)
      hypotheses_judge(found, alibi_of(x, margins, output, mistake), mistakes[mistake].says);
}

static void blame_tile(const Instance *x, const json_t *report, Verdict *verdict) {
  double rows = (double)rows_of(x), threads = TILE * ceil(rows / TILE);
  if (!verdict_past_tile(verdict, report, "cols", rows, (double)columns_of(x), TILE))
    verdict_past_tile(verdict, report, "cols", threads, (double)columns_of(x), TILE);
}

static double operations(const Instance *x) {
  return (2.0 * (double)columns_of(x) - 1) * (double)rows_of(x);
}

static void suspect_thread(const Instance *x, const double *margins, const ResultFile *output,
                           Hypotheses *found) {
  suspect(x, margins, output, OF_THREAD, found);
}

static void suspect_lanes(const Instance *x, const double *margins, const ResultFile *output,
                          Hypotheses *found) {
  suspect(x, margins, output, OF_LANES, found);
}

#define SUBJECT(suspect_, turned_away_)                                                            \
  {                                                                                                \
    .problem = &matvec_problem, .margin = margin, .suspect = suspect_, .blame = blame_tile,        \
    .sums = true, .operations = operations, .drawn_most = {1300, 5000}, .drawn_work = 150000,      \
    .never_stored = SAY_OUT_NEVER_STORED, .grid_too_small = SAY_TOO_FEW_BLOCKS_OF_ROWS,            \
    .turned_away = turned_away_, .by_hand = SAY_FOLLOW_ROWS_BY_HAND,                               \
  }
static const Subject of_threads = SUBJECT(suspect_thread, SAY_ROWS_NOT_STORED);
static const Subject of_lanes = SUBJECT(suspect_lanes, SAY_LANE_NOT_STORING);

static const Subject *subject_of(const char *variant) {
  return strcmp(variant, "warp") == 0 || strcmp(variant, "vector") == 0 ? &of_lanes : &of_threads;
}

static bool all_right(Check *check, const char *variant, const int (*sizes)[2], size_t count) {
  enum { MOST = 16 };
  JudgedRun runs[MOST + 2];
  size_t i = 0, whole = 0;
  for (; i < count && i < MOST; i++) {
    runs[i] = (JudgedRun){
        .subject = subject_of(variant), .variant = variant, .size = {sizes[i][0], sizes[i][1]}};
    /* More rows than 32 warps. A vector of 136 integers below 10 nearly always has zeros. */
    if (sizes[i][0] == 33)
      whole = i;
  }
  runs[i++] = (JudgedRun){.subject = subject_of(variant),
                          .variant = variant,
                          .size = {37, 1031},
                          .fill = FILL_INFINITE};
  runs[i] = runs[whole];
  runs[i++].fill = FILL_WHOLE;
  return judged_all_right(check, runs, i);
}
#define ALL_RIGHT(check, variant, sizes)                                                           \
  all_right(check, variant, sizes, sizeof sizes / sizeof sizes[0])

/* ---- what the kernels did ------------------------------------------------------------------- */

typedef struct Measured {
  int rows, columns;
  LogAccess matrix, vector, out;
  /* shared_loads: a number of requests. stored: a number of bytes. */
  double shared_loads, stored;
  /* barriers: the number for each warp. shuffles: the number for each row. */
  double barriers, shuffles;
  /* width: the number of threads of a block. blocks: the number of blocks. */
  double width, blocks;
  /* shared: the bytes of shared memory of a block. fixed: the bytes of static shared memory. */
  double shared, fixed;
} Measured;

/* Returns the number of requests for v if blocks of 256 threads load v once each. */
static double once_for_each(int rows, int columns) {
  return CEIL_DIV(rows, TILE / 4) * (double)CEIL_DIV(columns, WARP);
}

/* Runs the kernel and fills in its counters. Returns false if the kernel is wrong, or does not
 * access M, v and out. */
static bool measure(Check *check, const char *variant, const char *kernel, const SizeRange *ranges,
                    double work, Measured *m) {
  const JudgedRun run = judged_drawn(
      check, (JudgedRun){.subject = subject_of(variant), .variant = variant}, ranges, work);
  const int rows = run.size[MATVEC_ROWS], columns = run.size[MATVEC_COLUMNS];
  const double tiles = strcmp(variant, "tiled") == 0 ? once_for_each(rows, columns) : 0;
  Trial trial;
  const Log *log = &trial.log;
  bool right = judged_right(check, &run, &trial) && traffic_alone(check, log, kernel) &&
               traffic_loads_alone(check, log, kernel) &&
               traffic_traced(check, log, kernel, MATVEC_OUT, "M, v and out");
  if (right && !(log_access(log, kernel, MATVEC_MATRIX, false, &m->matrix) &&
                 log_access(log, kernel, MATVEC_VECTOR, false, &m->vector) &&
                 log_access(log, kernel, MATVEC_OUT, true, &m->out))) {
    verdict_set(&check->verdict, VERDICT_NO_COUNTERS, SAID(DOES_NOT_READ_MV, kernel));
    right = false;
  }
  m->rows = rows;
  m->columns = columns;
  m->shared_loads = log_shared_loads(log, kernel);
  m->stored = log_counter(log, kernel, "global_store_bytes");
  m->barriers = log_counter(log, kernel, "barriers") / (log_counter(log, kernel, "threads") / WARP);
  m->shuffles = log_exchanges(log, kernel) / rows;
  m->shared = log_shared_bytes(log, kernel);
  m->blocks = log_counter(log, kernel, "blocks");
  m->width = log_counter(log, kernel, "threads") / m->blocks;
  m->fixed = m->shared - log_dynamic_bytes(log, kernel);
  right = right && traffic_clean(check, log, kernel, false, tiles);
  trial_free(&trial);
  return right;
}

static double per_request(const LogAccess *access) { return access->sectors / access->requests; }

/* Gates for a warp per row: neighbouring lanes load neighbouring elements, nothing is loaded twice,
 * and each row is stored once. bytes: the size of one load of a lane. If a row does not begin at a
 * sector boundary, each request touches one more sector. If a row does not begin at a multiple of
 * 16 bytes, it has a head and a tail, and some lanes load one pack more than other lanes. */
enum { REQUESTS_APART = 6 };
static bool shares_a_row(Check *check, const Measured *m, double bytes) {
  double element_bytes = (double)check_element_bytes(check), stored = m->rows * element_bytes;
  double row = m->columns * element_bytes, shifted = fmod(row, 32) > 0;
  double packs = ceil(row / bytes / WARP),
         apart = bytes > element_bytes && fmod(row, bytes * WARP) > 0;
  double requests = m->rows * packs, sectors = WARP * bytes / 32;
  const SayId why = bytes == element_bytes ? SAY_LANES_SIDE_BY_SIDE
                    : apart > 0            ? SAY_RAGGED_ROW_HAS_PACKS
                                           : SAY_LANES_TAKE_PACKS;
  return CHECK_GATES(check,
                     {SAY_Q_REQUESTS_FOR_M, m->matrix.requests, requests,
                      requests + REQUESTS_APART * apart * m->rows, why, &m->matrix},
                     {SAY_Q_SECTORS_PER_REQUEST_M, per_request(&m->matrix), sectors,
                      sectors + shifted, why, &m->matrix},
                     {SAY_Q_BYTES_STORED, m->stored, stored, stored, why, &m->out});
}

/* Gates for a thread per row: each element of M is loaded once, and each element of out is stored
 * once. Threads of the last warp that have no row may read another row. */
static bool each_once(Check *check, const Measured *m, SayId why) {
  double bytes = (double)check_element_bytes(check), stored = m->rows * bytes;
  double warps = ceil((double)m->rows / WARP);
  double idle = ceil(m->rows / m->width) * m->width / WARP - warps;
  double requests = warps * m->columns, elements = (double)m->rows * m->columns;
  double spare = idle > 0 ? idle * m->columns : 0, beside = m->rows % WARP ? m->columns : 0;
  return CHECK_GATES(
      check,
      {SAY_Q_REQUESTS_FOR_M, m->matrix.requests, requests, requests + spare, why, &m->matrix},
      {SAY_Q_SECTORS_FOR_M, m->matrix.sectors, elements, elements + spare + beside, why,
       &m->matrix},
      {SAY_Q_BYTES_STORED, m->stored, stored, stored, why, &m->out});
}

/* Applies the gates of each_once to a grid of several blocks. Only such a grid shows whether every
 * block computes all rows. */
static bool each_once_in_blocks(Check *check, const Measured *m) {
  bool held = each_once(check, m, SAY_ROW_HAS_ONE_THREAD);
  if (!held)
    verdict_fact(&check->verdict, "", SAID(WITH_ROWS_IN_BLOCKS, m->rows, m->blocks));
  return held;
}

/* Gates for the tile of v: dynamic shared memory for one tile (or for two alternating tiles), and
 * two barriers per tile. */
static bool in_tiles(Check *check, const Measured *m) {
  double tile = TILE * (double)check_element_bytes(check), tiles = CEIL_DIV(m->columns, TILE);
  return CHECK_GATES(
      check, {SAY_Q_STATIC_SHARED_BYTES, m->fixed, 0, 0, SAY_SIZE_FROM_THE_LAUNCH, NULL},
      {SAY_Q_SHARED_BYTES, m->shared, tile, 2 * tile, SAY_TILE_OF_BLOCK_LENGTH, NULL},
      {SAY_Q_BARRIERS_OF_WARP, m->barriers, 2 * tiles, 2 * tiles, SAY_BARRIERS_OF_A_TILE, NULL});
}

/* Gate for shuffles. Five shuffles add up 32 lanes; a value of 8 bytes needs two instructions for
 * each. One more shuffle may send the sum to all lanes. */
static bool folds(Check *check, const Measured *m) {
  double ideal = 5 * (double)check_element_bytes(check) / 4;
  return CHECK_GATES(
      check, {SAY_Q_SHUFFLES_PER_ROW, m->shuffles, ideal, 1.2 * ideal, SAY_FOLD_IN_HALF, NULL});
}

/* ---- the tasks ------------------------------------------------------------------------------ */

static void check_naive(Check *check) {
  static const int sizes[][2] = {{1024, 64}, {33, 136}, {1000, 13}, {1, 1},
                                 {7, 300},   {1025, 5}, {2050, 33}, {9, 2060}};
  /* The first range gives one whole block, the second range several blocks. */
  static const SizeRange whole[] = {{1024, 1024, 1024}, {128, 32, 384}},
                         any[] = {{1025, 1, 3000}, {33, 1, 200}};
  static const int in_small_blocks[][2] = {{200, 31}};
  Measured m;
  if (!ALL_RIGHT(check, "naive", sizes) || !ALL_RIGHT(check, "naive-64", in_small_blocks) ||
      check->settings->build.on_gpu || !measure(check, "naive", "matvec_naive", whole, 4e5, &m))
    return;
  if (each_once(check, &m, SAY_ROW_IN_REGISTER) &&
      measure(check, "naive", "matvec_naive", any, 2e5, &m))
    each_once_in_blocks(check, &m);
}

/* Gate for the loads of v. The naive kernel loads an element of v with each element of M. With a
 * tile of at least 256 elements, a block loads each element of v once, 32 elements per request. */
static bool v_comes_in_tiles(Check *check, const Measured *m) {
  const double naive = CEIL_DIV(m->rows, WARP) * (double)m->columns;
  const double ideal = CEIL_DIV(m->columns, WARP), most = once_for_each(m->rows, m->columns);
  Verdict *verdict = &check->verdict;
  double gate = fmin(most, m->blocks * ideal); /* each block loads v once */
  if (check_gate(check, SAY_Q_REQUESTS_FOR_V, m->vector.requests, ideal, gate, &m->vector))
    return true;
  verdict_fact(verdict, "", SAID(WITHOUT_TILES, naive));
  verdict_cause(verdict, m->width < TILE / 4          ? SAID(BLOCKS_TOO_SMALL, m->width)
                         : m->vector.requests <= most ? SAID(V_LOADED_AGAIN)
                                                      : SAID(V_FROM_THE_TILE));
  return false;
}

/* Task 2: checks the kernel and its launch, which are parts with separate points. */
static void check_tiled(Check *check) {
  static const int sizes[][2] = {{1030, 40}, {96, 3072}, {128, 1030}, {33, 2050}, {200, 1023},
                                 {1024, 40}, {1, 1},     {2050, 1},   {3, 60000}};
  static const SizeRange whole[] = {{1024, 1024, 1024}, {1056, 32, 1536}},
                         any[] = {{1025, 1, 1100}, {1025, 1, 1400}};
  /* `large` needs more blocks than a grid can have along y. In `sizes`, the vector of 60000
   * elements does not fit into shared memory. */
  static const JudgedRun large = {
      .subject = &of_threads, .variant = "tiled", .size = {70000000, 1}};
  static const JudgedRun small = {.subject = &of_threads, .variant = "tiled", .size = {40, 33}};
  static const HostSide side = {
      .function = "launch_tiled", .calls = "cudaLaunch", .cause = SAY_BLOCKS_ALONG_X_ROWS};
  Measured m;
  bool right = ALL_RIGHT(check, "tiled", sizes), counted = !check->settings->build.on_gpu;
  if (!right && check->verdict.kind == VERDICT_UNINITIALISED)
    verdict_cause(&check->verdict, SAID(EACH_THREAD_LOADS_ITS_OWN));
  if (right && counted && measure(check, "tiled", "matvec_tiled", whole, 1.6e6, &m) &&
      v_comes_in_tiles(check, &m) && in_tiles(check, &m) && each_once(check, &m, SAY_NOTHING) &&
      measure(check, "tiled", "matvec_tiled", any, 1.6e6, &m) && v_comes_in_tiles(check, &m) &&
      in_tiles(check, &m))
    each_once_in_blocks(check, &m);
  check_end_part(check);
  if (counted && host_tells_launches(check, &side, &small))
    host_counts_bytes(check, &side, &large);
  check_end_part(check);
}

static const char *const names[] = {"PREDICT_NAIVE_SECTORS_PER_REQUEST",
                                    "PREDICT_TILED_SECTORS_PER_REQUEST",
                                    "PREDICT_WARP_SECTORS_PER_REQUEST", NULL};

/* Task 3. In the naive and the tiled kernel each lane has a row, so the lanes of a warp load
 * elements that are a row apart. If the lanes share a row, they load consecutive elements. The task
 * asks for float and for rows longer than a sector. */
static void check_predict(Check *check) {
  static const SayId what[] = {SAY_Q_SECTORS_PER_REQUEST_NAIVE, SAY_Q_SECTORS_PER_REQUEST_TILED,
                               SAY_Q_SECTORS_PER_REQUEST_WARP};
  static const size_t apart[] = {TILE, TILE, 1};
  for (size_t i = 0; names[i]; i++)
    predict_check(check, names[i], what[i],
                  pattern_sectors(apart[i] * sizeof(float), sizeof(float)));
  if (verdict_failed(&check->verdict))
    verdict_cause(&check->verdict, SAID(COUNT_PIECES_OF_32));
}

static const int by_warps[][2] = {{64, 256}, {33, 136},  {1000, 13}, {1, 1},
                                  {7, 300},  {5, 2051},  {257, 31},  {9, 1026},
                                  {13, 1},   {3, 33000}, {33000, 2}, {2, 140001}};
/* Sizes at which each lane has the same number of whole packs. */
static const SizeRange whole_packs[] = {{64, 32, 512}, {1152, 128, 3072}},
                       /* Rows of odd length, most of which do not begin at a multiple of 16
                        * bytes. */
    any_rows[] = {{33, 1, 500}, {1001, 2, 2299}};
enum { WORK_OF_WARPS = 400000 };

static bool gate_lanes(Check *check, const Measured *m) {
  return shares_a_row(check, m, (double)check_element_bytes(check)) &&
         CHECK_GATES(check,
                     {SAY_Q_SHARED_LOADS, m->shared_loads, 0, 0, SAY_NO_SHARED_IN_A_WARP, NULL},
                     {SAY_Q_BARRIERS_OF_WARP, m->barriers, 0, 0, SAY_NO_SHARED_IN_A_WARP, NULL}) &&
         folds(check, m);
}

static void check_warp(Check *check) {
  Measured m;
  if (ALL_RIGHT(check, "warp", by_warps) && !check->settings->build.on_gpu &&
      measure(check, "warp", "matvec_warp", whole_packs, WORK_OF_WARPS, &m) &&
      gate_lanes(check, &m) && measure(check, "warp", "matvec_warp", any_rows, WORK_OF_WARPS, &m))
    gate_lanes(check, &m);
}

static bool gate_packs(Check *check, const Measured *m) {
  return shares_a_row(check, m, 16) && folds(check, m);
}

static void check_vector(Check *check) {
  Measured m;
  bool right = ALL_RIGHT(check, "vector", by_warps);
  if (check->verdict.kind == VERDICT_MISALIGNED && strcmp(check->verdict.buffer, "v") == 0)
    verdict_cause(&check->verdict, SAID(V_NOT_ALIGNED));
  else if (check->verdict.kind == VERDICT_MISALIGNED)
    verdict_cause(&check->verdict, SAID(PACKS_NOT_ALIGNED));
  if (right && !check->settings->build.on_gpu &&
      measure(check, "vector", "matvec_vector", whole_packs, WORK_OF_WARPS, &m) &&
      gate_packs(check, &m) &&
      measure(check, "vector", "matvec_vector", any_rows, WORK_OF_WARPS, &m))
    gate_packs(check, &m);
}

static Task tasks[] = {
    {.title = "naive", .untouched = UNTOUCHED_EMPTY, .check = check_naive},
    {.title = "tiled",
     .untouched = UNTOUCHED_EMPTY,
     .parts = {SAY_PART_KERNEL, SAY_PART_LAUNCH},
     .check = check_tiled,
     .timed = "tiled"},
    {.title = "predict", .predictions = names, .check = check_predict},
    {.title = "a warp per row",
     .untouched = UNTOUCHED_EMPTY,
     .predict_first = TASK_PREDICT,
     .check = check_warp,
     .timed = "warp"},
    {.title = "beyond: 16 bytes a load",
     .untouched = UNTOUCHED_EMPTY,
     .check = check_vector,
     .timed = "vector"},
};

SHEET(.name = "05-matvec", .title = "matrix-vector product", .baseline = 0,
      .untouched = 0x24417b04df1a1afd, .timed_size = 4096, .tasks = tasks,
      .task_count = sizeof tasks / sizeof tasks[0])
