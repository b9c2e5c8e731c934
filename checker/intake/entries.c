/* Lists the entries of the folder of submissions, and finds the student of each. A student may have
 * several entries, for several attempts or several files. An entry is assigned to a student by the
 * number that the platform gives the student, or by name if there is no number. So the assignment
 * does not depend on the entries of other students. Other files are skipped and reported. */
#include "intake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

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
      /* This ends only the process that reads the submission of one student. */
      abort();
  }
  if (stream)
    closedir(stream);
  if (*count)
    qsort(names, *count, sizeof *names, by_bytes);
  return names;
}

/* ---- one entry ------------------------------------------------------------------------------- */

/* Returns true if the file begins with the signature of zip, gzip, bzip2, xz, zstd, tar, rar or
 * 7z. */
static bool begins_as_archive(int submissions, const char *name) {
  static const struct {
    size_t at;
    const char *bytes;
  } marks[] = {{0, "PK\3\4"},
               {0, "\x1f\x8b"},
               {0, "BZh"},
               {0, "\xfd"
                   "7zXZ"},
               {0, "\x28\xb5\x2f\xfd"},
               {257, "ustar"},
               {0, "Rar!"},
               {0, "7z\xbc\xaf"}};
  char head[264] = "";
  int file = openat(submissions, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  ssize_t got = file >= 0 ? read(file, head, sizeof head) : 0;
  if (file >= 0)
    close(file);
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
    size_t length = strlen(marks[i].bytes);
    if (got >= (ssize_t)(marks[i].at + length) &&
        memcmp(head + marks[i].at, marks[i].bytes, length) == 0)
      return true;
  }
  return false;
}

