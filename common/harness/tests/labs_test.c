/* Every lab folder keeps the rules: the solution is the skeleton with its gaps filled and nothing
 * else touched, every gap has an example, every task a hint of each grade. Runs in the repository's
 * root and finds the labs by itself.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_TASKS = 9 };

typedef struct Source {
  char *outside;            /* all lines outside gaps, and a line "gap n" for each gap */
  int gaps[MOST_TASKS + 1]; /* by task */
  int examples;
} Source;

/* The task of a line that opens (word TODO or DONE) or closes (END) a gap; 0: it does neither. */
static int gap_mark(const char *line, const char *word) {
  char start[16];
  snprintf(start, sizeof start, "// %s(", word);
  line += strspn(line, " ");
  return strncmp(line, start, strlen(start)) ? 0 : atoi(line + strlen(start));
}

static Source read_source(const char *path, const char *word) {
  Source source = {0};
  size_t length = 0, room = 0;
  char *line = NULL;
  int open = 0;
  FILE *file = fopen(path, "r"), *outside = open_memstream(&source.outside, &length);
  if (!file)
    fail_msg("%s: no such file", path);
  while (getline(&line, &room, file) > 0) {
    int begins = gap_mark(line, word), ends = gap_mark(line, "END");
    if (begins && (open || begins > MOST_TASKS))
      fail_msg("%s: gap %d opens inside gap %d", path, begins, open);
    if (ends && ends != open)
      fail_msg("%s: END(%d), but gap %d is open", path, ends, open);
    if (begins) {
      open = begins;
      source.gaps[open]++;
      fprintf(outside, "gap %d\n", open);
    }
    if (!open)
      fputs(line, outside);
    source.examples += open && strstr(line, "Example:");
    open = ends ? 0 : open;
  }
  if (open)
    fail_msg("%s: gap %d has no END", path, open);
  fclose(file);
  fclose(outside);
  free(line);
  return source;
}

/* labs/01-naive -> naive.cu; labs/03-bank-conflicts -> bank_conflicts.cu */
static void source_path(char *path, size_t room, const char *tree, const char *lab) {
  int at = snprintf(path, room, "%s/%s/", tree, lab);
  snprintf(path + at, room - (size_t)at, "%s.cu", strchr(lab, '-') + 1);
  for (char *c = path + at; *c; c++)
    *c = *c == '-' ? '_' : *c;
}

static int tasks_of(const Source *source) {
  int tasks = 0;
  while (tasks < MOST_TASKS && source->gaps[tasks + 1])
    tasks++;
  return tasks;
}

static void check_sources(const char *lab, int *tasks) {
  char skeleton_path[300], solution_path[300];
  source_path(skeleton_path, sizeof skeleton_path, "labs", lab);
  source_path(solution_path, sizeof solution_path, "solutions", lab);
  Source skeleton = read_source(skeleton_path, "TODO"),
         solution = read_source(solution_path, "DONE");
  int gaps = 0;
  assert_string_equal(skeleton.outside, solution.outside);
  for (int task = 1; task <= MOST_TASKS; task++) {
    assert_int_equal(skeleton.gaps[task], solution.gaps[task]);
    gaps += skeleton.gaps[task];
  }
  *tasks = tasks_of(&skeleton);
  assert_true(*tasks > 0);
  if (skeleton.examples < gaps)
    fail_msg("%s: %d gaps, %d examples", skeleton_path, gaps, skeleton.examples);
  free(skeleton.outside);
  free(solution.outside);
}

/* "## 1 index" opens a task, "### 1" to "### 3" its hints, each with some text. */
static void check_hints(const char *lab, int tasks) {
  char path[300], *line = NULL;
  size_t room = 0;
  int task = 0, hint = 3, text = 1;
  snprintf(path, sizeof path, "labs/%s/hints.md", lab);
  FILE *file = fopen(path, "r");
  if (!file)
    fail_msg("%s: no such file", path);
  while (getline(&line, &room, file) > 0) {
    if (!strncmp(line, "## ", 3)) {
      if (hint != 3 || !text || atoi(line + 3) != task + 1)
        fail_msg("%s: before \"%s\": task %d has %d hints", path, strtok(line, "\n"), task, hint);
      task++, hint = 0, text = 1;
    } else if (!strncmp(line, "### ", 4)) {
      if (!text || atoi(line + 4) != hint + 1)
        fail_msg("%s: task %d: after hint %d comes %s", path, task, hint, line);
      hint++, text = 0;
    } else {
      text |= line[0] != '\n';
    }
  }
  fclose(file);
  free(line);
  assert_int_equal(task, tasks);
  assert_int_equal(hint, 3);
  assert_true(text);
}

static bool exists(const char *lab, const char *name) {
  char path[300];
  snprintf(path, sizeof path, "labs/%s/%s", lab, name);
  FILE *file = fopen(path, "r");
  return file && !fclose(file);
}

static void every_lab_keeps_the_rules(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob("labs/[0-9][0-9]-*", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *lab = strchr(found.gl_pathv[i], '/') + 1;
    int tasks;
    check_sources(lab, &tasks);
    check_hints(lab, tasks);
    assert_true(exists(lab, "README.md") && exists(lab, "lab.c"));
  }
  globfree(&found);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_lab_keeps_the_rules)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
