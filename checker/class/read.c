/* Reads the roster and the marks of a class. Labs that are not graded yet have no marks. */
#include "class.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns true for control characters, and for characters that change the direction of text. */
static bool unprintable(unsigned code) {
  return code < ' ' || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0xfeff || (code & 0xfffe) == 0xfffe;
}

/* Decodes one character of valid UTF-8, and advances *text past it. */
static unsigned decode(const char **text) {
  unsigned char first = (unsigned char)*(*text)++;
  unsigned code = first < 0x80   ? first
                  : first < 0xe0 ? first & 0x1f
                  : first < 0xf0 ? first & 15
                                 : first & 7;
  while (((unsigned char)**text & 0xc0) == 0x80)
    code = code << 6 | ((unsigned char)*(*text)++ & 0x3f);
  return code;
}

static void clean_name(char out[CLASS_NAME], const char *name) {
  size_t length = 0;
  while (*name) {
    const char *from = name;
    unsigned code = decode(&name);
    size_t bytes = (size_t)(name - from);
    if (length + bytes + 1 > CLASS_NAME)
      break;
    if (unprintable(code))
      out[length++] = '?';
    else
      memcpy(out + length, from, bytes), length += bytes;
  }
  out[length] = '\0';
}

/* Returns true if an id can be used in a path, a link and a makefile: it consists of ASCII letters
 * and digits, ".", "_", "-", and letters of other scripts (intake/ids.c). The id is valid UTF-8,
 * because JSON guarantees it. */
static bool safe_id(const char *id) {
  static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  if (!*id || *id == '.')
    return false;
  for (const char *at = id; *at;) {
    bool plain = (unsigned char)*at < 0x80;
    if (plain ? !strchr(safe, *at) : unprintable(decode(&(const char *){at})))
      return false;
    decode(&at);
  }
  return true;
}

/* ---- one lab of one student ------------------------------------------------------------------ */

static void take_marks(Entry *entry, json_t *marks, const Sheet *lab) {
  const char *why = text_at(marks, "ungraded");
  bool fits = strcmp(text_at(marks, "lab"), lab->name) == 0 &&
              json_array_size(json_object_get(marks, "tasks")) == lab->task_count;
  if (*why || !fits) {
    entry->why = strdup(*why ? why : "its marks are of another checker");
    json_decref(marks);
    return;
  }
  entry->state = ENTRY_GRADED;
  entry->marks = marks;
  entry->score = number_at(marks, "score");
}

static Entry problem_entry(const char *why) {
  return (Entry){.state = ENTRY_PROBLEM, .why = strdup(why)};
}

/* Returns the entry of a lab without a file. If an archive cannot be read, the entry is a problem,
 * because the archive may contain the lab. */
static Entry missing_entry(const json_t *in_roster, const char *lab) {
  Entry entry = {.state = ENTRY_MISSING};
  size_t i;
  json_t *name;
  if (json_is_true(json_object_get(in_roster, "unread")))
    return problem_entry(text_at(in_roster, "problem"));
  json_array_foreach(json_object_get(in_roster, "untouched"), i, name) {
    if (!entry.why && strcmp(json_string_value(name), lab) == 0)
      entry.why = strdup("the file is as it was handed out");
  }
  return entry;
}

static Entry read_entry(const Class *class, const Sheet *lab, const json_t *in_roster) {
  const json_t *handed_in = json_object_get(json_object_get(in_roster, "labs"), lab->name);
  Entry entry = {.state = ENTRY_UNGRADED};
  char path[1024];
  if (!handed_in)
    return missing_entry(in_roster, lab->name);
  if (json_is_string(handed_in))
    return problem_entry(json_string_value(handed_in));
  snprintf(path, sizeof path, "%s/marks/%s/%s.json", class->folder, text_at(in_roster, "id"),
           lab->name);
  json_t *marks = json_load_file(path, 0, NULL);
  if (marks)
    take_marks(&entry, marks, lab);
  return entry;
}

static bool without_walls(const Entry *entry) {
  return entry->state == ENTRY_GRADED &&
         strcmp(text_at(json_object_get(entry->marks, "graded"), "sandbox"), "none") == 0;
}

/* Returns the weight of a lab. If a class has only one lab, the weight is 1, because a platform
 * that imports the table weights the labs itself. */
static double weight_in(const Class *class, size_t lab) {
  return class->lab_count == 1 ? 1 : class->labs[lab]->weight;
}

