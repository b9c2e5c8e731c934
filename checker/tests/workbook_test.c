/* Tests the workbook: every skeleton gets its baseline score and its verdict ends with the next
 * step; every solution gets full marks and has no report; every mutant is rejected for its stated
 * cause under three schedules; the files of a lab are consistent. Finds the labs and mutants by
 * itself. Runs from the root of the workbook, with the programs that make has built in $BUILD
 * (default build).
 *
 * A mutant, checker/mutants/NN-name/some-mistake.patch, begins with its expected verdict:
 *
 *   // expect: task 2    the first task that fails; "task 3 in double" if it is right in float;
 *                        or "compile"
 *   // cause: names      texts that the task's verdict must contain: its kind, ids of its
 *                        sentences (say/sentences.def), their arguments, or the buffer that it
 *                        is about
 *
 * make builds build/mutants/NN-name/some-mistake.cu from it. A file base-*.cu in the same folder is
 * a right program. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "explain/explain.h"
#include "say/report.h"
#include "emulator/tests/scratch.h"
#include "spoilers.h"

enum { TESTS_MOST = 2000, TEXT_MOST = 16384, PATH_MOST = 512 };
static const char *const precisions[] = {"float", "double"};

static const char *build_folder(void) {
  const char *folder = getenv("BUILD");
  return folder ? folder : "build";
}

/* The data of a test case: a lab, a mutant of it and a precision. */
typedef struct Case {
  const Sheet *lab;
  const char *precision;
  /* file name of the mutant without its suffix */
  char mutant[128];
  /* number of schedules to try */
  unsigned schedules;
} Case;

/* ---- files ---------------------------------------------------------------------------------- */

/* Stores the name of a lab's source without suffix: bank_conflicts for 03-bank-conflicts. */
static void source_name(const Sheet *lab, char *out, size_t size) {
  snprintf(out, size, "%s", lab->name + 3);
  for (char *at = out; (at = strchr(at, '-'));)
    *at = '_';
}

static void source_path(const char *labs, const Sheet *lab, char *out, size_t size) {
  char name[64];
  source_name(lab, name, sizeof name);
  snprintf(out, size, "%s/%s/%s.cu", labs, lab->name, name);
}

static void lab_program(const char *labs, const Case *what, char *out, size_t size) {
  snprintf(out, size, "%s/emulated-clang/%s/%s.%s", build_folder(), labs, what->lab->name,
           what->precision);
}

/* Stores the sorted file names of a folder and returns their number. */
static size_t list_folder(const char *path, struct dirent ***names) {
  int count = scandir(path, names, NULL, alphasort);
  return count < 0 ? 0 : (size_t)count;
}

static bool ends_with(const char *text, const char *ending) {
  size_t length = strlen(text), end = strlen(ending);
  return length >= end && strcmp(text + length - end, ending) == 0;
}

/* ---- running the checker -------------------------------------------------------------------- */

typedef struct Answer {
  int status;
  char text[TEXT_MOST];
  json_t *json;
} Answer;

static void ask(Answer *answer, const char *format, ...) {
  char arguments[2048], command[3072], json[SCRATCH_MOST];
  va_list list;
  int file = scratch_file(json, "marks");
  assert_true(file >= 0);
  close(file);
  va_start(list, format);
  vsnprintf(arguments, sizeof arguments, format, list);
  va_end(list);
  snprintf(command, sizeof command, "%s/checker/checker --plain --forget --json %s %s 2>&1",
           build_folder(), json, arguments);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  answer->text[fread(answer->text, 1, sizeof answer->text - 1, pipe)] = '\0';
  int status = pclose(pipe);
  answer->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  answer->json = json_load_file(json, 0, NULL);
  unlink(json);
  if (!answer->json)
    fail_msg("%s\n%s", command, answer->text);
}

