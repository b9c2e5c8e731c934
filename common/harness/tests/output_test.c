/* Tests what a lab program writes: the table, printed matrices and the result file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../harness.h"
#include "emulator/tests/scratch.h"

/* ---- the table ------------------------------------------------------------------------------- */

static char *table_text(const Table *table, int width) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  table_print(file, table, width);
  fclose(file);
  return text;
}

static void columns_line_up(void **state) {
  (void)state;
  static Table table;
  table.rows++;
  table_set(&table, "variant", "cpu");
  table_set(&table, "rate", "%.2f×", 1.0);
  table_set(&table, "empty", "%s", "");
  table.rows++;
  table_set(&table, "variant", "kernel");
  table_set(&table, "rate", "%.2f×", 123.0);
  char *text = table_text(&table, 80);
  assert_string_equal(text, "variant     rate\n"
                            "cpu        1.00×\n"
                            "kernel   123.00×\n");
  free(text);
}

static void results_become_rows(void **state) {
  (void)state;
  static Table table;
  const Variant cpu = {.name = "cpu"}, kernel = {.name = "kernel"};
  Result timed = {.variant = &cpu, .time = 2, .checked = true};
  timed.comparison.right = true;
  Result counted = {.variant = &kernel,
                    .time = NAN,
                    .checked = true,
                    .measures = {1.25, 8388608, NAN, 2.5},
                    .limit = "dram",
                    .measure_count = 4};
  counted.comparison.norm = NAN;
  table_add_result(&table, &timed, 4e6, 2, NAN);
  table_add_result(&table, &counted, 4e6, 2, NAN);
  char *text = table_text(&table, 80);
  assert_string_equal(text, "                      L2   time                 predicted       \n"
                            "variant  result    error     ms  rate  GFLOP/s         ms  limit\n"
                            "cpu       right  0.0e+00  2.000  1.00     2.00                  \n"
                            "kernel    WRONG                                     1.250   dram\n"
                            "\n"
                            "              warp  sectors\n"
                            "variant      instr    /load\n"
                            "kernel   8 388 608     2.50\n");
  free(text);
}

/* The columns of a topic are printed in the same table. A row without entries for a topic is
 * omitted from the table of this topic. */
static void a_wide_table_is_parted(void **state) {
  (void)state;
  static Table table;
  table.topic = "one";
  table.rows++;
  table_set(&table, "variant", "cpu");
  table_set(&table, "time ms", "%s", "1.5");
  table.rows++;
  table_set(&table, "variant", "kernel");
  table.topic = "two";
  table_set(&table, "warp instr", "%s", "1 000");
  table_set(&table, "sectors/load", "%s", "2.50");
  char *text = table_text(&table, 24);
  assert_string_equal(text, "         time\n"
                            "variant    ms\n"
                            "cpu       1.5\n"
                            "kernel       \n"
                            "\n"
                            "          warp  sectors\n"
                            "variant  instr    /load\n"
                            "kernel   1 000     2.50\n");
  free(text);
  text = table_text(&table, 20);
  assert_non_null(strstr(text, "kernel   1 000\n\n"));
  free(text);
}

/* The table shows no time of a variant that failed, even if one was measured. */
static void failures_have_no_time(void **state) {
  (void)state;
  static Table table;
  const Variant kernel = {.name = "kernel"};
  Result failed = {.variant = &kernel, .time = 1, .error = cudaErrorMemoryAllocation};
  table_add_result(&table, &failed, 1, 1, NAN);
  char *text = table_text(&table, 80);
  assert_string_equal(text, "variant  result\nkernel   failed\n");
  free(text);
}

static void counts_are_grouped(void **state) {
  (void)state;
  char buffer[CELL_BYTES];
  assert_string_equal(format_count(0, buffer), "0");
  assert_string_equal(format_count(999, buffer), "999");
  assert_string_equal(format_count(1000, buffer), "1 000");
  assert_string_equal(format_count(20971520, buffer), "20 971 520");
  assert_string_equal(format_count(-123456, buffer), "-123 456");
}

/* ---- printed matrices ------------------------------------------------------------------------ */

static void whole_numbers_have_no_point(void **state) {
  (void)state;
  float data[] = {1, 10, -3, 4, 0, 6};
  char *text = NULL;
  size_t length = 0;
  matrix_poison(&data[4], sizeof *data);
  FILE *file = open_memstream(&text, &length);
  matrix_print(file, "C", data, sizeof *data, (Shape){2, 3});
  fclose(file);
  assert_string_equal(text, "C, 2×3\n  1 10 -3\n  4  .  6\n\n");
  free(text);
}

/* ---- the file -------------------------------------------------------------------------------- */

static char path[SCRATCH_MOST];

static int make_path(void **state) {
  (void)state;
  int file = scratch_file(path, "output");
  return file < 0 || close(file);
}

static int remove_path(void **state) {
  (void)state;
  return unlink(path);
}

