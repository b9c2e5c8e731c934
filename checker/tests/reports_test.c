/* What a class gets from its marks. The marks are real ones: this test grades the solutions, the
 * skeletons and some wrong solutions, and gives them to two hundred students, among them such with
 * hostile names, with half of the labs, with damaged archives. The class stays in
 * $BUILD/tests/class/sample, where slides/tests/class.mjs opens its page in a browser.
 *
 * Runs from the root, with the programs that make test builds in $BUILD (default build).
 */
#include <dirent.h>
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

enum { STUDENTS = 200, PATH = 700 };

static const char *build_folder(void) {
  const char *folder = getenv("BUILD");
  return folder ? folder : "build";
}

/* Good for the next few calls only. */
static char *text_format(const char *format, ...) {
  static char all[8][2 * PATH];
  static size_t next;
  char *text = all[next++ % 8];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof all[0], format, list);
  va_end(list);
  return text;
}

/* ---- files ----------------------------------------------------------------------------------- */

static char *read_text(const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *in = fopen(path, "r"), *out = open_memstream(&text, &size);
  if (!in)
    fail_msg("%s: not there", path);
  for (int c; (c = getc(in)) != EOF;)
    fputc(c, out);
  fclose(in);
  fclose(out);
  return text;
}

static void write_text(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  assert_int_equal(fclose(out), 0);
}

