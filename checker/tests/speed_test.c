/* Tests the verdicts about a kernel's time, with valid and invalid files of times, and how two
 * programs run alternately. Shell scripts replace the programs. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "explain/explain.h"
#include "say/report.h"
#include "emulator/tests/scratch.h"

static char folder[SCRATCH_MOST];

static char *in_folder(const char *name) {
  static char paths[8][SCRATCH_MOST + 32];
  static int next;
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* Writes rounds of times that differ from `middle` by up to half of `apart`, relative to
 * `middle`. */
static void write_rounds(const char *path, const char *first, const double *middles, size_t rounds,
                         double apart) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "LOCKSTEP times, ms\n%s", first);
  for (size_t round = 0; round < rounds; round++)
    for (int i = 0; i < 15; i++)
      fprintf(file, "%.9g\n", middles[round] * (1 + apart * (i % 2 ? 0.5 : -0.5)));
  fclose(file);
}

static Speed read_rounds(const double *student, const double *reference, double apart,
                         const char *least) {
  char *a = in_folder("a"), *b = in_folder("b");
  Speed speed;
  write_rounds(a, "", student, SPEED_ROUNDS, apart);
  write_rounds(b, least, reference, SPEED_ROUNDS, apart);
  assert_true(speed_read(&speed, a, b));
  return speed;
}

static const double ones[SPEED_ROUNDS] = {1, 1, 1, 1, 1};

/* Checks the ratio, which is the first argument of a sentence about times. */
static void expect_ratio(const Said *said, double ratio) {
  assert_true(said->count > 0 && said->arguments[0].kind == ARGUMENT_NUMBER);
  assert_float_equal(said->arguments[0].number, ratio, 1e-6);
}

/* ---- judging times --------------------------------------------------------------------------- */

static void fast_passes(void **state) {
  (void)state;
  Verdict verdict = {.passed = false};
  Speed speed =
      read_rounds((const double[SPEED_ROUNDS]){1.1, 1.101, 1.102, 1.103, 1.104}, ones, 0.02, "");
  assert_int_equal(speed_judge(&speed), SPEED_GOOD);
  assert_true(speed_verdict(&verdict, &speed));
  assert_false(verdict_failed(&verdict));
  assert_int_equal(verdict.facts[0].says.id, SAY_TIMES_REFERENCE_WITHIN);
  expect_ratio(&verdict.facts[0].says, 1.102);
}

static void slow_fails_with_the_ratio(void **state) {
  (void)state;
  Verdict verdict = {.passed = false};
  Speed speed = read_rounds((const double[SPEED_ROUNDS]){2.5, 2.5, 2.5, 2.5, 2.5}, ones, 0.02, "");
  assert_false(speed_verdict(&verdict, &speed));
  assert_int_equal(verdict.kind, VERDICT_SLOW);
  assert_int_equal(verdict.headline.id, SAY_TIMES_REFERENCE);
  expect_ratio(&verdict.headline, 2.5);
  assert_true(verdict.headline.arguments[1].number == 1.25); /* the allowed ratio */
}

/* Each round of one program is compared with the same round of the other program. So a clock change
 * that affects both rounds does not change the result. */
static void pairs_are_compared(void **state) {
  (void)state;
  const double both[SPEED_ROUNDS] = {1, 2, 3, 4, 5};
  Speed speed = read_rounds(both, both, 0.02, "");
  assert_int_equal(speed_judge(&speed), SPEED_GOOD);
  assert_true(speed.ratio == 1);
}

static void scattered_is_not_graded(void **state) {
  (void)state;
  Verdict verdict = {.passed = false};
  Speed between = read_rounds((const double[SPEED_ROUNDS]){1, 1.4, 0.9, 2, 1.2}, ones, 0.01, "");
  Speed within = read_rounds((const double[SPEED_ROUNDS]){2.5, 2.5, 2.5, 2.5, 2.5}, ones, 0.5, "");
  assert_int_equal(speed_judge(&between), SPEED_NOISY);
  assert_false(speed_verdict(&verdict, &between));
  assert_int_equal(verdict.kind, VERDICT_NOISY);
  assert_int_equal(verdict.headline.id, SAY_REPEATS_SCATTER);
  assert_int_equal(speed_judge(&within), SPEED_NOISY);
}

/* One outlier in five rounds does not make the times noisy. */
static void one_outlier_is_forgiven(void **state) {
  (void)state;
  Speed speed = read_rounds((const double[SPEED_ROUNDS]){1, 1, 9, 1, 1}, ones, 0.01, "");
  assert_int_equal(speed_judge(&speed), SPEED_GOOD);
}

/* "at least 1.5" is the shortest possible time according to the reference program. A student's time
 * below this limit cannot be right. If the time of the reference solution is below this limit, the
 * limit is not used. */
