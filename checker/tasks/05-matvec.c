/* Lab 05: the matrix-vector product. Tasks 1, 4 and 5 are kernels that the harness launches, task 2
 * comes with the student's own launch; task 3 is held against what those kernels do.
 */
#include "explain/explain.h"
#include "grade/sheet.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

enum { TASK_PREDICT = 3 };
enum { TILE = 1024, WARP = 32 }; /* a tile is as long as the lab's block */

/* ---- the subject ---------------------------------------------------------------------------- */

static size_t rows_of(const Instance *x) { return (size_t)x->size[MATVEC_ROWS]; }

static size_t columns_of(const Instance *x) { return (size_t)x->size[MATVEC_COLUMNS]; }

static double element(const Instance *x, int operand, size_t index) {
  return element_get(x->operand[operand], x->element_bytes, index);
}

/* A sum of so many products is off by at most the rounding of its multiply-adds, in any order. */
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

/* Term i of the sum of a row by some slip; false: it lies outside M. */
typedef bool Term(const Instance *, size_t row, size_t i, double *term);

static bool multiply(const Instance *x, size_t m, size_t v, double *term) {
  if (m >= rows_of(x) * columns_of(x))
    return false;
  *term = element(x, MATVEC_MATRIX, m) * element(x, MATVEC_VECTOR, v);
  return true;
}

static bool stride_rows(const Instance *x, size_t row, size_t i, double *term) {
  return multiply(x, row * rows_of(x) + i, i, term);
}

static bool transposed(const Instance *x, size_t row, size_t i, double *term) {
  return multiply(x, i * rows_of(x) + row, i, term);
}

static bool down_a_column(const Instance *x, size_t row, size_t i, double *term) {
  return multiply(x, i * columns_of(x) + row, i, term);
}

static bool first_tile_again(const Instance *x, size_t row, size_t i, double *term) {
  return multiply(x, row * columns_of(x) + i, i % TILE, term);
}

static bool first_columns_again(const Instance *x, size_t row, size_t i, double *term) {
  return multiply(x, row * columns_of(x) + i % TILE, i, term);
}

/* The rest leave terms out. */
static bool only_if(bool kept, const Instance *x, size_t row, size_t i, double *term) {
  *term = 0;
  return !kept || multiply(x, row * columns_of(x) + i, i, term);
}

static bool only_last(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i + 1 == columns_of(x), x, row, i, term);
}

static bool lower_lanes(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i % WARP < WARP / 2, x, row, i, term);
}

/* A shuffle by as many lanes as there are hands each its own. */
static bool lower_lanes_twice(const Instance *x, size_t row, size_t i, double *term) {
  bool inside = lower_lanes(x, row, i, term);
  *term *= 2;
  return inside;
}

static bool even_lanes(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i % 2 == 0, x, row, i, term);
}

static bool one_lane(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i % WARP == 0, x, row, i, term);
}

/* The lane that stores has added its own part to itself five times. */
static bool last_lane(const Instance *x, size_t row, size_t i, double *term) {
  bool inside = only_if(i % WARP == WARP - 1, x, row, i, term);
  *term *= WARP;
  return inside;
}

static bool first_lane(const Instance *x, size_t row, size_t i, double *term) {
  bool inside = one_lane(x, row, i, term);
  *term *= WARP;
  return inside;
}

/* Lanes that go on by another number of elements than there are lanes: how many meet element i? */
static bool in_steps_of(size_t step, const Instance *x, size_t row, size_t i, double *term) {
  size_t times = 0;
  for (size_t lane = 0; lane < WARP && lane <= i; lane++)
    times += (i - lane) % step == 0;
  bool inside = only_if(times > 0, x, row, i, term);
  *term *= (double)times;
  return inside;
}

static bool steps_of_1(const Instance *x, size_t row, size_t i, double *term) {
  return in_steps_of(1, x, row, i, term);
}

static bool steps_of_16(const Instance *x, size_t row, size_t i, double *term) {
  return in_steps_of(WARP / 2, x, row, i, term);
}

static bool steps_of_64(const Instance *x, size_t row, size_t i, double *term) {
  return in_steps_of(2 * WARP, x, row, i, term);
}