static int run(const char *command) {
  int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool contains(const char *path, const char *what) {
  char *text = read_text(path);
  bool found = strstr(text, what) != NULL;
  free(text);
  return found;
}

/* ---- real marks ------------------------------------------------------------------------------ */

typedef struct Work {
  const char *of, *lab, *file, *name; /* "mutants", "01-naive", "naive.cu", "no-guard" */
  int score, tasks;
} Work;

static Work works[] = {
    {"solutions", "01-naive", "naive.cu", NULL, 0, 0},
    {"mutants", "01-naive", NULL, "no-guard", 0, 0},
    {"mutants", "01-naive", NULL, "does-not-compile", 0, 0},
    {"labs", "01-naive", "naive.cu", NULL, 0, 0},
    {"solutions", "01-naive", "naive.cu", NULL, 0, 0},
    {"mutants", "01-naive", NULL, "leak", 0, 0},
    {"mutants", "01-naive", NULL, "block-too-big", 0, 0},
    {"mutants", "01-naive", NULL, "guard-one-too-far", 0, 0},
    {"solutions", "02-shared", "shared.cu", NULL, 0, 0},
    {"solutions", "02-shared", "shared.cu", NULL, 0, 0},
    {"labs", "02-shared", "shared.cu", NULL, 0, 0},
    {"solutions", "03-bank-conflicts", "bank_conflicts.cu", NULL, 0, 0},
    {"labs", "03-bank-conflicts", "bank_conflicts.cu", NULL, 0, 0},
    {"mutants", "03-bank-conflicts", NULL, "pad-only-bs", 0, 0},
    {"solutions", "04-ilp", "ilp.cu", NULL, 0, 0},
    {"mutants", "04-ilp", NULL, "sums-in-memory", 0, 0},
    {"labs", "05-matvec", "matvec.cu", NULL, 0, 0},
    {"solutions", "05-matvec", "matvec.cu", NULL, 0, 0},
    {"mutants", "05-matvec", NULL, "lanes-in-chunks", 0, 0},
    {"labs", "06-nbody", "nbody.cu", NULL, 0, 0},
    {"solutions", "06-nbody", "nbody.cu", NULL, 0, 0},
};
enum { WORKS = sizeof works / sizeof works[0] };

static char *work_path(size_t i, const char *ending) {
  return text_format("%s/tests/class/marks/%zu.%s", build_folder(), i, ending);
}

static void grade_work(size_t i) {
  Work *work = &works[i];
  bool mutant = work->name != NULL;
  char *source = mutant ? text_format("checker/mutants/%s/%s.cu", work->lab, work->name)
                        : text_format("%s/%s/%s", work->of, work->lab, work->file);
  char *program =
      mutant ? text_format("%s/emulated-clang/mutants/%s/%s.float", build_folder(), work->lab,
                           work->name)
             : text_format("%s/emulated-clang/%s/%s.float", build_folder(), work->of, work->lab);
  char *log = access(program, X_OK) == 0 ? "" : text_format("--compile-log %s.log", program);
  char command[4 * PATH];
  snprintf(command, sizeof command,
           "%s/checker/checker --lab %s --source %s --program %s %s --forget --plain --json %s >%s",
           build_folder(), work->lab, source, program, log, work_path(i, "json"),
           work_path(i, "txt"));
  if (run(command) > 1)
    fail_msg("%s", command);
  json_t *marks = json_load_file(work_path(i, "json"), 0, NULL);
  assert_non_null(marks);
  work->score = number_at(marks, "score");
  work->tasks = (int)json_array_size(json_object_get(marks, "tasks"));
  json_decref(marks);
}

/* ---- the class of two hundred ---------------------------------------------------------------- */

typedef enum Fate { FATE_MISSING, FATE_PROBLEM, FATE_NO_MARKS, FATE_UNGRADED, FATE_GRADED } Fate;

static const char hostile_name[] = "</td><script>alert(\"1\")</script> & 'x'\n\x1b[31m\u202e";
static const char formula_name[] = "=HYPERLINK(\"http://example.invalid\",\"click\")";

static const char *name_of(size_t student) {
  static const char *const names[] = {"Özdemir, Ayşe", "O'Neil, Mai", "李 小龍", "Nguyễn Hồng",
                                      "A"};
  if (student == 1)
    return hostile_name;
  return student == 2 ? formula_name : names[student % (sizeof names / sizeof names[0])];
}

static char *id_of(size_t student) { return text_format("student-%03zu", student); }

/* Student 0 did all, 3 handed in an archive that cannot be read, 4 waits for all marks; the others
 * did this and that. */
static Fate fate_of(size_t student, size_t lab) {
  size_t chance = (student * 31 + lab * 17) % 97;
  if (student == 0)
    return FATE_GRADED;
  if (student == 3)
    return FATE_MISSING;
  if (student == 4)
    return FATE_NO_MARKS;
  return chance < 8     ? FATE_MISSING
         : chance < 10  ? FATE_PROBLEM
         : chance == 10 ? FATE_UNGRADED
                        : FATE_GRADED;
}

/* Which of the works of this lab; student 0 has the solution. */
static size_t work_for(size_t student, const Sheet *lab) {
  size_t fitting[WORKS], count = 0;
  for (size_t i = 0; i < WORKS; i++) {
    if (strcmp(works[i].lab, lab->name) != 0)
      continue;
    if (student == 0 && strcmp(works[i].of, "solutions") == 0)
      return i;
    fitting[count++] = i;
  }
  assert_true(count > 0);
  return fitting[(student * 7 + student / 13) % count];
}

static void hand_in(const char *folder, size_t student, const Sheet *lab, size_t at, json_t *labs) {
  char *to = text_format("%s/marks/%s/%s", folder, id_of(student), lab->name);
  Fate fate = fate_of(student, at);
  if (fate == FATE_MISSING)
    return;
  if (fate == FATE_PROBLEM) {
    json_object_set_new(labs, lab->name, json_string("<the file> is a symbolic link"));
    return;
  }
  json_object_set_new(labs, lab->name, json_null());
  if (fate == FATE_UNGRADED)
    write_text(text_format("%s.json", to), "{\"ungraded\": \"no room & no time\"}");
  if (fate != FATE_GRADED)
    return;
  size_t work = work_for(student, lab);
  for (int i = 0; i < 2; i++) {
    char *text = read_text(work_path(work, i ? "json" : "txt"));
    write_text(text_format("%s.%s", to, i ? "json" : "txt"), text);
    free(text);
  }
}

static void make_class(const char *folder, bool backwards) {
  json_t *roster = json_array();
  run(text_format("rm -rf %s && mkdir -p %s/marks", folder, folder));
  for (size_t i = 0; i < STUDENTS; i++) {
    size_t student = backwards ? STUDENTS - 1 - i : i, at = 0;
    json_t *labs = json_object();
    mkdir(text_format("%s/marks/%s", folder, id_of(student)), 0777);
    for (const Sheet *lab = sheet_first(); lab; lab = lab->next)
      hand_in(folder, student, lab, at++, labs);
    json_array_append_new(roster, json_pack("{s:s, s:s, s:s, s:s?, s:o}", "id", id_of(student),
                                            "name", name_of(student), "kind", "folder", "problem",
                                            student == 3 ? "the archive cannot be read" : NULL,
                                            "labs", labs));
  }
  assert_int_equal(json_dump_file(roster, text_format("%s/roster.json", folder), 0), 0);
  json_decref(roster);
}

static char *sample(const char *file) {
  return text_format("%s/tests/class/sample/%s", build_folder(), file);
}

static int report(const char *folder) {
  return run(text_format("%s/checker/checker --class %s >%s/said", build_folder(), folder, folder));
}

static int make_sample(void **state) {
  (void)state;
  run(text_format("rm -rf %s/tests/class && mkdir -p %s/tests/class/marks", build_folder(),
                  build_folder()));
  for (size_t i = 0; i < WORKS; i++)
    grade_work(i);
  char folder[PATH];
  snprintf(folder, sizeof folder, "%s", sample(""));
  make_class(folder, false);
  return report(folder) == 1 ? 0 : -1; /* 1: not all are graded */
}

/* ---- marks ----------------------------------------------------------------------------------- */

static int expected_score(size_t student, const Sheet *lab, size_t at) {
  return fate_of(student, at) == FATE_GRADED ? works[work_for(student, lab)].score : 0;
}

static bool expected_complete(size_t student) {
  bool complete = true;
  size_t at = 0;
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next, at++)
    complete &= fate_of(student, at) != FATE_NO_MARKS && fate_of(student, at) != FATE_UNGRADED;
  return complete;
}

