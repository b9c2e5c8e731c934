/* Tests the correct values of predictions, which the checker computes from addresses only, and the
 * limits of gates, which it computes from sizes only (facts/costs.c). These values and limits are
 * compared with the counters of the reference solutions on the emulated device. Also tests how the
 * sizes are drawn.
 *
 * Runs from the root of the workbook, with the programs that make has built in $BUILD (default
 * build). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "explain/explain.h"
#include "grade/sheet.h"
#include "emulator/tests/scratch.h"

/* ---- patterns -------------------------------------------------------------------------------- */

static void patterns_of_known_strides(void **state) {
  (void)state;
  static const struct {
    size_t stride, bytes;
    double sectors, ways, passes;
  } rows[] = {
      {0, 4, 1, 1, 1},       /* all lanes read the same element */
      {4, 4, 4, 1, 1},       /* neighbours */
      {8, 4, 8, 2, 2},       /* every second element */
      {128, 4, 32, 32, 32},  /* a column of a tile of float */
      {132, 4, 32, 1, 1},    /* padded */
      {0, 8, 1, 1, 2},       /* double: a pass per half-warp */
      {8, 8, 8, 1, 2},       /* neighbours */
      {256, 8, 32, 16, 32},  /* a column of a tile of double */
      {264, 8, 32, 1, 2},    /* padded */
      {4096, 4, 32, 32, 32}, /* a column of a large matrix */
      {32, 4, 32, 8, 8},     /* each lane reads its own sector */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_float_equal(pattern_sectors(rows[i].stride, rows[i].bytes), rows[i].sectors, 0);
    assert_float_equal(pattern_ways(rows[i].stride, rows[i].bytes), rows[i].ways, 0);
    assert_float_equal(pattern_passes(rows[i].stride, rows[i].bytes), rows[i].passes, 0);
  }
}

/* ---- the checker's correct values ------------------------------------------------------------ */

/* Stores a path such as solutions/03-bank-conflicts/bank_conflicts.cu. */
static void solution_of(const Sheet *lab, char out[200]) {
  char name[80];
  lab_source_name(lab->name, name);
  snprintf(out, 200, "solutions/%s/%s", lab->name, name);
}

/* Checks a task of the lab's solution. All other tasks count as failed. A prediction is then
 * compared with the expected value without running a kernel. */
static Check check_of(const Sheet *lab, const Task *task, Settings *settings, char source[200]) {
  solution_of(lab, source);
  *settings = (Settings){.lab = lab->name,
                         .build = {.precision = "float"},
                         .paths = {.source = source, .labs = "labs"}};
  Check check = {.settings = settings, .failed = ~0u};
  task->check(&check);
  return check;
}

/* ---- the device's counters ------------------------------------------------------------------- */

static Log count(const char *lab, const char *options) {
  char path[SCRATCH_MOST], program[300], words[200];
  const char *build = getenv("BUILD"),
             *arguments[16] = {program, "--no-cpu", "--no-time", "--no-check", "--variant"};
  int argument = 5;
  snprintf(program, sizeof program, "%s/emulated-clang/solutions/%s.float", build ? build : "build",
           lab);
  snprintf(words, sizeof words, "%s", options);
  for (char *word = strtok(words, " "); word && argument < 15; word = strtok(NULL, " "))
    arguments[argument++] = word;
  close(scratch_file(path, "predictions"));
  const ChildEnd end = child_run(
      &(ChildRequest){.arguments = arguments, .files = {path}, .log = path, .seconds = 120});
  const Log log = log_read(path);
  unlink(path);
  if (end.how != CHILD_EXITED || end.code != 0 || !log.ended)
    fail_msg("%s %s: it did not end well", program, options);
  return log;
}

typedef enum Counted {
  SECTORS_PER_REQUEST, /* for the loads of a parameter */
  SECTORS_SAVED,       /* for the loads of a parameter: sectors of `old` / own sectors */
  WAYS_OF_STORE,       /* wavefronts divided by the ideal number, in the line with `text` */
  WAYS_OF_LOAD,
  PASSES_FOR_STORE, /* wavefronts per request */
  SHARED_LOADS,     /* loads per multiply-add */
  GLOBAL_LOADS      /* positions that a thread loads */
} Counted;

/* A prediction, and how its correct value is obtained from counters. */
typedef struct Row {
  const char *lab, *name;
  Counted counted;
  const char *options, *kernel;
  /* the index of the kernel's parameter */
  int parameter;
  /* text that the source line of the access contains */
  const char *text;
  /* for SECTORS_SAVED: the options and the name of the kernel without tiles */
  const char *before, *old;
} Row;

