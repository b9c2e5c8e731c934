/* Tests that no text that a student can see gives away an open gap (spoilers.h defines this).
 *
 * In a state of a lab, the first tasks are solved as in the solution, and the gaps of the other
 * tasks are as handed out. For each state of each lab, the test runs what a student can run: make
 * lab, view, profile and run, the progress table and the hints. The reports of a class are made
 * from the same marks.
 *
 * The labs of a state with N solved tasks are written to $BUILD/tests/spoilers/N. To see what
 * failed, run for example make lab02 LABS=build/tests/spoilers/3.
 *
 * The sentences in the sources are tested too. workbook_test.c tests the verdicts of wrong
 * solutions. Runs from the root of the workbook. The programs are built for the emulated device
 * with clang. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "emulator/tests/scratch.h"
#include "spoilers.h"

enum { STATES_MOST = 100, ROOT_MOST = 240, PATH_MOST = 512, TITLE_MOST = 80, HINTS_CHECKED = 2 };

/* A state of a lab: tasks 1 to `solved` are solved. */
typedef struct State {
  const Sheet *lab;
  int solved;
} State;

static const char *build_folder(void) {
  const char *folder = getenv("BUILD");
  return folder ? folder : "build";
}

static const char *root(char path[ROOT_MOST]) {
  snprintf(path, ROOT_MOST, "%.200s/tests/spoilers", build_folder());
  return path;
}

/* Stores the path of this state's labs, such as build/tests/spoilers/3. */
static const char *labs_of(const State *state, char path[PATH_MOST]) {
  char above[ROOT_MOST];
  snprintf(path, PATH_MOST, "%s/%d", root(above), state->solved);
  return path;
}

static void own_path(const State *state, char path[PATH_MOST]) {
  char labs[PATH_MOST];
  cu_path(labs_of(state, labs), state->lab->name, path, PATH_MOST);
}

/* ---- running commands ----------------------------------------------------------------------- */

/* Returns the output of a shell command, on the heap. */
__attribute__((format(printf, 1, 2))) static char *said_by(const char *format, ...) {
  char command[4 * PATH_MOST], *text = NULL;
  size_t size = 0;
  va_list list;
  va_start(list, format);
  vsnprintf(command, sizeof command, format, list);
  va_end(list);
  FILE *pipe = popen(command, "r"), *out = open_memstream(&text, &size);
  assert_non_null(pipe);
  for (int c; (c = getc(pipe)) != EOF;)
    fputc(c, out);
  pclose(pipe);
  fclose(out);
  return text;
}

static char *needed_file(const char *path) {
  char *text = whole_file(path);
  if (!text)
    fail_msg("%s: not there", path);
  return text;
}

/* ---- writing a state ------------------------------------------------------------------------ */

/* The solution of `task` works only with the solution of task `later`. While `later` is open, the
 * text `from` in the gap of `task` is replaced by `to`. */
typedef struct Until {
  const char *lab;
  int task, later;
  const char *from, *to;
} Until;

static const Until untils[] = {{"02-shared", 2, 4, "b_row = t * TILE + y;",
                                "b_row = t * TILE + y;\n"
                                "  As[y][x] = A[row * k + a_column];\n"
                                "  Bs[y][x] = B[b_row * n + column];"}};

static void put_solved_line(FILE *out, const State *state, int task, const char *line) {
  for (size_t i = 0; i < sizeof untils / sizeof untils[0]; i++) {
    const Until *until = &untils[i];
    const char *at = strcmp(until->lab, state->lab->name) == 0 && until->task == task &&
                             until->later > state->solved
                         ? strstr(line, until->from)
                         : NULL;
    if (at) {
      fprintf(out, "%.*s%s%s", (int)(at - line), line, until->to, at + strlen(until->from));
      return;
    }
  }
  if (strncmp(line + strspn(line, " "), "//", 2) != 0) /* a comment in the solution gives the gap
                                                        * away */
    fputs(line, out);
}

/* Copies the next gap of this task from the solution, with its marks. */
static void put_solved_gap(FILE *out, FILE *solution, const State *state, int task) {
  char *line = NULL;
  size_t room = 0;
  bool inside = false;
  fprintf(out, "// TODO(%d)\n", task);
  while (getline(&line, &room, solution) > 0 && !(inside && gap_mark(line, "END") == task)) {
    if (inside)
      put_solved_line(out, state, task, line);
    inside |= gap_mark(line, "DONE") == task;
  }
  fprintf(out, "// END(%d)\n", task);
  free(line);
}