/* A line of the table after the name: id, each lab, total. */
static char *expected_line(size_t student) {
  char *line = text_format("\"%s\"", id_of(student));
  size_t at = 0, total = 0;
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next, at++) {
    Fate fate = fate_of(student, at);
    bool waits = fate == FATE_NO_MARKS || fate == FATE_UNGRADED;
    int score = expected_score(student, lab, at);
    total += (size_t)score;
    line = waits ? text_format("%s,", line) : text_format("%s,%d", line, score);
  }
  return expected_complete(student) ? text_format("%s,%zu\r\n", line, total)
                                    : text_format("%s,\r\n", line);
}

static void test_csv(void **state) {
  char *csv = read_text(sample("grades.csv")), *at = strstr(csv, "\r\n");
  (void)state;
  assert_memory_equal(csv, "name,id,01-naive,02-shared,", 27);
  for (size_t student = 0; student < STUDENTS; student++) {
    const char *line = expected_line(student);
    at = strstr(at + 2, "\"student-");
    assert_non_null(at);
    assert_memory_equal(at, line, strlen(line));
    at = strstr(at, "\r\n");
  }
  assert_string_equal(at, "\r\n");
  free(csv);
}

static void test_names(void **state) {
  (void)state;
  assert_true(contains(
      sample("grades.csv"),
      "\r\n\"'=HYPERLINK(\"\"http://example.invalid\"\",\"\"click\"\")\",\"student-002\""));
  assert_true(contains(sample("grades.csv"),
                       "\r\n\"</td><script>alert(\"\"1\"\")</script> & 'x'??[31m?\","));
  assert_true(contains(sample("class.html"),
                       "<bdi>&lt;/td&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; "
                       "&#39;x&#39;??[31m?</bdi>"));
  assert_false(contains(sample("class.html"), "<script"));
  assert_false(contains(sample("reports/student-001.txt"), "\x1b"));
}

/* ---- Gradescope ------------------------------------------------------------------------------ */

