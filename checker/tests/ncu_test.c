/* Tests that the emulated device counts like a GPU. `make counters` records Nsight Compute's
 * numbers in slides/data/ncu-h200.csv. This test runs the same programs with the same sizes on the
 * emulated device, for each front end that has built them, and compares the counters.
 *
 * Global requests and sectors must be equal, and so must shared requests and wavefronts after the
 * assembler has merged adjacent accesses. Two columns of the file name the counters for which a
 * difference is expected. These differences are tested, too:
 *
 * `clang`: clang compiles the kernel to different code than nvcc. Clang's count must differ, and
 * nvcc's count must be equal.
 *
 * `stray`: warps that conflict at a bank by chance cost the GPU additional wavefronts, whose number
 * differs in every run. The GPU reports these wavefronts as conflicts, so the conflicts must
 * account for the whole difference. The difference may be at most 1 % of the loads or 5 % of the
 * stores. The highest recorded number is 473 of 10240 stores, for matmul_tile of lab 04.
 *
 *   ncu_test              runs the tests
 *   ncu_test mark FILE    prints FILE with these columns filled in, and exits with 1 if other
 *                         numbers differ; rows of kernels that the labs do not have, such as those
 *                         of a library, are left out */
#include <ctype.h>
#include <glob.h>
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
#include "say/report.h"
#include "emulator/tests/scratch.h"

#define RECORDED "slides/data/ncu-h200.csv"
enum { COUNTERS = 10, COMPARED = 8, ROWS_MOST = 200 };
static const double STRAY_LOADS_MOST = 0.01, STRAY_STORES_MOST = 0.05;
static const char *const names[COUNTERS] = {
    "global_load_requests",   "global_load_sectors",     "global_store_requests",
    "global_store_sectors",   "shared_load_requests",    "shared_load_wavefronts",
    "shared_store_requests",  "shared_store_wavefronts", "shared_load_conflicts",
    "shared_store_conflicts",
};

typedef struct Row {
  char lab[4], precision[8], options[80], kernel[80], clang[120], stray[120];
  /* NaN: no value */
  double launches, counter[COUNTERS];
} Row;

/* ---- reading the recorded numbers ------------------------------------------------------------ */

static double number(const char *text) {
  char *end;
  double value = strtod(text, &end);
  return end == text || *end ? NAN : value;
}

static bool parse_row(char *line, Row *row) {
  enum { FIELDS = 5 + COUNTERS + 2 };
  char *field[FIELDS];
  int count = 0;
  line[strcspn(line, "\n")] = '\0';
  for (char *text; count < FIELDS && (text = strsep(&line, ","));)
    field[count++] = text;
  if (count != FIELDS || line)
    return false;
  snprintf(row->lab, sizeof row->lab, "%s", field[0]);
  snprintf(row->precision, sizeof row->precision, "%s", field[1]);
  snprintf(row->options, sizeof row->options, "%s", field[2]);
  snprintf(row->kernel, sizeof row->kernel, "%s", field[3]);
  row->launches = number(field[4]);
  for (int i = 0; i < COUNTERS; i++)
    row->counter[i] = number(field[5 + i]);
  snprintf(row->clang, sizeof row->clang, "%s", field[FIELDS - 2]);
  snprintf(row->stray, sizeof row->stray, "%s", field[FIELDS - 1]);
  return true;
}

/* Returns the number of rows, or -1 if a line is malformed or the file does not exist. Writes
 * comments and headings to `head`, which may be NULL. */
static int read_rows(const char *path, Row *rows, FILE *head) {
  char *line = NULL;
  size_t room = 0;
  int count = 0;
  FILE *file = fopen(path, "r");
  while (file && count >= 0 && getline(&line, &room, file) > 0)
    if (*line == '#' || strncmp(line, "lab,", 4) == 0) {
      if (head)
        fputs(line, head);
    } else if (count == ROWS_MOST || !parse_row(line, &rows[count++]))
      count = -1;
  free(line);
  if (!file)
    return -1;
  fclose(file);
  return count;
}

/* ---- the emulated device --------------------------------------------------------------------- */

/* Nsight Compute leaves out parameter types and template arguments: it shows
 * _ZN4wide5shareILi2EEEvPf as wide::share. */