static bool v_by_row(const Instance *x, size_t row, size_t i, double *term) {
  return multiply(x, row * columns_of(x) + i, row % columns_of(x), term);
}

static bool v_first(const Instance *x, size_t row, size_t i, double *term) {
  return multiply(x, row * columns_of(x) + i, 0, term);
}

static bool without_first(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i > 0, x, row, i, term);
}

static bool without_last(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i + 1 < columns_of(x), x, row, i, term);
}

static bool up_to_rows(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i < rows_of(x), x, row, i, term);
}

static bool twice(const Instance *x, size_t row, size_t i, double *term) {
  bool inside = only_if(true, x, row, i, term);
  *term *= 2;
  return inside;
}

static bool subtracted(const Instance *x, size_t row, size_t i, double *term) {
  bool inside = only_if(true, x, row, i, term);
  *term = -*term;
  return inside;
}

static bool added(const Instance *x, size_t row, size_t i, double *term) {
  *term = element(x, MATVEC_MATRIX, row * columns_of(x) + i) + element(x, MATVEC_VECTOR, i);
  return true;
}

static bool whole_steps(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i < columns_of(x) - columns_of(x) % WARP, x, row, i, term);
}

static bool whole_tiles(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i < columns_of(x) - columns_of(x) % TILE, x, row, i, term);
}

static bool tiles_of_rows(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i / TILE <= (rows_of(x) - 1) / TILE, x, row, i, term);
}

static bool last_tile(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(i >= (columns_of(x) - 1) / TILE * TILE, x, row, i, term);
}

/* How many elements of a row lie before its first multiple of 16 bytes. */
static size_t head_of_row(const Instance *x, size_t row) {
  size_t pack = 16 / x->element_bytes, head = (pack - row * columns_of(x) % pack) % pack;
  return head < columns_of(x) ? head : columns_of(x);
}

/* How many elements lie in its whole packs. */
static size_t packed_in_row(const Instance *x, size_t row) {
  size_t pack = 16 / x->element_bytes;
  return (columns_of(x) - head_of_row(x, row)) / pack * pack;
}

/* Where element i of a row lies: before its first pack (-1), in a whole pack (0), behind the last
 * one (1). */
static int part_of_row(const Instance *x, size_t row, size_t i) {
  size_t head = head_of_row(x, row);
  if (i < head)
    return -1;
  return i >= head + packed_in_row(x, row);
}

static bool without_head(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(part_of_row(x, row, i) >= 0, x, row, i, term);
}

static bool without_tail(const Instance *x, size_t row, size_t i, double *term) {
  return only_if(part_of_row(x, row, i) <= 0, x, row, i, term);
}

static bool tail_again(const Instance *x, size_t row, size_t i, double *term) {
  bool inside = only_if(true, x, row, i, term);
  *term *= i >= packed_in_row(x, row) && part_of_row(x, row, i) <= 0 ? 2 : 1;
  return inside;
}

static bool packs_of_16(const Instance *x, size_t row, size_t i, double *term) {
  size_t pack = 16 / x->element_bytes;
  bool inside = only_if(true, x, row, i, term);
  if (part_of_row(x, row, i) == 0 && (i - head_of_row(x, row)) / pack >= WARP / 2)
    *term *= 2;
  return inside;
}

/* Packs of M behind a head, with the packs of v that have no head. */
static bool v_without_head(const Instance *x, size_t row, size_t i, double *term) {
  size_t j = part_of_row(x, row, i) == 0 ? i - head_of_row(x, row) : i;
  return multiply(x, row * columns_of(x) + i, j, term);
}

/* A thread for each row, or a warp. */
typedef enum Kernels { OF_ALL, OF_THREADS, OF_LANES } Kernels;

