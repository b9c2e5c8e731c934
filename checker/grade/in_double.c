/* Checks tasks in double. A second process does this ahead of time, while this process checks the
 * tasks in float. If the second process has no result for a task, this process checks the task. */
#include "grade/in_double.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- one task -------------------------------------------------------------------------------- */

void task_judge(Check *check, const Task *task) {
  memset(&check->verdict, 0, sizeof check->verdict);
  memset(&check->wrong_part, 0, sizeof check->wrong_part);
  check->waits_for = 0;
  check->parts = check->parts_right = 0;
  check->predicted_count = 0;
  check->last[0] = '\0';
  task->check(check);
  if (check->verdict.kind == VERDICT_GATE && !check->verdict.again[0])
    memcpy(check->verdict.again, check->last, sizeof check->verdict.again);
  if (check->parts && !verdict_failed(&check->verdict))
    check->verdict = check->wrong_part;
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

/* Judges a task with the program in double. A sum, a tile or a size in bytes can be right in one
 * precision and wrong in the other. */
static void judge_in_double(Check *check, const Task *task) {
  const Settings *settings = check->settings;
  Settings in_double = settings_in_double(settings);
  char log[PATH_MAX];
  check->settings = &in_double;
  if (access(in_double.build.program, X_OK) == 0) {
    task_judge(check, task);
  } else {
    snprintf(log, sizeof log, "%s.log", in_double.build.program);
    check->parts = check->parts_right = 0;
    verdict_compile(&check->verdict, log);
  }
  check->settings = settings;
}

/* ---- the second process ---------------------------------------------------------------------- */

struct Beside {
  pid_t pid;
  FILE *results;
  /* The number of tasks whose results have been read. */
  size_t read;
  char folder[sizeof((Check *)0)->folder];
};

/* The result that the second process writes for each task. JSON of `kernels` bytes follows it. */
typedef struct Result {
  Verdict verdict;
  int waits_for;
  unsigned parts, parts_right;
  size_t kernels;
} Result;

static void write_result(const Check *check, FILE *results) {
  char *kernels = json_dumps(check->kernels, JSON_COMPACT);
  const Result result = {.verdict = check->verdict,
                         .waits_for = check->waits_for,
                         .parts = check->parts,
                         .parts_right = check->parts_right,
                         .kernels = strlen(kernels)};
  fwrite(&result, sizeof result, 1, results);
  fwrite(kernels, 1, result.kernels, results);
  fflush(results);
  free(kernels);
}

static void judge_all(Check *check, const Sheet *lab, FILE *results) {
  for (size_t i = 0; i < lab->task_count; i++) {
    const Task *task = &lab->tasks[i];
    memset(&check->verdict, 0, sizeof check->verdict);
    check->parts = check->parts_right = 0;
    check->kernels = json_object();
    if (!task->predictions && !check_task_failed(check, task->needs))
      judge_in_double(check, task);
    if (verdict_failed(&check->verdict))
      check->failed |= 2u << i;
    write_result(check, results);
    json_decref(check->kernels);
  }
}

/* The main function of the second process. The second process prints no errors. The first process
 * repeats a task whose result it cannot read, and then reports the error. */
static void run_beside(const Beside *beside, const Settings *settings, const Sheet *lab, int end) {
  Check own = {.settings = settings};
  FILE *results = fdopen(end, "w");
  dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  memcpy(own.folder, beside->folder, sizeof own.folder);
  judge_all(&own, lab, results);
  _exit(0);
}

/* Returns true if a second process is started. The second process is not started when a class is
 * graded. Then other labs use the cores, and the limits apply to all runs of a lab together. */
static bool is_wanted(const Settings *settings) {
  return settings->build.in_double && !settings->build.on_gpu && !settings->walls.sandbox &&
         settings->walls.budget == 0 && sysconf(_SC_NPROCESSORS_ONLN) > 1 &&
         access(settings->build.in_double, X_OK) == 0;
}

Beside *beside_begin(const Check *check, const Sheet *lab) {
  Beside *beside = is_wanted(check->settings) ? calloc(1, sizeof *beside) : NULL;
  int ends[2];
  if (!beside)
    return NULL;
  if (snprintf(beside->folder, sizeof beside->folder, "%s/double", check->folder) >=
          (int)sizeof beside->folder ||
      mkdir(beside->folder, 0700) != 0 || pipe2(ends, O_CLOEXEC) != 0) {
    free(beside);
    return NULL;
  }
  beside->pid = child_of_ours();
  if (beside->pid == 0)
    run_beside(beside, check->settings, lab, ends[1]);
  close(ends[1]);
  beside->results = fdopen(ends[0], "r");
  child_leave_alone(beside->pid > 0 ? beside->pid : 0);
  return beside;
}

/* Reads the results up to the result of `task`. The second process writes the results in the order
 * of the tasks. Returns false if this task has no result. */
static bool read_result(Beside *beside, Check *check, size_t task) {
  Result result;
  char *text = NULL;
  bool good = beside && beside->pid > 0;
  while (good && beside->read <= task) {
    free(text);
    text = NULL;
    good = fread(&result, sizeof result, 1, beside->results) == 1 &&
           (text = calloc(1, result.kernels + 1)) &&
           fread(text, 1, result.kernels, beside->results) == result.kernels;
    beside->read++;
  }
  if (good) {
    json_t *kernels = json_loads(text, 0, NULL);
    check->verdict = result.verdict;
    check->waits_for = result.waits_for;
    check->parts = result.parts;
    check->parts_right = result.parts_right;
    work_sum(check->kernels, kernels);
    json_decref(kernels);
  }
  free(text);
  return good;
}

void beside_judge(Beside *beside, Check *check, const Sheet *lab, size_t task) {
  if (!read_result(beside, check, task))
    judge_in_double(check, &lab->tasks[task]);
}

void beside_end(Beside *beside) {
  if (!beside)
    return;
  child_end_left_alone();
  if (beside->results)
    fclose(beside->results);
  child_folder_gone(beside->folder);
  free(beside);
}