static void grade_lab(Answer *answer, const char *labs, const Case *what) {
  char source[PATH_MOST], program[PATH_MOST];
  source_path(labs, what->lab, source, sizeof source);
  lab_program(labs, what, program, sizeof program);
  ask(answer, "--lab %s --labs %s --source %s --program %s", what->lab->name, labs, source,
      program);
}

static int number_of(const json_t *json, const char *key) {
  return (int)json_integer_value(json_object_get(json, key));
}

static const char *text_of(const json_t *json, const char *key) {
  const char *text = json_string_value(json_object_get(json, key));
  return text ? text : "";
}

/* Fails with the checker's output if the condition is false. */
#define EXPECT(condition, answer)                                                                  \
  do {                                                                                             \
    if (!(condition))                                                                              \
      fail_msg("expected %s\n%s", #condition, (answer)->text);                                     \
  } while (0)

/* ---- skeletons and solutions ---------------------------------------------------------------- */

/* Checks that the compiler printed no message. */
static void expect_no_warning(const char *labs, const Case *what) {
  char program[PATH_MOST], log[PATH_MOST + 8];
  lab_program(labs, what, program, sizeof program);
  snprintf(log, sizeof log, "%s.log", program);
  FILE *file = fopen(log, "r");
  assert_non_null(file);
  int first = fgetc(file);
  fclose(file);
  if (first != EOF)
    fail_msg("%s: the compiler warns", log);
}

/* Checks that all tasks of a skeleton count as not begun, and all predictions as open. */
static void expect_not_begun(const Case *what, const Answer *answer) {
  size_t i;
  json_t *task;
  json_array_foreach(json_object_get(answer->json, "tasks"), i, task) {
    const bool predicts = what->lab->tasks[i].predictions;
    EXPECT(strcmp(text_of(task, "kind"), predicts ? "prediction-open" : "not-begun") == 0, answer);
    EXPECT(number_of(task, "score") == 0, answer);
  }
}

static void test_skeleton(void **state) {
  const Case *what = *state;
  char next[PATH_MOST + 64], source[PATH_MOST];
  Answer answer;
  expect_no_warning("labs", what);
  grade_lab(&answer, "labs", what);
  source_path("labs", what->lab, source, sizeof source);
  char *text = text_of_file(source);
  assert_non_null(text);
  snprintf(next, sizeof next, "next: TODO(1), %s:%d\n", source, gap_line(text, 1));
  free(text);
  EXPECT(answer.status == 1, &answer);
  EXPECT(number_of(answer.json, "score") == what->lab->baseline, &answer);
  EXPECT(ends_with(answer.text, next), &answer);
  expect_not_begun(what, &answer);
  json_decref(answer.json);
}

/* The report of a class compares the number of instructions of its students in float. This number
 * must not depend on the seed. A difference of 0.01 % is accepted, because some kernels branch on
 * the values of the input. */
static void expect_same_work(const Case *what, const Answer *answer) {
  char source[PATH_MOST], program[PATH_MOST];
  Answer other;
  size_t i;
  json_t *task;
  source_path("solutions", what->lab, source, sizeof source);
  lab_program("solutions", what, program, sizeof program);
  ask(&other, "--lab %s --labs solutions --source %s --program %s --seed 7919", what->lab->name,
      source, program);
  json_array_foreach(json_object_get(answer->json, "tasks"), i, task) {
    int one = number_of(task, "work");
    int more = number_of(json_array_get(json_object_get(other.json, "tasks"), i), "work") - one;
    EXPECT((one > 0 || what->lab->tasks[i].predictions) && abs(more) <= one / 10000, &other);
  }
  json_decref(other.json);
}

static void test_solution(void **state) {
  const Case *what = *state;
  Answer answer;
  expect_no_warning("solutions", what);
  grade_lab(&answer, "solutions", what);
  EXPECT(answer.status == 0, &answer);
  EXPECT(number_of(answer.json, "score") == 100, &answer);
  if (strcmp(what->precision, "float") == 0)
    expect_same_work(what, &answer);
  json_decref(answer.json);
}

/* Returns true if the program's --help lists this option. */
static bool program_knows(const char *program, const char *option) {
  char command[PATH_MOST + 8], line[256], word[32];
  bool found = false;
  snprintf(command, sizeof command, "%s --help", program);
  snprintf(word, sizeof word, "%s=", option);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  while (fgets(line, sizeof line, pipe))
    found |= strstr(line, word) != NULL;
  pclose(pipe);
  return found;
}

/* Runs the program and checks that the result is correct and there is no report. */
static void expect_silence(Check *check, const char *const *arguments) {
  Trial trial = check_start_plain(check, arguments);
  const json_t *report = log_report(&trial.log, NULL);
  char command[200] = "";
  for (size_t at = 0; *arguments; arguments++)
    at += (size_t)snprintf(command + at, sizeof command - at, "%s ", *arguments);
  if (report || trial.end.how != CHILD_EXITED || trial.end.code != 0)
    fail_msg("%s, schedule %u: %s %s", command, check->settings->run.schedule,
             text_of(report, "sentence"), trial.end.last_words);
  /* without a complete log, a missing report would prove nothing */
  assert_true(trial.log.started && trial.log.ended);
  trial_free(&trial);
}

/* The solutions and the given kernels give correct results without a report. The sizes are 1 to 70,
 * then 128 and 256, which are multiples of the largest tile, and then rectangles in which one size
 * is not a multiple of a tile. */
static void test_silence(void **state) {
  static const char *const fixed[] = {"--m",    "1",  "--k",    "33", "--n",     "67",
                                      "--rows", "41", "--cols", "97", "--steps", "3"};
  const Case *what = *state;
  char program[PATH_MOST], folder[SCRATCH_MOST];
  lab_program("solutions", what, program, sizeof program);
  if (access(program, X_OK) != 0)
    fail_msg("%s: not built", program);
  assert_true(scratch_folder(folder, "silence"));
  Settings settings = {.build = {.program = program, .precision = what->precision},
                       .run = {.seconds = 60}};
  Check check = {.settings = &settings};
  snprintf(check.folder, sizeof check.folder, "%s", folder);
  setenv("LOCKSTEP_WORKERS", "1", 1); /* other tests use the other cores */
  for (settings.run.schedule = 0; settings.run.schedule < what->schedules;
       settings.run.schedule++) {
    const char *sizes[] = {"--sweep", "1:70:1", "--repeats", "1", "--threads",
                           "2",       NULL,     NULL,        NULL};
    expect_silence(&check, sizes);
    if (settings.run.schedule == 0) {
      sizes[1] = "128:256:128";
      expect_silence(&check, sizes);
    }
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i += 2) {
      sizes[1] = "1:70:9";
      sizes[6] = fixed[i];
      sizes[7] = fixed[i + 1];
      if (program_knows(program, fixed[i]))
        expect_silence(&check, sizes);
    }
  }
  unsetenv("LOCKSTEP_WORKERS");
  rmdir(folder);
}