static const struct {
  Term *term;
  SayId says;
  Kernels of;
} suspects[] = {
    {v_without_head, SAY_V_WITHOUT_HEAD, OF_LANES},
    {stride_rows, SAY_M_STRIDE_ROWS, OF_ALL},
    {transposed, SAY_M_DOWN_A_COLUMN, OF_ALL},
    {down_a_column, SAY_M_DOWN_A_COLUMN, OF_ALL},
    {first_tile_again, SAY_FIRST_TILE_OF_V_AGAIN, OF_THREADS},
    {first_columns_again, SAY_FIRST_COLUMNS_AGAIN, OF_THREADS},
    {only_last, SAY_ONLY_LAST_PRODUCT, OF_ALL},
    {lower_lanes, SAY_LOWER_LANES_ONLY, OF_LANES},
    {lower_lanes_twice, SAY_LOWER_LANES_TWICE, OF_LANES},
    {even_lanes, SAY_EVEN_LANES_ONLY, OF_LANES},
    {one_lane, SAY_LANE_0_ONLY, OF_LANES},
    {last_lane, SAY_LANE_31_TIMES_32, OF_LANES},
    {first_lane, SAY_LANE_0_TIMES_32, OF_LANES},
    {steps_of_1, SAY_LANES_STEP_1, OF_LANES},
    {steps_of_16, SAY_LANES_STEP_16, OF_LANES},
    {steps_of_64, SAY_LANES_STEP_64, OF_LANES},
    {v_by_row, SAY_V_OF_ROW, OF_ALL},
    {v_first, SAY_V_OF_0, OF_ALL},
    {without_first, SAY_FIRST_PRODUCT_MISSING, OF_ALL},
    {without_last, SAY_LAST_PRODUCT_MISSING_COLS, OF_ALL},
    {even_lanes, SAY_EVERY_OTHER_PRODUCT, OF_THREADS},
    {up_to_rows, SAY_SUM_ENDS_AT_ROWS, OF_ALL},
    {twice, SAY_ADDED_TWICE, OF_ALL},
    {subtracted, SAY_SUBTRACTED, OF_ALL},
    {added, SAY_M_AND_V_ADDED, OF_ALL},
    {whole_tiles, SAY_SHORT_TILE_OF_V_MISSING, OF_THREADS},
    {tiles_of_rows, SAY_TILES_OF_ROWS, OF_THREADS},
    {last_tile, SAY_ONLY_LAST_TILE, OF_THREADS},
    {whole_steps, SAY_SHORT_STEP_MISSING, OF_LANES},
    {tail_again, SAY_TAIL_TWICE, OF_LANES},
    {packs_of_16, SAY_PACKS_STEP_16, OF_LANES},
    {without_head, SAY_HEAD_MISSING, OF_LANES},
    {without_tail, SAY_TAIL_MISSING, OF_LANES},
};

/* The slip's sum of one row; false: it has nothing to say about this row. */
static bool slip(const Instance *x, Term *term, size_t row, double *sum) {
  double one;
  *sum = 0;
  for (size_t i = 0; i < columns_of(x); i++) {
    if (!term(x, row, i, &one))
      return false;
    *sum += one;
  }
  return true;
}