#define ROW(lab_, name_, counted_, options_, kernel_, ...)                                         \
  {                                                                                                \
    .lab = lab_, .name = name_, .counted = counted_, .options = options_, .kernel = kernel_,       \
    __VA_ARGS__                                                                                    \
  }
static const Row rows[] = {
    ROW("01-naive", "PREDICT_A_SECTORS_PER_REQUEST", SECTORS_PER_REQUEST, "kernel --size 64",
        "matmul", .parameter = 0),
    ROW("01-naive", "PREDICT_B_SECTORS_PER_REQUEST", SECTORS_PER_REQUEST, "kernel --size 64",
        "matmul", .parameter = 1),
    ROW("02-shared", "PREDICT_A_SECTORS_SAVED", SECTORS_SAVED, "shared --size 64", "matmul",
        .parameter = 0, .before = "naive --size 64", .old = "naive"),
    ROW("02-shared", "PREDICT_B_SECTORS_SAVED", SECTORS_SAVED, "shared --size 64", "matmul",
        .parameter = 1, .before = "naive --size 64", .old = "naive"),
    ROW("03-bank-conflicts", "PREDICT_TILE_TY_TX", WAYS_OF_STORE, "transpose_tile --size 64",
        "transpose_tile", .text = "tile[ty][tx]"),
    ROW("03-bank-conflicts", "PREDICT_TILE_TX_TY", WAYS_OF_LOAD, "transpose_tile --size 64",
        "transpose_tile", .text = "tile[tx][ty]"),
    ROW("03-bank-conflicts", "PREDICT_STORE_AS", WAYS_OF_STORE, "smem1 --size 64", "smem1",
        .text = "As["),
    ROW("03-bank-conflicts", "PREDICT_STORE_BS", WAYS_OF_STORE, "smem1 --size 64", "smem1",
        .text = "Bs["),
    ROW("03-bank-conflicts", "PREDICT_LOAD_AS", WAYS_OF_LOAD, "smem1 --size 64", "smem1",
        .text = "As["),
    ROW("03-bank-conflicts", "PREDICT_LOAD_BS", WAYS_OF_LOAD, "smem1 --size 64", "smem1",
        .text = "Bs["),
    ROW("03-bank-conflicts", "PREDICT_DOUBLE_STORE_AS", WAYS_OF_STORE, "double1 --size 64",
        "smem1_double", .text = "As["),
    ROW("03-bank-conflicts", "PREDICT_DOUBLE_STORE_BS", WAYS_OF_STORE, "double1 --size 64",
        "smem1_double", .text = "Bs["),
    ROW("03-bank-conflicts", "PREDICT_DOUBLE_LOAD_AS", WAYS_OF_LOAD, "double1 --size 64",
        "smem1_double", .text = "As["),
    ROW("03-bank-conflicts", "PREDICT_DOUBLE_LOAD_BS", WAYS_OF_LOAD, "double1 --size 64",
        "smem1_double", .text = "Bs["),
    ROW("03-bank-conflicts", "PREDICT_DOUBLE_PASSES_WHEN_CURED", PASSES_FOR_STORE,
        "double2 --size 64", "smem2_double", .parameter = 0),
    ROW("04-ilp", "PREDICT_LOADS_1_OUTPUT", SHARED_LOADS, "smem1 --size 64", "matmul_1",
        .parameter = 0),
    ROW("04-ilp", "PREDICT_LOADS_2_OUTPUTS", SHARED_LOADS, "smem4 --size 64", "matmul_2",
        .parameter = 0),
    ROW("04-ilp", "PREDICT_LOADS_ASKED_OUTPUTS", SHARED_LOADS, "smem5 --size 64", "matmul_4",
        .parameter = 0),
    ROW("05-matvec", "PREDICT_NAIVE_SECTORS_PER_REQUEST", SECTORS_PER_REQUEST,
        "naive --rows 1024 --cols 1024", "matvec_naive", .parameter = 0),
    ROW("05-matvec", "PREDICT_TILED_SECTORS_PER_REQUEST", SECTORS_PER_REQUEST,
        "tiled --rows 1024 --cols 1024", "matvec_tiled", .parameter = 0),
    ROW("05-matvec", "PREDICT_WARP_SECTORS_PER_REQUEST", SECTORS_PER_REQUEST,
        "warp --rows 1024 --cols 1024", "matvec_warp", .parameter = 0),
    ROW("06-nbody", "PREDICT_GLOBAL_LOADS", GLOBAL_LOADS, "shared --n 2560 --steps 1",
        "accelerate_shared", .parameter = 0),
};

static double sectors(const Log *log, const char *kernel, int parameter, bool per_request) {
  LogAccess access;
  assert_true(log_access(log, kernel, parameter, false, &access));
  return per_request ? access.sectors / access.requests : access.sectors;
}

