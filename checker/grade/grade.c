/* Runs a lab's tasks, each as one CMocka test: the test asserts the verdict, and CMocka's answer
 * decides the marks. CMocka writes its XML; what the person reads is our report.
 */
#include "explain/explain.h"
#include "grade/grade.h"

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

/* One task on its way through CMocka. */
typedef struct TaskTest {
  Marks *marks;
  size_t task;
  Check *check;
} TaskTest;

/* One that could not be graded stands in nobody's way. */
static bool open_task(const Marks *marks, int task) {
  return task != 0 && marks->status[task - 1] != TASK_PASSED &&
         marks->status[task - 1] != TASK_NOT_GRADED;
}

static void not_run(TaskTest *test, int needs) {
  verdict_set(&test->marks->verdicts[test->task], VERDICT_NOT_RUN, SAID(NEEDS_TASK, needs));
  skip();
}

/* Numbers that answer an open prediction stay hidden until it is made: the marks are the same. */
static void hide_numbers(Check *check, const Sheet *lab, int predictions) {
  Verdict *verdict = &check->verdict;
  if (verdict->kind != VERDICT_GATE)
    return;
  Check asked = {.settings = check->settings};
  if (predict_answered(&asked, lab->tasks[predictions - 1].predictions))
    return;
  verdict_say(verdict, VERDICT_GATE);
  verdict_cause(verdict,
                SAID(SHOWN_AFTER_PREDICTING,
                predictions));
}

/* "passed", or what the XML shall show. CMocka puts it into a CDATA section, which must not end early. */
static const char *outcome(const Verdict *verdict, char words[SAID_WORDS]) {
  said_text(&verdict->headline, words, SAID_WORDS);
  for (char *end = words; (end = strstr(end, "]]>"));)
    *end = ')';
  return verdict->passed ? "passed" : words;
}

/* What only counters can tell, a GPU tells by the time it takes, if somebody is there to compare
 * with. */
static bool timed(const Task *task, const Settings *settings) {
  return task->timed && settings->build.on_gpu && settings->build.reference;
}

static void not_graded(TaskTest *test, const Verdict *why) {
  if (why)
    test->marks->verdicts[test->task] = *why;
  test->marks->status[test->task] = TASK_NOT_GRADED;
  skip();
}

Settings settings_in_double(const Settings *settings) {
  Settings in_double = *settings;
  in_double.build.program = settings->build.in_double;
  in_double.build.precision = "double";
  in_double.build.replay[0] = settings->build.replay[1];
  in_double.build.object[0] = settings->build.object[1];
  in_double.build.in_double = NULL;
  return in_double;
}

/* What is right in one precision may be wrong in the other: a sum, a tile or a size in bytes of the wrong type. */
static void judge_in_double(Check *check, const Task *task) {
  const Settings *settings = check->settings;
  Settings in_double = settings_in_double(settings);
  char log[PATH_MAX];
  check->settings = &in_double;
  if (access(in_double.build.program, X_OK) == 0) {
    task->check(check);
  } else {
    snprintf(log, sizeof log, "%s.log", in_double.build.program);
    verdict_compile(&check->verdict, log);
  }
  check->settings = settings;
}

/* ---- both precisions side by side ------------------------------------------------------------------ */

/* The checks in double need nothing of those in float: where there is a second core, a process of its own makes them
 * meanwhile, one task after the other, and hands on what came of each. A class has other labs for its cores, and limits
 * for all runs of one. */
typedef struct Beside {
  pid_t pid;     /* 0: there is none */
  FILE *results; /* of which the first `read` tasks have been read */
  size_t read;
  char folder[sizeof((Check *)0)->folder];
} Beside;

static Beside beside;

typedef struct InDouble {
  Verdict verdict;
  int waits_for;
  size_t kernels; /* so many bytes of JSON follow */
} InDouble;