static void plain_name(const char *symbol, char name[80]) {
  bool nested = strncmp(symbol, "_ZN", 3) == 0;
  const char *at = symbol + (nested ? 3 : 2);
  snprintf(name, 80, "%s", strncmp(symbol, "_Z", 2) ? symbol : "");
  while (!strncmp(symbol, "_Z", 2) && isdigit((unsigned char)*at)) {
    char *text;
    int length = (int)strtol(at, &text, 10);
    size_t used = strlen(name);
    snprintf(name + used, 80 - used, "%s%.*s", used ? "::" : "", length, text);
    at = nested ? text + length : "";
  }
}

static void name_plainly(Log *log) {
  const char *symbol;
  char name[80];
  json_t *event, *kernels = json_object();
  json_object_foreach(log->kernels, symbol, event) {
    plain_name(symbol, name);
    /* the counters of two instances would have to be added */
    assert_null(json_object_get(kernels, name));
    json_object_set(kernels, name, event);
  }
  json_decref(log->kernels);
  log->kernels = kernels;
}

/* Runs a lab's program with the options of the row and reads its counters. Returns false if the
 * program does not exist or fails. */
static bool emulate(const char *flavour, const Row *row, Log *log) {
  char pattern[300], path[SCRATCH_MOST], options[sizeof row->options];
  const char *build = getenv("BUILD"),
             *arguments[16] = {NULL, "--no-cpu", "--no-time", "--no-check"};
  glob_t found;
  int count = 4;
  snprintf(pattern, sizeof pattern, "%s/%s/solutions/%s-*.%s", build ? build : "build", flavour,
           row->lab, row->precision);
  if (glob(pattern, 0, NULL, &found) != 0)
    return false;
  arguments[0] = found.gl_pathv[0];
  snprintf(options, sizeof options, "%s", row->options);
  for (char *word = strtok(options, " "); word && count < 15; word = strtok(NULL, " "))
    arguments[count++] = word;
  close(scratch_file(path, "ncu"));
  ChildRequest request = {.arguments = arguments, .files = {path}, .log = path, .seconds = 120};
  ChildEnd end = child_run(&request);
  *log = log_read(path);
  name_plainly(log);
  unlink(path);
  globfree(&found);
  return end.how == CHILD_EXITED && end.code == 0 && log->ended;
}

static bool same_run(const Row *a, const Row *b) {
  return !strcmp(a->lab, b->lab) && !strcmp(a->precision, b->precision) &&
         !strcmp(a->options, b->options);
}

/* ---- comparing two counts -------------------------------------------------------------------- */

/* Returns true if a column names this counter. */
static bool is_marked(const char *column, int i) {
  const char *at = strstr(column, names[i]);
  return at && (at == column || at[-1] == ' ') &&
         (at[strlen(names[i])] == '\0' || at[strlen(names[i])] == ' ');
}

static void mark_counter(char column[120], int i) {
  if (!is_marked(column, i))
    snprintf(column + strlen(column), 120 - strlen(column), "%s%s", *column ? " " : "", names[i]);
}

/* Returns a counter. For shared memory the emulated device has two numbers. This function returns
 * the number after the assembler has merged accesses, which a GPU counts. */
static double counted(const Log *log, const Row *row, int i) {
  char name[60];
  snprintf(name, sizeof name, "%s%s", strncmp(names[i], "shared_", 7) ? "" : "gpu_", names[i]);
  return log_counter(log, row->kernel, name);
}

/* Returns true if conflicts that only the GPU reports account for the whole difference. */
static bool is_stray(const Row *row, const Log *log, int i, double here) {
  const bool load = i == 5, store = i == 7; /* wavefronts; the conflicts are counters 8 and 9 */
  if (!load && !store)
    return false;
  const int conflicts = load ? 8 : 9;
  double more = row->counter[i] - here;
  return more > 0 && more <= (load ? STRAY_LOADS_MOST : STRAY_STORES_MOST) * here &&
         more == row->counter[conflicts] - counted(log, row, conflicts);
}

/* Prints a line for each unexpected difference and returns their number. With `mark`, stores the
 * names of these counters in the row as expected. */