static void skip_gap(FILE *in, int task) {
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, in) > 0 && gap_mark(line, "END") != task)
    ;
  free(line);
}

static FILE *open_cu(const char *labs, const char *lab, const char *mode) {
  char path[PATH_MOST];
  cu_path(labs, lab, path, sizeof path);
  FILE *file = fopen(path, mode);
  if (!file)
    fail_msg("%s: cannot be opened", path);
  return file;
}

static void write_state(const State *state) {
  const char *lab = state->lab->name;
  char labs[PATH_MOST], *line = NULL;
  size_t room = 0;
  free(said_by("mkdir -p %s/%s", labs_of(state, labs), lab));
  FILE *skeleton = open_cu("labs", lab, "r"), *solution = open_cu("solutions", lab, "r");
  FILE *out = open_cu(labs, lab, "w");
  while (getline(&line, &room, skeleton) > 0) {
    int task = gap_mark(line, "TODO");
    if (task > 0 && task <= state->solved) {
      put_solved_gap(out, solution, state, task);
      skip_gap(skeleton, task);
    } else {
      fputs(line, out);
    }
    if (task > state->solved)
      skip_gap(solution, task);
  }
  free(line);
  fclose(skeleton);
  fclose(solution);
  fclose(out);
}

/* ---- the commands of a student -------------------------------------------------------------- */

/* Stores the path of a state's marks in the class, such as
 * class/marks/02-shared-3/02-shared.json. */
static void marks_path(const State *state, const char *ending, char path[PATH_MOST]) {
  char above[ROOT_MOST];
  snprintf(path, PATH_MOST, "%s/class/marks/%s-%d/%s.%s", root(above), state->lab->name,
           state->solved, state->lab->name, ending);
}

static json_t *marks_of(const State *state) {
  char path[PATH_MOST];
  marks_path(state, "json", path);
  json_t *marks = json_load_file(path, 0, NULL);
  if (!marks)
    fail_msg("%s: not there", path);
  return marks;
}

static size_t check_text(const State *state, const json_t *marks, const char *door,
                         const char *text) {
  char own[PATH_MOST];
  own_path(state, own);
  Reader reader = reader_of(state->lab->name, own, marks);
  reader.kernels = strcmp(door, "make profile or make run") == 0 || strcmp(door, "the page") == 0;
  if (!*text)
    fail_msg("%s: %s says nothing", own, door);
  return report_leaks(&reader, door, text);
}

/* Runs make with each command in `doors`, followed by the lab's number: "view run" runs `make
 * view02 run02`. Returns the output. Only the last command may fail. */
static char *make(const State *state, const char *doors, const char *arguments) {
  char labs[PATH_MOST], goals[TITLE_MOST] = "";
  char *copy = strdup(doors), *rest = NULL;
  for (char *door = strtok_r(copy, " ", &rest); door; door = strtok_r(NULL, " ", &rest))
    snprintf(goals + strlen(goals), sizeof goals - strlen(goals), " %s%.2s", door,
             state->lab->name);
  free(copy);
  return said_by("make -s -j1 DEVICE=emulated CUDA_COMPILER=clang LABS=%s%s ARGS='%s' 2>&1",
                 labs_of(state, labs), goals, arguments);
}

static json_t *ask_for_verdict(const State *state, char **printed) {
  char arguments[2 * PATH_MOST + ROOT_MOST], json[PATH_MOST], text[PATH_MOST], above[ROOT_MOST];
  marks_path(state, "json", json);
  marks_path(state, "txt", text);
  free(said_by("mkdir -p %.*s && rm -f %s", (int)(strrchr(json, '/') - json), json, json));
  snprintf(arguments, sizeof arguments, "--plain --state %s/progress --json %s", root(above), json);
  *printed = make(state, "lab", arguments);
  FILE *file = fopen(text, "w");
  assert_non_null(file);
  fputs(*printed, file);
  fclose(file);
  return marks_of(state);
}

/* Returns the character for the HTML entity at `at`; 0 if there is no entity. */
static char entity(const char *at, size_t *length) {
  static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strncmp(at, names[i], strlen(names[i])) == 0) {
      *length = strlen(names[i]);
      return "<>&\"'"[i];
    }
  return 0;
}

/* Returns the text of a page without tags, followed by its source, because browsers also show texts
 * inside tags, such as titles. */
