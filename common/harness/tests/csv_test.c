/* Tests the CSV file. Rows are written immediately and can be read again, the partial row of a
 * killed program is removed, and a file of another run is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../harness.h"
#include "emulator/tests/scratch.h"

static const Variant kernel = {.name = "kernel"}, other = {.name = "other"};
static const Lab test_lab = {.title = "lab 99: test", .problem = &matmul_problem};
static const Options options = {.lab = &test_lab, .element_bytes = sizeof(float), .recipe = {0, 1}};
static const int size[MAX_SIZES] = {33, 20, 7};
static char path[SCRATCH_MOST];

static Result result(const Variant *variant) {
  Result r = {.variant = variant, .time = 1.5, .checked = true, .measure_count = 1};
  r.comparison.right = true;
  r.measures[0] = 8388608;
  return r;
}

static int begin(void **state) {
  (void)state;
  int file = scratch_file(path, "csv");
  return file < 0 || close(file);
}

static int end(void **state) {
  (void)state;
  return unlink(path);
}

static void append(const char *text) {
  FILE *file = fopen(path, "a");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void rows_are_found_again(void **state) {
  (void)state;
  Result r = result(&kernel);
  Csv csv = csv_open(path, &options);
  csv_add(&csv, &r, size);
  csv_close(&csv);
  csv = csv_open(path, &options);
  const CsvRow *row = csv_find(&csv, "kernel", size);
  assert_non_null(row);
  assert_true(row->right && !row->failed);
  assert_true(row->time == 1.5 && row->measures[0] == 8388608);
  assert_null(csv_find(&csv, "kernel", (int[MAX_SIZES]){33, 20, 8}));
  assert_null(csv_find(&csv, "other", size));
  csv_close(&csv);
}

/* The word for the limit keeps its "?", which marks a predicted time that the model does not cover
 * completely. */
static void the_limit_keeps_its_mark(void **state) {
  (void)state;
  char text[2000];
  Result r = result(&kernel);
  r.limit = "dram ?";
  Csv csv = csv_open(path, &options);
  csv_add(&csv, &r, size);
  csv_close(&csv);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  assert_non_null(strstr(text, ",limit\nkernel,"));
  assert_string_equal(strrchr(text, ','), ",dram ?\n");
  csv = csv_open(path, &options);
  assert_non_null(csv_find(&csv, "kernel", size));
  csv_close(&csv);
}

static void the_impossible_is_no_record(void **state) {
  (void)state;
  Result r = result(&kernel);
  r.impossible = true;
  assert_string_equal(result_word(&r), "impossible");
  Csv csv = csv_open(path, &options);
  csv_add(&csv, &r, size);
  assert_int_equal(csv.count, 0);
  csv_close(&csv);
  csv = csv_open(path, &options);
  assert_int_equal(csv.count, 0);
  csv_close(&csv);
}

static void half_a_row_is_cut_off(void **state) {
  (void)state;
  Result first = result(&kernel), second = result(&other);
  Csv csv = csv_open(path, &options);
  csv_add(&csv, &first, size);
  csv_close(&csv);
  append("other,33,20");
  csv = csv_open(path, &options);
  assert_int_equal(csv.count, 1);
  csv_add(&csv, &second, size);
  csv_close(&csv);
  csv = csv_open(path, &options);
  assert_int_equal(csv.count, 2);
  assert_non_null(csv_find(&csv, "other", size));
  csv_close(&csv);
}

static void expect_refusal(const Options *o) {
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr))
      _exit(3);
    csv_open(path, o);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
}

static void other_runs_are_refused(void **state) {
  (void)state;
  Csv csv = csv_open(path, &options);
  csv_close(&csv);
  Options seeded = options;
  seeded.recipe.seed = 2;
  expect_refusal(&seeded);
  append("no row at all\n");
  expect_refusal(&options);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(rows_are_found_again, begin, end),
      cmocka_unit_test_setup_teardown(the_limit_keeps_its_mark, begin, end),
      cmocka_unit_test_setup_teardown(the_impossible_is_no_record, begin, end),
      cmocka_unit_test_setup_teardown(half_a_row_is_cut_off, begin, end),
      cmocka_unit_test_setup_teardown(other_runs_are_refused, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