/* ---- mutants -------------------------------------------------------------------------------- */

static bool directive(const char *path, const char *key, char *out, size_t size) {
  char line[512];
  bool found = false;
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (!found && fgets(line, sizeof line, file) && strncmp(line, "// ", 3) == 0) {
    size_t length = strlen(key);
    found = strncmp(line + 3, key, length) == 0 && strncmp(line + 3 + length, ": ", 2) == 0;
    line[strcspn(line, "\n")] = '\0';
    if (found)
      snprintf(out, size, "%s", line + 3 + length + 2);
  }
  fclose(file);
  return found;
}

/* Returns true if a sentence in JSON has the id `name`, or has an argument that is the text `name`
 * or a phrase with the id `name`. */
static bool said_has(const json_t *said, const char *name) {
  size_t i;
  json_t *argument;
  bool has = strcmp(text_of(said, "id"), name) == 0;
  json_array_foreach(json_object_get(said, "arguments"), i, argument) {
    const char *text = json_string_value(argument);
    has |= strcmp(text ? text : text_of(argument, "id"), name) == 0;
  }
  return has;
}

/* Returns true if `name` is the verdict's kind, its buffer, or in one of its sentences. */
static bool verdict_has(const json_t *verdict, const char *name) {
  size_t i;
  json_t *fact;
  bool has = strcmp(text_of(verdict, "kind"), name) == 0 ||
             strcmp(text_of(verdict, "buffer"), name) == 0 ||
             said_has(json_object_get(verdict, "says"), name) ||
             said_has(json_object_get(verdict, "because"), name);
  json_array_foreach(json_object_get(verdict, "lines"), i, fact) has |=
      said_has(json_object_get(fact, "says"), name);
  return has;
}