static double saved(const Row *row, const Log *log) {
  Log before = count(row->lab, row->before);
  const double ratio = sectors(&before, row->old, row->parameter, false) /
                       sectors(log, row->kernel, row->parameter, false);
  log_free(&before);
  return ratio;
}

/* Returns the kernel's access to one tile. SMEM-1 has only one access in a line. */
static LogAccess tile_access(const Row *row, const Log *log, bool store) {
  char source[200], line[512];
  LogAccess access = {.requests = 0};
  bool found = false;
  solution_of(sheet_find(row->lab), source);
  FILE *file = fopen(source, "r");
  assert_non_null(file);
  for (int number = 1; !found && fgets(line, sizeof line, file); number++)
    found = strstr(line, row->text) && log_shared_access(log, row->kernel, store, number, &access);
  fclose(file);
  assert_true(found);
  return access;
}

static double ways(const Row *row, const Log *log, bool store) {
  const LogAccess access = tile_access(row, log, store);
  return access.wavefronts / access.ideal;
}

static double passes(const Row *row, const Log *log) {
  LogAccess access;
  assert_true(log_shared_access(log, row->kernel, true, 0, &access));
  return access.wavefronts / access.requests;
}

static double counted(const Row *row, const Log *log) {
  enum { SIZE = 64, BODIES = 2560, WARP = 32 };
  switch (row->counted) {
  case SECTORS_PER_REQUEST:
    return sectors(log, row->kernel, row->parameter, true);
  case SECTORS_SAVED:
    return saved(row, log);
  case WAYS_OF_STORE:
    return ways(row, log, true);
  case WAYS_OF_LOAD:
    return ways(row, log, false);
  case PASSES_FOR_STORE:
    return passes(row, log);
  case SHARED_LOADS:
    return log_shared_loads(log, row->kernel) * WARP / (SIZE * SIZE * SIZE);
  default: /* a position has an x and a y */
    return log_counter(log, row->kernel, "global_load_bytes") / (2 * sizeof(float)) / BODIES;
  }
}

static const Row *row_of(const char *lab, const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].lab, lab) == 0 && strcmp(rows[i].name, name) == 0)
      return &rows[i];
  fail_msg("%s: say how %s is counted", lab, name);
  return NULL;
}

static void expect_counted(const Sheet *lab, const Predicted *predicted) {
  const Row *row = row_of(lab->name, predicted->name);
  Log log = count(lab->name, row->options);
  const double here = counted(row, &log);
  if (!(here == predicted->truth))
    fail_msg("%s, %s: the checker says %g, the counters %g", lab->name, predicted->name,
             predicted->truth, here);
  if (!(predicted->answer == predicted->truth))
    fail_msg("%s: the solution says %g for %s", lab->name, predicted->answer, predicted->name);
  log_free(&log);
}

/* ---- numbers that the instructor chooses ----------------------------------------------------- */

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

/* Checks the correct value of a prediction. On a student's machine this value depends on the number
 * in the student's file, and in a class on the number in the handout. */
static void expect_truth(const char *lab, size_t task, const char *student, const char *handout,
                         double at_home, double in_class) {
  char source[SCRATCH_MOST], committed[SCRATCH_MOST];
  const Sheet *sheet = sheet_find(lab);
  for (int class = 0; class < 2; class ++) {
    close(scratch_file(source, "student"));
    close(scratch_file(committed, "handout"));
    put(source, student);
    put(committed, handout);
    Settings settings = {.lab = lab,
                         .build = {.precision = "float"},
                         .paths = {.source = source, .handout = committed, .labs = "labs"},
                         .walls = {.sandbox = class ? "none" : NULL}};
    Check check = {.settings = &settings, .failed = ~0u};
    sheet->tasks[task - 1].check(&check);
    assert_float_equal(check.predicted[check.predicted_count - 1].truth, class ? in_class : at_home,
                       1e-9);
    unlink(source);
    unlink(committed);
  }
}

static void truth_of_drawn_questions(void **state) {
  (void)state;
  static const char bodies[] = "#define PREDICT_GLOBAL_LOADS 1\n";
  static const char outputs[] = "#define PREDICT_LOADS_1_OUTPUT 2\n"
                                "#define PREDICT_LOADS_2_OUTPUTS 1.5\n"
                                "#define ASKED_OUTPUTS 8 // given\n"
                                "#define PREDICT_LOADS_ASKED_OUTPUTS 9\n";
  expect_truth("06-nbody", 3, bodies, "#define ASKED_BODIES 3072\n", 11, 13);
  expect_truth("04-ilp", 1, outputs, "#define ASKED_OUTPUTS 5\n", 1.125, 1.2);
  expect_truth("04-ilp", 1, outputs, "", 1.125, 1.25);
}