static int compare(Row *row, const Log *log, bool clang, bool mark, FILE *out) {
  double launches = log_counter(log, row->kernel, "launches");
  int bad = !(launches == row->launches);
  if (bad)
    fprintf(out, "lab %s, %s, %s: %g launches recorded, %g here\n", row->lab, row->precision,
            row->kernel, row->launches, launches);
  for (int i = 0; i < COMPARED && !bad; i++) {
    double gpu = row->counter[i], here = counted(log, row, i);
    bool more = is_stray(row, log, i, here);
    if (mark && !clang && more)
      mark_counter(row->stray, i);
    bool stray = is_marked(row->stray, i);
    bool as_said = stray ? more : gpu == here;
    if (mark && clang && !as_said)
      mark_counter(row->clang, i);
    bool other = clang && is_marked(row->clang, i);
    if (as_said != other)
      continue;
    fprintf(out, "lab %s, %s, %s: %s %.0f on the GPU, %.0f here%s%s\n", row->lab, row->precision,
            row->kernel, names[i], gpu, here, stray ? ", but marked as stray" : "",
            other ? ", but marked as clang's own" : "");
    bad++;
  }
  return bad;
}

/* Prints the kernels that ran on the emulated device but have no row, and returns their number. */
static int missing(const Row *rows, int count, const Row *run, const Log *log, FILE *out) {
  const char *name;
  json_t *event;
  int bad = 0;
  json_object_foreach(log->kernels, name, event) {
    bool there = false;
    for (int i = 0; i < count; i++)
      there |= same_run(&rows[i], run) && strcmp(rows[i].kernel, name) == 0;
    if (!there)
      fprintf(out, "lab %s, %s: %s is not in the file\n", run->lab, run->precision, name);
    bad += !there;
  }
  return bad;
}

/* Compares all rows with the programs of one front end and returns the number of differences, or -1
 * if a program did not run. */
static int compare_all(Row *rows, int count, const char *flavour, bool mark, FILE *out) {
  int bad = 0;
  for (int i = 0, next; i < count; i = next) {
    Log log;
    if (!emulate(flavour, &rows[i], &log))
      return -1;
    for (next = i; next < count && same_run(&rows[i], &rows[next]); next++)
      if (!*rows[next].kernel)
        continue;
      else if (json_object_get(log.kernels, rows[next].kernel))
        bad += compare(&rows[next], &log, !strcmp(flavour, "emulated-clang"), mark, out);
      else if (mark)
        *rows[next].kernel = '\0'; /* not a kernel of the labs */
      else
        bad += fprintf(out, "%s: no such kernel\n", rows[next].kernel) > 0;
    bad += missing(rows, count, &rows[i], &log, out);
    log_free(&log);
  }
  return bad;
}

static void print_row(FILE *out, const Row *row) {
  fprintf(out, "%s,%s,%s,%s,%.0f", row->lab, row->precision, row->options, row->kernel,
          row->launches);
  for (int i = 0; i < COUNTERS; i++)
    fprintf(out, isnan(row->counter[i]) ? "," : ",%.0f", row->counter[i]);
  fprintf(out, ",%s,%s\n", row->clang, row->stray);
}