/* Returns true if the verdict has each of the names, which are separated by blanks. */
static bool verdict_has_all(const json_t *verdict, const char *names) {
  char copy[256];
  bool has = true;
  snprintf(copy, sizeof copy, "%s", names);
  for (char *name = strtok(copy, " "); name; name = strtok(NULL, " "))
    has &= verdict_has(verdict, name);
  return has;
}

static const json_t *first_failed(const json_t *marks) {
  size_t i;
  json_t *task;
  json_array_foreach(json_object_get(marks, "tasks"), i, task) {
    if (strcmp(text_of(task, "status"), "failed") == 0)
      return task;
  }
  return NULL;
}

/* Returns the first failed verdict: the verdict of the compiler or of the first failed task.
 * Returns NULL if all tasks passed. Stores its place in `at`: "compile" or "task 2". */
static const json_t *verdict_of(const json_t *marks, char *at, size_t size) {
  if (!json_is_true(json_object_get(marks, "compiled"))) {
    snprintf(at, size, "compile");
    return marks;
  }
  const json_t *task = first_failed(marks);
  snprintf(at, size, "task %d%s", number_of(task, "number"),
           json_is_true(json_object_get(task, "in_double")) ? " in double" : "");
  return task;
}

static bool marks_fit(const json_t *marks, const char *expected, const char *cause) {
  char at[64];
  const json_t *verdict = verdict_of(marks, at, sizeof at);
  return verdict && strcmp(at, expected) == 0 && verdict_has_all(verdict, cause);
}

static void expect_cause(const Answer *answer, const char *expected, const char *cause) {
  char at[64];
  if (marks_fit(answer->json, expected, cause))
    return;
  char *json = json_dumps(verdict_of(answer->json, at, sizeof at), JSON_COMPACT);
  fail_msg("expected %s: %s\n%s\n%s", expected, cause, answer->text, json ? json : "");
}

/* Checks that the same input gives the same output, byte by byte. */
static void expect_again(const Answer *first, const Case *what, const char *source,
                         const char *program, const char *more) {
  Answer again;
  ask(&again, "--lab %s --source %s --program %s %s --schedule 0 --seconds 6", what->lab->name,
      source, program, more);
  assert_string_equal(first->text, again.text);
  json_decref(again.json);
}

static void mutant_program(const Case *what, char out[PATH_MOST]) {
  snprintf(out, PATH_MOST, "%s/emulated-clang/mutants/%s/%s.float", build_folder(), what->lab->name,
           what->mutant);
}

static void test_base(void **state) {
  const Case *what = *state;
  char program[PATH_MOST];
  Answer answer;
  mutant_program(what, program);
  ask(&answer, "--lab %s --source checker/mutants/%s/%s.cu --program %s", what->lab->name,
      what->lab->name, what->mutant, program);
  EXPECT(answer.status == 0 && number_of(answer.json, "score") == 100, &answer);
  json_decref(answer.json);
}

