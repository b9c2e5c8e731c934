/* Tests the reports of a class. The marks are real: this test grades the solutions, the skeletons
 * and some wrong solutions, and assigns these marks to two hundred students (sample_class.h). Some
 * of the students have hostile names, only some of the labs, or a damaged archive. The class is
 * kept in $BUILD/tests/class/sample, where slides/tests/class.mjs opens its page in a browser.
 *
 * Runs from the root of the workbook, with the programs that make test builds in $BUILD (default
 * build). */
#include "sample_class.h"
#include "emulator/tests/scratch.h"

/* ---- the table of marks ---------------------------------------------------------------------- */

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

/* Returns the expected start of a student's line in grades.csv after the name: the id, the score of
 * each lab and the total. The scores of the tasks follow this text. */
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
  return expected_complete(student) ? text_format("%s,%zu,", line, total)
                                    : text_format("%s,,", line);
}

static void test_csv(void **state) {
  char *csv = read_text(sample("grades.csv")), *at = strstr(csv, "\r\n");
  (void)state;
  assert_memory_equal(csv, "\xef\xbb\xbfname,id,01-naive,02-shared,", 30);
  assert_non_null(strstr(csv, ",total,\"01-naive 1 index\",\"01-naive 2 guard\","));
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

/* The scores of the tasks add up to the total. */
static void test_csv_of_tasks(void **state) {
  char *csv = read_text(sample("grades.csv")), *at = strstr(csv, "\r\n");
  (void)state;
  for (size_t student = 0; student < STUDENTS; student++) {
    long total = 0, sum = 0;
    at = strstr(at + 2, "\"student-");
    at += strlen("\"student-");
    at = strchr(at, ',');
    for (const Sheet *lab = sheet_first(); lab; lab = lab->next, at = strchr(at + 1, ','))
      total += strtol(at + 1, NULL, 10); /* strtol returns 0 if the field is empty */
    for (at = strchr(at + 1, ','); *at == ','; at += 1 + strcspn(at + 1, ",\r"))
      sum += strtol(at + 1, NULL, 10);
    assert_int_equal(sum, total);
  }
  free(csv);
}

/* A memory leak costs only the points of the part in which it happens. */
static void test_parts(void **state) {
  json_t *marks = json_load_file(work_path(5, "json"), 0, NULL), *part; /* mutant "leak" */
  const json_t *task = json_array_get(json_object_get(marks, "tasks"), 5);
  const Task *host = &sheet_find("01-naive")->tasks[5];
  int sum = 0;
  size_t i;
  (void)state;
  json_array_foreach(json_object_get(task, "parts"), i, part) {
    char name[80];
    say_name(host->parts[i], name, sizeof name);
    assert_string_equal(text_at(part, "part"), name);
    assert_int_equal(number_at(part, "points"), host->part_points[i]);
    assert_int_equal(number_at(part, "score"),
                     host->parts[i] == SAY_PART_RESULT ? 0 : host->part_points[i]);
    sum += number_at(part, "score");
  }
  assert_int_equal(i, 3);
  assert_string_equal(text_at(task, "status"), "failed");
  assert_int_equal(number_at(task, "score"), sum);
  assert_int_equal(number_at(marks, "score"), 100 - host->part_points[0]);
  json_decref(marks);
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

/* Checks that the JSON has only the fields of Gradescope's documentation, with the right types. */
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
  if (passed)
    assert_int_equal(number_at(test, "score"), number_at(test, "max_score"));
  else /* it may have points of some parts */
    assert_in_range(number_at(test, "score"), 0, number_at(test, "max_score") - 1);
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

/* Student 0 has counters for a task, as in the marks. The output of student 3 contains the problem
 * of the archive. */
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

/* After two equal runs, the check's counters are twice the counters of one log. */
static void test_work_of_runs(void **state) {
  char folder[SCRATCH_MOST];
  const char *const arguments[] = {"--variant", "kernel", "--size", "33", NULL};
  Settings settings = {.build = {.program = text_format(
                                     "%s/emulated-clang/solutions/01-naive.float", build_folder()),
                                 .precision = "float"},
                       .run = {.seconds = 60, .schedule = 1}};
  Check check = {.settings = &settings, .kernels = json_object()};
  (void)state;
  assert_true(scratch_folder(folder, "reports"));
  snprintf(check.folder, sizeof check.folder, "%s", folder);
  for (int i = 0; i < 2; i++) {
    Trial trial = check_start(&check, arguments);
    for (const char *const *counter = work_counters; *counter; counter++) {
      double once = log_counter(&trial.log, "matmul", *counter);
      json_int_t all =
          json_integer_value(json_object_get(json_object_get(check.kernels, "matmul"), *counter));
      assert_true(once >= 0); /* the device has a counter of this name */
      assert_int_equal(all, (json_int_t)once * (i + 1));
    }
    trial_free(&trial);
  }
  assert_true(work_total(check.kernels) > 10000);
  json_decref(check.kernels);
  rmdir(folder);
}

/* ---- XML ------------------------------------------------------------------------------------- */

/* Returns the end of the XML entity at `at`, or NULL if it is unknown. */
static const char *past_entity(const char *at) {
  static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strncmp(at, known[i], strlen(known[i])) == 0)
      return at + strlen(known[i]);
  return NULL;
}

/* Returns the first character of `end` in the text, or NULL if a character that XML forbids comes
 * first. */
static const char *past_text(const char *at, const char *end) {
  while (at && *at && !strchr(end, *at)) {
    if (*at == '<' || ((unsigned char)*at < ' ' && *at != '\n'))
      return NULL;
    at = *at == '&' ? past_entity(at) : at + 1;
  }
  return at;
}

/* Returns true if elements are nested correctly, attributes are quoted, and no forbidden character
 * occurs. */
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

/* Returns the sum of the numbers that follow each occurrence of `name`. */
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

/* A program that crashed or was stopped becomes an <error>; a wrong answer becomes a <failure>. */
static void test_junit_errors(void **state) {
  static const char *const kinds[] = {"crash", "processes", "walls", "wrong"};
  (void)state;
  for (size_t i = 0; i < 4; i++) {
    char *xml = NULL;
    size_t size;
    FILE *out = open_memstream(&xml, &size);
    json_t *marks = json_pack("{s:b, s:[{s:s, s:s}]}", "compiled", 1, "tasks", "status", "failed",
                              "kind", kinds[i]);
    junit_suite(out, "a", marks);
    fclose(out);
    assert_int_equal(sum_of(xml, " errors=\""), i < 3);
    assert_int_equal(count_words(xml, "<failure"), i == 3);
    json_decref(marks);
    free(xml);
  }
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

/* ---- causes and slow students ---------------------------------------------------------------- */

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

static const Cause *cause_of(const Cause *causes, size_t count, VerdictKind kind, SayId why) {
  for (size_t i = 0; i < count; i++)
    if (causes[i].kind == kind && causes[i].why.id == why)
      return &causes[i];
  fail_msg("no cause %s, %d", verdict_name(kind), why);
  return NULL;
}

static unsigned first_task(const Cause *cause) { return cause->tasks & -cause->tasks; }

static void test_causes(void **state) {
  Class class = read_sample();
  Cause *causes;
  size_t count = causes_find(&class, &causes);
  (void)state;
  assert_true(count > 8);
  for (size_t i = 1; i < count; i++) {
    assert_true(causes[i - 1].count >= causes[i].count);
    if (causes[i - 1].count == causes[i].count && causes[i - 1].lab == causes[i].lab)
      assert_true(first_task(&causes[i - 1]) <= first_task(&causes[i]));
  }
  /* Causes with the same id are counted as one cause, even if they name different buffers and
   * rows. */
  assert_int_equal(cause_of(causes, count, VERDICT_OUT_OF_BOUNDS, SAY_OWN_ELEMENT_OUTSIDE)->count,
                   students_with("01-naive", "no-guard") +
                       students_with("01-naive", "guard-one-too-far"));
  const Cause *build = cause_of(causes, count, VERDICT_NOT_COMPILED, SAY_NOTHING);
  assert_int_equal(build->count, students_with("01-naive", "does-not-compile"));
  assert_int_equal(build->tasks, 0);
  for (size_t i = 1; i < build->count; i++)
    assert_true(build->students[i - 1] < build->students[i]);
  causes_free(causes, count);
  class_free(&class);
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
  /* A task is listed only if it passed. */
  count = slowest_tasks(&class, all, 6);
  for (size_t i = 0; i < count; i++)
    assert_true(
        task_is(&class.students[all[i].student].entries[all[i].lab], all[i].task, "passed"));
  class_free(&class);
}

static void test_means(void **state) {
  Class class = read_sample();
  double sum = 0;
  size_t count = 0, full = 0;
  (void)state;
  for (size_t i = 0; i < STUDENTS; i++) {
    int score = expected_score(i, sheet_first(), 0);
    if (fate_of(i, 0) != FATE_GRADED)
      continue;
    sum += score;
    count++;
    full += score == 100;
  }
  assert_true(mean_score(&class, 0) == sum / (double)count);
  assert_int_equal(count_full(&class, 0, POINTS_THAT_COUNT), full);
  assert_int_equal(class.all_points, 100 * (int)class.lab_count);
  class_free(&class);
}

/* ---- all files of a class -------------------------------------------------------------------- */

/* The same marks give the same files, byte by byte, for any order of the roster and any path of the
 * class. Existing files are overwritten, and stale files are removed. */
static void test_same_bytes(void **state) {
  char folder[SCRATCH_MOST];
  (void)state;
  assert_true(scratch_folder(folder, "reports"));
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

/* A student's report contains everything that the checker printed, and names the labs that were not
 * graded. */
static void test_reports(void **state) {
  char *report_0 = read_text(sample("reports/student-000.txt"));
  (void)state;
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next) {
    char *printed = read_text(work_path(work_for(0, lab), "txt"));
    assert_non_null(strstr(report_0, printed));
    free(printed);
  }
  assert_non_null(strstr(report_0, "\n  score 600/600\n"));
  free(report_0);
  assert_true(contains(sample("reports/student-003.txt"), "  note: the archive cannot be read\n"));
  assert_true(contains(sample("reports/student-004.txt"), "  -/100  not graded yet\n"));
  assert_true(contains(sample("reports/student-004.txt"), "a lab that is not graded yet"));
  assert_true(contains(sample("said"), "not graded yet: "));
}

/* If a class was graded without a sandbox, all reports say so. With --lab, the reports contain only
 * the named lab. */
static void test_no_walls_one_lab(void **state) {
  char folder[SCRATCH_MOST], path[PATH];
  (void)state;
  assert_true(scratch_folder(folder, "reports"));
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

/* The labs of an unreadable archive cannot be graded; the labs of an empty archive were not handed
 * in. */
static void test_unread(void **state) {
  char folder[SCRATCH_MOST];
  (void)state;
  assert_true(scratch_folder(folder, "reports"));
  write_text(text_format("%s/roster.json", folder),
             "[{\"id\":\"a\",\"name\":\"a\",\"problem\":\"the archive is damaged\","
             "\"unread\":true,\"labs\":{}},"
             "{\"id\":\"b\",\"name\":\"b\",\"problem\":\"it is empty\",\"unread\":false,"
             "\"labs\":{}},"
             "{\"id\":\"c\",\"name\":\"c\",\"problem\":null,\"labs\":{\"01-naive\":\"odd\"}}]");
  assert_int_equal(report(folder), 0);
  assert_true(contains(text_format("%s/reports/a.txt", folder),
                       "0/100  cannot be graded: the archive is damaged\n"));
  assert_true(contains(text_format("%s/reports/b.txt", folder), "0/100  not handed in\n"));
  assert_false(contains(text_format("%s/class.html", folder), "lab 02"));
  run(text_format("rm -r %s", folder));
}

/* Scores that are far too large or negative do not crash the reports. */
static void test_wild_scores(void **state) {
  static const int scores[] = {2000000000, -2000000000};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    char folder[SCRATCH_MOST];
    assert_true(scratch_folder(folder, "reports"));
    run(text_format("mkdir -p %s/marks/a", folder));
    json_t *marks = json_load_file(work_path(0, "json"), 0, NULL);
    json_object_set_new(marks, "score", json_integer(scores[i]));
    json_dump_file(marks, text_format("%s/marks/a/01-naive.json", folder), 0);
    json_decref(marks);
    write_text(text_format("%s/roster.json", folder),
               "[{\"id\":\"a\",\"name\":\"a\",\"problem\":null,\"labs\":{\"01-naive\":null}}]");
    assert_int_equal(report(folder), 0);
    run(text_format("rm -r %s", folder));
  }
}

static void expect_refused(const char *roster, const char *words) {
  char folder[SCRATCH_MOST];
  assert_true(scratch_folder(folder, "reports"));
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

/* A class without students or submissions gets tables without rows, and no result is divided by
 * zero. */
static void test_empty(void **state) {
  static const char *const rosters[] = {"[]",
                                        "[{\"id\":\"a\",\"name\":\"\",\"problem\":\"empty\"}]"};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    char folder[SCRATCH_MOST];
    assert_true(scratch_folder(folder, "reports"));
    write_text(text_format("%s/roster.json", folder), rosters[i]);
    assert_int_equal(report(folder), 0);
    assert_false(contains(text_format("%s/class.html", folder), "nan"));
    assert_true(contains(text_format("%s/grades.csv", folder), "name,id"));
    run(text_format("rm -r %s", folder));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_csv),          cmocka_unit_test(test_csv_of_tasks),
      cmocka_unit_test(test_parts),        cmocka_unit_test(test_names),
      cmocka_unit_test(test_gradescope),   cmocka_unit_test(test_results),
      cmocka_unit_test(test_work_of_runs), cmocka_unit_test(test_junit),
      cmocka_unit_test(test_junit_errors), cmocka_unit_test(test_well_formed),
      cmocka_unit_test(test_causes),       cmocka_unit_test(test_slowest),
      cmocka_unit_test(test_means),        cmocka_unit_test(test_same_bytes),
      cmocka_unit_test(test_reports),      cmocka_unit_test(test_no_walls_one_lab),
      cmocka_unit_test(test_unread),       cmocka_unit_test(test_wild_scores),
      cmocka_unit_test(test_refused),      cmocka_unit_test(test_empty),
  };
  return cmocka_run_group_tests(tests, make_sample, NULL);
}