static bool one_of(const char *text, const char *all) {
  size_t length = strlen(text);
  for (const char *at = all; (at = strstr(at, text)); at += length)
    if ((at == all || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
      return length > 0;
  return false;
}

/* Nothing but what Gradescope's documentation has, each of the type it has there. */
static void expect_format(const json_t *object, const char *texts, const char *numbered,
                          const char *others) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)object, key, value) {
    bool right = json_is_string(value)   ? one_of(key, texts)
                 : json_is_number(value) ? one_of(key, numbered)
                                         : one_of(key, others);
    if (!right)
      fail_msg("%s: not in the format", key);
  }
}

static void expect_test(const json_t *test) {
  expect_format(test, "name name_format number output output_format status visibility",
                "score max_score", "tags extra_data");
  bool passed = strcmp(text_at(test, "status"), "passed") == 0;
  assert_true(one_of(text_at(test, "status"), "passed failed"));
  assert_true(one_of(text_at(test, "output_format"), "text html simple_format md ansi"));
  assert_true(one_of(text_at(test, "visibility"), "hidden after_due_date after_published visible"));
  assert_true(number_at(test, "max_score") > 0);
  assert_int_equal(number_at(test, "score"), passed ? number_at(test, "max_score") : 0);
  assert_true(json_is_array(json_object_get(test, "tags")));
  assert_true(json_is_object(json_object_get(test, "extra_data")));
}

static void test_gradescope(void **state) {
  (void)state;
  for (size_t student = 0; student < STUDENTS; student++) {
    json_t *results =
        json_load_file(sample(text_format("results/%s.json", id_of(student))), 0, NULL);
    json_t *test;
    size_t i, at = 0;
    int sum = 0, most = 0, expected = 0;
    assert_non_null(results);
    expect_format(results,
                  "output output_format test_output_format test_name_format visibility "
                  "stdout_visibility",
                  "score", "extra_data tests");
    json_array_foreach(json_object_get(results, "tests"), i, test) {
      expect_test(test);
      sum += number_at(test, "score");
      most += number_at(test, "max_score");
    }
    for (const Sheet *lab = sheet_first(); lab; lab = lab->next)
      expected += expected_score(student, lab, at++);
    assert_int_equal(sum, expected);
    assert_int_equal(number_at(results, "score"), expected);
    assert_int_equal(most, 100 * (int)at);
    json_decref(results);
  }
}

static const json_t *test_called(const json_t *results, const char *number) {
  size_t i;
  json_t *test;
  json_array_foreach(json_object_get(results, "tests"), i, test) {
    if (strcmp(text_at(test, "number"), number) == 0)
      return test;
  }
  fail_msg("no test %s", number);
  return NULL;
}

/* A task's counters arrive as they stand in the marks; what went wrong stands in its output. */
static void test_results(void **state) {
  json_t *results = json_load_file(sample("results/student-000.json"), 0, NULL);
  const json_t *data = json_object_get(test_called(results, "2.3"), "extra_data");
  const json_t *kernels = json_object_get(data, "kernels");
  (void)state;
  assert_true(json_object_size(kernels) > 0);
  assert_int_equal(json_integer_value(json_object_get(data, "work")), work_total(kernels));
  assert_true(work_total(kernels) > 100000);
  json_decref(results);
  results = json_load_file(sample("results/student-003.json"), 0, NULL);
  assert_string_equal(text_at(test_called(results, "1.1"), "output"), "not handed in\n");
  assert_non_null(strstr(text_at(results, "output"), "the archive cannot be read"));
  json_decref(results);
}

/* ---- work.c ---------------------------------------------------------------------------------- */