static int mark_file(const char *path) {
  static Row rows[ROWS_MOST];
  int count = read_rows(path, rows, stdout);
  int bad = count > 0 ? compare_all(rows, count, "emulated-nvcc", true, stderr) : -1;
  if (bad < 0 || compare_all(rows, count, "emulated-clang", true, stderr) < 0) {
    fprintf(stderr, "ncu_test: %s: no rows, or no programs: make counters builds them\n", path);
    return 2;
  }
  for (int i = 0; i < count; i++)
    if (*rows[i].kernel)
      print_row(stdout, &rows[i]);
  return bad ? 1 : 0;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Prints one metric of a launch in the format of Nsight Compute. */
static void print_metric(FILE *out, int id, const char *kernel, const char *metric,
                         const char *value) {
  fprintf(out,
          "\"%d\",\"371693\",\"04-ilp.float\",\"127.0.0.1\",\"%s\",\"1\",\"7\",\"(32, 32, 1)\","
          "\"(2, 2, 1)\",\"0\",\"9.0\",\"Command line profiler metrics\",\"%s\",\"\",\"%s\"\n",
          id, kernel, metric, value);
}

/* Prints a sample of Nsight Compute's output: two launches of one kernel, and between them a launch
 * of another kernel. */
static void print_sample(FILE *out) {
  static const char requests[] = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
  static const char sectors[] = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  static const char long_name[] = "matmul_1(const float *, const float *, float *, int, int, int)";
  fprintf(out, "lab 04: several outputs per thread\n"
               "==PROF== Connected to process 371693 (/build/gpu/solutions/04-ilp.float)\n"
               "==PROF== Profiling \"matmul_1\" - 0: 0%%....50%%....100%% - 2 passes\n"
               "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\","
               "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\","
               "\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n");
  print_metric(out, 0, long_name, requests, "1,512");
  print_metric(out, 0, long_name, sectors, "2,048");
  print_metric(out, 0, long_name, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "700");
  print_metric(out, 0, long_name, "smsp__sass_inst_executed_op_shared_ld.sum", "n/a");
  print_metric(out, 1, "void tiles<float, 4>(T1 *)", requests, "7");
  print_metric(out, 2, long_name, requests, "1,512");
  print_metric(out, 2, long_name, sectors, "2,048");
}

static char path[SCRATCH_MOST];

static void write_text(const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void the_parser_adds_launches_up(void **state) {
  (void)state;
  char command[SCRATCH_MOST + 200], line[300];
  FILE *file = fopen(path, "w");
  print_sample(file);
  fclose(file);
  snprintf(command, sizeof command,
           "awk -v lab=04 -v precision=float -v options='--size 64' -f "
           "common/make/measure/counters.awk %s",
           path);
  FILE *out = popen(command, "r");
  assert_non_null(fgets(line, sizeof line, out));
  assert_string_equal(line, "04,float,--size 64,matmul_1,2,3024,4096,,,,,,,,,,\n");
  Row row;
  assert_true(parse_row(line, &row));
  assert_true(row.launches == 2 && row.counter[1] == 4096 && isnan(row.counter[4]));
  assert_non_null(fgets(line, sizeof line, out));
  assert_string_equal(line, "04,float,--size 64,tiles,1,7,,,,,,,,,,,\n");
  assert_null(fgets(line, sizeof line, out));
  pclose(out);
}

static Log device(void) {
  write_text("{\"event\":\"kernel\",\"name\":\"k\",\"counters\":{\"launches\":2,"
             "\"global_load_requests\":10,\"global_load_sectors\":40,\"global_store_requests\":1,"
             "\"global_store_sectors\":4,\"gpu_shared_load_requests\":64,\"gpu_shared_load_"
             "wavefronts\":80,"
             "\"gpu_shared_load_conflicts\":2,\"gpu_shared_store_conflicts\":0,"
             "\"gpu_shared_store_requests\":8,\"gpu_shared_store_wavefronts\":200}}\n");
  return log_read(path);
}

/* Returns the number of differences that compare() reports for a row, and checks that its message
 * contains `what`. */
static int complain(const char *text, bool clang, bool mark, Row *row, const char *what) {
  char line[300], *said = NULL;
  size_t length = 0;
  Log log = device();
  FILE *out = open_memstream(&said, &length);
  snprintf(line, sizeof line, "%s", text);
  assert_true(parse_row(line, row));
  int bad = compare(row, &log, clang, mark, out);
  fclose(out);
  if (!strstr(said, what))
    fail_msg("expected \"%s\" in \"%s\"", what, said);
  free(said);
  log_free(&log);
  return bad;
}

static int complaints(const char *text, bool mark, Row *row, const char *what) {
  char line[300];
  snprintf(line, sizeof line, "%s,", text);
  return complain(line, false, mark, row, what);
}

static void differences_are_named(void **state) {
  (void)state;
  Row row;
#define SAME "04,float,--size 64,k,2,10,40,1,4,"
  assert_int_equal(complaints(SAME "64,80,8,200,3,,", false, &row, ""), 0);
  assert_int_equal(complaints("04,float,x,k,2,11,40,1,4,64,80,8,200,,,", false, &row,
                              "global_load_requests 11 on the GPU, 10 here"),
                   1);
  assert_int_equal(complaints(SAME "64,,8,200,,,", false, &row, "shared_load_wavefronts"), 1);
  assert_int_equal(complaints("04,float,x,k,3,10,40,1,4,64,80,8,200,,,", false, &row, "3 launches"),
                   1);
  assert_int_equal(
      complaints("04,float,x,other,2,10,40,1,4,64,80,8,200,,,", false, &row, "-1 here"), 1);
}

/* A counter in the `clang` column must differ with clang and be equal with nvcc. */
static void front_ends_are_marked(void **state) {
  (void)state;
  Row row;
  const char *other = "04,float,x,k,2,10,41,1,4,64,80,8,200,,,,";
  const char *marked = "04,float,x,k,2,10,41,1,4,64,80,8,200,,,global_load_sectors,";
  assert_int_equal(complain(other, true, false, &row, "global_load_sectors 41"), 1);
  assert_int_equal(complain(other, true, true, &row, ""), 0);
  assert_string_equal(row.clang, "global_load_sectors");
  assert_int_equal(complain(marked, true, false, &row, ""), 0);
  assert_int_equal(complain(marked, false, false, &row, "global_load_sectors 41"), 1);
  assert_int_equal(
      complain(SAME "64,80,8,200,,,global_load_sectors,", true, false, &row, "clang's"), 1);
}

/* A counter in the `stray` column is accepted only if the GPU's conflicts account for the whole
 * difference. */
static void stray_wavefronts_are_marked(void **state) {
  (void)state;
  Row row;
  const char *more = "shared_store_wavefronts 202 on the GPU, 200 here";
  assert_int_equal(complain(SAME "64,80,8,202,2,2,,", false, false, &row, more), 1);
  assert_int_equal(complain(SAME "64,80,8,202,2,2,,", false, true, &row, ""), 0);
  assert_string_equal(row.stray, "shared_store_wavefronts");
  assert_int_equal(
      complain(SAME "64,80,8,202,2,2,,shared_store_wavefronts", false, false, &row, ""), 0);
  assert_int_equal(complain(SAME "64,80,8,202,2,1,,", false, true, &row, more), 1);
  assert_int_equal(complain(SAME "64,80,8,210,2,10,,", false, true, &row, ""), 0);
  assert_int_equal(complain(SAME "64,80,8,211,2,11,,", false, true, &row, "211 on the GPU"), 1);
  assert_int_equal(complain(SAME "64,81,8,200,3,0,,", false, true, &row, "81 on the GPU"), 1);
  assert_int_equal(
      complain(SAME "64,80,8,200,2,0,,shared_store_wavefronts", false, false, &row, "stray"), 1);
}

static void kernels_have_plain_names(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"matmul_1", "matmul_1"},
      {"_Z12matmul_asyncILi4EEvPKdS1_Pdiii", "matmul_async"},
      {"_ZN6narrow12matmul_shareEPKfS1_PfiiiiPNS_6VectorEPj", "narrow::matmul_share"},
  };
  char name[80];
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    plain_name(pairs[i][0], name);
    assert_string_equal(name, pairs[i][1]);
  }
}

