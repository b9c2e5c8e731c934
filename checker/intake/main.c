/* The program intake: reads the submissions of a class and writes the files to be graded to the
 * class's folder. `--help` describes its arguments. Each student's submission is read in a separate
 * process with limits on time and memory, so that a damaged archive is a problem of that student
 * only. */
#include "intake.h"

#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MOST = 30, MEMORY_MOST = 1 << 30 };

void bad_input(const char *format, ...) {
  va_list arguments;
  fputs("intake: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(2);
}

typedef struct Command {
  const char *submissions, *class, *handouts, *called, *feedback;
  bool list, anonymous;
  Labs labs;
} Command;

enum { KEY_LIST = 1000, KEY_HANDOUTS, KEY_ANONYMOUS, KEY_ID, KEY_FEEDBACK };

static const struct argp_option options[] = {
    {"list", KEY_LIST, NULL, 0, "say which file went where, and write nothing: no CLASS", 0},
    {"handouts", KEY_HANDOUTS, "DIR", 0,
     "what was handed out (default labs): a file that is still so is "
     "not handed in",
     0},
    {"anonymous", KEY_ANONYMOUS, NULL, 0, "ids that tell nothing; identities.json knows", 0},
    {"feedback", KEY_FEEDBACK, "CLASS", 0, "pack CLASS/reports as CLASS/feedback.zip, and end", 0},
    {"id", KEY_ID, "NAME", 0, "print the id of a student called so, and end", 0},
    {0},
};

static error_t parse_word(char *value, Command *command) {
  if (!command->submissions)
    command->submissions = value;
  else if (!command->class && !command->list)
    command->class = value;
  else
    lab_add(&command->labs, value, command->handouts);
  return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
  Command *command = state->input;
  switch (key) {
  case KEY_LIST:
    command->list = true;
    return 0;
  case KEY_HANDOUTS:
    command->handouts = value;
    return 0;
  case KEY_ANONYMOUS:
    command->anonymous = true;
    return 0;
  case KEY_FEEDBACK:
    command->feedback = value;
    return 0;
  case KEY_ID:
    command->called = value;
    return 0;
  case ARGP_KEY_ARG:
    return parse_word(value, command);
  case ARGP_KEY_END:
    if (command->labs.count == 0 && !command->called && !command->feedback)
      argp_usage(state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "SUBMISSIONS CLASS NN-NAME...\n--list SUBMISSIONS NN-NAME...\n--id NAME",
    .doc =
        "Reads what each student handed in, a folder, an archive (zip, tar) or files, and puts the "
        "files of the labs into CLASS/in.\vCLASS/roster.json says who is there, which file went "
        "where "
        "and what is wrong, CLASS/students.mk what there is to grade. Exit status: 0, or 2 when "
        "there "
        "is nothing to read.",
};

/* ---- one student ----------------------------------------------------------------------------- */

static void set_limits(void) {
  /* At the limit the process gets the signal SIGXCPU, and no_answer reports that it was too
   * slow. */
  struct rlimit seconds = {SECONDS_MOST, SECONDS_MOST + 1};
  setrlimit(RLIMIT_CPU, &seconds);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  /* The limit on elapsed time is longer, because a disk may be slow. */
  alarm(4 * SECONDS_MOST);
#ifndef __SANITIZE_ADDRESS__
  struct rlimit memory = {MEMORY_MOST, MEMORY_MOST};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

/* Returns true if an entry is a folder with submissions of several people. */
static bool holds_a_class(int submissions, const Entry *entry) {
  struct dirent *file;
  char group[sizeof(((Entry *)0)->group)] = "";
  bool several = false;
  if (entry->platform || entry->kind != ENTRY_FOLDER)
    return false;
  int inside = openat(submissions, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = inside < 0 ? NULL : fdopendir(inside);
  while (folder && !several && (file = readdir(folder))) {
    Entry named = {.name = file->d_name};
    platform_read(&named);
    several = named.platform && group[0] && strcmp(group, named.group) != 0;
    if (named.platform)
      snprintf(group, sizeof group, "%s", named.group);
  }
  if (folder)
    closedir(folder);
  return several;
}

static void read_entry(Student *student, int submissions, const Entry *entry) {
  int file = openat(submissions, entry->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;
  if (file < 0 && errno == ELOOP) {
    complain(student, "it is a symbolic link: name the folder itself");
  } else if (file < 0 || fstat(file, &status) != 0) {
    complain(student, "it cannot be read (%s)", strerror(errno));
  } else if (S_ISDIR(status.st_mode) && holds_a_class(submissions, entry)) {
    complain(student, "the folder holds the submissions of several people: use SUBMISSIONS= with "
                      "that folder");
  } else if (S_ISDIR(status.st_mode)) {
    student->packed = 0;
    read_folder(student, dup(file));
  } else if (!S_ISREG(status.st_mode)) {
    complain(student, "it is neither a folder nor a file");
  } else if (entry->kind == ENTRY_FILE) {
    student->packed = status.st_mtime;
    read_single(student, submissions, entry->name, entry->inside);
  } else if (status.st_size == 0) {
    complain(student, "it is an empty file");
  } else {
    student->packed = status.st_mtime;
    read_archive(student, file);
  }
  if (file >= 0)
    close(file);
}

static void read_student(Student *student, int submissions) {
  for (student->entry = 0; student->entry < student->entry_count; student->entry++)
    if (!student->entries[student->entry].remark)
      read_entry(student, submissions, &student->entries[student->entry]);
  find_end(student);
}

/* Starts a process that reads one student's submission. Returns a descriptor from which the result
 * can be read as JSON. */
static int start_reader(Student *student, int submissions, int class_folder, pid_t *pid) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0 || (*pid = fork()) < 0)
    bad_input("cannot start a process: %s", strerror(errno));
  if (*pid == 0) {
    set_limits();
    read_student(student, submissions);
    json_t *json = student_keep(student, class_folder);
    _exit(json_dumpfd(json, ends[1], 0) == 0 ? 0 : 2);
  }
  close(ends[1]);
  return ends[0];
}

/* Returns the roster's entry for a student whose submission is not read. */
static json_t *unread(const Student *student) {
  json_t *json = json_object();
  json_object_set_new(json, "id", json_string(student->id));
  json_object_set_new(
      json, "name",
      json_string(student->hidden || student->shared ? student->id : student->entries[0].who));
  json_object_set_new(json, "kind", json_string(student->kind));
  json_object_set_new(json, "problem", json_string(student->problem));
  json_object_set_new(json, "unread", json_true());
  json_object_set_new(json, "shared", json_boolean(student->shared));
  json_object_set_new(json, "labs", json_object());
  return json;
}

static json_t *no_answer(Student *student, int status) {
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM))
    complain(student, "reading it takes too long");
  else
    complain(student, "reading it ended badly (%s)",
             WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no answer");
  return unread(student);
}

static json_t *take_in(Student *student, int submissions, int class_folder) {
  pid_t pid = 0;
  int status = 0, answer = start_reader(student, submissions, class_folder, &pid);
  json_t *json = json_loadfd(answer, 0, NULL);
  close(answer);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
    /* The process could not write to the class's folder, and has printed the reason. */
    exit(2);
  if (json && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return json;
  json_decref(json);
  return no_answer(student, status);
}

/* ---- all students ---------------------------------------------------------------------------- */

/* Calls bad_input if the folder of submissions is the folder of one student. Otherwise its labs
 * would be listed as students. */
static void refuse_labs(const Roster *roster, const Labs *labs, const char *submissions) {
  for (size_t i = 0; i < roster->count; i++)
    for (size_t lab = 0; lab < labs->count; lab++)
      if (strcmp(roster->students[i].entries[0].name, labs->lab[lab].name) == 0)
        bad_input("%s: %s is a lab and no student: a folder is wanted that holds a folder or an "
                  "archive per student",
                  submissions, labs->lab[lab].name);
}

/* Calls bad_input if the folder of submissions is one level too high. The
 * archive of a learning platform may unpack to such a folder. */
static void refuse_classes(const Roster *roster, int folder, const char *submissions) {
  size_t classes = 0;
  for (size_t i = 0; i < roster->count; i++) {
    const Student *student = &roster->students[i];
    classes += student->entry_count == 1 && holds_a_class(folder, &student->entries[0]);
  }
  if (roster->count && classes == roster->count)
    bad_input("%s holds %s: say SUBMISSIONS=%s/%s", submissions,
              classes == 1 ? "one folder, with a class in it" : "folders with a class in each",
              submissions, roster->students[0].entries[0].name);
}

static int open_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    bad_input("%s: %s", path, strerror(errno));
  return folder;
}

static void print_id(const char *name) {
  Entry entry = {.name = (char *)name};
  char id[ID_MOST + 1];
  platform_read(&entry);
  if (!entry.platform)
    snprintf(entry.who, sizeof entry.who, "%.*s", (int)without_ending(name), name);
  entry_compose(&entry);
  id_make(entry.who, entry.key, id);
  puts(id);
}

int main(int argc, char **argv) {
  Command command = {.handouts = "labs", .labs = {.count = 0}};
  char secret[40];
  argp_err_exit_status = 2;
  argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &command);
  if (command.called)
    return print_id(command.called), 0;
  if (command.feedback)
    return setlocale(LC_CTYPE, "C.UTF-8"), feedback_write(command.feedback), 0;
  /* Sets the character set of names in archives, so that it is the same on every machine. */
  setlocale(LC_CTYPE, "C.UTF-8");
  int submissions = open_folder(command.submissions);
  int class = command.list ? -1 : open_folder(command.class);
  if (command.anonymous && !command.list)
    class_secret(class, secret);
  Roster roster =
      roster_list(submissions, &command.labs, command.anonymous && !command.list ? secret : NULL);
  if (roster.count == 0)
    bad_input("%s: nothing was handed in there", command.submissions);
  refuse_labs(&roster, &command.labs, command.submissions);
  refuse_classes(&roster, submissions, command.submissions);
  if (class >= 0 && mkdirat(class, "in", 0777) != 0 && errno != EEXIST)
    bad_input("%s/in: %s", command.class, strerror(errno));
  json_t *all = json_array();
  for (size_t i = 0; i < roster.count; i++)
    json_array_append_new(all, roster.students[i].shared
                                   ? unread(&roster.students[i])
                                   : take_in(&roster.students[i], submissions, class));
  if (class >= 0)
    class_write(class, &roster, all);
  list_print(stdout, &roster, all, &command.labs, command.list);
  json_decref(all);
  roster_free(&roster);
  labs_free(&command.labs);
  return 0;
}