static Log log_of(const char *lines) {
  static char path[] = "/tmp/lockstep-reports-XXXXXX";
  static int file;
  if (!file)
    close(file = mkstemp(path));
  write_text(path, lines);
  Log log = log_read(path);
  unlink(path);
  return log;
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
  /* The same kernel twice in one log, and words where numbers belong. */
  add_log(kernels,
          KERNEL("f", "\"thread_instructions\":1") KERNEL("f", "\"thread_instructions\":1"));
  add_log(kernels, KERNEL("f", "\"thread_instructions\":\"many\",\"launches\":-9"));
  assert_int_equal(work_total(kernels), 705);
  assert_int_equal(counter_of(kernels, "f", "launches"), 3);
  work_add(NULL, &(Log){.doubtful = false});
  json_decref(kernels);
}

/* However many kernels and however large their numbers: the sum stays one. */
static void test_work_without_end(void **state) {
  json_t *kernels = json_object();
  (void)state;
  for (int i = 0; i < 1000; i++)
    add_log(kernels,
            text_format(KERNEL("k%d", "\"thread_instructions\":9223372036854775807"), i % 300));
  assert_true(json_object_size(kernels) <= 64);
  assert_true(work_total(kernels) > 0);
  json_decref(kernels);
}

/* What a program did twice is twice what its log says of one run. */
static void test_work_of_runs(void **state) {
  char folder[] = "/tmp/lockstep-reports-XXXXXX";
  const char *const arguments[] = {"--variant", "kernel", "--size", "33", NULL};
  Settings settings = {
      .program = text_format("%s/emulated-clang/solutions/01-naive.float", build_folder()),
      .precision = "float",
      .seconds = 60,
      .schedule = 1};
  Check check = {.settings = &settings, .kernels = json_object()};
  (void)state;
  assert_non_null(mkdtemp(folder));
  snprintf(check.folder, sizeof check.folder, "%s", folder);
  for (int i = 0; i < 2; i++) {
    Trial trial = check_start(&check, arguments);
    for (const char *const *counter = work_counters; *counter; counter++) {
      double once = log_counter(&trial.log, "matmul", *counter);
      assert_true(once >= 0); /* the device knows it by this name */
      assert_int_equal(counter_of(check.kernels, "matmul", *counter), (json_int_t)once * (i + 1));
    }
    trial_free(&trial);
  }
  assert_true(work_total(check.kernels) > 10000);
  json_decref(check.kernels);
  rmdir(folder);
}

/* ---- XML ------------------------------------------------------------------------------------- */

/* Past one "&...;" that XML knows, else NULL. */
static const char *past_entity(const char *at) {
  static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strncmp(at, known[i], strlen(known[i])) == 0)
      return at + strlen(known[i]);
  return NULL;
}

/* Past text up to one of the characters in `end`; NULL: it holds what XML does not allow. */
static const char *past_text(const char *at, const char *end) {
  while (at && *at && !strchr(end, *at)) {
    if (*at == '<' || ((unsigned char)*at < ' ' && *at != '\n'))
      return NULL;
    at = *at == '&' ? past_entity(at) : at + 1;
  }
  return at;
}

/* Elements nest, attributes are quoted, nothing stands there that XML forbids. */
static bool well_formed(const char *at) {
  char open[16][32];
  size_t depth = 0;
  for (at = strchr(at, '\n'); (at = past_text(at, "<")) && *at;) {
    const char *name = at + 1 + (at[1] == '/');
    size_t length = strcspn(name, " />");
    bool closes = at[1] == '/';
    if (closes && (depth == 0 || strncmp(open[--depth], name, length) != 0 || open[depth][length]))
      return false;
    if (!closes && (depth == 16 || length > 31))
      return false;
    if (!closes)
      snprintf(open[depth++], 32, "%.*s", (int)length, name);
    for (at = name + length; *at == ' ';) {
      at = strstr(at, "=\"");
      at = at ? past_text(at + 2, "\"") : NULL;
      if (!at++)
        return false;
    }
    depth -= *at == '/' && !closes;
    at += *at == '/';
    if (*at++ != '>')
      return false;
  }
  return at && depth == 0;
}

static size_t count_words(const char *text, const char *word) {
  size_t count = 0;
  for (; (text = strstr(text, word)); text++)
    count++;
  return count;
}