static char *page_text(const char *page) {
  char *text = NULL;
  size_t size = 0, length = 1;
  FILE *out = open_memstream(&text, &size);
  for (int tags = 0; tags < 2; tags++) {
    bool inside = false;
    for (const char *at = page; *at; at += length) {
      char letter = entity(at, &length);
      length = letter ? length : 1;
      inside = *at == '<' || (inside && *at != '>');
      if (tags || (!inside && *at != '>'))
        fputc(letter ? letter : *at, out);
    }
    fputs(TEXTS_APART, out);
  }
  fclose(out);
  return text;
}

static char *lab_page(const State *state) {
  char labs[PATH_MOST];
  labs_of(state, labs);
  for (char *at = labs; (at = strchr(at, '/'));)
    *at = '_';
  char *path = said_by("printf %s/view/%s-%s.html", build_folder(), labs, state->lab->name);
  char *page = needed_file(path), *text = page_text(page);
  free(path);
  free(page);
  return text;
}

static void expect_no_leak(size_t leaks) {
  if (leaks > 0)
    fail_msg("%zu texts give away an open gap", leaks);
}

static void test_state(void **given) {
  const State *state = *given;
  char labs[PATH_MOST], above[ROOT_MOST], own[PATH_MOST], *text = NULL;
  write_state(state);
  own_path(state, own);
  json_t *marks = ask_for_verdict(state, &text);
  size_t leaks = report_verdict_leaks(state->lab->name, own, marks, text);
  free(text);
  text = make(state, "view profile run", "--size 64");
  leaks += check_text(state, marks, "make profile or make run", text);
  free(text);
  text = lab_page(state);
  leaks += check_text(state, marks, "the page", text);
  free(text);
  text = said_by("%s/checker/checker --progress --state %s/progress --labs %s 2>&1", build_folder(),
                 root(above), labs_of(state, labs));
  leaks += check_text(state, marks, "make progress", text);
  free(text);
  json_decref(marks);
  expect_no_leak(leaks);
}

/* All solved tasks of the state pass, except predictions, which may depend on a later task. */
static void test_solved(void **given) {
  const State *state = *given;
  json_t *marks = marks_of(state);
  Reader reader = reader_of(state->lab->name, NULL, marks);
  json_decref(marks);
  for (int task = 1; task <= state->solved; task++)
    if (reader.open[task] && !state->lab->tasks[task - 1].predictions)
      fail_msg("%s, tasks 1 to %d solved: task %d has not passed", state->lab->name, state->solved,
               task);
}

/* Open tasks have the verdict not-begun, or prediction-open if they are predictions. */
static void test_not_begun(void **given) {
  const State *state = *given;
  json_t *marks = marks_of(state), *tasks = json_object_get(marks, "tasks");
  for (size_t task = (size_t)state->solved; task < state->lab->task_count; task++) {
    const char *said = json_string_value(json_object_get(json_array_get(tasks, task), "kind"));
    const char *open = state->lab->tasks[task].predictions ? "prediction-open" : "not-begun";
    if (!said || (strcmp(said, "not-begun") != 0 && strcmp(said, open) != 0))
      fail_msg("%s, tasks 1 to %d solved: task %zu is \"%s\"", state->lab->name, state->solved,
               task + 1, said ? said : "");
  }
  json_decref(marks);
}

/* ---- hints ---------------------------------------------------------------------------------- */

/* Returns the next hint for this task. */
static char *next_hint(const State *state, int task) {
  char above[ROOT_MOST];
  return said_by("%s/checker/checker --hint --lab %s --labs labs --state %s/hints --task %d 2>&1",
                 build_folder(), state->lab->name, root(above), task);
}

/* Tests the hints in the state without solved tasks, in which most gaps are open. A third hint may
 * show most of a line, so this is not an error. At least one third hint must give something away;
 * otherwise the test could not detect a leak. */
static void test_hints(void **given) {
  const State *state = *given;
  char above[ROOT_MOST], name[TITLE_MOST], *text;
  size_t leaks = 0, last = 0;
  free(said_by("rm -rf %s/hints", root(above)));
  fprintf(stderr, "%s: the third hints may come close:\n", state->lab->name);
  for (int task = 1; task <= (int)state->lab->task_count; task++) {
    for (int hint = 1; hint <= HINTS_CHECKED; hint++) {
      snprintf(name, sizeof name, "hint %d for task %d", hint, task);
      text = next_hint(state, task);
      leaks += check_text(state, NULL, name, text);
      free(text);
    }
    text = next_hint(state, task);
    last += check_text(state, NULL, "the third hint, which may,", text);
    free(text);
  }
  expect_no_leak(leaks);
  assert_true(last > 0);
}

