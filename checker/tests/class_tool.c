/* Packs and checks the artificial classes of make_class.sh:
 *
 *   class_tool pack FOLDER ARCHIVE       packs a zip or tar file, by the suffix of ARCHIVE
 *   class_tool compare CLASS EXPECTED    exits with 0 if all marks are as expected
 *
 * Each line of EXPECTED has the form ID LAB KIND, for one student and one lab. The kinds are
 *   first N          tasks 1 to N passed, and no other task
 *   half N           none of the tasks 1 to N failed, and no task after them passed
 *   fails N NAMES    task N is the first failed task, and its verdict contains all NAMES: its
 *                    kind, its buffer, an id of a sentence or an argument
 *   compile NAMES    the file does not compile, and the verdict contains all NAMES
 *   missing          the lab was not handed in
 *   problem          the student has a problem, and this lab has no marks */
#include <archive.h>
#include <archive_entry.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what, const char *why) {
  fprintf(stderr, "class_tool: %s: %s\n", what, why);
  exit(2);
}

/* ---- class_tool pack ------------------------------------------------------------------------- */

static void copy_data(struct archive *to, const char *path) {
  char bytes[65536];
  size_t got;
  FILE *file = fopen(path, "rb");
  if (!file)
    die(path, "cannot be read");
  while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
    if (archive_write_data(to, bytes, got) < 0)
      die(path, archive_error_string(to));
  fclose(file);
}

static void pack(const char *folder, const char *name) {
  struct archive *from = archive_read_disk_new(), *to = archive_write_new();
  struct archive_entry *entry;
  if (archive_write_set_format_filter_by_ext(to, name) != ARCHIVE_OK ||
      archive_write_open_filename(to, name) != ARCHIVE_OK)
    die(name, archive_error_string(to));
  if (archive_read_disk_open(from, folder) != ARCHIVE_OK)
    die(folder, archive_error_string(from));
  while (archive_read_next_header(from, &entry) == ARCHIVE_OK) {
    const char *path = archive_entry_pathname(entry), *inside = path + strlen(folder);
    char *source = strdup(archive_entry_sourcepath(entry));
    archive_read_disk_descend(from);
    if (*inside == '/') {
      char *kept = strdup(inside + 1);
      archive_entry_set_pathname(entry, kept);
      archive_write_header(to, entry);
      if (archive_entry_filetype(entry) == AE_IFREG)
        copy_data(to, source);
      free(kept);
    }
    free(source);
  }
  archive_write_close(to);
  archive_write_free(to);
  archive_read_free(from);
}

/* ---- class_tool compare ---------------------------------------------------------------------- */

typedef struct Line {
  char id[128], lab[64], kind[16], names[400];
  int task;
} Line;

static const char *text_of(const json_t *json, const char *key) {
  const char *text = json_string_value(json_object_get(json, key));
  return text ? text : "";
}

static bool is(const json_t *task, const char *status) {
  return strcmp(text_of(task, "status"), status) == 0;
}

/* Returns true if each of the names is a string in the verdict's JSON. */
static bool has(const json_t *verdict, const char *names) {
  char *all = json_dumps(verdict, JSON_COMPACT | JSON_ENCODE_ANY), copy[400], quoted[410];
  bool found = all != NULL;
  snprintf(copy, sizeof copy, "%s", names);
  for (char *name = strtok(copy, " "); name && found; name = strtok(NULL, " ")) {
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    found = strstr(all, quoted) != NULL;
  }
  free(all);
  return found;
}

/* Returns true if the points of a task are consistent: a passed task has all of its points, and any
 * other task has the sum of the points of its parts. */
static bool task_adds_up(const json_t *task) {
  json_int_t score = json_integer_value(json_object_get(task, "score")), sum = 0;
  size_t i;
  json_t *part;
  if (is(task, "passed"))
    return score == json_integer_value(json_object_get(task, "points"));
  json_array_foreach(json_object_get(task, "parts"), i, part) sum +=
      json_integer_value(json_object_get(part, "score"));
  return score == sum;
}

