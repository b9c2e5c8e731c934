/* Writes marks as JUnit XML: one suite for each lab, with one test for the build and one test for
 * each task. */
#include "say/report.h"
#include "draw/markup.h"

#include <string.h>

static void put_property(FILE *out, const char *name, const char *value) {
  fputs("      <property", out);
  markup_attribute(out, "name", name);
  markup_attribute(out, "value", value);
  fputs("/>\n", out);
}

/* Returns true if the verdict is an "error" in JUnit's terms: the program gave no answer at all. */
static bool is_error(const json_t *verdict) {
  return strcmp(verdict_element(verdict_kind(verdict)), "error") == 0;
}

static void put_complaint(FILE *out, const json_t *verdict) {
  const char *element = is_error(verdict) ? "error" : "failure";
  size_t i;
  json_t *line;
  fprintf(out, "      <%s", element);
  markup_attribute(out, "type", text_at(verdict, "kind"));
  markup_attribute(out, "message", text_at(verdict, "headline"));
  fputs(">", out);
  json_array_foreach(json_object_get(verdict, "lines"), i, line) {
    markup_text(out, text_at(line, "text"));
    fputs("  ", out);
    markup_text(out, text_at(line, "place"));
    fputc('\n', out);
  }
  markup_text(out, text_at(verdict, "cause"));
  fprintf(out, "</%s>\n", element);
}

/* Writes the measured quantities of a passed task as properties. */
static void put_measures(FILE *out, const json_t *task) {
  size_t i;
  json_t *line;
  json_t *lines = json_object_get(task, "lines");
  if (json_array_size(lines) == 0)
    return;
  fputs("      <properties>\n", out);
  json_array_foreach(lines, i, line) put_property(out, "measured", text_at(line, "text"));
  fputs("      </properties>\n", out);
}

static void put_task(FILE *out, const char *suite, const json_t *task) {
  const char *status = text_at(task, "status");
  char name[120];
  snprintf(name, sizeof name, "task %d, %s", number_at(task, "number"), text_at(task, "title"));
  fputs("    <testcase", out);
  markup_attribute(out, "classname", suite);
  markup_attribute(out, "name", name);
  fputs(">\n", out);
  if (strcmp(status, "failed") == 0)
    put_complaint(out, task);
  else if (strcmp(status, "passed") != 0)
    fputs("      <skipped/>\n", out);
  else
    put_measures(out, task);
  fputs("    </testcase>\n", out);
}

static int count_status(const json_t *marks, const char *status, bool errors) {
  size_t i;
  int count = 0;
  json_t *task;
  json_array_foreach(json_object_get(marks, "tasks"), i, task) {
    if (strcmp(text_at(task, "status"), status) == 0)
      count += strcmp(status, "failed") != 0 || is_error(task) == errors;
  }
  return count;
}

/* Writes the test "compiles", so that a file that does not compile is a failed test. */
static void put_build(FILE *out, const char *suite, const json_t *marks) {
  fputs("    <testcase", out);
  markup_attribute(out, "classname", suite);
  markup_attribute(out, "name", "compiles");
  fputs(">\n", out);
  if (!json_is_true(json_object_get(marks, "compiled")))
    put_complaint(out, marks);
  fputs("    </testcase>\n", out);
}

static void put_properties(FILE *out, const json_t *marks) {
  const char *sandbox = text_at(json_object_get(marks, "graded"), "sandbox");
  char score[24];
  fputs("    <properties>\n", out);
  put_property(out, "device", text_at(marks, "device"));
  put_property(out, "precision", text_at(marks, "precision"));
  if (*sandbox)
    put_property(out, "sandbox", sandbox);
  snprintf(score, sizeof score, "%d/%d", number_at(marks, "score"), number_at(marks, "points"));
  put_property(out, "score", score);
  fputs("    </properties>\n", out);
}

static void begin_suite(FILE *out, const char *suite, size_t tests, int failures, int errors,
                        int skipped) {
  fputs("  <testsuite", out);
  markup_attribute(out, "name", suite);
  fprintf(out, " tests=\"%zu\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n", tests, failures,
          errors, skipped);
}

void junit_begin(FILE *out) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
}

void junit_suite(FILE *out, const char *suite, const json_t *marks) {
  const json_t *tasks = json_object_get(marks, "tasks");
  bool compiled = json_is_true(json_object_get(marks, "compiled")), error = is_error(marks);
  size_t i;
  json_t *task;
  begin_suite(out, suite, 1 + json_array_size(tasks),
              count_status(marks, "failed", false) + (!compiled && !error),
              count_status(marks, "failed", true) + (!compiled && error),
              count_status(marks, "not-run", false) + count_status(marks, "not-graded", false));
  put_properties(out, marks);
  put_build(out, suite, marks);
  json_array_foreach(tasks, i, task) put_task(out, suite, task);
  fputs("  </testsuite>\n", out);
}

void junit_no_marks(FILE *out, const char *suite, const char *element, const char *why) {
  bool skipped = strcmp(element, "skipped") == 0, error = strcmp(element, "error") == 0;
  begin_suite(out, suite, 1, !skipped && !error, error, skipped);
  fputs("    <testcase", out);
  markup_attribute(out, "classname", suite);
  fprintf(out, " name=\"handed in\">\n      <%s", element);
  markup_attribute(out, "message", why);
  fputs("/>\n    </testcase>\n  </testsuite>\n", out);
}

void junit_end(FILE *out) { fputs("</testsuites>\n", out); }