/* ---- costs of tiles at drawn sizes ----------------------------------------------------------- */

/* Compares tile_costs() with the solution's counters. At the edges a solution loads fewer elements
 * than whole tiles have, so its loads may be fewer. All other numbers must be equal. */
static void expect_tile_costs(const char *kernel, const char *variant, size_t side, size_t depth,
                              const int size[3]) {
  char options[80];
  const size_t m = (size_t)size[0], k = (size_t)size[1], n = (size_t)size[2];
  const TileCosts costs = tile_costs(m, k, n, sizeof(float), side, depth);
  const bool whole = m % side + k % depth + n % side == 0;
  snprintf(options, sizeof options, "%s --m %d --k %d --n %d", variant, size[0], size[1], size[2]);
  Log log = count("04-ilp", options);
#define COUNTED(name) log_counter(&log, kernel, name)
  const double loaded = COUNTED("global_load_bytes") / sizeof(float);
  assert_true(whole ? loaded == costs.elements : loaded < costs.elements);
  assert_float_equal(COUNTED("flop"), 2 * costs.multiply_adds, 0);
  assert_float_equal(COUNTED("global_store_bytes"), costs.stored, 0);
  if (side == depth && strcmp(variant, "4x4") != 0) { /* a warp accesses one row of a tile */
    const double stored = COUNTED("global_store_sectors");
    assert_true(COUNTED("global_load_sectors") <= costs.sectors);
    assert_true(costs.shifted ? stored <= costs.stored_sectors : stored == costs.stored_sectors);
    assert_float_equal(COUNTED("barriers") * 32 / COUNTED("threads"), 2 * costs.steps, 0);
  }
#undef COUNTED
  log_free(&log);
}

static void tiles_cost_what_the_solution_counts(void **state) {
  (void)state;
  static const int sizes[][3] = {{64, 96, 32}, {33, 65, 40}, {61, 64, 63}, {128, 64, 256}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    expect_tile_costs("matmul_2", "smem4", 32, 32, sizes[i]);
    expect_tile_costs("matmul_4", "smem5", 32, 32, sizes[i]);
    expect_tile_costs("matmul_4x4", "4x4", 32, 32, sizes[i]);
    expect_tile_costs("matmul_tile", "tile", 128, 8, sizes[i]);
    expect_tile_costs("matmul_vectors", "vectors", 128, 8, sizes[i]);
    expect_tile_costs("matmul_8x8", "8x8", 128, 8, sizes[i]);
  }
}

/* The same seed draws the same sizes, other seeds draw other sizes, and every size in the range can
 * be drawn. */
static void sizes_are_drawn(void **state) {
  (void)state;
  enum { SEEDS = 300, WORK = 30000, MOST = 5 };
  static const SizeRange ranges[] = {{32, 32, 32 * MOST}, {65, 1, 200}};
  size_t seen[MOST + 1] = {0}, others = 0;
  int before = 0;
  for (unsigned seed = 1; seed <= SEEDS; seed++) {
    int sizes[2], again[2];
    seed_sizes(seed, "smem4", ranges, 2, WORK, sizes);
    seed_sizes(seed, "smem4", ranges, 2, WORK, again);
    assert_memory_equal(sizes, again, sizeof sizes);
    assert_true(sizes[0] % 32 == 0 && sizes[0] >= 32 && sizes[0] <= 32 * MOST);
    assert_true(sizes[1] >= 65 && sizes[1] <= 200);
    assert_true(sizes[0] * sizes[1] <= WORK);
    seen[sizes[0] / 32]++;
    others += sizes[1] != before;
    before = sizes[1];
  }
  assert_true(others > SEEDS * 9 / 10);
  for (size_t i = 1; i <= MOST; i++)
    assert_true(seen[i] > 0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void truths_are_counted(void **state) {
  size_t all = 0;
  (void)state;
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next)
    for (size_t i = 0; i < lab->task_count; i++) {
      char source[200];
      Settings settings;
      const Task *task = &lab->tasks[i];
      if (!task->predictions)
        continue;
      const Check check = check_of(lab, task, &settings, source);
      for (size_t k = 0; task->predictions[k]; k++, all++)
        assert_string_equal(check.predicted[k].name, task->predictions[k]);
      for (size_t k = 0; k < check.predicted_count; k++)
        expect_counted(lab, &check.predicted[k]);
    }
  assert_int_equal(all, sizeof rows / sizeof *rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_of_known_strides),
      cmocka_unit_test(truths_are_counted),
      cmocka_unit_test(truth_of_drawn_questions),
      cmocka_unit_test(tiles_cost_what_the_solution_counts),
      cmocka_unit_test(sizes_are_drawn),
  };
  return cmocka_run_group_tests_name("predictions", tests, NULL, NULL);
}