static void test_mutant(void **state) {
  const Case *what = *state;
  char path[PATH_MOST], expected[64], cause[256], program[PATH_MOST], more[PATH_MOST + 32] = "";
  Answer answer;
  snprintf(path, sizeof path, "%s/mutants/%s/%s.cu", build_folder(), what->lab->name, what->mutant);
  mutant_program(what, program);
  assert_true(directive(path, "expect", expected, sizeof expected));
  assert_true(directive(path, "cause", cause, sizeof cause));
  if (access(program, X_OK) != 0)
    snprintf(more, sizeof more, "--compile-log %s.log", program);
  else if (strstr(expected, "in double"))
    snprintf(more, sizeof more, "--double %.*s.double", (int)strlen(program) - 6, program);
  for (unsigned schedule = 0; schedule < what->schedules; schedule++) {
    ask(&answer, "--lab %s --source %s --program %s %s --schedule %u --seconds 6", what->lab->name,
        path, program, more, schedule * 7919);
    EXPECT(answer.status == 1, &answer);
    expect_cause(&answer, expected, cause);
    EXPECT(report_verdict_leaks(what->lab->name, path, answer.json, answer.text) == 0, &answer);
    if (schedule == 0 && what->schedules > 1)
      expect_again(&answer, what, path, program, more);
    json_decref(answer.json);
  }
}

/* ---- consistency of a lab's files ----------------------------------------------------------- */

/* The parts of a lab's file outside its gaps. */
typedef struct Outside {
  /* all lines outside gaps, and a line "gap N" in place of each gap */
  char *text;
  int gaps[TASKS_MAX + 1], all, examples;
} Outside;

static FILE *open_file(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file)
    fail_msg("%s: not there", path);
  return file;
}

static Outside read_outside(const char *path, const char *word, const char *never) {
  Outside source = {0};
  size_t length = 0, room = 0;
  char *line = NULL;
  int open = 0;
  FILE *file = open_file(path), *outside = open_memstream(&source.text, &length);
  while (getline(&line, &room, file) > 0) {
    int begins = gap_mark(line, word), ends = gap_mark(line, "END");
    if (gap_mark(line, never))
      fail_msg("%s: still has %s(%d)", path, never, gap_mark(line, never));
    if (begins && (open || begins > TASKS_MAX))
      fail_msg("%s: gap %d opens inside gap %d", path, begins, open);
    if (ends && ends != open)
      fail_msg("%s: END(%d), but gap %d is open", path, ends, open);
    if (begins) {
      open = begins;
      source.gaps[open]++;
      source.all++;
      fprintf(outside, "gap %d\n", open);
    }
    if (!open)
      fputs(line, outside);
    source.examples += open && strstr(line, "Example:");
    open = ends ? 0 : open;
  }
  if (open)
    fail_msg("%s: gap %d has no END", path, open);
  fclose(file);
  fclose(outside);
  free(line);
  return source;
}

/* Outside the gaps, the solution equals the skeleton. Every task has a gap, and every gap contains
 * an example. */
static void test_gaps(void **state) {
  const Case *what = *state;
  char path[PATH_MOST];
  source_path("solutions", what->lab, path, sizeof path);
  Outside solution = read_outside(path, "DONE", "TODO");
  source_path("labs", what->lab, path, sizeof path);
  Outside skeleton = read_outside(path, "TODO", "DONE");
  assert_string_equal(skeleton.text, solution.text);
  for (size_t task = 1; task <= TASKS_MAX; task++)
    if ((skeleton.gaps[task] > 0) != (task <= what->lab->task_count))
      fail_msg("%s: task %zu has %d gaps", path, task, skeleton.gaps[task]);
  if (skeleton.examples < skeleton.all)
    fail_msg("%s: %d gaps, %d examples", path, skeleton.all, skeleton.examples);
  free(skeleton.text);
  free(solution.text);
}

/* In hints.md, "## 1 index" begins a task, with its title on the sheet, and "### 1" to "### 3"
 * begin its hints. Each hint has some text. */
