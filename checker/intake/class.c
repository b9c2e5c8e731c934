/* Writes the class's folder: the students and the files to be graded. roster.json lists the
 * students. identities.json has the students' names on the platforms, and only the owner of the
 * file can read it. A file is written only if its bytes have changed, so that make grades only
 * changed files. The old marks of a changed file are removed, because make cannot compare dates if
 * the clocks of two machines differ. Files of students who have no submission any more are removed.
 * The reports and results in the folder are written by the checker (class/class.c). */
#include "intake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ----------------------------------------------------------------------------------- */

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

/* Writes a file, either completely or not at all. Returns false if the file already has these
 * bytes. */
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

/* Removes a file, or a folder with everything in it. */
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

/* ---- one student ----------------------------------------------------------------------------- */

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

/* Returns the student's name as the submission shows it, or the id if names are hidden. */
static json_t *name_json(const Student *student) {
  char name[SHOWN_MOST];
  return json_string(student->hidden ? student->id : shown(student->entries[0].who, name));
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

static json_t *time_json(time_t time) {
  char text[40];
  struct tm when;
  if (!localtime_r(&time, &when) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &when))
    return json_null();
  return json_string(text);
}

/* Returns JSON with the path and the date of a file. The date is the date of the platform or, if
 * the platform gives none, of the file. */
static json_t *file_json(const Student *student, const Find *find) {
  const Entry *entry = &student->entries[find->place.entry];
  char path[PATH_MOST + NAME_MOST + 2], text[SHOWN_MOST * 4];
  size_t used = 0;
  place_path(student, &find->place, path, sizeof path);
  for (const char *at = student->hidden ? find->place.path : path; *at && used < sizeof text - 8;) {
    size_t length = character(at);
    memcpy(text + used, length ? at : "?", length ? length : 1);
    used += length ? length : 1;
    at += length ? length : 1;
  }
  text[used] = '\0';
  time_t time = entry->submitted ? entry->submitted : find->place.packed;
  /* Canvas marks late files but does not give a date. */
  bool marks = entry->platform && strcmp(entry->platform, "Canvas") == 0;
  const char *dated = entry->submitted ? "platform" : marks ? "mark" : "file";
  return json_pack("{s:s, s:o, s:s, s:b}", "path", text, "submitted", time_json(time), "dated",
                   dated, "late", entry->late);
}

static json_t *notes_json(const Student *student) {
  json_t *notes = json_array();
  for (size_t i = 0; i < student->note_count; i++)
    json_array_append_new(notes, json_string(student->notes[i]));
  return notes;
}

static void keep_finds(const Student *student, int folder, json_t *labs, json_t *files,
                       json_t *untouched) {
  for (size_t i = 0; i < student->labs->count; i++) {
    const Find *find = &student->finds[i];
    const Lab *lab = &student->labs->lab[i];
    if (!find->there)
      continue;
    json_object_set_new(files, lab->name, file_json(student, find));
    if (find->place.untouched) {
      json_array_append_new(untouched, json_string(lab->name));
      continue;
    }
    if (!find->problem[0] && folder >= 0)
      keep_file(student, find, lab, folder);
    json_object_set_new(labs, lab->name,
                        find->problem[0] ? json_string(find->problem) : json_null());
  }
}

json_t *student_keep(const Student *student, int folder) {
  char path[200];
  json_t *labs = json_object(), *files = json_object(), *untouched = json_array();
  snprintf(path, sizeof path, "in/%s", student->id);
  if (folder >= 0)
    make_folder(folder, path);
  keep_finds(student, folder, labs, files, untouched);
  return json_pack("{s:s, s:o, s:s, s:o, s:b, s:o, s:o, s:o, s:o}", "id", student->id, "name",
                   name_json(student), "kind", student->kind, "problem", problem_json(student),
                   "unread", student->unread, "labs", labs, "files", files, "untouched", untouched,
                   "notes", notes_json(student));
}

/* ---- the class ------------------------------------------------------------------------------- */

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

/* Removes the files of labs that are not handed in any more. `part` is "in" or "marks": a folder
 * with one folder for each id, which contains NN-name or NN-name.ending. */
static void prune_labs(int class_folder, const char *part, const json_t *roster) {
  size_t count, labs;
  int folder = openat(class_folder, part, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return;
  char **names = names_in(folder, &count);
  for (size_t i = 0; i < count; i++) {
    const json_t *student = find_student(roster, names[i], strlen(names[i]));
    /* If several people have the id, the files are kept until their names differ. */
    bool kept = json_is_true(json_object_get(student, "shared"));
    int inside = openat(folder, names[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char **lab = student && !kept && inside >= 0 ? names_in(inside, &labs) : NULL;
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

static bool is_text(const char *name) {
  while (*name && character(name))
    name += character(name);
  return *name == '\0';
}

/* Writes identities.json: the students' names on the platforms, for gradebooks and for returning
 * reports. */
static void write_identities(int class_folder, const Roster *roster) {
  json_t *all = json_object();
  char text[SHOWN_MOST * 2];
  for (size_t i = 0; i < roster->count; i++) {
    const Student *student = &roster->students[i];
    const Entry *first = &student->entries[0];
    char report[2 * NAME_MOST];
    if (student->shared)
      /* Several people have this id. */
      continue;
    feedback_name(student, report, sizeof report);
    if (!is_text(report) || strchr(report, '\\'))
      /* Some programs cannot unpack a file of this name. */
      snprintf(report, sizeof report, "%s/report.txt", student->id);
    json_object_set_new(all, student->id,
                        json_pack("{s:s, s:s, s:s?, s:s}", "name", shown(first->who, text), "key",
                                  first->key, "platform", first->platform, "report", report));
  }
  char *dump = json_dumps(all, JSON_INDENT(2));
  if (!dump)
    bad_input("out of memory");
  mode_t mask = umask(077);
  write_if_changed(class_folder, "identities.json", dump, strlen(dump));
  umask(mask);
  free(dump);
  json_decref(all);
}

void class_secret(int class_folder, char out[40]) {
  unsigned char bytes[16];
  int file = openat(class_folder, "secret", O_RDONLY | O_CLOEXEC);
  ssize_t got = file >= 0 ? read(file, out, 32) : 0;
  if (file >= 0)
    close(file);
  if (got == 32) {
    out[32] = '\0';
    return;
  }
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    bad_input("no random numbers here (%s)", strerror(errno));
  for (size_t i = 0; i < sizeof bytes; i++)
    snprintf(out + 2 * i, 3, "%02x", bytes[i]);
  mode_t mask = umask(077);
  write_if_changed(class_folder, "secret", out, 32);
  umask(mask);
}

void class_write(int class_folder, const Roster *students, const json_t *roster) {
  write_identities(class_folder, students);
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