static void judge_all_in_double(Check *check, const Sheet *lab, FILE *results) {
  bool failed[TASKS_MAX + 1] = {false};
  for (size_t i = 0; i < lab->task_count; i++) {
    const Task *task = &lab->tasks[i];
    InDouble one = {.kernels = 0};
    memset(&check->verdict, 0, sizeof check->verdict);
    check->waits_for = 0;
    check->kernels = json_object();
    if (!task->predictions && !failed[task->needs])
      judge_in_double(check, task);
    one.verdict = check->verdict;
    one.waits_for = check->waits_for;
    failed[i + 1] = verdict_failed(&check->verdict);
    char *kernels = json_dumps(check->kernels, JSON_COMPACT);
    one.kernels = strlen(kernels);
    fwrite(&one, sizeof one, 1, results);
    fwrite(kernels, 1, one.kernels, results);
    fflush(results);
    free(kernels);
    json_decref(check->kernels);
  }
}

static void begin_beside(const Check *check, const Sheet *lab) {
  const Settings *settings = check->settings;
  int ends[2];
  beside = (Beside){.pid = 0};
  if (!settings->build.in_double || settings->build.on_gpu || settings->walls.sandbox || settings->walls.budget > 0 ||
      sysconf(_SC_NPROCESSORS_ONLN) < 2 || access(settings->build.in_double, X_OK) != 0)
    return;
  if (snprintf(beside.folder, sizeof beside.folder, "%s/double", check->folder) >=
          (int)sizeof beside.folder ||
      mkdir(beside.folder, 0700) != 0 || pipe2(ends, O_CLOEXEC) != 0)
    return;
  beside.pid = child_of_ours();
  if (beside.pid == 0) {
    Check own = {.settings = settings};
    FILE *results = fdopen(ends[1], "w");
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC),
         STDERR_FILENO); /* who reads nothing judges again */
    memcpy(own.folder, beside.folder, sizeof own.folder);
    judge_all_in_double(&own, lab, results);
    _exit(0);
  }
  close(ends[1]);
  beside.results = fdopen(ends[0], "r");
  child_leave_alone(beside.pid > 0 ? beside.pid : 0);
}

/* What came of the n-th task over there; false: nothing. */
static bool ask_beside(Check *check, size_t task) {
  InDouble one;
  char *text = NULL;
  bool good = beside.pid > 0;
  while (good && beside.read <= task) {
    free(text);
    text = NULL;
    good = fread(&one, sizeof one, 1, beside.results) == 1 && (text = calloc(1, one.kernels + 1)) &&
           fread(text, 1, one.kernels, beside.results) == one.kernels;
    beside.read++;
  }
  if (good) {
    json_t *kernels = json_loads(text, 0, NULL);
    check->verdict = one.verdict;
    check->waits_for = one.waits_for;
    work_sum(check->kernels, kernels);
    json_decref(kernels);
  }
  free(text);
  return good;
}

static void end_beside(void) {
  if (!beside.folder[0])
    return;
  child_end_left_alone();
  if (beside.results)
    fclose(beside.results);
  child_folder_gone(beside.folder);
}

/* Predictions are about float. */
static void check_in_double(Check *check, const Task *task, size_t number) {
  Verdict *verdict = &check->verdict;
  if (!check->settings->build.in_double || task->predictions || verdict_failed(verdict) || check->waits_for)
    return;
  if (!ask_beside(check, number))
    judge_in_double(check, task);
  if (!verdict_failed(verdict))
    return;
  verdict->in_double = true;
  verdict_fact(verdict, "", SAID(RIGHT_IN_FLOAT));
}

static void run_task(void **state) {
  TaskTest *test = *state;
  char words[SAID_WORDS];
  Marks *marks = test->marks;
  const Task *task = &marks->lab->tasks[test->task];
  if (task->counters && marks->settings->build.on_gpu && !timed(task, marks->settings))
    not_graded(test, NULL);
  if (open_task(marks, task->needs))
    not_run(test, task->needs);
  Check *check = test->check;
  memset(&check->verdict, 0, sizeof check->verdict);
  check->waits_for = 0;
  check->kernels = marks->settings->build.on_gpu ? NULL : json_object();
  marks->kernels[test->task] = check->kernels;
  if (!task->predictions || predict_answered(check, task->predictions))
    task->check(check);
  check_in_double(check, task, test->task);
  if (timed(task, marks->settings) && !verdict_failed(&check->verdict))
    check_speed(check, task->timed, marks->lab->timed_size);
  if (check->verdict.kind == VERDICT_NOISY)
    not_graded(test, &check->verdict);
  if (task->predict_first)
    hide_numbers(check, marks->lab, task->predict_first);
  if (check->waits_for)
    not_run(test, check->waits_for);
  check->verdict.passed = !verdict_failed(&check->verdict);
  marks->verdicts[test->task] = check->verdict;
  marks->status[test->task] = TASK_FAILED;
  assert_string_equal(outcome(&check->verdict, words), "passed");
  marks->status[test->task] = TASK_PASSED;
}

