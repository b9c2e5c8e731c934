/* `make grade`: the marks of several labs, each in a file of its own (results.c), as one table, one
 * JSON file and one JUnit file.
 *
 * Nothing is run here, so a grading that was interrupted goes on where it stopped: make knows which
 * of the files are there.
 */
#include "checker.h"

#include <string.h>

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static int number_of(const json_t *object, const char *key) {
  return (int)json_integer_value(json_object_get(object, key));
}

static json_t *read_marks(const char *path) {
  json_error_t error;
  json_t *marks = json_load_file(path, 0, &error);
  if (!json_is_object(marks) || !json_is_array(json_object_get(marks, "tasks")))
    bad_input("%s: no marks (%s): grade that lab again", path, marks ? "not a lab" : error.text);
  return marks;
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Why not full marks: the first task that failed. */
static void print_reason(FILE *out, const json_t *marks) {
  size_t i;
  json_t *task;
  if (!json_is_true(json_object_get(marks, "compiled"))) {
    fprintf(out, "  does not compile: %.60s", text_of(marks, "headline"));
    return;
  }
  json_array_foreach(json_object_get(marks, "tasks"), i, task) {
    if (strcmp(text_of(task, "status"), "failed") == 0) {
      fprintf(out, "  task %d: %.60s", number_of(task, "number"), text_of(task, "headline"));
      return;
    }
  }
}

static void print_lab(FILE *out, const json_t *marks) {
  char number[3];
  lab_number(text_of(marks, "lab"), number);
  fprintf(out, "  lab %s  %-34s %3d/%d", number, text_of(marks, "title"), number_of(marks, "score"),
          number_of(marks, "points"));
  print_reason(out, marks);
  fputc('\n', out);
}

/* ---- JUnit ---------------------------------------------------------------------------------- */

/* Text for an attribute: XML has no way to write most control characters at all. */
static void put_text(FILE *out, const char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    switch (c) {
    case '&':
      fputs("&amp;", out);
      break;
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '"':
      fputs("&quot;", out);
      break;
    default:
      fputc(c < ' ' ? ' ' : c, out);
    }
  }
}

static void put_attribute(FILE *out, const char *name, const char *value) {
  fprintf(out, " %s=\"", name);
  put_text(out, value);
  fputc('"', out);
}

static void put_property(FILE *out, const char *name, const char *value) {
  fputs("      <property", out);
  put_attribute(out, "name", name);
  put_attribute(out, "value", value);
  fputs("/>\n", out);
}

/* The program broke, in place of giving a wrong answer. */
static bool is_error(const json_t *verdict) {
  static const char *const kinds[] = {"crash",   "time-out",  "memory",       "flood",
                                      "bad-log", "no-output", "not-compiled", "ended-early"};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strcmp(text_of(verdict, "kind"), kinds[i]) == 0)
      return true;
  return false;
}

static void put_complaint(FILE *out, const json_t *verdict) {
  const char *element = is_error(verdict) ? "error" : "failure";
  size_t i;
  json_t *line;
  fprintf(out, "      <%s", element);
  put_attribute(out, "type", text_of(verdict, "kind"));
  put_attribute(out, "message", text_of(verdict, "headline"));
  fputs(">", out);
  json_array_foreach(json_object_get(verdict, "lines"), i, line) {
    put_text(out, text_of(line, "text"));
    fputs("  ", out);
    put_text(out, text_of(line, "place"));
    fputc('\n', out);
  }
  put_text(out, text_of(verdict, "cause"));
  fprintf(out, "</%s>\n", element);
}

/* What a passed task measured, gates and predictions. */
static void put_measures(FILE *out, const json_t *task) {
  size_t i;
  json_t *line;
  json_t *lines = json_object_get(task, "lines");
  if (json_array_size(lines) == 0)
    return;
  fputs("      <properties>\n", out);
  json_array_foreach(lines, i, line) put_property(out, "measured", text_of(line, "text"));
  fputs("      </properties>\n", out);
}

static void put_task(FILE *out, const json_t *marks, const json_t *task) {
  const char *status = text_of(task, "status");
  char name[120];
  snprintf(name, sizeof name, "task %d, %s", number_of(task, "number"), text_of(task, "title"));
  fputs("    <testcase", out);
  put_attribute(out, "classname", text_of(marks, "lab"));
  put_attribute(out, "name", name);
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
    if (strcmp(text_of(task, "status"), status) == 0)
      count += strcmp(status, "failed") != 0 || is_error(task) == errors;
  }
  return count;
}

/* The build as a test of its own, so that a file that does not compile is an error by name. */
static void put_build(FILE *out, const json_t *marks) {
  fputs("    <testcase", out);
  put_attribute(out, "classname", text_of(marks, "lab"));
  put_attribute(out, "name", "compiles");
  fputs(">\n", out);
  if (!json_is_true(json_object_get(marks, "compiled")))
    put_complaint(out, marks);
  fputs("    </testcase>\n", out);
}

static void put_suite(FILE *out, const json_t *marks) {
  size_t i;
  json_t *task;
  char score[24];
  bool compiled = json_is_true(json_object_get(marks, "compiled"));
  fputs("  <testsuite", out);
  put_attribute(out, "name", text_of(marks, "lab"));
  fprintf(out, " tests=\"%zu\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n    <properties>\n",
          1 + json_array_size(json_object_get(marks, "tasks")),
          count_status(marks, "failed", false), count_status(marks, "failed", true) + !compiled,
          count_status(marks, "not-run", false) + count_status(marks, "not-graded", false));
  put_property(out, "device", text_of(marks, "device"));
  put_property(out, "precision", text_of(marks, "precision"));
  snprintf(score, sizeof score, "%d/%d", number_of(marks, "score"), number_of(marks, "points"));
  put_property(out, "score", score);
  fputs("    </properties>\n", out);
  put_build(out, marks);
  json_array_foreach(json_object_get(marks, "tasks"), i, task) put_task(out, marks, task);
  fputs("  </testsuite>\n", out);
}

static void write_junit(const json_t *labs, const char *path) {
  FILE *out = fopen(path, "w");
  size_t i;
  json_t *marks;
  if (!out)
    bad_input("%s: cannot be written", path);
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
  json_array_foreach(labs, i, marks) put_suite(out, marks);
  fputs("</testsuites>\n", out);
  if (fclose(out) != 0)
    bad_input("%s: cannot be written", path);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void write_json(json_t *labs, const char *path, int score, int points) {
  json_t *all = json_pack("{s:i, s:i, s:O}", "score", score, "points", points, "labs", labs);
  if (!all || json_dump_file(all, path, JSON_INDENT(2)) != 0)
    bad_input("%s: cannot be written", path);
  json_decref(all);
}

int collect(const Settings *settings, char **paths, size_t count) {
  json_t *labs = json_array();
  int score = 0, points = 0;
  printf("%s\n\n", settings->labs);
  for (size_t i = 0; i < count; i++) {
    json_t *marks = read_marks(paths[i]);
    score += number_of(marks, "score");
    points += number_of(marks, "points");
    print_lab(stdout, marks);
    json_array_append_new(labs, marks);
  }
  if (settings->json)
    write_json(labs, settings->json, score, points);
  if (settings->xml)
    write_junit(labs, settings->xml);
  json_decref(labs);
  if (settings->json && settings->xml)
    printf("\n  marks  %s, %s\n", settings->json, settings->xml);
  printf("\n  score %d/%d\n", score, points);
  return score == points ? 0 : 1;
}