static EntryKind kind_of(int submissions, const char *name) {
  struct stat status;
  if (fstatat(submissions, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return ENTRY_ODD;
  if (S_ISDIR(status.st_mode))
    return ENTRY_FOLDER;
  if (!S_ISREG(status.st_mode))
    return ENTRY_ODD;
  bool archive = without_ending(name) < strlen(name) || begins_as_archive(submissions, name);
  return archive ? ENTRY_ARCHIVE : ENTRY_FILE;
}

/* Reads the person's name from the name of a single file, in which it comes before or after the
 * lab's name. Returns NULL if the name was found; otherwise the reason why the file is not a
 * submission. */
static const char *read_flat(Entry *entry, const Labs *labs) {
  LabName name = lab_named(labs, entry->name);
  if (!is_cuda(entry->name))
    return "no folder, no archive and no CUDA file";
  if (name.lab && !name.rest[0])
    return "nobody's name is in it";
  snprintf(entry->inside, sizeof entry->inside, "%s", entry->name);
  if (name.lab)
    snprintf(entry->who, sizeof entry->who, "%s", name.rest);
  else
    snprintf(entry->who, sizeof entry->who, "%.*s",
             (int)(strcasestr(entry->name, ".cu") - entry->name), entry->name);
  return NULL;
}

void entry_compose(Entry *entry) {
  compose(entry->who, sizeof entry->who);
  compose(entry->key, sizeof entry->key);
  compose(entry->group, sizeof entry->group);
}

/* Fills in an entry. Returns NULL if the entry is a student's submission; otherwise the reason why
 * it is not. */
static const char *read_entry(Entry *entry, int submissions, const Labs *labs,
                              const Metadata *metadata) {
  size_t length = strlen(entry->name);
  if (beside_the_work(entry->name) || strcmp(entry->name, "index.html") == 0 ||
      strcmp(entry->name, "submission_metadata.yml") == 0)
    return "written by a platform or a system";
  entry->kind = kind_of(submissions, entry->name);
  platform_read(entry);
  metadata_apply(metadata, entry);
  if (entry->platform)
    return entry->kind == ENTRY_FOLDER && entry->inside[0] && !entry->remark
               ? "a folder called as a file"
               : NULL;
  if (entry->kind == ENTRY_FILE) {
    const char *why = read_flat(entry, labs);
    if (why)
      return why;
  } else {
    if (entry->kind == ENTRY_ARCHIVE)
      length = without_ending(entry->name);
    snprintf(entry->who, sizeof entry->who, "%.*s", (int)length, entry->name);
  }
  snprintf(entry->group, sizeof entry->group, "%s", entry->who);
  return NULL;
}

/* Reads the person's name from a text file that Blackboard adds, "Name: Ana Ruiz (aruiz)". The name
 * is only displayed; no id depends on it. */
static void read_remark(const Entry *remark, int submissions, char who[NAME_MOST]) {
  char text[600], name[NAME_MOST];
  int file = remark->remark && remark->kind == ENTRY_FILE
                 ? openat(submissions, remark->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                 : -1;
  ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
  if (file >= 0)
    close(file);
  text[got > 0 ? got : 0] = '\0';
  if (sscanf(text, "Name: %255[^\r\n(]", name) != 1)
    return;
  size_t length = strlen(name);
  while (length && name[length - 1] == ' ')
    name[--length] = '\0';
  snprintf(who, NAME_MOST, "%s", name);
}

/* ---- students -------------------------------------------------------------------------------- */

static int by_group(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  int order = strcmp(x->group, y->group);
  if (!order && x->attempt != y->attempt)
    order = x->attempt < y->attempt ? -1 : 1;
  return order ? order : strcmp(x->name, y->name);
}

static const char *kind_name(EntryKind kind) {
  return kind == ENTRY_ARCHIVE ? "archive" : kind == ENTRY_FILE ? "file" : "folder";
}

static void leave(Roster *roster, const char *name, const char *why) {
  char text[SHOWN_MOST];
  json_array_append_new(roster->left, json_pack("[s, s]", shown(name, text), why));
}

static Student *add_student(Roster *roster, Entry *entries, size_t count, const Labs *labs,
                            const char *secret) {
  Student *student = &roster->students[roster->count++];
  student->entries = entries;
  student->entry_count = count;
  student->labs = labs;
  student->kind = kind_name(entries[0].kind);
  id_make(entries[0].who, entries[0].key, student->id);
  student->hidden = secret != NULL;
  if (secret) {
    char id[ID_MOST + 1];
    snprintf(id, sizeof id, "%s", student->id);
    id_hide(secret, id, student->id);
  }
  return student;
}

static int by_id(const void *a, const void *b) {
  return strcmp(((const Student *)a)->id, ((const Student *)b)->id);
}

/* Combines different people with the same id into one student, whose submission is not graded until
 * their names differ. So no person gets the marks of another person. Students with other ids are
 * not affected. */
static void join_same(Roster *roster) {
  char one[SHOWN_MOST], other[SHOWN_MOST];
  size_t kept = 0;
  for (size_t i = 0; i < roster->count; i++) {
    Student *last = kept ? &roster->students[kept - 1] : NULL;
    if (!last || by_id(last, &roster->students[i]) != 0) {
      roster->students[kept++] = roster->students[i];
      continue;
    }
    last->shared = last->unread = true;
    complain(last, "%s and %s would both be called %s: rename one of them, then both are graded",
             last->hidden ? "one submission" : shown(last->entries[0].name, one),
             last->hidden ? "another" : shown(roster->students[i].entries[0].name, other),
             last->id);
  }
  roster->count = kept;
}

/* Returns true for a folder whose name begins with a dot. Such a folder is reported as skipped.
 * Hidden files and .git are not reported, because they are not submissions. */
static int is_hidden_folder(const struct dirent *entry) {
  return entry->d_name[0] == '.' && entry->d_type == DT_DIR && strcmp(entry->d_name, ".") &&
         strcmp(entry->d_name, "..") && strncmp(entry->d_name, ".git", 4);
}

static void leave_hidden(Roster *roster, int submissions) {
  struct dirent **hidden;
  int count = scandirat(submissions, ".", &hidden, is_hidden_folder, alphasort);
  for (int i = 0; i < count; i++) {
    leave(roster, hidden[i]->d_name, "its name begins with a dot");
    free(hidden[i]);
  }
  if (count >= 0)
    free(hidden);
}

Roster roster_list(int submissions, const Labs *labs, const char *secret) {
  Roster roster = {.left = json_array()};
  size_t all, count = 0, first = 0;
  char **names = names_in(submissions, &all);
  Entry *entries = calloc(all + 1, sizeof *entries);
  roster.students = calloc(all + 1, sizeof *roster.students);
  Metadata *metadata = metadata_read(submissions);
  leave_hidden(&roster, submissions);
  roster.entries = entries;
  if (!entries || !roster.students)
    bad_input("out of memory");
  for (size_t i = 0; i < all; i++) {
    Entry *entry = &entries[count];
    *entry = (Entry){.name = names[i]};
    const char *why = read_entry(entry, submissions, labs, metadata);
    entry_compose(entry);
    if (why) {
      leave(&roster, names[i], why);
      free(names[i]);
    } else {
      count++;
    }
  }
  roster.entry_count = count;
  qsort(entries, count, sizeof *entries, by_group);
  for (size_t i = 0; i < count; i++) {
    if (i + 1 < count && strcmp(entries[i].group, entries[i + 1].group) == 0)
      continue;
    add_student(&roster, entries + first, i + 1 - first, labs, secret);
    for (size_t remark = first; remark <= i; remark++)
      read_remark(&entries[remark], submissions, entries[first].who);
    first = i + 1;
  }
  if (roster.count)
    qsort(roster.students, roster.count, sizeof *roster.students, by_id);
  join_same(&roster);
  metadata_free(metadata);
  free(names);
  return roster;
}

void roster_free(Roster *roster) {
  for (size_t i = 0; i < roster->entry_count; i++)
    free(roster->entries[i].name);
  free(roster->entries);
  free(roster->students);
  json_decref(roster->left);
}