static void test_hints(void **state) {
  const Case *what = *state;
  char path[PATH_MOST], heading[128], *line = NULL;
  size_t room = 0, task = 0;
  int hint = 3, text = 1;
  snprintf(path, sizeof path, "labs/%s/hints.md", what->lab->name);
  FILE *file = open_file(path);
  while (getline(&line, &room, file) > 0) {
    if (strncmp(line, "## ", 3) == 0) {
      if (hint != 3 || !text || task == what->lab->task_count)
        fail_msg("%s: before %s: task %zu has %d hints", path, line, task, hint);
      snprintf(heading, sizeof heading, "## %zu %s\n", task + 1, what->lab->tasks[task].title);
      assert_string_equal(line, heading);
      task++, hint = 0, text = 1;
    } else if (strncmp(line, "### ", 4) == 0) {
      if (!text || atoi(line + 4) != hint + 1)
        fail_msg("%s: task %zu: after hint %d comes %s", path, task, hint, line);
      hint++, text = 0;
    } else {
      text |= line[0] != '\n';
    }
  }
  fclose(file);
  free(line);
  assert_int_equal(task, what->lab->task_count);
  assert_int_equal(hint, 3);
  assert_true(text);
}

static void test_sheet(void **state) {
  const Case *what = *state;
  int points = 0;
  assert_true(what->lab->task_count <= TASKS_MAX);
  for (size_t i = 0; i < what->lab->task_count; i++) {
    points += what->lab->tasks[i].points;
    assert_true(what->lab->tasks[i].points > 0);
    assert_true(what->lab->tasks[i].needs <= (int)i);
  }
  assert_int_equal(points, 100);
}

/* Checks that a folder contains these files and no other files. The last `optional` files may be
 * missing. */
static void expect_files(const char *folder, const char *const *wanted, size_t count,
                         size_t optional) {
  struct dirent **names = NULL;
  size_t found = list_folder(folder, &names), matched = 0;
  for (size_t i = 0; i < found; i++) {
    bool known = names[i]->d_name[0] == '.';
    for (size_t j = 0; j < count && !known; j++)
      if (strcmp(names[i]->d_name, wanted[j]) == 0) {
        known = true;
        matched += j < count - optional;
      }
    if (!known)
      fail_msg("%s/%s: what is this?", folder, names[i]->d_name);
    free(names[i]);
  }
  free(names);
  if (matched != count - optional)
    fail_msg("%s: a file is missing", folder);
}

static void test_files(void **state) {
  const Case *what = *state;
  char folder[PATH_MOST], name[64], source[80];
  source_name(what->lab, name, sizeof name);
  snprintf(source, sizeof source, "%s.cu", name);
  snprintf(folder, sizeof folder, "labs/%s", what->lab->name);
  expect_files(
      folder, (const char *const[]){"README.md", "Makefile", "hints.md", "lab.c", source, "beyond"},
      6, 1);
  snprintf(folder, sizeof folder, "solutions/%s", what->lab->name);
  expect_files(folder, (const char *const[]){source}, 1, 0);
}

/* Every folder in labs/, solutions/ and checker/mutants/ belongs to a lab that the checker can
 * grade. */
static void test_labs(void **state) {
  static const char *const folders[] = {"labs", "solutions", "checker/mutants"};
  (void)state;
  for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++) {
    struct dirent **names = NULL;
    size_t count = list_folder(folders[f], &names);
    for (size_t i = 0; i < count; i++) {
      if (names[i]->d_name[0] != '.' && !sheet_find(names[i]->d_name))
        fail_msg("%s/%s: no checker/tasks/%s.c", folders[f], names[i]->d_name, names[i]->d_name);
      free(names[i]);
    }
    free(names);
  }
}

/* ---- main ----------------------------------------------------------------------------------- */

static struct CMUnitTest tests[TESTS_MOST];
static Case cases[TESTS_MOST];
static char titles[TESTS_MOST][192];
static size_t count;

