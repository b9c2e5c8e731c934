/* Tests the sums of the instruction counts of a task's runs, and the statistics of a class: common
 * causes of failures, and students whose kernels execute many more instructions than other
 * kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "class/class.h"
#include "emulator/tests/scratch.h"

static char folder[SCRATCH_MOST];

/* ---- work.c ---------------------------------------------------------------------------------- */

static Log log_of(const char *lines) {
  char path[SCRATCH_MOST + 64];
  snprintf(path, sizeof path, "%s/log", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(lines, file);
  fclose(file);
  return log_read(path);
}

static json_int_t counter_of(const json_t *kernels, const char *kernel, const char *counter) {
  return json_integer_value(json_object_get(json_object_get(kernels, kernel), counter));
}

static void add_log(json_t *kernels, const char *lines) {
  Log log = log_of(lines);
  work_add(kernels, &log);
  log_free(&log);
}

#define KERNEL(name, counters)                                                                     \
  "{\"event\":\"kernel\",\"name\":\"" name "\",\"counters\":{" counters "}}\n"

static void test_work(void **state) {
  json_t *kernels = json_object();
  (void)state;
  add_log(kernels, KERNEL("f", "\"launches\":1,\"thread_instructions\":640,\"barriers\":3"));
  add_log(kernels, KERNEL("f", "\"launches\":2,\"thread_instructions\":60")
                       KERNEL("g", "\"thread_instructions\":5,\"global_load_sectors\":7"));
  assert_int_equal(counter_of(kernels, "f", "launches"), 3);
  assert_int_equal(counter_of(kernels, "f", "thread_instructions"), 700);
  assert_int_equal(counter_of(kernels, "g", "global_load_sectors"), 7);
  assert_null(json_object_get(json_object_get(kernels, "f"), "barriers"));
  assert_int_equal(work_total(kernels), 705);
  /* The log is not added if it names a kernel twice. Counters that are not valid numbers are
   * ignored. */
  add_log(kernels,
          KERNEL("f", "\"thread_instructions\":1") KERNEL("f", "\"thread_instructions\":1"));
  add_log(kernels, KERNEL("f", "\"thread_instructions\":\"many\",\"launches\":-9"));
  assert_int_equal(work_total(kernels), 705);
  assert_int_equal(counter_of(kernels, "f", "launches"), 3);
  work_add(NULL, &(Log){.doubtful = false});
  json_decref(kernels);
}

/* The number of kernels is limited, and large counters do not overflow the sum. */
static void test_work_without_end(void **state) {
  json_t *kernels = json_object();
  char line[200];
  (void)state;
  for (int i = 0; i < 1000; i++) {
    snprintf(line, sizeof line, KERNEL("k%d", "\"thread_instructions\":9223372036854775807"),
             i % 300);
    add_log(kernels, line);
  }
  assert_true(json_object_size(kernels) <= 64);
  assert_true(work_total(kernels) > 0);
  json_decref(kernels);
}

/* ---- class/causes.c and class/lists.c ------------------------------------------------------- */

static json_t *right_marks(const Sheet *lab) {
  json_t *tasks = json_array();
  for (size_t i = 0; i < lab->task_count; i++)
    json_array_append_new(tasks, json_pack("{s:s, s:i}", "status", "passed", "work", 500));
  return json_pack("{s:s, s:i, s:b, s:o}", "lab", lab->name, "score", 100, "compiled", 1, "tasks",
                   tasks);
}

/* Sets the task's work, a number of instructions. If `cause` is not NULL, the task also becomes a
 * failed task with this cause. */
static void change(json_t *marks, size_t task, const Said *cause, json_int_t work) {
  json_t *at = json_array_get(json_object_get(marks, "tasks"), task);
  json_object_set_new(at, "work", json_integer(work));
  if (!cause)
    return;
  json_object_set_new(marks, "score", json_integer(10 + 10 * (json_int_t)task));
  json_object_set_new(at, "status", json_string("failed"));
  json_object_set_new(at, "kind", json_string("wrong"));
  json_object_set_new(at, "because", said_json(cause));
}

/* Writes the marks of a student who lost points in one task only. task_work and work: the
 * instructions of that task and of the whole lab. */
static void put_marks(char id, const Sheet *lab, size_t task, const Said *cause,
                      json_int_t task_work, json_int_t work) {
  char path[SCRATCH_MOST + 64];
  json_t *marks = right_marks(lab);
  change(marks, task, cause, task_work);
  json_object_set_new(marks, "work", json_integer(work));
  snprintf(path, sizeof path, "%s/marks/%c/%s.json", folder, id, lab->name);
  assert_int_equal(json_dump_file(marks, path, 0), 0);
  json_decref(marks);
}

static Class six_students(void) {
  const Sheet *first = sheet_first(), *second = first->next;
  json_t *roster = json_array();
  Settings settings = {.lab = NULL};
  Class class;
  char path[SCRATCH_MOST + 64];
  for (char id = 'a'; id <= 'f'; id++) {
    char name[] = {id, '\0'};
    snprintf(path, sizeof path, "mkdir -p %s/marks/%c", folder, id);
    assert_int_equal(system(path), 0);
    put_marks(id, first, 1, NULL, 500, 1000);
    put_marks(id, second, 1, NULL, 700, 100000);
    json_array_append_new(
        roster, json_pack("{s:s, s:{s:n, s:n}}", "id", name, "labs", first->name, second->name));
  }
  const Said one = SAID(BYTES_COPIED_TWICE, 64, phrase(SAY_BACK)),
             same = SAID(BYTES_COPIED_TWICE, 128, phrase(SAY_BACK)), other = SAID(COPY_ONCE);
  put_marks('b', first, 0, &one, 9, 7);
  put_marks('c', first, 0, &same, 9, 7);
  put_marks('c', second, 1, NULL, 700, 150000);
  put_marks('d', first, 1, &other, 99000, 4000);
  put_marks('e', first, 1, NULL, 1500, 1000);
  put_marks('f', first, 1, &other, 9, 7);
  snprintf(path, sizeof path, "%s/roster.json", folder);
  assert_int_equal(json_dump_file(roster, path, 0), 0);
  json_decref(roster);
  class_read(&class, &settings, folder);
  return class;
}

static void expect_costly(const Costly *one, size_t student, size_t lab, json_int_t work,
                          double ratio) {
  assert_int_equal(one->student, student);
  assert_int_equal(one->lab, lab);
  assert_int_equal(one->work, work);
  assert_true(one->ratio == ratio);
}

/* Causes with the same id are counted together, even if their arguments differ. A student is listed
 * as slow if the result is correct but the work is larger than the work of other students. */
static void test_six(void **state) {
  Costly all[2];
  Cause *causes;
  (void)state;
  Class class = six_students();
  assert_true(median_score(&class, 0) == 20 && median_score(&class, 1) == 100);
  assert_int_equal(causes_find(&class, &causes), 2);
  assert_int_equal(causes[0].count, 2);
  assert_int_equal(causes[0].why.id, SAY_BYTES_COPIED_TWICE);
  assert_true(causes[0].why.arguments[0].number == 64); /* of the first student */
  assert_int_equal(causes[0].students[1], 2);
  assert_int_equal(causes[1].tasks, 2);
  assert_int_equal(causes[1].students[1], 5);
  causes_free(causes, 2);
  assert_int_equal(slowest_tasks(&class, all, 2), 1);
  expect_costly(&all[0], 4, 0, 1500, 3);
  assert_int_equal(all[0].task, 1);
  assert_int_equal(slowest_labs(&class, all, 2), 2); /* of three slow labs */
  expect_costly(&all[0], 2, 1, 150000, 1.5);
  expect_costly(&all[1], 3, 0, 4000, 4);
  class_free(&class);
}

static int make_folder(void **state) {
  (void)state;
  return scratch_folder(folder, "counts") ? 0 : -1;
}

static int remove_folder(void **state) {
  char command[SCRATCH_MOST + 16];
  (void)state;
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

int main(void) {
  points_read(NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_work),
      cmocka_unit_test(test_work_without_end),
      cmocka_unit_test(test_six),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
