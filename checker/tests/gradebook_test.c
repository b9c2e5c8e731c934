/* Tests the files for instructors: the consistency checks of points.txt, late days and deductions,
 * and the tables for Canvas and Moodle. The marks are artificial; no program is graded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "class/class.h"
#include "emulator/tests/scratch.h"

static char root[SCRATCH_MOST], checker[4400], book[2200];

static void put(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  assert_int_equal(fclose(out), 0);
}

static char *get(const char *path) {
  static char text[1 << 16];
  FILE *in = fopen(path, "r");
  if (!in)
    fail_msg("no %s", path);
  text[fread(text, 1, sizeof text - 1, in)] = '\0';
  fclose(in);
  return text;
}

/* Runs a command and returns its exit status. */
static int run(const char *format, ...) {
  char command[8000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(command, sizeof command, format, arguments);
  va_end(arguments);
  int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- points.txt ------------------------------------------------------------------------------ */

/* Checks that points.txt is rejected with a message that contains `words` after this sed edit. */
static void expect_refused(const char *edit, const char *words) {
  assert_int_equal(run("sed '%s' \"$BOOK\"/checker/points.txt >points", edit), 0);
  if (run("cd \"$BOOK\" && \"$CHECKER\" --points %s/points --progress >%s/said 2>&1", root, root) !=
          2 ||
      !strstr(get("said"), words))
    fail_msg("%s: not refused with \"%s\": %s", edit, words, get("said"));
}

/* The progress table does not show earlier points of a file that no longer compiles. */
static void test_progress(void **state) {
  (void)state;
  assert_int_equal(run("cd \"$BOOK\" && echo 'labs/01-naive/naive.cu:3:1: error: x' >%s/log && "
                       "\"$CHECKER\" --lab 01-naive --source labs/01-naive/naive.cu --program none "
                       "--compile-log %s/log --state %s/state >%s/said",
                       root, root, root, root),
                   1);
  assert_int_equal(
      run("cd \"$BOOK\" && \"$CHECKER\" --progress --state %s/state >%s/said", root, root), 0);
  assert_non_null(strstr(get("said"), "  0/100  does not compile now\n"));
  assert_non_null(strstr(get("said"), "  0/100  not checked yet\n"));
  assert_int_equal(run("sed -i 's/\"text\": \"./\"text\": \"x/' state/01-naive.json"), 0);
  assert_int_equal(
      run("cd \"$BOOK\" && \"$CHECKER\" --progress --state %s/state >%s/said", root, root), 0);
  assert_non_null(strstr(get("said"), "  0/100  edited since\n"));
}

static void test_points(void **state) {
  (void)state;
  assert_int_equal(run("cd \"$BOOK\" && \"$CHECKER\" --progress >%s/said 2>&1", root), 0);
  expect_refused("s/10  index/15  index/",
                 "the tasks of 01-naive have 105 points together, and the lab 100");
  expect_refused("s/10  index/10  indices/", "task 1 of 01-naive is \"index\"");
  expect_refused("s/10+10+5  host side/20+10+5  host side/;/10  orientation/d",
                 "01-naive has 8 tasks, here are 7");
  expect_refused("/^lab 01/,/^$/d", "lab 01-naive is missing");
  expect_refused("s/weight 1/weight 0/", "no lab weighs anything");
  expect_refused("s/weight 1/weight much/", "expected: lab NN-name");
  expect_refused("/^lab 01/s/$/  due tomorrow/", "expected at the end: due 2026-10-12 23:59");
  expect_refused("s/^late.*/late free/", "expected: late");
  expect_refused("s/^lab 02-shared /lab 01-naive  /", "this lab is listed twice");
  expect_refused("s/^late.*/perhaps/", "expected: lab ..., late ..., or below a lab");
  assert_int_equal(run("cd \"$BOOK\" && \"$CHECKER\" --points /nowhere --list >%s/said 2>&1", root),
                   2);
  assert_int_equal(
      run("cd \"$BOOK\" && \"$CHECKER\" --points /nowhere --progress >%s/said 2>&1", root), 2);
}

/* A task has either one number of points, or one number for each part. */
static void test_points_of_parts(void **state) {
  (void)state;
  assert_int_equal(
      run("sed 's/10+10+5  host side/25  host side/' \"$BOOK\"/checker/points.txt >points && "
          "cd \"$BOOK\" && \"$CHECKER\" --points %s/points --progress >%s/said 2>&1",
          root, root),
      0);
  expect_refused("s/10+10+5  host side/10+10+6  host side/",
                 "the tasks of 01-naive have 101 points together, and the lab 100");
  expect_refused("s/10+10+5  host side/10+15  host side/",
                 "task 6 of 01-naive has 3 parts, here are 2");
  expect_refused("s/10  index/5+5  index/", "task 1 of 01-naive has 0 parts, here are 2");
  expect_refused("s/10+10+5  host side/10+10+  host side/", "expected: lab ...");
  expect_refused("s/10+10+5  host side/5+5+5+5+5  host side/", "expected: lab ...");
  const Task *host = &sheet_find("01-naive")->tasks[5];
  assert_int_equal(host->points,
                   host->part_points[0] + host->part_points[1] + host->part_points[2]);
  assert_true(host->part_points[2] > 0);
}

/* ---- late days ------------------------------------------------------------------------------- */

/* Writes marks in which the first `passed` tasks have passed. */
static void put_marks(const char *id, const char *lab, size_t passed) {
  char path[300];
  const Sheet *sheet = sheet_find(lab);
  json_t *tasks = json_array();
  int score = 0;
  for (size_t i = 0; i < sheet->task_count; i++) {
    score += i < passed ? sheet->tasks[i].points : 0;
    json_array_append_new(tasks,
                          json_pack("{s:s, s:s, s:s}", "status", i < passed ? "passed" : "failed",
                                    "kind", "wrong", "headline", "wrong"));
  }
  assert_int_equal(run("mkdir -p class/marks/%s", id), 0);
  snprintf(path, sizeof path, "class/marks/%s/%s.json", id, lab);
  json_t *marks = json_pack("{s:s, s:b, s:i, s:i, s:o}", "lab", lab, "compiled", 1, "score", score,
                            "points", 100, "tasks", tasks);
  assert_int_equal(json_dump_file(marks, path, 0), 0);
  json_decref(marks);
  strcpy(path + strlen(path) - 4, "txt");
  put(path, "");
}

/* Writes full marks for labs 01 and 02, and returns the roster's entry with these submission
 * times. */
static json_t *arrived(const char *id, const char *name, const char *first, const char *second,
                       const char *dated, bool late) {
  put_marks(id, "01-naive", 99);
  put_marks(id, "02-shared", 99);
  return json_pack("{s:s, s:s, s:n, s:{s:n, s:n}, s:{s:{s:s, s:s, s:b}, s:{s:s, s:s, s:b}}}", "id",
                   id, "name", name, "problem", "labs", "01-naive", "02-shared", "files",
                   "01-naive", "submitted", first, "dated", dated, "late", late, "02-shared",
                   "submitted", second, "dated", dated, "late", late);
}

static void put_class(void) {
  static const char day[] = "2026-03-01 12:00:00";
  json_t *roster = json_array();
  assert_int_equal(run("rm -rf class && mkdir class"), 0);
  json_array_append_new(roster, arrived("ana", "Ana", day, day, "platform", false));
  json_array_append_new(
      roster, arrived("bo", "Bo", "2026-03-10 23:59:59", "2026-03-11 00:00:01", "platform", false));
  json_array_append_new(
      roster, arrived("cy", "Cy", "2026-03-12 12:00:00", "2026-03-12 23:00:00", "platform", false));
  json_array_append_new(roster, arrived("di", "张伟", day, "2026-03-20 12:00:00", "file", false));
  json_array_append_new(roster, arrived("ed", "Ed", "2026-03-20 12:00:00", day, "mark", false));
  json_array_append_new(roster, arrived("fi", "Fi", day, day, "mark", true));
  assert_int_equal(json_dump_file(roster, "class/roster.json", 0), 0);
  json_decref(roster);
}

/* Checks that the student's line in grades.csv begins with these numbers. */
static void expect_line(const char *csv, const char *id, const char *numbers) {
  char start[64];
  snprintf(start, sizeof start, "\"%s\",%s,", id, numbers);
  if (!strstr(csv, start))
    fail_msg("no %s in\n%s", start, csv);
}

static void write_class(const char *edit) {
  assert_int_equal(run("sed '%s' \"$BOOK\"/checker/points.txt >points", edit), 0);
  assert_int_equal(run("\"$CHECKER\" --points points --class class >said 2>&1"), 0);
}

/* Both labs are due at the end of March 10. The first late lab uses free days, so the second late
 * lab has fewer free days. */
static void test_late(void **state) {
  (void)state;
  put_class();
  put("class/identities.json", "{\"cy\": {\"platform\": \"Moodle\", \"key\": \"87\"}}");
  write_class(
      "/^lab 0[12]/s/$/  due 2026-03-10 23:59/;s/^late.*/late 3 days free 20 percent a day 6 "
      "days at most/");
  const char *csv = get("class/grades.csv");
  expect_line(csv, "ana", "100,100,200,0");
  expect_line(csv, "bo", "100,100,200,0"); /* handed in within the last minute */
  expect_line(csv, "cy", "100,80,180,2");  /* 2 days late, free; then 2, of which 1 is free */
  expect_line(csv, "di", "100,0,100,0");   /* ten days late */
  expect_line(csv, "ed", "100,100,200,0"); /* the platform marks it as not late */
  expect_line(csv, "fi", "100,100,200,1"); /* marked as late: one day, which is free */
  assert_non_null(
      strstr(get("class/reports/cy.txt"), "2 days late, 1 of them free: 20 points off"));
  assert_non_null(strstr(get("class/reports/di.txt"),
                         "10 days late by the file's date, 3 of them free: 100 points off"));
  assert_non_null(strstr(get("class/class.html"), "<td>80*"));
  assert_non_null(strstr(get("said"), "6 graded, mean  80.0/100, full marks 4"));
  assert_non_null(strstr(get("class/class.html"), "mean 80.0, median 100.0 of 100 points; 4 with"));
  assert_non_null(strstr(get("class/gradebook-moodle.csv"),
                         "lab 02: 80/100, 2 days late, 1 of them free: 20 points off; why"));
  assert_int_equal(unlink("class/identities.json"), 0);
  json_t *results = json_load_file("class/results/cy.json", 0, NULL);
  assert_int_equal(number_at(results, "score"), 200);
  json_decref(results);
}

static void test_weights(void **state) {
  (void)state;
  put_class();
  put_marks("ana", "01-naive", 1);
  write_class("/^lab 01/s/weight 1/weight 0.5/;/^lab 02/s/weight 1/weight 2/");
  expect_line(get("class/grades.csv"), "ana", "10,100,205");
  assert_non_null(strstr(get("class/reports/ana.txt"), "\n  score 205/250\n"));
  assert_non_null(strstr(get("class/grades.csv"), ",total,\"01-naive 1 index\""));
}

/* ---- gradebooks ------------------------------------------------------------------------------ */

static void test_gradebooks(void **state) {
  (void)state;
  put_class();
  assert_int_equal(run("rm class/marks/ana/02-shared.json"), 0); /* not graded yet */
  put("class/identities.json",
      "{\"ana\": {\"platform\": \"Canvas\", \"key\": \"4711\"}, \"bo\": {\"platform\": \"Canvas\", "
      "\"key\": \"4712\"}, \"cy\": {\"platform\": null, \"key\": \"\"}, \"di\": {\"platform\": "
      "\"Moodle\", \"key\": \"88\"}}");
  assert_int_equal(run("sed '' \"$BOOK\"/checker/points.txt >points"), 0);
  assert_int_equal(run("\"$CHECKER\" --points points --class class >said 2>&1"), 1);
  assert_string_equal(
      get("class/gradebook-canvas.csv"),
      "\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,01-naive,02-shared\r\n"
      "    Points Possible,,,,,100,100\r\n"
      "\"Ana\",4711,,,,100,\r\n\"Bo\",4712,,,,100,100\r\n");
  assert_non_null(strstr(get("class/gradebook-moodle.csv"),
                         "\r\nParticipant 88,\"张伟\",,200,200,Yes,-,\"lab 01: 100/100; lab 02: "
                         "100/100; why: report.txt\"\r\n"));
  assert_non_null(strstr(get("said"), "class/gradebook-canvas.csv, class/gradebook-moodle.csv"));
  put("class/identities.json", "{}");
  assert_int_equal(run("\"$CHECKER\" --points points --class class >said 2>&1"), 1);
  assert_int_not_equal(access("class/gradebook-canvas.csv", F_OK), 0);
}

static int enter(void **state) {
  (void)state;
  return scratch_folder(root, "gradebook") && chdir(root) == 0 ? 0 : -1;
}

static int leave(void **state) {
  (void)state;
  return chdir(book) == 0 && run("rm -rf '%s'", root) == 0 ? 0 : -1;
}

int main(void) {
  const char *build = getenv("BUILD");
  build = build ? build : "build";
  if (!getcwd(book, sizeof book - 64))
    return 2;
  snprintf(checker, sizeof checker, "%s%s%.400s/checker/checker", *build == '/' ? "" : book,
           *build == '/' ? "" : "/", build);
  setenv("BOOK", book, 1); /* run() quotes them: paths can contain any characters */
  setenv("CHECKER", checker, 1);
  points_read(NULL);
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
      TEST(test_points), TEST(test_points_of_parts), TEST(test_progress),
      TEST(test_late),   TEST(test_weights),         TEST(test_gradebooks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
