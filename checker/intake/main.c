/* intake: reads what a class handed in and puts what is to be graded into the class's folder; --help
 * has more. Each student is read by a process of its own with limits on time and memory, so that an
 * archive which breaks its reader is that student's problem and nobody else's.
 */
#include "intake.h"

#include <argp.h>
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
  const char *submissions, *class;
  Labs labs;
} Command;

static void add_lab(Labs *labs, const char *name) {
  if (labs->count == LABS_MOST || strlen(name) < 4 || strlen(name) >= sizeof labs->lab[0].file)
    bad_input("%s: no lab's name", name);
  Lab *lab = &labs->lab[labs->count++];
  lab->name = name;
  snprintf(lab->file, sizeof lab->file, "%s.cu", name + 3);
  for (char *at = lab->file; (at = strchr(at, '-'));)
    *at = '_';
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
  Command *command = state->input;
  if (key == ARGP_KEY_END && state->arg_num < 3)
    argp_usage(state);
  if (key != ARGP_KEY_ARG)
    return key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
  if (state->arg_num == 0)
    command->submissions = value;
  else if (state->arg_num == 1)
    command->class = value;
  else
    add_lab(&command->labs, value);
  return 0;
}

static const struct argp parser = {
    .parser = parse_option,
    .args_doc = "SUBMISSIONS CLASS NN-NAME...",
    .doc =
        "Reads one folder or archive (zip, tar) per student and puts the files of the labs into "
        "CLASS/in.\vCLASS/roster.json says who is there and what is wrong, CLASS/students.mk what "
        "there is to grade. Exit status: 0, or 2 when there is nothing to read.",
};

/* ---- one student -------------------------------------------------------------------------------- */

static void set_limits(void) {
  struct rlimit seconds = {SECONDS_MOST, SECONDS_MOST + 1}; /* SIGXCPU, which has its own words */
  setrlimit(RLIMIT_CPU, &seconds);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  alarm(4 * SECONDS_MOST); /* a disk may be slow */
#ifndef __SANITIZE_ADDRESS__
  struct rlimit memory = {MEMORY_MOST, MEMORY_MOST};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

/* Learning platforms hand out a folder per student with what was uploaded in it: one archive, alone. */
static void read_uploaded(Student *student, int folder) {
  if (student->archives != 1 || any_found(student))
    return;
  int file = openat(folder, student->archive, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode))
    read_archive(student, file);
  if (file >= 0)
    close(file);
}

static void read_student(Student *student, int submissions) {
  int file = openat(submissions, student->entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;
  if (file < 0 && errno == ELOOP) {
    complain(student, "it is a symbolic link: the folder itself is wanted");
  } else if (file < 0 || fstat(file, &status) != 0) {
    complain(student, "it cannot be read (%s)", strerror(errno));
  } else if (S_ISDIR(status.st_mode)) {
    read_folder(student, dup(file));
    read_uploaded(student, file);
  } else if (!S_ISREG(status.st_mode)) {
    complain(student, "it is neither a folder nor a file");
  } else if (status.st_size == 0) {
    complain(student, "it is an empty file");
  } else {
    read_archive(student, file);
  }
  find_end(student);
}

/* In a process of its own; what it found comes back as JSON. */
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

static json_t *no_answer(Student *student, int status) {
  json_t *json = json_object();
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM))
    complain(student, "reading it takes too long");
  else
    complain(student, "reading it ended badly (%s)",
             WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no answer");
  json_object_set_new(json, "id", json_string(student->id));
  json_object_set_new(json, "name", json_string(student->id));
  json_object_set_new(json, "kind", json_string(student->kind));
  json_object_set_new(json, "problem", json_string(student->problem));
  json_object_set_new(json, "unread", json_true());
  json_object_set_new(json, "labs", json_object());
  return json;
}

static json_t *take_in(Student *student, int submissions, int class_folder) {
  pid_t pid = 0;
  int status = 0, answer = start_reader(student, submissions, class_folder, &pid);
  json_t *json = json_loadfd(answer, 0, NULL);
  close(answer);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
    exit(2); /* the class's folder cannot be written; it has said so */
  if (json && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return json;
  json_decref(json);
  return no_answer(student, status);
}

/* ---- all of them ---------------------------------------------------------------------------------- */

static const char *kind_of(int submissions, const char *entry) {
  struct stat status;
  if (fstatat(submissions, entry, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
    return "folder";
  return "archive";
}

static Roster list_students(int submissions, const Labs *labs) {
  Roster roster = {NULL, 0};
  char **names = names_in(submissions, &roster.count);
  roster.students = calloc(roster.count + 1, sizeof *roster.students);
  if (!roster.students)
    bad_input("out of memory");
  for (size_t i = 0; i < roster.count; i++) {
    Student *student = &roster.students[i];
    student->entry = names[i];
    student->kind = kind_of(submissions, names[i]);
    student->labs = labs;
  }
  free(names);
  roster_name(&roster);
  return roster;
}

static void free_roster(Roster *roster) {
  for (size_t i = 0; i < roster->count; i++)
    free(roster->students[i].entry);
  free(roster->students);
}

/* One student's folder, where one with all of them is wanted: its labs would be taken for students. */
static void refuse_labs(const Roster *roster, const Labs *labs, const char *submissions) {
  for (size_t i = 0; i < roster->count; i++)
    for (size_t lab = 0; lab < labs->count; lab++)
      if (strcmp(roster->students[i].entry, labs->lab[lab].name) == 0)
        bad_input("%s: %s is a lab and no student: a folder is wanted that holds a folder or an "
                  "archive per student",
                  submissions, labs->lab[lab].name);
}

static int by_id(const void *a, const void *b) {
  return strcmp(((const Student *)a)->id, ((const Student *)b)->id);
}

static int open_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    bad_input("%s: %s", path, strerror(errno));
  return folder;
}

int main(int argc, char **argv) {
  Command command = {.labs = {.count = 0}};
  argp_err_exit_status = 2;
  argp_parse(&parser, argc, argv, 0, NULL, &command);
  setlocale(LC_CTYPE, "C.UTF-8"); /* names in archives; the same on every machine */
  int submissions = open_folder(command.submissions), class = open_folder(command.class);
  Roster roster = list_students(submissions, &command.labs);
  if (roster.count == 0)
    bad_input("%s: nothing was handed in there", command.submissions);
  refuse_labs(&roster, &command.labs, command.submissions);
  if (mkdirat(class, "in", 0777) != 0 && errno != EEXIST)
    bad_input("%s/in: %s", command.class, strerror(errno));
  qsort(roster.students, roster.count, sizeof *roster.students, by_id);
  json_t *all = json_array();
  for (size_t i = 0; i < roster.count; i++)
    json_array_append_new(all, take_in(&roster.students[i], submissions, class));
  class_write(class, all);
  json_decref(all);
  free_roster(&roster);
  return 0;
}