static void faster_than_possible_is_no_time(void **state) {
  (void)state;
  Verdict verdict = {.passed = false};
  const double twos[SPEED_ROUNDS] = {2, 2, 2, 2, 2};
  Speed speed = read_rounds(ones, twos, 0.01, "at least 1.5\n");
  assert_false(speed_verdict(&verdict, &speed));
  assert_int_equal(verdict.kind, VERDICT_NO_TIMES);
  assert_int_equal(verdict.headline.id, SAY_FASTER_THAN_POSSIBLE);
  speed = read_rounds(ones, twos, 0.01, "at least 0.9\n");
  assert_int_equal(speed_judge(&speed), SPEED_GOOD);
  speed = read_rounds(ones, twos, 0.01, "at least 2.5\n");
  assert_int_equal(speed_judge(&speed), SPEED_GOOD);
}

static void nothing_is_noise(void **state) {
  (void)state;
  Speed none = {0};
  assert_int_equal(speed_judge(&none), SPEED_NOISY);
}

static void files_are_not_believed(void **state) {
  (void)state;
  static const char *const bad[] = {
      "",
      "1\n2\n3\n4\n5\n",
      "LOCKSTEP times, ms\n",
      "LOCKSTEP times, ms\nat least 1\nat least 1\n",
      "LOCKSTEP times, ms\n1\n2\nnan\n4\n5\n",
      "LOCKSTEP times, ms\n1\n2\n-3\n4\n5\n",
      "LOCKSTEP times, ms\n1\n2\n0\n4\n5\n",
      "LOCKSTEP times, ms\n1\n2\n3\n4\n5",
      "LOCKSTEP times, ms\n1\n2\nx\n4\n5\n",
  };
  char *good = in_folder("good"), *path = in_folder("bad");
  double times[8], least;
  Speed speed;
  write_rounds(good, "", ones, SPEED_ROUNDS, 0.01);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    write_text(path, bad[i]);
    assert_int_equal(times_read(path, times, 8, &least), 0);
    assert_false(speed_read(&speed, path, good));
  }
  write_rounds(path, "", ones, 1, 0.01);
  assert_false(speed_read(&speed, path, good));
  assert_false(speed_read(&speed, in_folder("not there"), good));
}

/* ---- two programs in turns ------------------------------------------------------------------- */

/* Writes a program that runs the rounds in turns and always reports `ms` as its time. */
static char *script(const char *name, const char *ms) {
  char text[1200], *path = in_folder(name);
  snprintf(
      text, sizeof text,
      "#!/usr/bin/bash\nturn() { printf $1 >&$LOCKSTEP_TURN; [ $1 = o ] || read -rN1 "
      "<&$LOCKSTEP_TURN; }\n"
      "echo 'time 0.001 ms'\nturn s\n"
      "while [ $# != 0 ]; do [ \"$1\" = --times ] && file=$2; [ \"$1\" = --rounds ] && rounds=$2; "
      "shift; done\n"
      "echo 'LOCKSTEP times, ms' >$file\n"
      "for ((round = 0; round < rounds; round++)); do turn a; printf %s 2>/dev/null >>%s/turns\n"
      "for i in 1 2 3 4 5 6 7; do echo %s; done >>$file; turn o; done\n",
      name, folder, ms);
  write_text(path, text);
  chmod(path, 0700);
  return path;
}

static char *other_script(const char *name, const char *body) {
  char text[200], *path = in_folder(name);
  snprintf(text, sizeof text, "#!/bin/bash\n%s\n", body);
  write_text(path, text);
  chmod(path, 0700);
  return path;
}

static Verdict judged(const char *student, const char *reference, const char *sandbox) {
  Settings settings = {
      .lab = "04-ilp",
      .build = {.program = student, .reference = reference, .precision = "float", .on_gpu = true},
      .paths = {.labs = "labs"},
      .walls = {.sandbox = sandbox, .gpu_lock = in_folder("gpu")}};
  Check check = {.settings = &settings};
  snprintf(check.folder, sizeof check.folder, "%s", folder);
  unlink(in_folder("turns"));
  check_speed(&check, "smem4", 64);
  return check.verdict;
}

static void they_take_turns(void **state) {
  (void)state;
  char turns[64] = "";
  char *a = script("A", "2"), *b = script("B", "1");
  Verdict verdict = judged(a, b, NULL);
  assert_int_equal(verdict.kind, VERDICT_SLOW);
  expect_ratio(&verdict.headline, 2);
  assert_non_null(strstr(verdict.again, "--variant smem4 --size 64"));
  FILE *file = fopen(in_folder("turns"), "r");
  assert_non_null(file);
  assert_non_null(fgets(turns, sizeof turns, file));
  fclose(file);
  assert_string_equal(turns, "ABABABABAB");
  verdict = judged(b, b, NULL);
  assert_false(verdict_failed(&verdict));
}

/* The two programs also run alternately if each program has its own sandbox. */
static void they_take_turns_behind_walls(void **state) {
  (void)state;
  if (system("bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true 2>/dev/null") != 0)
    skip();
  char *a = script("A", "2"), *b = script("B", "1");
  Verdict verdict = judged(a, b, "bwrap");
  assert_int_equal(verdict.kind, VERDICT_SLOW);
  expect_ratio(&verdict.headline, 2);
}

