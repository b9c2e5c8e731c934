/* Limits that the kernel enforces: a control group (cgroup, version 2) for each run, where the
 * checker may create one. The group limits the number of processes and all memory that the run
 * uses, including shared pages and files in memory. It measures the processor time of all
 * descendants in microseconds. child.c measures the same itself, for machines where no group can be
 * created.
 *
 * A group is created next to the checker's own group or, if the checker is in the root group,
 * inside it. The owner of the parent folder may create it: root, and in a session of systemd the
 * user (`systemd-run --user --scope make grade ...`). */
#include "facts/facts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The maximum number of seconds to wait until killed processes are gone. */
static const double REMOVING_MOST = 10;

static bool put(int folder, const char *name, const char *text) {
  int file = openat(folder, name, O_WRONLY | O_CLOEXEC);
  bool good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
  if (file >= 0)
    close(file);
  return good;
}

static bool put_number(int folder, const char *name, size_t number) {
  char text[24];
  snprintf(text, sizeof text, "%zu", number);
  return put(folder, name, text);
}

/* Reads a small file of the group's folder. */
static const char *get(int folder, const char *name, char text[1024]) {
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
  ssize_t length = file >= 0 ? read(file, text, 1023) : 0;
  if (file >= 0)
    close(file);
  text[length > 0 ? length : 0] = '\0';
  return text;
}

/* Returns the value in the line "key value" of a file; 0 if there is no such line. */
static unsigned long long value_of(int folder, const char *name, const char *key) {
  char text[1024], *rest = NULL;
  size_t length = strlen(key);
  get(folder, name, text);
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    if (strncmp(line, key, length) == 0 && line[length] == ' ')
      return strtoull(line + length, NULL, 10);
  return 0;
}

/* Opens the folder if groups can be created in it and their limits work; otherwise returns -1. */
static int open_place(const char *path) {
  char text[1024];
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return -1;
  get(folder, "cgroup.subtree_control", text);
  if (strstr(text, "memory") && strstr(text, "pids") && faccessat(folder, ".", W_OK, 0) == 0 &&
      faccessat(folder, "cgroup.procs", W_OK, 0) == 0)
    return folder;
  close(folder);
  return -1;
}

/* Returns the folder in which groups are created; -1 if no groups can be created. */
static int place(void) {
  static int known = -2;
  char line[PATH_MAX] = "", path[PATH_MAX + 32];
  if (known != -2)
    return known;
  known = -1;
  FILE *file = fopen("/proc/self/cgroup", "re");
  while (file && fgets(line, sizeof line, file) && strncmp(line, "0::/", 4) != 0)
    ;
  if (file)
    fclose(file);
  if (strncmp(line, "0::/", 4) != 0)
    return known;
  line[strcspn(line, "\n")] = '\0';
  snprintf(path, sizeof path, "/sys/fs/cgroup%s", line + 3);
  known = open_place(path);
  if (known < 0 && line[4]) {
    *strrchr(path, '/') = '\0';
    known = open_place(path);
  }
  return known;
}

static void forget(Group *group) {
  if (group->procs >= 0)
    close(group->procs);
  if (group->folder >= 0)
    close(group->folder);
  *group = (Group){.folder = -1, .procs = -1};
}

bool group_ran_out(const Group *group) {
  return group->folder >= 0 && value_of(group->folder, "memory.events", "oom_kill") > 0;
}

bool group_is_full(const Group *group) {
  return group->folder >= 0 && value_of(group->folder, "pids.events", "max") > 0;
}

double group_seconds(const Group *group) {
  return group->folder >= 0 ? 1e-6 * (double)value_of(group->folder, "cpu.stat", "usage_usec") : 0;
}

void group_remove(Group *group) {
  struct timespec moment = {0, 1000000};
  if (group->folder < 0)
    return;
  put(group->folder, "cgroup.kill", "1");
  for (double waited = 0; waited < REMOVING_MOST; waited += 1e-3) {
    if (unlinkat(place(), group->name, AT_REMOVEDIR) == 0 || errno != EBUSY)
      break;
    nanosleep(&moment, NULL);
  }
  forget(group);
}

/* Removes the groups that killed checkers have left, and kills their processes. Such a group is
 * recognized by its lock, which no process holds. */
static void tidy(void) {
  Group group = {.procs = -1};
  int copy = openat(place(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *groups = copy < 0 ? NULL : fdopendir(copy);
  for (struct dirent *each; groups && (each = readdir(groups));) {
    if (strncmp(each->d_name, "lockstep-", 9) != 0)
      continue;
    snprintf(group.name, sizeof group.name, "%.*s", (int)sizeof group.name - 1, each->d_name);
    group.folder = openat(place(), group.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (group.folder >= 0 && flock(group.folder, LOCK_EX | LOCK_NB) == 0)
      group_remove(&group);
    else
      forget(&group);
  }
  if (groups)
    closedir(groups);
}

Group group_make(size_t bytes, size_t tasks) {
  static unsigned made;
  Group group = {.folder = -1, .procs = -1};
  if (place() < 0)
    return group;
  if (made == 0)
    tidy();
  snprintf(group.name, sizeof group.name, "lockstep-%d-%u", (int)getpid(), made++);
  if (mkdirat(place(), group.name, 0700) == 0)
    group.folder = openat(place(), group.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (group.folder < 0)
    return group;
  put(group.folder, "memory.swap.max", "0"); /* The file does not exist without swap. */
  put(group.folder, "memory.oom.group", "1");
  group.procs = openat(group.folder, "cgroup.procs", O_WRONLY | O_CLOEXEC);
  if (flock(group.folder, LOCK_SH | LOCK_NB) != 0 || group.procs < 0 ||
      !put_number(group.folder, "memory.max", bytes) ||
      !put_number(group.folder, "pids.max", tasks))
    group_remove(&group);
  return group;
}
