/* Two tools for classes that are made up (make_class.sh):
 *
 *   class_tool pack FOLDER ARCHIVE        what the ending of ARCHIVE says, zip or tar
 *   class_tool compare CLASS EXPECTED     does every mark stand as expected? Exit status 0: yes
 *
 * EXPECTED has one line for each student and lab, ID LAB and one of
 *   first N          tasks 1 to N passed and no other
 *   half N           none of the tasks 1 to N failed and none after them passed
 *   fails N @70,71, WORDS   task N is the first that fails, with these words in its verdict, or the mistake in one of
 *                    these lines
 *   compile WORDS    it does not compile, and these words are said
 *   missing          not handed in
 *   problem          the student has a problem and this lab no marks
 */
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

/* ---- pack ----------------------------------------------------------------------------------------- */

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

/* ---- compare --------------------------------------------------------------------------------------- */

typedef struct Line {
  char id[128], lab[64], kind[16], lines[64], words[400];
  int task;
} Line;

static const char *text_of(const json_t *json, const char *key) {
  const char *text = json_string_value(json_object_get(json, key));
  return text ? text : "";
}

static bool is(const json_t *task, const char *status) {
  return strcmp(text_of(task, "status"), status) == 0;
}

/* Are the words anywhere in the verdict? */
static bool says(const json_t *verdict, const char *words) {
  char *all = json_dumps(verdict, JSON_COMPACT | JSON_ENCODE_ANY), *at;
  json_t *escaped = json_string(words);
  char *wanted = json_dumps(escaped, JSON_ENCODE_ANY);
  wanted[strlen(wanted) - 1] = '\0'; /* within quotes */
  at = strstr(all, wanted + 1);
  free(all);
  free(wanted);
  json_decref(escaped);
  return at != NULL;
}

/* Points are what the tasks give, and no task is counted twice. */
static bool adds_up(const json_t *marks) {
  json_int_t sum = 0;
  size_t i;
  json_t *task;
  json_array_foreach(json_object_get(marks, "tasks"), i, task) {
    json_int_t score = json_integer_value(json_object_get(task, "score"));
    sum += score;
    if (score != (is(task, "passed") ? json_integer_value(json_object_get(task, "points")) : 0))
      return false;
  }
  return sum == json_integer_value(json_object_get(marks, "score"));
}

/* Does it name one of those lines, or a neighbour, as the mistake? */
static bool names_line(const json_t *task, const char *lines) {
  size_t i;
  json_t *line;
  json_array_foreach(json_object_get(task, "lines"), i, line) {
    const char *place = strrchr(text_of(line, "place"), ':');
    if (!place || strcmp(text_of(line, "text"), "here is the mistake") != 0)
      continue;
    for (const char *at = lines; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
      if (labs(strtol(at, NULL, 10) - strtol(place + 1, NULL, 10)) <= 1)
        return true;
  }
  return false;
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
  return task && (says(task, line->words) || names_line(task, line->lines));
}

static bool as_expected(const Line *line, const json_t *student, const json_t *marks) {
  if (strcmp(line->kind, "problem") == 0)
    return json_is_string(json_object_get(student, "problem")) && !marks;
  if (strcmp(line->kind, "missing") == 0)
    return student && !json_object_get(json_object_get(student, "labs"), line->lab) && !marks;
  if (!marks || !adds_up(marks) || strcmp(text_of(marks, "lab"), line->lab) != 0)
    return false;
  if (strcmp(line->kind, "compile") == 0)
    return json_is_false(json_object_get(marks, "compiled")) && says(marks, line->words);
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
  if (sscanf(text + at, " @%63s%n", line.lines, &more) == 1)
    at += more;
  snprintf(line.words, sizeof line.words, "%s", text + at + (text[at] == ' '));
  line.words[strcspn(line.words, "\n")] = '\0';
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