/* ---- reports of a class --------------------------------------------------------------------- */

typedef struct Class {
  const State *states;
  size_t count;
} Class;

static void write_roster(const Class *class, const char *folder) {
  char path[PATH_MOST + TITLE_MOST], id[TITLE_MOST];
  json_t *roster = json_array();
  for (size_t i = 0; i < class->count; i++) {
    const char *lab = class->states[i].lab->name;
    snprintf(id, sizeof id, "%s-%d", lab, class->states[i].solved);
    json_array_append_new(roster, json_pack("{s:s, s:s, s:s, s:n, s:{s:n}}", "id", id, "name", id,
                                            "kind", "folder", "problem", "labs", lab));
  }
  snprintf(path, sizeof path, "%s/roster.json", folder);
  assert_int_equal(json_dump_file(roster, path, 0), 0);
  json_decref(roster);
}

static size_t check_class_file(const State *state, const json_t *marks, const char *folder,
                               const char *format) {
  char id[TITLE_MOST], name[TITLE_MOST], path[PATH_MOST + TITLE_MOST];
  snprintf(id, sizeof id, "%s-%d", state->lab->name, state->solved);
  snprintf(name, sizeof name, format, id);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  char *text = needed_file(path), *words = page_text(text);
  size_t leaks = check_text(state, marks, name, words);
  free(text);
  free(words);
  return leaks;
}

/* Each state belongs to one student of the class. A student's report and results must not give away
 * a gap that is open in this state. The page of the class must not give away any gap. */
static void test_class(void **given) {
  const Class *class = *given;
  char folder[PATH_MOST], above[ROOT_MOST];
  size_t leaks = 0;
  snprintf(folder, sizeof folder, "%s/class", root(above));
  write_roster(class, folder);
  free(said_by("%s/checker/checker --class %s 2>&1", build_folder(), folder));
  for (size_t i = 0; i < class->count; i++) {
    const State *state = &class->states[i];
    json_t *marks = marks_of(state);
    leaks += check_class_file(state, marks, folder, "reports/%s.txt");
    leaks += check_class_file(state, marks, folder, "results/%s.json");
    if (state->solved == 0)
      leaks += check_class_file(state, marks, folder, "class.html");
    json_decref(marks);
  }
  expect_no_leak(leaks);
}

/* ---- sentences in the sources --------------------------------------------------------------- */

/* the files that contain printed text */
static const char *const sources[] = {"checker/say/*.def",
                                      "checker/say/sentences/*.def",
                                      "checker/*/*.c",
                                      "common/emulator/observe/*.def",
                                      "common/emulator/observe/*.c",
                                      "common/profile/*.c",
                                      "common/view/*.c",
                                      "common/race/*.c",
                                      "common/step/*.c",
                                      "common/harness/*.c"};

/* Returns the end of the comment that begins at `at`, or `at` if no comment begins there. */
static const char *behind_comment(const char *at) {
  if (strncmp(at, "//", 2) == 0)
    return at + strcspn(at, "\n");
  const char *end = strncmp(at, "/*", 2) == 0 ? strstr(at, "*/") : NULL;
  return end ? end + 2 : at;
}

/* Returns all string literals of a source, with separators. Adjacent literals are joined. */
static char *strings_of(const char *source) {
  char *text = NULL;
  size_t size = 0;
  bool inside = false;
  FILE *out = open_memstream(&text, &size);
  for (const char *at = source; *at; at += *at != '\0') {
    at = inside ? at : behind_comment(at);
    bool quote = *at == '"' && (inside || at == source || at[-1] != '\'');
    if (inside && *at == '\\' && at[1])
      fputc(*++at == 'n' ? ' ' : *at, out);
    else if (inside && !quote)
      fputc(*at, out);
    else if (inside)
      fputs(at[1 + strspn(at + 1, " \n")] == '"' ? "" : TEXTS_APART, out);
    inside = (inside != quote) && *at != '\n';
  }
  fclose(out);
  return text;
}

/* Returns true if a source can contain text about this lab. lab02.def and checker/tasks/02-shared.c
 * are about lab 02 only. Files without a number in their name are about any lab. */
static bool speaks_about(const char *path, const char *lab) {
  const char *name = strrchr(path, '/') + 1;
  const char *number = strncmp(name, "lab", 3) == 0 ? name + 3 : name;
  return !isdigit((unsigned char)*number) || strncmp(number, lab, 2) == 0;
}

