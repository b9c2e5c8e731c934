/* Reads a folder that was handed in. Follows no symbolic link, neither in the folder nor in its
 * path, and opens only regular files with a lab's name. If a student replaces a file while it is
 * being read, this file may not be read, but other files are not affected. */
#include "intake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ARCHIVES_MOST = 400 }; /* The maximum for one student. */

/* Returns the content of a file, which the caller frees. If there is a problem, returns NULL and
 * stores the problem. */
static char *read_whole(int file, size_t *size, char *problem, size_t room) {
  struct stat status;
  char *bytes = NULL;
  if (file < 0 || fstat(file, &status) != 0) {
    snprintf(problem, room, "it cannot be read (%s)", strerror(errno));
    return NULL;
  }
  if (!S_ISREG(status.st_mode)) {
    snprintf(problem, room, "it is no file");
    return NULL;
  }
  if (status.st_size > FILE_MOST) {
    snprintf(problem, room, "it has %lld bytes: at most %d are read", (long long)status.st_size,
             FILE_MOST);
    return NULL;
  }
  bytes = malloc((size_t)status.st_size + 1);
  ssize_t got = 0;
  *size = 0;
  while (bytes && *size < (size_t)status.st_size &&
         (got = read(file, bytes + *size, (size_t)status.st_size - *size)) > 0)
    *size += (size_t)got;
  if (!bytes || got < 0) {
    snprintf(problem, room, "it cannot be read (%s)", strerror(errno));
    free(bytes);
    return NULL;
  }
  return bytes;
}

static int open_file(int folder, const char *name) {
  return openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

void read_single(Student *student, int folder, const char *name, const char *called) {
  char problem[200], *bytes;
  size_t size = 0;
  struct stat status;
  Place place;
  int file = open_file(folder, name);
  if (file >= 0 && fstat(file, &status) != 0)
    status.st_mtime = 0;
  if (find_place(student, called, file >= 0 ? status.st_mtime : 0, &place)) {
    bytes = read_whole(file, &size, problem, sizeof problem);
    find_take(student, &place, bytes, size, problem);
  }
  if (file >= 0)
    close(file);
}

/* Returns true if one more archive may be read. Reports an excess of archives once. */
static bool may_unpack(Student *student) {
  if (student->containers < ARCHIVES_MOST)
    return true;
  if (student->containers == ARCHIVES_MOST) {
    student->containers++;
    complain(student, "it has more than %d archives: the others are not read; hand in labs/ alone",
             ARCHIVES_MOST);
  }
  return false;
}

/* Reads an archive within a folder. Learning platforms make a folder for each student and put the
 * uploaded files into it. */
static void read_packed(Student *student, int folder, const char *name, const char *path,
                        const struct stat *status) {
  char before[PATH_MOST];
  time_t packed = student->packed;
  int file = open_file(folder, name);
  snprintf(before, sizeof before, "%s", student->inside);
  if (file < 0 || snprintf(student->inside, PATH_MOST, "%s%s/", before, path) >= PATH_MOST) {
    complain(student, "%.60s cannot be read", path);
  } else {
    student->container = ++student->containers;
    student->packed = status->st_mtime;
    read_archive(student, file);
  }
  snprintf(student->inside, PATH_MOST, "%s", before);
  student->container = 0;
  student->packed = packed;
  if (file >= 0)
    close(file);
}

static const char *kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
  case S_IFLNK:
    return "a symbolic link";
  case S_IFIFO:
    return "a named pipe";
  case S_IFSOCK:
    return "a socket";
  default:
    return "a device";
  }
}

static void walk(Student *student, int folder, const char *path, int depth);

static void visit(Student *student, int folder, const char *name, const char *path, int depth) {
  struct stat status;
  char text[SHOWN_MOST];
  if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    complain(student, "%s cannot be read (%s)", shown(path, text), strerror(errno));
  } else if (S_ISREG(status.st_mode)) {
    if (without_ending(name) < strlen(name) && may_unpack(student))
      read_packed(student, folder, name, path, &status);
    else
      read_single(student, folder, name, path);
  } else if (!S_ISDIR(status.st_mode)) {
    find_odd(student, path, kind_of(status.st_mode));
  } else if (depth >= DEPTH_MOST) {
    complain(student, "folders are nested deeper than %d, at %s", DEPTH_MOST, shown(path, text));
  } else {
    int below = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below < 0)
      complain(student, "%s cannot be read (%s)", shown(path, text), strerror(errno));
    else
      walk(student, below, path, depth + 1);
  }
}

/* Reads all files of a folder, then closes the folder. */
static void walk(Student *student, int folder, const char *path, int depth) {
  char below[PATH_MOST], text[SHOWN_MOST];
  size_t count;
  char **names = names_in(folder, &count);
  for (size_t i = 0; i < count; i++) {
    int length = snprintf(below, sizeof below, "%s%s%s", path, *path ? "/" : "", names[i]);
    if (student->seen++ == ENTRIES_MOST)
      complain(student, "it has more than %d files: hand in labs/ alone", ENTRIES_MOST);
    if (student->seen > ENTRIES_MOST)
      ; /* Further files are ignored. */
    else if (length >= PATH_MOST)
      complain(student, "a path is too long: %s", shown(below, text));
    else if (!beside_the_work(names[i]))
      visit(student, folder, names[i], below, depth);
    free(names[i]);
  }
  free(names);
  close(folder);
}

void read_folder(Student *student, int folder) { walk(student, folder, "", 0); }
