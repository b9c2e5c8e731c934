/* Combines the marks of several labs for `make grade`: reads one file for each lab (results.c),
 * prints a table, and writes one JSON file and one JUnit file.
 *
 * This code does not grade any lab. make grades the labs whose files do not exist yet, so an
 * interrupted `make grade` continues where it stopped. */
#include "say/report.h"

#include <string.h>

static json_t *read_marks(const char *path) {
  json_error_t error;
  json_t *marks = json_load_file(path, 0, &error);
  if (!json_is_object(marks) || !json_is_array(json_object_get(marks, "tasks")))
    bad_input("%s: no marks (%s): grade that lab again", path, marks ? "not a lab" : error.text);
  return marks;
}

int result_print(const char *path) {
  json_t *marks = read_marks(path);
  const char *why = text_at(marks, "ungraded");
  if (*why)
    printf("not graded: %s\n", why);
  else
    printf("%d/%d\n", number_at(marks, "score"), number_at(marks, "points"));
  json_decref(marks);
  return 0;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void print_lab(FILE *out, const json_t *marks) {
  char number[3];
  lab_number(text_at(marks, "lab"), number);
  fprintf(out, "  lab %s  %-26s %3d/%d", number, text_at(marks, "title"), number_at(marks, "score"),
          number_at(marks, "points"));
  if (number_at(marks, "score") < number_at(marks, "points"))
    fprintf(out, "\n        ");
  marks_reason(out, marks);
  fputc('\n', out);
}

static void write_junit(const json_t *labs, const char *path) {
  FILE *out = fopen(path, "w");
  size_t i;
  json_t *marks;
  if (!out)
    bad_input("%s: cannot be written", path);
  junit_begin(out);
  json_array_foreach(labs, i, marks) junit_suite(out, text_at(marks, "lab"), marks);
  junit_end(out);
  if (fclose(out) != 0)
    bad_input("%s: cannot be written", path);
}

/* ---- all labs -------------------------------------------------------------------------------- */

static void write_json(json_t *labs, const char *path, int score, int points) {
  json_t *all = json_pack("{s:i, s:i, s:O}", "score", score, "points", points, "labs", labs);
  if (!all || json_dump_file(all, path, JSON_INDENT(2)) != 0)
    bad_input("%s: cannot be written", path);
  json_decref(all);
}

int collect(const Settings *settings, char **paths, size_t count) {
  json_t *labs = json_array();
  int score = 0, points = 0;
  printf("%s\n\n", settings->paths.labs);
  for (size_t i = 0; i < count; i++) {
    json_t *marks = read_marks(paths[i]);
    score += number_at(marks, "score");
    points += number_at(marks, "points");
    print_lab(stdout, marks);
    json_array_append_new(labs, marks);
  }
  if (settings->paths.json)
    write_json(labs, settings->paths.json, score, points);
  if (settings->paths.xml)
    write_junit(labs, settings->paths.xml);
  json_decref(labs);
  if (settings->paths.json && settings->paths.xml)
    printf("\n  marks  %s\n         %s\n", settings->paths.json, settings->paths.xml);
  printf("\n  score %d/%d\n", score, points);
  return score == points ? 0 : 1;
}