static Case *add(const char *title, CMUnitTestFunction test, const Sheet *lab,
                 const char *precision) {
  if (count == TESTS_MOST)
    bad_input("more than %d tests: raise TESTS_MOST", TESTS_MOST);
  snprintf(titles[count], sizeof titles[count], "%s: %s", lab ? lab->name : "workbook", title);
  cases[count] = (Case){.lab = lab, .precision = precision};
  tests[count] = (struct CMUnitTest){titles[count], test, NULL, NULL, &cases[count]};
  return &cases[count++];
}

static void add_mutants(const Sheet *lab, unsigned schedules) {
  char folder[PATH_MOST], title[160];
  struct dirent **names = NULL;
  snprintf(folder, sizeof folder, "checker/mutants/%s", lab->name);
  size_t found = list_folder(folder, &names);
  for (size_t i = 0; i < found; i++) {
    const char *file = names[i]->d_name;
    bool patch = ends_with(file, ".patch");
    if (file[0] != '.' && !patch && strncmp(file, "base-", 5) != 0)
      bad_input("%s/%s: a mutant is a patch: make mutant FILE=%s/%s", folder, file, folder, file);
    if (file[0] != '.') {
      snprintf(title, sizeof title, "%s %.*s", patch ? "mutant" : "base", (int)strcspn(file, "."),
               file);
      Case *what = add(title, patch ? test_mutant : test_base, lab, "float");
      snprintf(what->mutant, sizeof what->mutant, "%.*s", (int)strcspn(file, "."), file);
      what->schedules = schedules;
    }
    free(names[i]);
  }
  free(names);
}

static void add_silence(const Sheet *lab, unsigned schedules) {
  for (size_t i = 0; i < 2; i++)
    add(i ? "silence, double" : "silence", test_silence, lab, precisions[i])->schedules = schedules;
}

static void add_lab(const Sheet *lab) {
  add("points and order", test_sheet, lab, NULL);
  add("files", test_files, lab, NULL);
  add("gaps", test_gaps, lab, NULL);
  add("hints", test_hints, lab, NULL);
  for (size_t i = 0; i < 2; i++) {
    add(i ? "skeleton, double" : "skeleton", test_skeleton, lab, precisions[i]);
    add(i ? "solution, double" : "solution", test_solution, lab, precisions[i]);
  }
  add_silence(lab, 2);
}

/* Reads the marks of a mutant that is already graded. Returns 0 if the verdict is the expected
 * verdict. */
static int compare_marks(const char *source, const char *path) {
  char expected[64], cause[256];
  json_t *marks = json_load_file(path, 0, NULL);
  bool fit = marks && directive(source, "expect", expected, sizeof expected) &&
             directive(source, "cause", cause, sizeof cause) && marks_fit(marks, expected, cause);
  json_decref(marks);
  return fit ? 0 : 1;
}

/* Without arguments, runs all tests except the mutants. "mutants NN-name" runs the mutants of one
 * lab under three schedules. "silence NN-name" runs the solutions of one lab under twenty
 * schedules. A third argument sets the number of schedules. "marks MUTANT.cu MARKS.json" compares
 * existing marks with the mutant's expectation, and exits with 0 if they match. */
int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "marks") == 0)
    return compare_marks(argv[2], argv[3]);
  const Sheet *chosen = argc >= 3 ? sheet_find(argv[2]) : NULL;
  unsigned schedules = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
  if (argc != 1 && (!chosen || (argc == 4 && schedules == 0)))
    bad_input("workbook_test [mutants|silence NN-name [SCHEDULES] | marks MUTANT.cu MARKS.json]");
  points_read(NULL);
  if (chosen && strcmp(argv[1], "mutants") == 0) {
    add_mutants(chosen, schedules ? schedules : 3);
  } else if (chosen) {
    add_silence(chosen, schedules ? schedules : 20);
  } else {
    add("folders", test_labs, NULL, NULL);
    for (const Sheet *lab = sheet_first(); lab; lab = lab->next)
      add_lab(lab);
  }
  if (count == 0)
    bad_input("%s: nothing to test", argv[2]);
  return _cmocka_run_group_tests("the workbook", tests, count, NULL, NULL);
}