static void no_file_no_time(void **state) {
  (void)state;
  char *quiet = other_script("A", ":"), *crash = other_script("C", "kill -SEGV $$"),
       *b = script("B", "1");
  Verdict verdict = judged(quiet, b, NULL);
  assert_int_equal(verdict.kind, VERDICT_NO_TIMES);
  verdict = judged(crash, b, NULL);
  assert_int_equal(verdict.kind, VERDICT_CRASH);
}

/* A measurement waits until all other programs have left the GPU, and later programs wait until the
 * measurement ends. */
static void who_measures_has_it_alone(void **state) {
  (void)state;
  Settings settings = {.walls.gpu_lock = in_folder("gpu")};
  int other = open(settings.walls.gpu_lock, O_RDWR | O_CREAT, 0600);
  assert_int_equal(flock(other, LOCK_SH), 0);
  assert_true(gpu_take(&settings, false));
  gpu_leave();
  assert_false(gpu_take(&settings, true));
  int next = open(in_folder("gpu.next"), O_RDWR, 0600);
  assert_int_not_equal(flock(next, LOCK_EX | LOCK_NB), 0);
  assert_int_equal(flock(other, LOCK_UN), 0);
  assert_true(gpu_take(&settings, true));
  assert_int_equal(flock(next, LOCK_EX | LOCK_NB), 0);
  assert_int_not_equal(flock(other, LOCK_SH | LOCK_NB), 0);
  gpu_leave();
  assert_int_equal(flock(other, LOCK_EX | LOCK_NB), 0);
  close(next);
  close(other);
}

/* The number of waiting pairs of programs that hold device memory is limited. */
static void places_are_few(void **state) {
  (void)state;
  Settings settings = {.walls.gpu_lock = in_folder("gpu")};
  int places[3];
  for (int i = 0; i < 3; i++)
    places[i] = gpu_place(&settings);
  int one = open(in_folder("gpu.place1"), O_RDWR, 0600);
  assert_int_not_equal(flock(one, LOCK_EX | LOCK_NB), 0);
  close(places[1]);
  assert_int_equal(flock(one, LOCK_EX | LOCK_NB), 0);
  close(places[0]);
  close(places[2]);
  close(one);
}

static bool at_the_third_time(void *asked, bool alone) {
  assert_true(alone);
  if (++*(int *)asked % 10 < 3)
    return false;
  FILE *turns = fopen(in_folder("turns"), "a");
  fputs("given ", turns);
  fclose(turns);
  return true;
}
static void left(void *asked) { *(int *)asked += 10; }

static void a_program_waits_for_its_turn(void **state) {
  (void)state;
  char line[64] = "";
  const char *arguments[] = {other_script("W",
                                          "printf a >&$LOCKSTEP_TURN; head -c 1 <&$LOCKSTEP_TURN\n"
                                          "printf began >>$(dirname $0)/turns"),
                             NULL};
  int asked = 0;
  unlink(in_folder("turns"));
  ChildRequest request = {
      .arguments = arguments, .seconds = 30, .turns = &(Turns){at_the_third_time, left, &asked}};
  ChildEnd end = child_run(&request);
  assert_int_equal(end.code, 0);
  FILE *turns = fopen(in_folder("turns"), "r");
  assert_non_null(fgets(line, sizeof line, turns));
  fclose(turns);
  assert_string_equal(line, "given began");
  assert_int_equal(asked, 10 + 3 + 10); /* left() was called at the start and at the end */
}

/* A busy GPU must not cost points: in a class, a lab with noisy times has no marks, so that it is
 * graded again. */
static void noisy_marks_do_not_count(void **state) {
  (void)state;
  Settings settings = {.build = {.device = "gpu", .precision = "float", .on_gpu = true}};
  Marks marks = {.lab = sheet_first(), .settings = &settings, .compiled = true};
  marks.status[1] = TASK_NOT_GRADED; /* the task needs counters, which a GPU does not have */
  json_t *counted = marks_json(&marks);
  verdict_say(&marks.verdicts[1], VERDICT_NOISY);
  json_t *noisy = marks_json(&marks);
  assert_null(json_object_get(counted, "ungraded"));
  assert_string_equal(text_at(noisy, "ungraded"), "the times of task 2 scatter too much");
  json_decref(counted);
  json_decref(noisy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fast_passes),
      cmocka_unit_test(slow_fails_with_the_ratio),
      cmocka_unit_test(pairs_are_compared),
      cmocka_unit_test(scattered_is_not_graded),
      cmocka_unit_test(one_outlier_is_forgiven),
      cmocka_unit_test(faster_than_possible_is_no_time),
      cmocka_unit_test(nothing_is_noise),
      cmocka_unit_test(files_are_not_believed),
      cmocka_unit_test(they_take_turns),
      cmocka_unit_test(they_take_turns_behind_walls),
      cmocka_unit_test(who_measures_has_it_alone),
      cmocka_unit_test(places_are_few),
      cmocka_unit_test(a_program_waits_for_its_turn),
      cmocka_unit_test(no_file_no_time),
      cmocka_unit_test(noisy_marks_do_not_count),
  };
  if (!scratch_folder(folder, "speed"))
    return 2;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char command[SCRATCH_MOST + 16];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) != 0 || failed != 0;
}