static void what_is_written_is_read(void **state) {
  (void)state;
  const double data[] = {1, 2.5, -3, NAN, 5, 6};
  Output output;
  assert_null(output_write(path, data, sizeof *data, (Shape){2, 3}));
  assert_null(output_read(path, &output));
  assert_int_equal(output.shape.rows, 2);
  assert_int_equal(output.shape.columns, 3);
  assert_int_equal(output.element_bytes, sizeof(double));
  assert_memory_equal(output.data, data, sizeof data);
  free(output.data);
}

static void the_layout_is_fixed(void **state) {
  (void)state;
  const float data[] = {1};
  const unsigned char expected[] =
      "LOCKSTEP\4\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\x80\x3f";
  unsigned char bytes[64];
  assert_null(output_write(path, data, sizeof *data, (Shape){1, 1}));
  FILE *file = fopen(path, "rb");
  assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof expected - 1);
  fclose(file);
  assert_memory_equal(bytes, expected, sizeof expected - 1);
}

static void write_bytes(const void *bytes, size_t count) {
  FILE *file = fopen(path, "wb");
  assert_int_equal(fwrite(bytes, 1, count, file), count);
  fclose(file);
}

/* A file with a wrong header is refused before memory is allocated for it. */
static void lies_are_refused(void **state) {
  (void)state;
  struct {
    char magic[8];
    uint32_t element_bytes, reserved;
    uint64_t rows, columns;
    float data[4];
  } file = {{0}, 4, 0, 2, 2, {1, 2, 3, 4}};
  Output output;
  memcpy(file.magic, "LOCKSTEP", sizeof file.magic);
  write_bytes(&file, sizeof file);
  assert_null(output_read(path, &output));
  free(output.data);
  /* The file is truncated at each byte. */
  for (size_t length = 0; length < sizeof file; length++) {
    write_bytes(&file, length);
    assert_non_null(output_read(path, &output));
  }
  file.rows = UINT64_MAX / 2 + 2; /* times 2 columns: 2^64 + 2 */
  write_bytes(&file, sizeof file);
  assert_non_null(output_read(path, &output));
  file.rows = 4, file.columns = 0;
  write_bytes(&file, sizeof file);
  assert_non_null(output_read(path, &output));
  file.rows = 2, file.columns = 2, file.element_bytes = 0;
  write_bytes(&file, sizeof file);
  assert_non_null(output_read(path, &output));
  assert_non_null(output_read("/nonexistent/file", &output));
  assert_non_null(output_read(".", &output));
}

/* If the file is truncated at any byte, all results before this byte are read. */
static void several_stand_in_one_file(void **state) {
  (void)state;
  const float first[] = {1, 2, 3}, second[] = {4};
  char bytes[200];
  Output all[4];
  remove(path);
  assert_null(output_append(path, first, sizeof *first, (Shape){1, 3}));
  assert_null(output_append(path, second, sizeof *second, (Shape){1, 1}));
  FILE *file = fopen(path, "rb");
  size_t length = fread(bytes, 1, sizeof bytes, file), one = 32 + sizeof first;
  fclose(file);
  assert_int_equal(length, one + 32 + sizeof second);
  for (size_t kept = 0; kept <= length; kept++) {
    write_bytes(bytes, kept);
    size_t count = output_read_all(path, all, 4);
    assert_int_equal(count, kept == length ? 2 : kept >= one);
    for (size_t i = 0; i < count; i++) {
      assert_memory_equal(all[i].data, i ? second : first, i ? sizeof second : sizeof first);
      free(all[i].data);
    }
  }
  assert_int_equal(output_read_all(path, all, 1), 1);
  free(all[0].data);
}

static void a_bad_place_is_named(void **state) {
  (void)state;
  const char *line = output_write("/nonexistent/file", "1234", 4, (Shape){1, 1});
  assert_non_null(line);
  assert_non_null(strstr(line, "/nonexistent/file"));
}

/* If the path is a link, such as /dev/stdout, the result is written to the file that the link
 * names, and the link remains. */
static void a_link_is_written_through(void **state) {
  (void)state;
  char link[SCRATCH_MOST + 8];
  Output output;
  struct stat status;
  snprintf(link, sizeof link, "%s.link", path);
  assert_int_equal(symlink(path, link), 0);
  assert_null(output_write(link, "1234", 4, (Shape){1, 1}));
  assert_null(output_read(path, &output));
  free(output.data);
  assert_int_equal(lstat(link, &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  unlink(link);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_line_up),           cmocka_unit_test(results_become_rows),
      cmocka_unit_test(a_wide_table_is_parted),    cmocka_unit_test(failures_have_no_time),
      cmocka_unit_test(counts_are_grouped),        cmocka_unit_test(whole_numbers_have_no_point),
      cmocka_unit_test(what_is_written_is_read),   cmocka_unit_test(the_layout_is_fixed),
      cmocka_unit_test(lies_are_refused),          cmocka_unit_test(a_bad_place_is_named),
      cmocka_unit_test(several_stand_in_one_file), cmocka_unit_test(a_link_is_written_through),
  };
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