/* All numbers that stand behind this name. */
static size_t sum_of(const char *text, const char *name) {
  size_t sum = 0;
  for (; (text = strstr(text, name)); text++)
    sum += strtoul(text + strlen(name), NULL, 10);
  return sum;
}

static void test_junit(void **state) {
  char *xml = read_text(sample("grades.xml"));
  size_t labs = 0;
  (void)state;
  assert_true(well_formed(xml));
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next)
    labs++;
  assert_int_equal(count_words(xml, "<testsuite "), STUDENTS * labs);
  assert_int_equal(count_words(xml, "<testcase "), sum_of(xml, " tests=\""));
  assert_int_equal(count_words(xml, "<failure"), sum_of(xml, " failures=\""));
  assert_int_equal(count_words(xml, "<error"), sum_of(xml, " errors=\""));
  assert_int_equal(count_words(xml, "<skipped"), sum_of(xml, " skipped=\""));
  assert_non_null(strstr(xml, "<testsuite name=\"student-003/01-naive\" tests=\"1\" failures=\"0\" "
                              "errors=\"0\" skipped=\"1\">"));
  free(xml);
}

static void test_well_formed(void **state) {
  (void)state;
  assert_true(well_formed("<?xml?>\n<a b=\"&lt;\"><c/>x\n<d>&amp;</d></a>\n"));
  assert_false(well_formed("<?xml?>\n<a><b></a></b>\n"));
  assert_false(well_formed("<?xml?>\n<a b=\"<\"/>\n"));
  assert_false(well_formed("<?xml?>\n<a b=c/>\n"));
  assert_false(well_formed("<?xml?>\n<a>R&D</a>\n"));
  assert_false(well_formed("<?xml?>\n<a>\x1b</a>\n"));
  assert_false(well_formed("<?xml?>\n<a>\n"));
}

static void test_markup(void **state) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  (void)state;
  markup_attribute(out, "a", "<&>\"'\x01\x7f\n\xef\xbf\xbf\xef\xbf\xbd\xef\xbc\x81 é");
  fclose(out);
  assert_string_equal(text, " a=\"&lt;&amp;&gt;&quot;&#39;   ?\xef\xbf\xbd\xef\xbc\x81 é\"");
  free(text);
}

/* ---- counted over the class ------------------------------------------------------------------ */

static Class read_sample(void) {
  static char folder[PATH];
  Settings settings = {.lab = NULL};
  Class class;
  snprintf(folder, sizeof folder, "%s", sample(""));
  class_read(&class, &settings, folder);
  return class;
}

static size_t students_with(const char *lab, const char *name) {
  size_t count = 0, at = 0;
  for (const Sheet *sheet = sheet_first(); sheet; sheet = sheet->next, at++)
    for (size_t i = 0; i < STUDENTS && strcmp(sheet->name, lab) == 0; i++)
      count += fate_of(i, at) == FATE_GRADED && works[work_for(i, sheet)].name &&
               strcmp(works[work_for(i, sheet)].name, name) == 0;
  return count;
}

static const Cause *cause_of(const Cause *causes, size_t count, const char *kind, const char *why) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(causes[i].kind, kind) == 0 && strstr(causes[i].why, why))
      return &causes[i];
  fail_msg("no cause %s: %s", kind, why);
  return NULL;
}

static void test_causes(void **state) {
  Class class = read_sample();
  Cause *causes;
  size_t count = causes_find(&class, &causes);
  (void)state;
  assert_true(count > 8);
  for (size_t i = 1; i < count; i++)
    assert_true(causes[i - 1].count >= causes[i].count);
  /* Two works, one cause: which buffer and which row makes no difference. */
  assert_int_equal(cause_of(causes, count, "out-of-bounds", "runs past its buffer")->count,
                   students_with("01-naive", "no-guard") +
                       students_with("01-naive", "guard-one-too-far"));
  const Cause *build = cause_of(causes, count, "not-compiled", "");
  assert_int_equal(build->count, students_with("01-naive", "does-not-compile"));
  assert_int_equal(build->tasks, 0);
  for (size_t i = 1; i < build->count; i++)
    assert_true(build->students[i - 1] < build->students[i]);
  causes_free(causes, count);
}