/* It agrees with every row, with enough of them, and not because it came out right. */
static Alibi alibi_of(const Instance *x, const double *margins, const ResultFile *output,
                      Term *term) {
  size_t told = 0, wrong = 0;
  for (size_t row = 0; row < output->rows; row++) {
    double sum;
    if (output->states[row] != ELEMENT_VALUE || !slip(x, term, row, &sum))
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
  /* In a short row, idle lanes of a warp have zeros of their own to store. */
  bool enough = output->rows >= 4, whole = true, zero = columns_of(x) >= WARP;
  for (size_t row = 0; row < output->rows; row++) {
    whole &= output->values[row] == floor(output->values[row]);
    zero &= output->values[row] == 0;
  }
  if (enough && zero)
    hypotheses_add(found, SAID(ALL_ZERO));
  if (whole)
    hypotheses_judge(found, enough && !zero ? ALIBI_NONE : ALIBI_SILENT, SAY_WHOLE_NUMBERS);
  for (size_t i = 0; i < sizeof suspects / sizeof suspects[0]; i++)
    if (suspects[i].of == OF_ALL || suspects[i].of == of)
      hypotheses_judge(found, alibi_of(x, margins, output, suspects[i].term), suspects[i].says);
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
  suspect(x, margins, output, OF_THREADS, found);
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
    if (sizes[i][0] == 33) /* a warp's rows and one more, and soon done */
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

/* Where no edge is in the way: whole blocks of rows, whole tiles of columns. */
enum { ROWS = 1024, COLUMNS = 1024 };

typedef struct Measured {
  int rows, columns;
  LogAccess matrix, vector, out;
  double shared_loads, stored; /* stored: bytes */
  double barriers, shuffles;   /* of a warp, of a row */
  double width, blocks;        /* width: threads of a block */
  double shared, fixed;        /* bytes of shared memory, and those that are not dynamic */
} Measured;

/* False: the kernel is not right yet, or does not touch all three. */
static bool measure_at(Check *check, const char *variant, const char *kernel, int rows, int columns,
                       Measured *m) {
  const JudgedRun run = {
      .subject = subject_of(variant), .variant = variant, .size = {rows, columns}};
  Trial trial;
  const Log *log = &trial.log;
  bool right = judged_right(check, &run, &trial) && traffic_alone(check, log, kernel) &&
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
  m->shuffles = log_counter(log, kernel, "shuffles") / rows;
  m->shared = log_shared_bytes(log, kernel);
  m->blocks = log_counter(log, kernel, "blocks");
  m->width = log_counter(log, kernel, "threads") / m->blocks;
  m->fixed = m->shared - log_dynamic_bytes(log, kernel);
  right = right && traffic_clean(check, log, kernel, false);
  trial_free(&trial);
  return right;
}

static bool measure(Check *check, const char *variant, const char *kernel, Measured *m) {
  return measure_at(check, variant, kernel, ROWS, COLUMNS, m);
}

static double per_request(const LogAccess *access) { return access->sectors / access->requests; }

/* Neighbours side by side, nothing asked for twice, one store for each row. bytes: of a load. */
static bool shares_a_row(Check *check, const Measured *m, double bytes) {
  double element_bytes = (double)check_element_bytes(check), stored = ROWS * element_bytes;
  double requests = ROWS * COLUMNS / WARP * element_bytes / bytes, sectors = WARP * bytes / 32;
  return check_gate(check, SAY_Q_REQUESTS_FOR_M, m->matrix.requests, requests, requests,
                    &m->matrix) &&
         check_gate(check, SAY_Q_SECTORS_PER_REQUEST_M, per_request(&m->matrix), sectors, sectors,
                    &m->matrix) &&
         check_gate(check, SAY_Q_BYTES_STORED, m->stored, stored, stored, &m->out);
}

/* A thread per row: every element of M comes in one load, every one of out in one store. Threads without a row may read some
 * other one, those of the last warp that has one, too. */
static bool each_once(Check *check, const Measured *m) {
  double bytes = (double)check_element_bytes(check), stored = m->rows * bytes;
  double warps = ceil((double)m->rows / WARP), idle = m->width * m->blocks / WARP - warps;
  double requests = warps * m->columns, elements = (double)m->rows * m->columns;
  double spare = idle > 0 ? idle * m->columns : 0, beside = m->rows % WARP ? m->columns : 0;
  return check_gate(check, SAY_Q_REQUESTS_FOR_M, m->matrix.requests, requests, requests + spare,
                    &m->matrix) &&
         check_gate(check, SAY_Q_SECTORS_FOR_M, m->matrix.sectors, elements,
                    elements + spare + beside, &m->matrix) &&
         check_gate(check, SAY_Q_BYTES_STORED, m->stored, stored, stored, &m->out);
}

/* In a grid of several blocks, too, where each block may do what all of them do: at sizes that were run already. */
static bool each_once_in_blocks(Check *check, const char *variant, const char *kernel, int rows,
                                int columns) {
  Measured m;
  if (!measure_at(check, variant, kernel, rows, columns, &m))
    return false;
  if (each_once(check, &m))
    return true;
  verdict_fact(&check->verdict, "", SAID(WITH_ROWS_IN_BLOCKS, rows, m.blocks));
  verdict_cause(&check->verdict, SAID(ROW_HAS_ONE_THREAD));
  check_again(check, "--variant %s --rows %d --cols %d", variant, rows, columns);
  return false;
}

/* Dynamic shared memory, of one tile or two that take turns, and two barriers a tile. */
static bool in_tiles(Check *check, const Measured *m) {
  double tile = TILE * (double)check_element_bytes(check), tiles = COLUMNS / TILE;
  if (!check_gate(check, SAY_Q_STATIC_SHARED_BYTES, m->fixed, 0, 0, NULL))
    verdict_cause(&check->verdict, SAID(SIZE_FROM_THE_LAUNCH));
  else if (!check_gate(check, SAY_Q_SHARED_BYTES, m->shared, tile, 2 * tile, NULL))
    verdict_cause(&check->verdict, SAID(TILE_OF_BLOCK_LENGTH));
  else if (!check_gate(check, SAY_Q_BARRIERS_OF_WARP, m->barriers, 2 * tiles, 2 * tiles, NULL))
    verdict_cause(&check->verdict, SAID(BARRIERS_OF_A_TILE));
  return !verdict_failed(&check->verdict);
}

/* Five folds of values, which are 4 bytes wide or two times that; twice as many for whoever adds them up on
 * all lanes. */
static bool folds(Check *check, const Measured *m) {
  double ideal = 5 * (double)check_element_bytes(check) / 4;
  if (check_gate(check, SAY_Q_SHUFFLES_PER_ROW, m->shuffles, ideal, 2 * ideal, NULL))
    return true;
  verdict_cause(&check->verdict, SAID(FOLD_IN_HALF));
  return false;
}

/* ---- the tasks ------------------------------------------------------------------------------ */

static void check_naive(Check *check) {
  static const int sizes[][2] = {{1024, 64}, {1024, 1024}, {33, 40},  {1000, 13},
                                 {1, 1},     {7, 300},     {1025, 5}, {2050, 33}};
  static const int in_small_blocks[][2] = {{200, 31}};
  Measured m;
  if (!ALL_RIGHT(check, "naive", sizes) || !ALL_RIGHT(check, "naive-64", in_small_blocks) ||
      check->settings->build.on_gpu || !measure(check, "naive", "matvec_naive", &m))
    return;
  if (!each_once(check, &m))
    verdict_cause(&check->verdict, SAID(ROW_IN_REGISTER));
  else
    each_once_in_blocks(check, "naive", "matvec_naive", 2050, 33);
}

/* The naive kernel asks for an element of v in each of its loads of M; a tile of 256 elements and
 * more asks for it once per block, 32 elements a request. */
static bool v_comes_in_tiles(Check *check, const Measured *m) {
  const double naive = ROWS / WARP * COLUMNS, ideal = COLUMNS / WARP, most = naive / 256;
  Verdict *verdict = &check->verdict;
  double gate = fmin(most, m->blocks * ideal); /* each block brings each element once */
  if (check_gate(check, SAY_Q_REQUESTS_FOR_V, m->vector.requests, ideal, gate, &m->vector))
    return true;
  verdict_fact(verdict, "", SAID(WITHOUT_TILES, naive));
  verdict_cause(verdict, m->width < TILE / 4          ? SAID(BLOCKS_TOO_SMALL, m->width)
                         : m->vector.requests <= most ? SAID(V_LOADED_AGAIN)
                                                      : SAID(V_FROM_THE_TILE));
  return false;
}

/* The kernel and its launch have points of their own. */
static void check_tiled(Check *check) {
  static const int sizes[][2] = {{1024, 1024}, {1030, 1500}, {96, 3072}, {128, 1030}, {33, 2050},
                                 {200, 1023},  {1024, 40},   {1, 1},     {2050, 1},   {3, 60000}};
  /* More blocks than a grid has along y, and a vector that no shared memory holds. */
  static const JudgedRun large = {
      .subject = &of_threads, .variant = "tiled", .size = {70000000, 1}};
  static const JudgedRun small = {.subject = &of_threads, .variant = "tiled", .size = {40, 33}};
  static const HostSide side = {
      .function = "launch_tiled", .calls = "cudaLaunch", .cause = SAY_BLOCKS_ALONG_X_ROWS};
  Measured m;
  bool right = ALL_RIGHT(check, "tiled", sizes), counted = !check->settings->build.on_gpu;
  if (!right && check->verdict.kind == VERDICT_UNINITIALISED)
    verdict_cause(&check->verdict, SAID(EACH_THREAD_LOADS_ITS_OWN));
  if (right && counted && measure(check, "tiled", "matvec_tiled", &m) &&
      v_comes_in_tiles(check, &m) && in_tiles(check, &m) && each_once(check, &m))
    each_once_in_blocks(check, "tiled", "matvec_tiled", 1030, 1500);
  check_end_part(check);
  if (counted && host_tells_launches(check, &side, &small))
    host_counts_bytes(check, &side, &large);
  check_end_part(check);
}

static const char *const names[] = {"PREDICT_NAIVE_SECTORS_PER_REQUEST",
                                    "PREDICT_TILED_SECTORS_PER_REQUEST",
                                    "PREDICT_WARP_SECTORS_PER_REQUEST", NULL};

/* Lanes with a row each load elements that are a row apart; lanes that share a row load neighbours. Asked for float, and
 * for rows of more than a sector. */
static void check_predict(Check *check) {
  static const SayId what[] = {SAY_Q_SECTORS_PER_REQUEST_NAIVE, SAY_Q_SECTORS_PER_REQUEST_TILED,
                               SAY_Q_SECTORS_PER_REQUEST_WARP};
  static const size_t apart[] = {COLUMNS, COLUMNS, 1};
  for (size_t i = 0; names[i]; i++)
    predict_check(check, names[i], what[i],
                  pattern_sectors(apart[i] * sizeof(float), sizeof(float)));
  if (verdict_failed(&check->verdict))
    verdict_cause(&check->verdict, SAID(COUNT_PIECES_OF_32));
}

static const int by_warps[][2] = {{1024, 1024}, {64, 256},  {33, 40},   {1000, 13}, {1, 1},
                                  {7, 300},     {5, 2051},  {257, 31},  {9, 1026},  {13, 1},
                                  {3, 33000},   {33000, 2}, {2, 140001}};

static void check_warp(Check *check) {
  Measured m;
  if (!ALL_RIGHT(check, "warp", by_warps) || check->settings->build.on_gpu ||
      !measure(check, "warp", "matvec_warp", &m))
    return;
  if (!shares_a_row(check, &m, (double)check_element_bytes(check)))
    verdict_cause(&check->verdict, SAID(LANES_SIDE_BY_SIDE));
  else if (!check_gate(check, SAY_Q_SHARED_LOADS, m.shared_loads, 0, 0, NULL) ||
           !check_gate(check, SAY_Q_BARRIERS_OF_WARP, m.barriers, 0, 0, NULL))
    verdict_cause(&check->verdict, SAID(NO_SHARED_IN_A_WARP));
  else
    folds(check, &m);
}

/* Where rows begin between two packs, each has a head, a tail, and packs in between. */
enum { RAGGED = COLUMNS + 3 };
static void packs_in_ragged_rows(Check *check, const Measured *m) {
  double packs = ceil((double)RAGGED * (double)check_element_bytes(check) / 16 / WARP);
  if (!check_gate(check, SAY_Q_REQUESTS_IN_RAGGED_ROW, m->matrix.requests / ROWS, packs, packs + 3,
                  &m->matrix))
    verdict_cause(&check->verdict, SAID(RAGGED_ROW_HAS_PACKS));
}

static void check_vector(Check *check) {
  Measured m;
  bool right = ALL_RIGHT(check, "vector", by_warps);
  if (check->verdict.kind == VERDICT_MISALIGNED && strcmp(check->verdict.buffer, "v") == 0)
    verdict_cause(&check->verdict, SAID(V_NOT_ALIGNED));
  else if (check->verdict.kind == VERDICT_MISALIGNED)
    verdict_cause(&check->verdict, SAID(PACKS_NOT_ALIGNED));
  if (!right || check->settings->build.on_gpu || !measure(check, "vector", "matvec_vector", &m))
    return;
  if (!shares_a_row(check, &m, 16))
    verdict_cause(&check->verdict, SAID(LANES_TAKE_PACKS));
  else if (folds(check, &m) && measure_at(check, "vector", "matvec_vector", ROWS, RAGGED, &m))
    packs_in_ragged_rows(check, &m);
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
      .untouched = 0xa84c8cd921721598, .timed_size = 4096, .tasks = tasks,
      .task_count = sizeof tasks / sizeof tasks[0])
