/* Grades a lab: runs each task as one CMocka test, which asserts that the verdict is empty. The
 * results of the tests decide the marks. CMocka writes its XML file; students read the checker's
 * own report. */
#include "explain/explain.h"
#include "grade/in_double.h"
#include "grade/restored.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* The data of one CMocka test. */
typedef struct TaskTest {
  Marks *marks;
  size_t task;
  Check *check;
  Beside *beside;
} TaskTest;

static bool open_task(const Marks *marks, int task) {
  return task != 0 && marks->status[task - 1] != TASK_PASSED &&
         marks->status[task - 1] != TASK_NOT_GRADED;
}

/* Returns true if the task's gap and the code outside of all gaps are as they were handed out. */
static bool is_untouched(const Marks *marks, size_t task) {
  const Task *t = &marks->lab->tasks[task];
  char *text = t->untouched && !t->predictions ? text_of_file(marks->settings->paths.source) : NULL;
  bool untouched = text && gap_fingerprint(text, (int)task + 1) == t->untouched &&
                   gap_fingerprint(text, 0) == marks->lab->untouched;
  free(text);
  return untouched;
}

/* ---- what a task may show -------------------------------------------------------------------- */

/* Removes the counters from the verdict of a failed gate if the counters would answer an open
 * prediction. The marks do not change. */
static void hide_numbers(Check *check, const Sheet *lab, int predictions) {
  Verdict *verdict = &check->verdict;
  if (verdict->kind != VERDICT_GATE)
    return;
  Check asked = {.settings = check->settings};
  if (predict_answered(&asked, lab->tasks[predictions - 1].predictions))
    return;
  verdict_say(verdict, VERDICT_GATE);
  verdict_cause(verdict, SAID(SHOWN_AFTER_PREDICTING, predictions));
}

/* Returns "passed", or the headline of the verdict. CMocka writes it into a CDATA section of its
 * XML, so "]]>", which would end the section, is replaced. */
static const char *outcome(const Verdict *verdict, char words[SAID_WORDS]) {
  said_text(&verdict->headline, words, SAID_WORDS);
  for (char *end = words; (end = strstr(end, "]]>"));)
    *end = ')';
  return verdict->passed ? "passed" : words;
}

/* Returns true if the task is judged by its time: the device is a GPU, which has no counters. */
static bool timed(const Task *task, const Settings *settings) {
  return task->timed && settings->build.on_gpu && settings->build.reference;
}

/* ---- one task -------------------------------------------------------------------------------- */

/* Records that the task was not run because task `needs` has not passed. Like not_graded, calls
 * skip(), which ends the CMocka test. */
static void not_run(TaskTest *test, int needs) {
  Verdict *verdict = &test->marks->verdicts[test->task];
  if (is_untouched(test->marks, test->task))
    verdict_say(verdict, VERDICT_NOT_BEGUN);
  else
    verdict_set(verdict, VERDICT_NOT_RUN, SAID(NEEDS_TASK, needs));
  skip();
}

static void not_graded(TaskTest *test, const Verdict *why) {
  if (why)
    test->marks->verdicts[test->task] = *why;
  test->marks->status[test->task] = TASK_NOT_GRADED;
  skip();
}

/* Returns true if the task is checked in double, too. Predictions are only about float. If no part
 * is right in float, no part can be right in both precisions. */
static bool asks_in_double(const Check *check, const Task *task) {
  return check->settings->build.in_double && !task->predictions && !check->waits_for &&
         (!verdict_failed(&check->verdict) || check->parts_right);
}

/* Judges a task in float and in double. A part must be right in both precisions. If the task fails
 * in float, the verdict of float is shown. */
static void judge_in_both(TaskTest *test, const Task *task) {
  Check *check = test->check;
  task_judge(check, task);
  if (!asks_in_double(check, task))
    return;
  const Verdict in_float = check->verdict;
  const unsigned parts = check->parts, right = check->parts_right;
  beside_judge(test->beside, check, test->marks->lab, test->task);
  const unsigned in_double = check->parts ? check->parts_right : 0;
  check->parts_right = right & in_double;
  check->parts = parts;
  if (verdict_failed(&in_float)) {
    check->verdict = in_float;
  } else if (verdict_failed(&check->verdict)) {
    check->verdict.in_double = true;
    verdict_fact(&check->verdict, "", SAID(RIGHT_IN_FLOAT));
  }
}