static void test_slowest(void **state) {
  Class class = read_sample();
  Costly all[6];
  size_t count = slowest_labs(&class, all, 6);
  (void)state;
  assert_true(count > 0);
  for (size_t i = 0; i < count; i++) {
    const json_t *marks = class.students[all[i].student].entries[all[i].lab].marks;
    assert_int_equal(all[i].work, json_integer_value(json_object_get(marks, "work")));
    assert_true(all[i].ratio > 1.05);
    assert_true(i == 0 || all[i - 1].work >= all[i].work);
  }
  /* Among equals nobody is slow; of the tasks only those count that are right. */
  count = slowest_tasks(&class, all, 6);
  for (size_t i = 0; i < count; i++)
    assert_true(
        task_is(&class.students[all[i].student].entries[all[i].lab], all[i].task, "passed"));
}

static void test_means(void **state) {
  Class class = read_sample();
  double sum = 0;
  size_t count = 0, full = 0;
  (void)state;
  for (size_t i = 0; i < STUDENTS; i++) {
    Fate fate = fate_of(i, 0);
    int score = expected_score(i, sheet_first(), 0);
    if (fate == FATE_NO_MARKS || fate == FATE_UNGRADED)
      continue;
    sum += score;
    count++;
    full += score == 100;
  }
  assert_true(mean_score(&class, 0) == sum / (double)count);
  assert_int_equal(count_full(&class, 0), full);
  assert_int_equal(class.all_points, 100 * (int)class.lab_count);
}

/* ---- the files as a whole -------------------------------------------------------------------- */

/* From the same marks the same bytes, in whatever order the roster is and wherever the class
 * stands; and once more over what is there. */
static void test_same_bytes(void **state) {
  char folder[] = "/tmp/lockstep-reports-XXXXXX";
  (void)state;
  assert_non_null(mkdtemp(folder));
  char other[PATH], compare[4 * PATH];
  snprintf(other, sizeof other, "%s/sample", folder);
  mkdir(other, 0777);
  make_class(other, true);
  assert_int_equal(report(other), 1);
  snprintf(compare, sizeof compare,
           "cd %s/tests/class/sample && for file in class.html grades.csv grades.xml reports "
           "results; do diff -r $file %s/$file || exit 1; done",
           build_folder(), other);
  assert_int_equal(run(compare), 0);
  assert_int_equal(report(other), 1);
  assert_int_equal(run(compare), 0);
  write_text(text_format("%s/reports/gone.txt", other), "of somebody who left");
  write_text(text_format("%s/reports/student-000.txt.new", other), "half of it");
  assert_int_equal(report(other), 1);
  assert_int_equal(run(compare), 0);
  run(text_format("rm -r %s", folder));
}

/* What the checker printed stands in the report; what was not graded is named. */
static void test_reports(void **state) {
  char *report_0 = read_text(sample("reports/student-000.txt"));
  char *printed = read_text(work_path(0, "txt"));
  (void)state;
  assert_non_null(strstr(report_0, printed));
  assert_non_null(strstr(report_0, "\n  score 600/600\n"));
  free(report_0);
  free(printed);
  assert_true(
      contains(sample("reports/student-003.txt"), "What was handed in: the archive cannot be"));
  assert_true(contains(sample("reports/student-004.txt"), "  -/100  not graded yet\n"));
  assert_true(contains(sample("reports/student-004.txt"), "a lab that is not graded yet"));
  assert_true(contains(sample("said"), "not graded yet: "));
}