/* Returns true if the score is the sum of the tasks' points. */
static bool adds_up(const json_t *marks) {
  json_int_t sum = 0;
  size_t i;
  json_t *task;
  json_array_foreach(json_object_get(marks, "tasks"), i, task) {
    sum += json_integer_value(json_object_get(task, "score"));
    if (!task_adds_up(task))
      return false;
  }
  return sum == json_integer_value(json_object_get(marks, "score"));
}

static bool as_task(const Line *line, const json_t *task, int number) {
  if (strcmp(line->kind, "first") == 0)
    return is(task, "passed") == (number <= line->task);
  if (strcmp(line->kind, "half") == 0)
    return !is(task, number <= line->task ? "failed" : "passed");
  return number > line->task || is(task, "failed") == (number == line->task);
}

static bool as_tasks(const Line *line, const json_t *tasks) {
  size_t i;
  json_t *task;
  json_array_foreach(tasks, i, task) {
    if (!as_task(line, task, (int)i + 1))
      return false;
  }
  task = json_array_get(tasks, line->task ? (size_t)line->task - 1 : 0);
  return task && has(task, line->names);
}

static bool as_expected(const Line *line, const json_t *student, const json_t *marks) {
  if (strcmp(line->kind, "problem") == 0)
    return json_is_string(json_object_get(student, "problem")) && !marks;
  if (strcmp(line->kind, "missing") == 0)
    return student && !json_object_get(json_object_get(student, "labs"), line->lab) && !marks;
  if (!marks || !adds_up(marks) || strcmp(text_of(marks, "lab"), line->lab) != 0)
    return false;
  if (strcmp(line->kind, "compile") == 0)
    return json_is_false(json_object_get(marks, "compiled")) && has(marks, line->names);
  return as_tasks(line, json_object_get(marks, "tasks"));
}

static const json_t *find_student(const json_t *roster, const char *id) {
  size_t i;
  json_t *student;
  json_array_foreach(roster, i, student) {
    if (strcmp(text_of(student, "id"), id) == 0)
      return student;
  }
  return NULL;
}

static Line parse(const char *text) {
  Line line = {.task = 0};
  int at = 0, more = 0;
  if (sscanf(text, "%127s %63s %15s%n", line.id, line.lab, line.kind, &at) < 3)
    die(text, "not a line of what is expected");
  sscanf(text + at, " %d%n", &line.task, &more);
  at += more;
  snprintf(line.names, sizeof line.names, "%s", text + at + (text[at] == ' '));
  line.names[strcspn(line.names, "\n")] = '\0';
  return line;
}

static int compare(const char *class, const char *expected) {
  char path[1024], text[700];
  size_t right = 0, wrong = 0, with_marks = 0;
  snprintf(path, sizeof path, "%s/roster.json", class);
  json_t *roster = json_load_file(path, 0, NULL);
  FILE *file = fopen(expected, "r");
  if (!roster || !file)
    die(roster ? expected : path, "cannot be read");
  while (fgets(text, sizeof text, file)) {
    Line line = parse(text);
    snprintf(path, sizeof path, "%s/marks/%s/%s.json", class, line.id, line.lab);
    json_t *marks = json_load_file(path, 0, NULL);
    bool fine = as_expected(&line, find_student(roster, line.id), marks);
    right += fine;
    wrong += !fine;
    with_marks += marks != NULL;
    if (!fine)
      printf("not as expected: %s", text);
    json_decref(marks);
  }
  printf("%zu students; %zu marks and %zu labs without marks as expected, %zu not\n",
         json_array_size(roster), with_marks, right + wrong - with_marks, wrong);
  return wrong || !right;
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "pack") == 0)
    return pack(argv[2], argv[3]), 0;
  if (argc == 4 && strcmp(argv[1], "compare") == 0)
    return compare(argv[2], argv[3]);
  fputs("class_tool pack FOLDER ARCHIVE | compare CLASS EXPECTED\n", stderr);
  return 2;
}