static void begin_check(TaskTest *test) {
  Check *check = test->check;
  memset(&check->verdict, 0, sizeof check->verdict);
  check->waits_for = 0;
  check->parts = check->parts_right = 0;
  check->predicted_count = 0;
  check->kernels = test->marks->settings->build.on_gpu ? NULL : json_object();
  test->marks->kernels[test->task] = check->kernels;
}

static int points_earned(const Task *task, const Check *check) {
  int earned = verdict_failed(&check->verdict) ? 0 : task->points;
  for (unsigned i = 0; verdict_failed(&check->verdict) && i < check->parts && i < PARTS_MOST; i++)
    earned += check->parts_right >> i & 1 ? task->part_points[i] : 0;
  return earned;
}

static void keep_marks(TaskTest *test, const Task *task) {
  Marks *marks = test->marks;
  Check *check = test->check;
  size_t at = test->task;
  marks->earned[at] = points_earned(task, check);
  marks->parts_right[at] = check->parts_right;
  marks->predicted_count[at] = check->predicted_count;
  memcpy(marks->predicted[at], check->predicted, sizeof check->predicted);
  if (verdict_failed(&check->verdict))
    check->failed |= 2u << at;
  if (verdict_failed(&check->verdict) && is_untouched(marks, at) &&
      !(task->begun && task->begun(check)))
    verdict_say(&check->verdict, VERDICT_NOT_BEGUN);
  check->verdict.passed = !verdict_failed(&check->verdict);
  marks->verdicts[at] = check->verdict;
}

/* Judges the time of a task. If the task is too slow, its parts get no points, although their
 * values are right. */
static void judge_speed(Check *check, const Task *task, int size) {
  check_speed(check, task->timed, size);
  if (verdict_failed(&check->verdict))
    check->parts_right = 0;
}

static void run_task(void **state) {
  TaskTest *test = *state;
  char words[SAID_WORDS];
  Marks *marks = test->marks;
  Check *check = test->check;
  const Task *task = &marks->lab->tasks[test->task];
  if (task->counters && marks->settings->build.on_gpu && !timed(task, marks->settings))
    not_graded(test, NULL);
  if (open_task(marks, task->needs)) {
    check->failed |= 2u << test->task;
    not_run(test, task->needs);
  }
  begin_check(test);
  if (!task->predictions || predict_answered(check, task->predictions))
    judge_in_both(test, task);
  if (timed(task, marks->settings) && !verdict_failed(&check->verdict))
    judge_speed(check, task, marks->lab->timed_size);
  if (check->verdict.kind == VERDICT_NOISY)
    not_graded(test, &check->verdict);
  if (task->predict_first)
    hide_numbers(check, marks->lab, task->predict_first);
  if (check->waits_for) {
    check->failed |= 2u << test->task;
    not_run(test, check->waits_for);
  }
  keep_marks(test, task);
  marks->status[test->task] = TASK_FAILED;
  assert_string_equal(outcome(&check->verdict, words), "passed");
  marks->status[test->task] = TASK_PASSED;
}

static void run_all(Marks *marks, Check *check, Beside *beside, const char *xml) {
  struct CMUnitTest tests[TASKS_MAX];
  TaskTest each[TASKS_MAX];
  char names[TASKS_MAX][80];
  size_t count = marks->lab->task_count;
  for (size_t i = 0; i < count; i++) {
    each[i] = (TaskTest){marks, i, check, beside};
    snprintf(names[i], sizeof names[i], "task %zu, %s", i + 1, marks->lab->tasks[i].title);
    tests[i] = (struct CMUnitTest){names[i], run_task, NULL, NULL, &each[i]};
  }
  unlink(xml); /* CMocka does not overwrite a file */
  setenv("CMOCKA_XML_FILE", xml, 1);
  cmocka_set_message_output(CM_OUTPUT_XML);
  int failures = _cmocka_run_group_tests(marks->lab->name, tests, count, NULL, NULL);
  for (size_t i = 0; i < count; i++)
    failures -= marks->status[i] == TASK_FAILED;
  if (failures != 0) /* CMocka and the marks must agree */
    bad_input("a check broke off: see %s", xml);
}

static void count_marks(Marks *marks) {
  for (size_t i = 0; i < marks->lab->task_count; i++) {
    int points = marks->lab->tasks[i].points;
    marks->score += marks->earned[i];
    marks->points += marks->status[i] == TASK_NOT_GRADED ? 0 : points;
  }
}

static void not_run_at_all(Marks *marks, SayId why) {
  marks->compiled = false;
  for (size_t i = 0; i < marks->lab->task_count; i++) {
    marks->status[i] = TASK_NOT_RUN;
    verdict_set(&marks->verdicts[i], VERDICT_NOT_RUN, SAID(NOT_RUN_BECAUSE, phrase(why)));
  }
}

