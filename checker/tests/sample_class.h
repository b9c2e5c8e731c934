/* Makes the class of two hundred students for reports_test.c, from the real marks of solutions,
 * skeletons and wrong solutions. The marks of a student depend only on the numbers of the student
 * and the lab, so the test can compute them. */
#ifndef SAMPLE_CLASS_H
#define SAMPLE_CLASS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "class/class.h"

enum { STUDENTS = 200, PATH = 700 };

static const char *build_folder(void) {
  const char *folder = getenv("BUILD");
  return folder ? folder : "build";
}

/* Returns formatted text in a static buffer, which the eighth next call overwrites. */
static char *text_format(const char *format, ...) {
  static char all[8][2 * PATH];
  static size_t next;
  char *text = all[next++ % 8];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof all[0], format, list);
  va_end(list);
  return text;
}

/* ---- files ----------------------------------------------------------------------------------- */

static char *read_text(const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *in = fopen(path, "r"), *out = open_memstream(&text, &size);
  if (!in)
    fail_msg("%s: not there", path);
  for (int c; (c = getc(in)) != EOF;)
    fputc(c, out);
  fclose(in);
  fclose(out);
  return text;
}

static void write_text(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  assert_int_equal(fclose(out), 0);
}

static int run(const char *command) {
  int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool contains(const char *path, const char *what) {
  char *text = read_text(path);
  bool found = strstr(text, what) != NULL;
  free(text);
  return found;
}

/* ---- marks from real runs -------------------------------------------------------------------- */

typedef struct Work {
  /* for example "mutants", "01-naive", "naive.cu", "no-guard" */
  const char *of, *lab, *file, *name;
  int score, tasks;
} Work;

static Work works[] = {
    {"solutions", "01-naive", "naive.cu", NULL, 0, 0},
    {"mutants", "01-naive", NULL, "no-guard", 0, 0},
    {"mutants", "01-naive", NULL, "does-not-compile", 0, 0},
    {"labs", "01-naive", "naive.cu", NULL, 0, 0},
    {"solutions", "01-naive", "naive.cu", NULL, 0, 0},
    {"mutants", "01-naive", NULL, "leak", 0, 0},
    {"mutants", "01-naive", NULL, "requests-diluted", 0, 0},
    {"mutants", "01-naive", NULL, "guard-one-too-far", 0, 0},
    {"solutions", "02-shared", "shared.cu", NULL, 0, 0},
    {"solutions", "02-shared", "shared.cu", NULL, 0, 0},
    {"labs", "02-shared", "shared.cu", NULL, 0, 0},
    {"solutions", "03-bank-conflicts", "bank_conflicts.cu", NULL, 0, 0},
    {"labs", "03-bank-conflicts", "bank_conflicts.cu", NULL, 0, 0},
    {"mutants", "03-bank-conflicts", NULL, "pad-only-bs", 0, 0},
    {"solutions", "04-ilp", "ilp.cu", NULL, 0, 0},
    {"mutants", "04-ilp", NULL, "sums-in-memory", 0, 0},
    {"labs", "05-matvec", "matvec.cu", NULL, 0, 0},
    {"solutions", "05-matvec", "matvec.cu", NULL, 0, 0},
    {"mutants", "05-matvec", NULL, "lanes-in-chunks", 0, 0},
    {"labs", "06-nbody", "nbody.cu", NULL, 0, 0},
    {"solutions", "06-nbody", "nbody.cu", NULL, 0, 0},
};
enum { WORKS = sizeof works / sizeof works[0] };

static char *work_path(size_t i, const char *ending) {
  return text_format("%s/tests/class/marks/%zu.%s", build_folder(), i, ending);
}

static void grade_work(size_t i) {
  Work *work = &works[i];
  bool mutant = work->name != NULL;
  char *source = mutant ? text_format("%s/mutants/%s/%s.cu", build_folder(), work->lab, work->name)
                        : text_format("%s/%s/%s", work->of, work->lab, work->file);
  char *program =
      mutant ? text_format("%s/emulated-clang/mutants/%s/%s.float", build_folder(), work->lab,
                           work->name)
             : text_format("%s/emulated-clang/%s/%s.float", build_folder(), work->of, work->lab);
  char *log = access(program, X_OK) == 0 ? "" : text_format("--compile-log %s.log", program);
  char command[4 * PATH];
  snprintf(command, sizeof command,
           "%s/checker/checker --lab %s --source %s --program %s %s --forget --plain --json %s >%s",
           build_folder(), work->lab, source, program, log, work_path(i, "json"),
           work_path(i, "txt"));
  if (run(command) > 1)
    fail_msg("%s", command);
  json_t *marks = json_load_file(work_path(i, "json"), 0, NULL);
  assert_non_null(marks);
  work->score = number_at(marks, "score");
  work->tasks = (int)json_array_size(json_object_get(marks, "tasks"));
  json_decref(marks);
}

/* ---- the class of two hundred ---------------------------------------------------------------- */

typedef enum Fate { FATE_MISSING, FATE_PROBLEM, FATE_NO_MARKS, FATE_UNGRADED, FATE_GRADED } Fate;

static const char hostile_name[] = "</td><script>alert(\"1\")</script> & 'x'\n\x1b[31m\u202e";
static const char formula_name[] = "=HYPERLINK(\"http://example.invalid\",\"click\")";

static const char *name_of(size_t student) {
  static const char *const names[] = {"Özdemir, Ayşe", "O'Neil, Mai", "李 小龍", "Nguyễn Hồng",
                                      "A"};
  if (student == 1)
    return hostile_name;
  return student == 2 ? formula_name : names[student % (sizeof names / sizeof names[0])];
}

/* Returns a student's id. One student has an id as long as the ids of some learning platforms. */
static char *id_of(size_t student) {
  static const char more[] = "_assignsubmission_file_that_nobody_would_call_so_but_a_platform";
  return text_format("student-%03zu%s", student, student == 5 ? more : "");
}

/* Returns the state of a lab. Student 0 has done all labs, student 3 has an unreadable archive, and
 * student 4 has no marks yet. The states of the other students vary. */
static Fate fate_of(size_t student, size_t lab) {
  size_t chance = (student * 31 + lab * 17) % 97;
  if (student == 0)
    return FATE_GRADED;
  if (student == 3)
    return FATE_MISSING;
  if (student == 4)
    return FATE_NO_MARKS;
  return chance < 8     ? FATE_MISSING
         : chance < 10  ? FATE_PROBLEM
         : chance == 10 ? FATE_UNGRADED
                        : FATE_GRADED;
}

/* Returns the index in `works` of the student's submission for this lab. Student 0 has the
 * solution. */
static size_t work_for(size_t student, const Sheet *lab) {
  size_t fitting[WORKS], count = 0;
  for (size_t i = 0; i < WORKS; i++) {
    if (strcmp(works[i].lab, lab->name) != 0)
      continue;
    if (student == 0 && strcmp(works[i].of, "solutions") == 0)
      return i;
    fitting[count++] = i;
  }
  assert_true(count > 0);
  return fitting[(student * 7 + student / 13) % count];
}

static void hand_in(const char *folder, size_t student, const Sheet *lab, size_t at, json_t *labs) {
  char *to = text_format("%s/marks/%s/%s", folder, id_of(student), lab->name);
  Fate fate = fate_of(student, at);
  if (fate == FATE_MISSING)
    return;
  if (fate == FATE_PROBLEM) {
    json_object_set_new(labs, lab->name, json_string("<the file> is a symbolic link"));
    return;
  }
  json_object_set_new(labs, lab->name, json_null());
  if (fate == FATE_UNGRADED)
    write_text(text_format("%s.json", to), "{\"ungraded\": \"no room & no time\"}");
  if (fate != FATE_GRADED)
    return;
  size_t work = work_for(student, lab);
  for (int i = 0; i < 2; i++) {
    char *text = read_text(work_path(work, i ? "json" : "txt"));
    write_text(text_format("%s.%s", to, i ? "json" : "txt"), text);
    free(text);
  }
}

static void make_class(const char *folder, bool backwards) {
  json_t *roster = json_array();
  run(text_format("rm -rf %s && mkdir -p %s/marks", folder, folder));
  for (size_t i = 0; i < STUDENTS; i++) {
    size_t student = backwards ? STUDENTS - 1 - i : i, at = 0;
    json_t *labs = json_object();
    mkdir(text_format("%s/marks/%s", folder, id_of(student)), 0777);
    for (const Sheet *lab = sheet_first(); lab; lab = lab->next)
      hand_in(folder, student, lab, at++, labs);
    json_array_append_new(roster, json_pack("{s:s, s:s, s:s, s:s?, s:o}", "id", id_of(student),
                                            "name", name_of(student), "kind", "folder", "problem",
                                            student == 3 ? "the archive cannot be read" : NULL,
                                            "labs", labs));
  }
  assert_int_equal(json_dump_file(roster, text_format("%s/roster.json", folder), 0), 0);
  json_decref(roster);
}

static char *sample(const char *file) {
  return text_format("%s/tests/class/sample/%s", build_folder(), file);
}

static int report(const char *folder) {
  return run(text_format("%s/checker/checker --class %s >%s/said", build_folder(), folder, folder));
}

static int make_sample(void **state) {
  (void)state;
  points_read(NULL);
  run(text_format("rm -rf %s/tests/class && mkdir -p %s/tests/class/marks", build_folder(),
                  build_folder()));
  for (size_t i = 0; i < WORKS; i++)
    grade_work(i);
  char folder[PATH];
  snprintf(folder, sizeof folder, "%s", sample(""));
  make_class(folder, false);
  return report(folder) == 1 ? 0 : -1; /* 1: some labs are not graded */
}

#endif
