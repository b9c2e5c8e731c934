/* The class's folder: who is in it and which files are to be graded. A file is written only when its
 * bytes change, so that make grades only what is new; and then its old marks go at once, because the
 * clocks of two machines may differ. What belongs to nobody any more is taken away; reports and
 * results are the checker's (class/class.c), which does the same with them.
 */
#include "intake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ID_MOST = 100 };

/* ---- files ------------------------------------------------------------------------------------ */

static int by_bytes(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

char **names_in(int folder, size_t *count) {
  char **names = NULL;
  size_t room = 0;
  struct dirent *entry;
  DIR *stream = fdopendir(dup(folder));
  *count = 0;
  if (stream)
    rewinddir(stream);
  while (stream && (entry = readdir(stream))) {
    if (entry->d_name[0] == '.')
      continue;
    if (*count == room)
      names = realloc(names, (room = room * 2 + 16) * sizeof *names);
    if (!names || !(names[(*count)++] = strdup(entry->d_name)))
      abort(); /* a folder without end is its student's problem */
  }
  if (stream)
    closedir(stream);
  if (*count)
    qsort(names, *count, sizeof *names, by_bytes);
  return names;
}

static void free_names(char **names, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
}

static bool same_bytes(int folder, const char *path, const char *bytes, size_t size) {
  char block[65536];
  size_t at = 0;
  ssize_t got;
  int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  while ((got = read(file, block, sizeof block)) > 0 && at + (size_t)got <= size &&
         memcmp(block, bytes + at, (size_t)got) == 0)
    at += (size_t)got;
  close(file);
  return got == 0 && at == size;
}

/* Whole or not at all; false: it held just that already. */
static bool write_if_changed(int folder, const char *path, const char *bytes, size_t size) {
  char fresh[512];
  if (same_bytes(folder, path, bytes, size))
    return false;
  snprintf(fresh, sizeof fresh, "%s.new", path);
  int file = openat(folder, fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  for (size_t at = 0; file >= 0 && at < size;) {
    ssize_t put = write(file, bytes + at, size - at);
    if (put <= 0)
      bad_input("%s: cannot be written (%s)", path, strerror(errno));
    at += (size_t)put;
  }
  if (file < 0 || close(file) != 0 || renameat(folder, fresh, folder, path) != 0)
    bad_input("%s: cannot be written (%s)", path, strerror(errno));
  return true;
}

/* A file, or a folder with all that is in it. */
static void remove_tree(int folder, const char *path) {
  if (unlinkat(folder, path, 0) == 0 || errno == ENOENT)
    return;
  int inside = openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inside < 0)
    return;
  size_t count;
  char **names = names_in(inside, &count);
  for (size_t i = 0; i < count; i++)
    remove_tree(inside, names[i]);
  free_names(names, count);
  close(inside);
  unlinkat(folder, path, AT_REMOVEDIR);
}

static void make_folder(int folder, const char *path) {
  if (mkdirat(folder, path, 0777) != 0 && errno != EEXIST)
    bad_input("%s: cannot be made (%s)", path, strerror(errno));
}

/* ---- ids -------------------------------------------------------------------------------------- */

size_t without_ending(const char *name) {
  static const char *const endings[] = {".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tgz",
                                        ".tbz2",   ".txz",     ".tar",    ".zip"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    size_t ending = strlen(endings[i]);
    if (length > ending && strcasecmp(name + length - ending, endings[i]) == 0)
      return length - ending;
  }
  return length;
}

/* Not longer than fits a file system with an ending behind it. */
static void safe_name(const char *entry, bool archive, char out[ID_MOST + 1]) {
  size_t length = archive ? without_ending(entry) : strlen(entry);
  length = length < ID_MOST ? length : ID_MOST;
  for (size_t i = 0; i < length; i++) {
    char c = entry[i];
    bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out[i] = safe || c == '.' || c == '-' ? c : '_';
  }
  out[length] = '\0';
}

static bool taken(const Roster *roster, size_t before, const char *id) {
  for (size_t i = 0; i < before; i++)
    if (strcmp(roster->students[i].id, id) == 0)
      return true;
  return false;
}

void roster_name(Roster *roster) {
  char name[ID_MOST + 1];
  for (size_t i = 0; i < roster->count; i++) {
    Student *student = &roster->students[i];
    safe_name(student->entry, strcmp(student->kind, "archive") == 0, name);
    snprintf(student->id, sizeof student->id, "%s", name);
    for (unsigned n = 2; taken(roster, i, student->id); n++)
      snprintf(student->id, sizeof student->id, "%s-%u", name, n);
  }
}

/* ---- one student -------------------------------------------------------------------------------- */

static void forget_marks(int folder, const char *id, const char *lab) {
  static const char *const endings[] = {".json", ".txt"};
  char path[400];
  for (size_t i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "marks/%s/%s%s", id, lab, endings[i]);
    unlinkat(folder, path, 0);
  }
}