static void half_a_row_is_none(void **state) {
  (void)state;
  static Row rows[ROWS_MOST];
  write_text("# make counters\nlab,precision\n" SAME "64,80,8,200,,,,\n");
  assert_int_equal(read_rows(path, rows, NULL), 1);
  write_text("# make counters\n" SAME "64,80\n");
  assert_int_equal(read_rows(path, rows, NULL), -1);
}

/* Compares the recorded numbers, if the file exists. Programs with nvcc's PTX are compared if they
 * have been built. */
static void the_gpu_counts_the_same(void **state) {
  (void)state;
  static Row rows[ROWS_MOST];
  if (access(RECORDED, R_OK) != 0)
    skip();
  int count = read_rows(RECORDED, rows, NULL);
  assert_true(count > 0);
  assert_int_equal(compare_all(rows, count, "emulated-clang", false, stderr), 0);
  assert_true(compare_all(rows, count, "emulated-nvcc", false, stderr) <= 0);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_parser_adds_launches_up), cmocka_unit_test(differences_are_named),
      cmocka_unit_test(half_a_row_is_none),          cmocka_unit_test(front_ends_are_marked),
      cmocka_unit_test(kernels_have_plain_names),    cmocka_unit_test(stray_wavefronts_are_marked),
      cmocka_unit_test(the_gpu_counts_the_same),
  };
  if (argc == 3 && strcmp(argv[1], "mark") == 0)
    return mark_file(argv[2]);
  close(scratch_file(path, "ncu"));
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