static size_t check_source(const char *path) {
  size_t leaks = 0;
  char *source = needed_file(path), *text = strings_of(source);
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next) {
    Reader reader = reader_of(lab->name, NULL, NULL);
    if (speaks_about(path, lab->name))
      leaks += report_leaks(&reader, path, text);
  }
  free(source);
  free(text);
  return leaks;
}

static void test_sentences(void **given) {
  size_t leaks = 0, files = 0;
  (void)given;
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
    glob_t found = {0};
    glob(sources[i], 0, NULL, &found);
    for (size_t j = 0; j < found.gl_pathc; j++, files++)
      leaks += strstr(found.gl_pathv[j], "/tests/") ? 0 : check_source(found.gl_pathv[j]);
    globfree(&found);
  }
  assert_true(files > 0);
  expect_no_leak(leaks);
}

/* ---- the detector itself -------------------------------------------------------------------- */

static void expect_leak(const char *own, int task, const char *text, bool wanted) {
  char leaked[LEAK_TEXT];
  Tokens tokens = tokens_of(page_text(text)), gap = tokens_of_gap("01-naive", task);
  Reader reader = reader_of("01-naive", own, NULL);
  Tokens seen = tokens_seen(&reader);
  size_t runs = leaks_of(&tokens, &gap, &seen, leaked);
  if ((runs > 0) != wanted)
    fail_msg("task %d, own file %s: \"%s\": %zu runs: %s", task, own ? own : "as handed out", text,
             runs, leaked);
  tokens_free(&tokens);
  tokens_free(&gap);
  tokens_free(&seen);
}

static void test_control(void **given) {
  (void)given;
  expect_leak(NULL, 4, "the kernel has to end with C[row * n + column] = sum;", true);
  expect_leak(NULL, 4, "it takes C[row\n      * n+column] of the matrix", true);
  expect_leak(NULL, 1, "<b>x</b> = <a title=''>blockIdx</a>.x*<i>blockDim</i>.x", true);
  expect_leak(NULL, 4, "<a title=\"A[row * k + i]\">A</a>", true);
  expect_leak(NULL, 6, "matmul&lt;&lt;&lt;grid, block>>>(a, b)", true);
  expect_leak(NULL, 5, "C[row * n + column] = sum", false);
  expect_leak(NULL, 4, "row * k + i", false);
  expect_leak(NULL, 4, "the sum of A[row] and k + i", false);
  expect_leak(NULL, 6, "33 rows need CEIL_DIV(33, TILE) = 2 blocks", false);
  expect_leak("solutions/01-naive/naive.cu", 4, "C[row * n + column] = sum;", false);
}

/* ---- main ----------------------------------------------------------------------------------- */

typedef struct All {
  struct CMUnitTest tests[4 * STATES_MOST];
  char titles[4 * STATES_MOST][TITLE_MOST];
  size_t count;
} All;

static void add(All *all, const char *title, const State *state, CMUnitTestFunction test,
                const void *given) {
  char *name = all->titles[all->count];
  assert_true(all->count < 4 * STATES_MOST);
  if (state)
    snprintf(name, TITLE_MOST, "%s, %d solved: %s", state->lab->name, state->solved, title);
  else
    snprintf(name, TITLE_MOST, "%s", title);
  all->tests[all->count++] = (struct CMUnitTest){name, test, NULL, NULL, (void *)(uintptr_t)given};
}

static void add_state(All *all, const State *state) {
  add(all, "what the doors say", state, test_state, state);
  add(all, "is what it is called", state, test_solved, state);
  add(all, "not begun", state, test_not_begun, state);
  if (state->solved == 0)
    add(all, "hints", state, test_hints, state);
}

int main(void) {
  State states[STATES_MOST];
  Class class = {states, 0};
  All *all = calloc(1, sizeof *all);
  unsetenv("MAKEFLAGS");
  unsetenv("MAKELEVEL");
  unsetenv("MFLAGS");
  points_read(NULL);
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next)
    for (int solved = 0; solved < (int)lab->task_count; solved++)
      states[class.count++] = (State){lab, solved};
  add(all, "a text that gives something away is found", NULL, test_control, NULL);
  add(all, "sentences", NULL, test_sentences, NULL);
  for (size_t i = 0; i < class.count; i++)
    add_state(all, &states[i]);
  add(all, "a class", NULL, test_class, &class);
  int failed = _cmocka_run_group_tests("spoilers", all->tests, all->count, NULL, NULL);
  free(all);
  return failed;
}