static void keep_file(const Student *student, const Find *find, const Lab *lab, int folder) {
  char path[400];
  snprintf(path, sizeof path, "in/%s/%s", student->id, lab->name);
  make_folder(folder, path);
  snprintf(path, sizeof path, "in/%s/%s/%s", student->id, lab->name, lab->file);
  if (write_if_changed(folder, path, find->bytes, find->size))
    forget_marks(folder, student->id, lab->name);
}

/* The name of a person, as far as the folder or the archive tells it. */
static json_t *name_json(const Student *student) {
  bool archive = strcmp(student->kind, "archive") == 0;
  char name[SHOWN_MOST], entry[256];
  size_t length = archive ? without_ending(student->entry) : strlen(student->entry);
  snprintf(entry, sizeof entry, "%.*s", (int)length, student->entry);
  return json_string(shown(entry, name));
}

static json_t *problem_json(const Student *student) {
  char text[512];
  if (student->problems == 0)
    return json_null();
  if (student->problems == 1)
    return json_string(student->problem);
  snprintf(text, sizeof text, "%s (and %zu more like it)", student->problem, student->problems - 1);
  return json_string(text);
}

json_t *student_keep(const Student *student, int folder) {
  char path[200];
  json_t *json = json_object(), *labs = json_object();
  snprintf(path, sizeof path, "in/%s", student->id);
  make_folder(folder, path);
  for (size_t i = 0; i < student->labs->count; i++) {
    const Find *find = &student->finds[i];
    const Lab *lab = &student->labs->lab[i];
    if (!find->there)
      continue;
    if (!find->problem[0])
      keep_file(student, find, lab, folder);
    json_object_set_new(labs, lab->name,
                        find->problem[0] ? json_string(find->problem) : json_null());
  }
  json_object_set_new(json, "id", json_string(student->id));
  json_object_set_new(json, "name", name_json(student));
  json_object_set_new(json, "kind", json_string(student->kind));
  json_object_set_new(json, "problem", problem_json(student));
  json_object_set_new(json, "unread", json_boolean(student->unread));
  json_object_set_new(json, "labs", labs);
  return json;
}

/* ---- the class ------------------------------------------------------------------------------------ */

static const json_t *find_student(const json_t *roster, const char *id, size_t length) {
  size_t i;
  json_t *student;
  json_array_foreach(roster, i, student) {
    const char *name = json_string_value(json_object_get(student, "id"));
    if (strlen(name) == length && memcmp(name, id, length) == 0)
      return student;
  }
  return NULL;
}

static bool handed_in(const json_t *student, const char *lab, size_t length) {
  char name[128];
  snprintf(name, sizeof name, "%.*s", (int)length, lab);
  return json_is_null(json_object_get(json_object_get(student, "labs"), name));
}

/* In `part` ("in", "marks"): folders ID with NN-name or NN-name.ending in it. */
static void prune_labs(int class_folder, const char *part, const json_t *roster) {
  size_t count, labs;
  int folder = openat(class_folder, part, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return;
  char **names = names_in(folder, &count);
  for (size_t i = 0; i < count; i++) {
    const json_t *student = find_student(roster, names[i], strlen(names[i]));
    int inside = openat(folder, names[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char **lab = student && inside >= 0 ? names_in(inside, &labs) : NULL;
    for (size_t j = 0; lab && j < labs; j++)
      if (!handed_in(student, lab[j], strcspn(lab[j], ".")))
        remove_tree(inside, lab[j]);
    if (lab)
      free_names(lab, labs);
    if (inside >= 0)
      close(inside);
    if (!student)
      remove_tree(folder, names[i]);
  }
  free_names(names, count);
  close(folder);
}

static void put_students(FILE *out, const json_t *roster) {
  size_t i;
  json_t *student, *problem;
  const char *lab;
  fputs("# Written by intake: what there is to grade.\nHANDED_IN :=", out);
  json_array_foreach(roster, i, student) {
    json_object_foreach(json_object_get(student, "labs"), lab, problem) {
      if (json_is_null(problem))
        fprintf(out, " \\\n  %s/%s", json_string_value(json_object_get(student, "id")), lab);
    }
  }
  fputc('\n', out);
}

void class_write(int class_folder, const json_t *roster) {
  char *text = json_dumps(roster, JSON_INDENT(2)), *list = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&list, &size);
  if (!text || !out)
    bad_input("out of memory");
  put_students(out, roster);
  fclose(out);
  write_if_changed(class_folder, "roster.json", text, strlen(text));
  write_if_changed(class_folder, "students.mk", list, size);
  prune_labs(class_folder, "in", roster);
  prune_labs(class_folder, "marks", roster);
  free(text);
  free(list);
}