static void read_student(const Class *class, Student *student, const json_t *in_roster) {
  student->complete = true;
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    Entry *at = &student->entries[lab];
    *at = read_entry(class, class->labs[lab], in_roster);
    at->counts = at->score;
    student->complete &= at->state != ENTRY_UNGRADED;
    student->no_walls |= without_walls(at);
  }
  late_apply(class, student);
  for (size_t lab = 0; lab < class->lab_count; lab++)
    student->total += student->entries[lab].counts * weight_in(class, lab);
}

/* ---- the class ------------------------------------------------------------------------------- */

/* Chooses the labs of a class: the lab `only`, or, if `only` is NULL, each lab that at least one
 * student handed in. */
static void choose_labs(Class *class, const json_t *roster, const char *only) {
  for (const Sheet *lab = sheet_first(); lab && class->lab_count < CLASS_LABS; lab = lab->next) {
    bool wanted = only && strcmp(lab->name, only) == 0;
    size_t i;
    json_t *entry;
    json_array_foreach(roster, i, entry) wanted |=
        !only && json_object_get(json_object_get(entry, "labs"), lab->name);
    if (wanted)
      class->labs[class->lab_count++] = lab;
  }
}

/* Computes the points of each lab. A task that is not graded on this device has no points. */
static void count_points(Class *class) {
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    for (size_t task = 0; task < class->labs[lab]->task_count; task++) {
      class->counts[lab][task] = count_tasks(class, lab, task, "not-graded") == 0;
      class->points[lab] += class->counts[lab][task] ? class->labs[lab]->tasks[task].points : 0;
    }
    class->all_points += class->points[lab] * weight_in(class, lab);
  }
}

static int by_id(const void *a, const void *b) {
  return strcmp(text_at(*(json_t *const *)a, "id"), text_at(*(json_t *const *)b, "id"));
}

/* Returns the students of the roster, sorted by id. */
static json_t **sorted_roster(const json_t *roster, const char *path) {
  size_t count = json_array_size(roster), i;
  json_t **sorted = calloc(count + 1, sizeof *sorted), *entry;
  if (!sorted)
    bad_input("not enough memory for %zu students", count);
  json_array_foreach(roster, i, entry) {
    sorted[i] = entry;
    if (!safe_id(text_at(entry, "id")))
      bad_input("%s: student %zu has no id that can name a file", path, i + 1);
  }
  qsort(sorted, count, sizeof *sorted, by_id);
  for (i = 1; i < count; i++)
    if (by_id(&sorted[i - 1], &sorted[i]) == 0)
      bad_input("%s: two students are called %s", path, text_at(sorted[i], "id"));
  return sorted;
}

/* Sets the title to the last part of the path of the folder. */
static void name_class(Class *class) {
  size_t length = strlen(class->folder);
  while (length > 1 && class->folder[length - 1] == '/')
    length--;
  size_t from = length;
  while (from > 0 && class->folder[from - 1] != '/')
    from--;
  snprintf(class->title, sizeof class->title, "%.*s", (int)(length - from), class->folder + from);
}

void class_read(Class *class, const Settings *settings, const char *folder) {
  char path[1024];
  json_error_t error;
  *class = (Class){.folder = folder};
  name_class(class);
  snprintf(path, sizeof path, "%s/roster.json", folder);
  /* The roster owns the texts of the students. */
  json_t *roster = json_load_file(path, 0, &error);
  if (!json_is_array(roster))
    bad_input("%s: no roster (%s)", path, roster ? "not a list" : error.text);
  choose_labs(class, roster, settings->lab);
  json_t **sorted = sorted_roster(roster, path);
  class->count = json_array_size(roster);
  class->students = calloc(class->count + 1, sizeof *class->students);
  if (!class->students)
    bad_input("not enough memory for %zu students", class->count);
  for (size_t i = 0; i < class->count; i++) {
    Student *student = &class->students[i];
    student->id = text_at(sorted[i], "id");
    student->problem = json_string_value(json_object_get(sorted[i], "problem"));
    student->notes = json_object_get(sorted[i], "notes");
    student->files = json_object_get(sorted[i], "files");
    clean_name(student->name,
               *text_at(sorted[i], "name") ? text_at(sorted[i], "name") : student->id);
    read_student(class, student, sorted[i]);
    class->no_walls |= student->no_walls;
  }
  free(sorted);
  class->roster = roster;
  count_points(class);
}

void class_free(Class *class) {
  for (size_t i = 0; i < class->count; i++) {
    for (size_t lab = 0; lab < class->lab_count; lab++) {
      json_decref(class->students[i].entries[lab].marks);
      free(class->students[i].entries[lab].why);
    }
  }
  free(class->students);
  json_decref(class->roster);
}