/* Graded without a sandbox: said in all of them. One lab alone: the others are left out. */
static void test_no_walls_one_lab(void **state) {
  char folder[] = "/tmp/lockstep-reports-XXXXXX", path[PATH];
  (void)state;
  assert_non_null(mkdtemp(folder));
  mkdir(text_format("%s/marks", folder), 0777);
  mkdir(text_format("%s/marks/a", folder), 0777);
  json_t *marks = json_load_file(work_path(0, "json"), 0, NULL);
  json_object_set_new(marks, "graded", json_pack("{s:s}", "sandbox", "none"));
  snprintf(path, sizeof path, "%s/marks/a/01-naive.json", folder);
  json_dump_file(marks, path, 0);
  json_decref(marks);
  write_text(text_format("%s/roster.json", folder),
             "[{\"id\":\"a\",\"name\":\"a\",\"problem\":null,\"labs\":{\"01-naive\":null,"
             "\"02-shared\":\"two files are called shared.cu\"}}]");
  assert_int_equal(report(folder), 0);
  assert_true(contains(text_format("%s/reports/a.txt", folder), "SANDBOX=none"));
  assert_true(contains(text_format("%s/reports/a.txt", folder), "score 100/200"));
  assert_true(contains(text_format("%s/results/a.json", folder), "SANDBOX=none"));
  assert_true(contains(text_format("%s/class.html", folder), "SANDBOX=none"));
  assert_true(contains(text_format("%s/grades.xml", folder), "name=\"sandbox\" value=\"none\""));
  assert_true(contains(text_format("%s/said", folder), "SANDBOX=none"));
  assert_int_equal(run(text_format("%s/checker/checker --class %s --lab 01-naive >%s/said",
                                   build_folder(), folder, folder)),
                   0);
  assert_true(contains(text_format("%s/reports/a.txt", folder), "score 100/100"));
  assert_false(contains(text_format("%s/class.html", folder), "lab 02"));
  run(text_format("rm -r %s", folder));
}

static void expect_refused(const char *roster, const char *words) {
  char folder[] = "/tmp/lockstep-reports-XXXXXX";
  assert_non_null(mkdtemp(folder));
  write_text(text_format("%s/roster.json", folder), roster);
  assert_int_equal(
      run(text_format("%s/checker/checker --class %s 2>%s/said", build_folder(), folder, folder)),
      2);
  if (!contains(text_format("%s/said", folder), words))
    fail_msg("%s: not told %s", roster, words);
  run(text_format("rm -r %s", folder));
}

static void test_refused(void **state) {
  (void)state;
  expect_refused("{}", "no roster");
  expect_refused("[", "no roster");
  expect_refused("[{\"id\":\"../a\"}]", "no id that can name a file");
  expect_refused("[{\"id\":\"..\"}]", "no id that can name a file");
  expect_refused("[{}]", "no id that can name a file");
  expect_refused("[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"a\"}]", "two students are called a");
}

/* Nobody, or nobody with anything: tables without rows, and no division by zero. */
static void test_empty(void **state) {
  static const char *const rosters[] = {"[]",
                                        "[{\"id\":\"a\",\"name\":\"\",\"problem\":\"empty\"}]"};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    char folder[] = "/tmp/lockstep-reports-XXXXXX";
    assert_non_null(mkdtemp(folder));
    write_text(text_format("%s/roster.json", folder), rosters[i]);
    assert_int_equal(report(folder), 0);
    assert_false(contains(text_format("%s/class.html", folder), "nan"));
    assert_true(contains(text_format("%s/grades.csv", folder), "name,id"));
    run(text_format("rm -r %s", folder));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_csv),          cmocka_unit_test(test_names),
      cmocka_unit_test(test_gradescope),   cmocka_unit_test(test_results),
      cmocka_unit_test(test_work),         cmocka_unit_test(test_work_without_end),
      cmocka_unit_test(test_work_of_runs), cmocka_unit_test(test_junit),
      cmocka_unit_test(test_well_formed),  cmocka_unit_test(test_markup),
      cmocka_unit_test(test_causes),       cmocka_unit_test(test_slowest),
      cmocka_unit_test(test_means),        cmocka_unit_test(test_same_bytes),
      cmocka_unit_test(test_reports),      cmocka_unit_test(test_no_walls_one_lab),
      cmocka_unit_test(test_refused),      cmocka_unit_test(test_empty),
  };
  return cmocka_run_group_tests(tests, make_sample, NULL);
}
