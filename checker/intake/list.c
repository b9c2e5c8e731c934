/* Prints the students and what they handed in, for the instructor. Each student has a line,
 * followed by the files with unclear names, the problems, and the choices between duplicates. The
 * last lines are the entries that belong to no student. */
#include "intake.h"

#include <string.h>

static const char *text_at(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static bool contains(const json_t *array, const char *text) {
  size_t i;
  json_t *one;
  json_array_foreach(array, i, one) {
    if (strcmp(json_string_value(one), text) == 0)
      return true;
  }
  return false;
}

/* Returns the approximate number of columns on a terminal. East Asian characters need two. */
static int width_of(const char *text) {
  int width = 0;
  for (; *text; text++)
    width += (*text & 0xc0) != 0x80
                 ? ((unsigned char)*text >= 0xe3 && (unsigned char)*text < 0xf0) + 1 +
                       ((unsigned char)*text >= 0xf0)
                 : 0;
  return width;
}

static void put_padded(FILE *out, const char *text, int width) {
  fputs(text, out);
  for (int at = width_of(text); at < width; at++)
    fputc(' ', out);
}

/* Prints for each lab "01" if it was handed in, "!!" if it cannot be graded, "==" if its file is
 * unchanged since it was handed out, "--" if it is missing. */
static void put_labs(FILE *out, const json_t *student, const Labs *labs) {
  for (size_t i = 0; i < labs->count; i++) {
    const char *name = labs->lab[i].name;
    const json_t *lab = json_object_get(json_object_get(student, "labs"), name);
    const char *sign = json_is_null(lab)                                       ? name
                       : json_is_string(lab)                                   ? "!!"
                       : contains(json_object_get(student, "untouched"), name) ? "=="
                                                                               : "--";
    fprintf(out, " %.2s", sign);
  }
}

/* Prints the problems of the student's files and, if `all` is true, the path of each file. */
static void put_files(FILE *out, const json_t *student, const Labs *labs, bool all) {
  const json_t *files = json_object_get(student, "files");
  for (size_t i = 0; i < labs->count; i++) {
    const json_t *file = json_object_get(files, labs->lab[i].name);
    const json_t *lab = json_object_get(json_object_get(student, "labs"), labs->lab[i].name);
    if (file && all)
      fprintf(out, "      %.2s  %s  %s%s\n", labs->lab[i].name, text_at(file, "submitted"),
              text_at(file, "path"), json_is_true(json_object_get(file, "late")) ? "  (late)" : "");
    if (json_is_string(lab))
      fprintf(out, "      %.2s  %s\n", labs->lab[i].name, json_string_value(lab));
  }
}

static void put_student(FILE *out, const json_t *student, const Labs *labs, int width, bool all) {
  size_t i;
  json_t *one;
  fputs("  ", out);
  put_padded(out, text_at(student, "id"), width);
  put_labs(out, student, labs);
  if (strcmp(text_at(student, "id"), text_at(student, "name")) != 0)
    fprintf(out, "  %s", text_at(student, "name"));
  fputc('\n', out);
  put_files(out, student, labs, all);
  if (*text_at(student, "problem"))
    fprintf(out, "      %s\n", text_at(student, "problem"));
  json_array_foreach(json_object_get(student, "notes"), i, one)
      fprintf(out, "      %s\n", json_string_value(one));
}

/* Prints the number of students, and for each platform the number of names in its format: "40
 * students, 5 as Canvas names them:". */
static void put_platforms(FILE *out, const Roster *roster) {
  static const char *const names[] = {"Canvas", "Moodle", "Brightspace", "Blackboard",
                                      "Gradescope"};
  enum { KINDS = sizeof names / sizeof names[0] };
  size_t counts[KINDS + 1] = {0};
  for (size_t i = 0; i < roster->count; i++) {
    const char *platform = roster->students[i].entries[0].platform;
    size_t at = 0;
    while (at < KINDS && !(platform && strcmp(platform, names[at]) == 0))
      at++;
    counts[at]++;
  }
  fprintf(out, "%zu student%s", roster->count, roster->count == 1 ? "" : "s");
  for (size_t i = 0; i < KINDS; i++)
    if (counts[i])
      fprintf(out, ", %zu as %s names them", counts[i], names[i]);
  fputs(":\n", out);
}

static void put_left(FILE *out, const json_t *left) {
  size_t i;
  json_t *one;
  if (json_array_size(left))
    fputs("no submissions:\n", out);
  json_array_foreach(left, i, one)
      fprintf(out, "  %s: %s\n", json_string_value(json_array_get(one, 0)),
              json_string_value(json_array_get(one, 1)));
}

void list_print(FILE *out, const Roster *roster, const json_t *students, const Labs *labs,
                bool all) {
  size_t i;
  json_t *student;
  int width = 8;
  json_array_foreach(students, i, student) {
    int wide = width_of(text_at(student, "id"));
    width = wide > width ? wide < 40 ? wide : 40 : width;
  }
  put_platforms(out, roster);
  json_array_foreach(students, i, student) put_student(out, student, labs, width, all);
  put_left(out, roster->left);
  fputs("(-- not handed in, == as it was handed out, !! cannot be graded)\n\n", out);
}