static void not_compiled(Marks *marks, const char *log) {
  marks->compile_log = log;
  verdict_compile(&marks->compiling, log);
  if (log == marks->own_log)
    verdict_fact(&marks->compiling, "", SAID(GIVEN_ERROR));
  if (!marks->settings->walls.work) /* the sandbox's log is removed with the submission's folder */
    verdict_fact(&marks->compiling, "", SAID(COMPILER_LOG, log));
  not_run_at_all(marks, SAY_DOES_NOT_COMPILE);
}

static void not_gradable(Marks *marks, const char *why) {
  for (size_t i = 0; i < marks->lab->task_count; i++) {
    marks->status[i] = TASK_NOT_RUN;
    verdict_set(&marks->verdicts[i], VERDICT_UNGRADED, SAID(UNGRADED_BECAUSE, why));
  }
}

/* ---- interrupted ----------------------------------------------------------------------------- */

static const char *scratch; /* The folder of the runs, or NULL. */

/* Signal handler for Ctrl-C and termination: removes the files of the runs. It calls
 * async-signal-safe functions only. */
static void tidy_up(int signal) {
  static const char erase[] = "\r\033[K"; /* erases a progress line */
  if (isatty(STDERR_FILENO) && write(STDERR_FILENO, erase, sizeof erase - 1) < 0)
    raise(signal);
  pid_t remover = fork();
  if (remover == 0) {
    execl("/bin/rm", "rm", "-rf", scratch, (char *)NULL);
    _exit(127);
  }
  if (remover > 0)
    waitpid(remover, NULL, 0);
  raise(signal); /* SA_RESETHAND has restored the default handler */
}

static void watch_interrupts(const char *folder) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = folder ? tidy_up : SIG_DFL,
                             .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
  struct sigaction before;
  scratch = folder ? folder : scratch;
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(signals[i], &action, NULL);
}

/* Returns the parent of the folder for the results of runs: TMPDIR if it is set; otherwise /dev/shm
 * if it has 1 GiB free; otherwise /tmp. */
static const char *place_for_results(const Settings *settings) {
  const char *temporary = getenv("TMPDIR");
  struct statvfs memory;
  bool plenty = !settings->walls.sandbox && access("/dev/shm", W_OK | X_OK) == 0 &&
                statvfs("/dev/shm", &memory) == 0 &&
                (double)memory.f_bavail * (double)memory.f_frsize >= 1 << 30;
  return temporary ? temporary : plenty ? "/dev/shm" : "/tmp";
}

void results_folder(const Settings *settings, char folder[RESULTS_FOLDER]) {
  snprintf(folder, RESULTS_FOLDER, "%s/lockstep-XXXXXX", place_for_results(settings));
  if (!mkdtemp(folder))
    bad_input("%s: cannot make a folder (%s): set TMPDIR", folder, strerror(errno));
  watch_interrupts(folder);
}

void results_folder_gone(const char *folder) {
  rmdir(folder);
  watch_interrupts(NULL);
}

void grade(const Sheet *lab, const Settings *settings, Marks *marks) {
  Restored restored;
  const Settings *graded = &restored.settings;
  Check check = {.settings = graded};
  struct timespec start, end;
  char xml[320];
  *marks = (Marks){.lab = lab, .settings = settings, .compiled = true};
  clock_gettime(CLOCK_MONOTONIC, &start);
  results_folder(settings, check.folder);
  snprintf(xml, sizeof xml, "%s/tests.xml", check.folder);
  restored_begin(&restored, lab, settings, marks, check.folder);
  if (settings->ungraded)
    not_gradable(marks, settings->ungraded);
  else if (verdict_failed(&marks->compiling) ||
           (settings->build.names && !gate_open(&marks->compiling, graded)))
    not_run_at_all(marks, SAY_FILE_REFUSED);
  else if (graded->build.compile_log)
    not_compiled(marks, graded->build.compile_log);
  else {
    Beside *beside = beside_begin(&check, lab);
    run_all(marks, &check, beside, settings->paths.xml ? settings->paths.xml : xml);
    beside_end(beside);
  }
  known_forget();
  unlink(xml);
  restored_end(&restored);
  results_folder_gone(check.folder);
  count_marks(marks);
  clock_gettime(CLOCK_MONOTONIC, &end);
  marks->seconds =
      (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

void marks_free(Marks *marks) {
  for (size_t i = 0; i < TASKS_MAX; i++)
    json_decref(marks->kernels[i]);
}