static void run_all(Marks *marks, Check *check, const char *xml) {
  struct CMUnitTest tests[TASKS_MAX];
  TaskTest each[TASKS_MAX];
  char names[TASKS_MAX][80];
  size_t count = marks->lab->task_count;
  for (size_t i = 0; i < count; i++) {
    each[i] = (TaskTest){marks, i, check};
    snprintf(names[i], sizeof names[i], "task %zu, %s", i + 1, marks->lab->tasks[i].title);
    tests[i] = (struct CMUnitTest){names[i], run_task, NULL, NULL, &each[i]};
  }
  unlink(xml); /* CMocka writes to standard error rather than over a file */
  setenv("CMOCKA_XML_FILE", xml, 1);
  cmocka_set_message_output(CM_OUTPUT_XML);
  int failures = _cmocka_run_group_tests(marks->lab->name, tests, count, NULL, NULL);
  for (size_t i = 0; i < count; i++)
    failures -= marks->status[i] == TASK_FAILED;
  if (failures != 0) /* CMocka and we must agree on every task */
    bad_input("a check broke off: see %s", xml);
}

static void count_marks(Marks *marks) {
  for (size_t i = 0; i < marks->lab->task_count; i++) {
    int points = marks->lab->tasks[i].points;
    marks->score += marks->status[i] == TASK_PASSED ? points : 0;
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
  verdict_compile(&marks->compiling, log);
  if (!marks->settings->walls.work) /* that folder is gone before anybody could look */
    verdict_fact(&marks->compiling, "", SAID(COMPILER_LOG, log));
  not_run_at_all(marks, SAY_DOES_NOT_COMPILE);
}

static void not_gradable(Marks *marks, const char *why) {
  for (size_t i = 0; i < marks->lab->task_count; i++) {
    marks->status[i] = TASK_NOT_RUN;
    verdict_set(&marks->verdicts[i], VERDICT_UNGRADED, SAID(UNGRADED_BECAUSE, why));
  }
}

/* ---- interrupted --------------------------------------------------------------------------------- */

static const char *scratch; /* the folder of the runs, while there is one */

/* Ctrl-C, or the end of a job: what the runs have left goes, too. Only what a handler may call. */
static void tidy_up(int signal) {
  static const char erase[] = "\r\033[K"; /* a line that says how far a search is */
  if (isatty(STDERR_FILENO) && write(STDERR_FILENO, erase, sizeof erase - 1) < 0)
    raise(signal);
  pid_t remover = fork();
  if (remover == 0) {
    execl("/bin/rm", "rm", "-rf", scratch, (char *)NULL);
    _exit(127);
  }
  if (remover > 0)
    waitpid(remover, NULL, 0);
  raise(signal); /* SA_RESETHAND: this time it ends us */
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

/* Where runs leave their results: in memory, where there is plenty and nobody says otherwise. */
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
  Check check = {.settings = settings};
  struct timespec start, end;
  char xml[320];
  *marks = (Marks){.lab = lab, .settings = settings, .compiled = true};
  clock_gettime(CLOCK_MONOTONIC, &start);
  results_folder(settings, check.folder);
  snprintf(xml, sizeof xml, "%s/tests.xml", check.folder);
  if (settings->ungraded)
    not_gradable(marks, settings->ungraded);
  else if (settings->build.names && !gate_open(&marks->compiling, settings))
    not_run_at_all(marks, SAY_FILE_REFUSED);
  else if (settings->build.compile_log)
    not_compiled(marks, settings->build.compile_log);
  else {
    begin_beside(&check, lab);
    run_all(marks, &check, settings->paths.xml ? settings->paths.xml : xml);
    end_beside();
  }
  known_forget();
  unlink(xml);
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
