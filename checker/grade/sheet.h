/* The labs, their tasks and points. A lab is added to the list by SHEET(...) at the end of
 * tasks/NN-name.c. */
#ifndef SHEET_H
#define SHEET_H

#include "facts/facts.h"

enum { PARTS_MOST = 4 };
/* The fingerprint of a gap without code. */
#define UNTOUCHED_EMPTY 0xcbf29ce484222325

typedef struct Task {
  const char *title;
  /* The sum of the points of all parts, from points.txt. */
  int points;
  /* The names of the task's parts, ended by SAY_NOTHING, and their points. A task without parts
   * gets all of its points or none. */
  SayId parts[PARTS_MOST + 1];
  int part_points[PARTS_MOST];
  /* The gap_fingerprint of the task's gaps in the handout; 0: unknown. */
  uint64_t untouched;
  /* The number of the task that must pass before this task can be checked; 0: none. */
  int needs;
  /* The number of the task whose predictions the counters of this task would reveal; 0: none. */
  int predict_first;
  /* The names of the predictions that this task asks for, ended by NULL; or NULL. */
  const char *const *predictions;
  /* The prefix of the names of the variants that the predictions are about; NULL: all variants. */
  const char *predicted;
  void (*check)(Check *);
  /* Called for a failed task whose gap is untouched. Returns true if another gap has the student's
   * code for this task. May be NULL. */
  bool (*begun)(Check *);
  /* true: the task is judged by counters. On a GPU the task is judged by its time instead, or is
   * not graded. */
  bool counters;
  /* The variant whose time is judged on a GPU, or NULL. */
  const char *timed;
} Task;

typedef struct Sheet {
  /* For example "01-naive" and "naive matrix product". */
  const char *name, *title;
  /* The score of the untouched handout. */
  int baseline;
  /* The gap_fingerprint of the code outside of the gaps in the handout. */
  uint64_t untouched;
  /* The argument of --size in the runs whose time is measured. */
  int timed_size;
  Task *tasks;
  size_t task_count;
  const struct Sheet *next;
  /* The sum of the points of all tasks, from points.txt. */
  int points;
  /* The factor of the lab's points in the total of a class. */
  double weight;
  /* The date when the lab is due, "2026-10-12 23:59", or "". */
  char due[20];
} Sheet;

void sheet_add(Sheet *);
#define SHEET(...)                                                                                 \
  static Sheet sheet = {__VA_ARGS__};                                                              \
  __attribute__((constructor)) static void sheet_enter(void) { sheet_add(&sheet); }
const Sheet *sheet_find(const char *name); /* NULL if there is no such lab */
const Sheet *sheet_first(void);            /* sorted by name, linked by ->next */
/* Returns true if the gaps of this task (1, 2, ...) in a student's file differ from the gaps of the
 * handout. If the marks of the gaps are missing, returns false. */
bool task_begun(const Sheet *, size_t task, const char *text);
/* Writes the command that follows after full marks: "make lab02", or "make progress" after the last
 * lab. */
void lab_next_step(const Sheet *, char *out, size_t size);
/* Returns which variants must not be shown, because predictions in the source are open: "all", a
 * prefix of the names of these variants, or "" for no variant. In double returns "all", because
 * then the counters of every variant answer the predictions about double. */
const char *predict_withheld(const Sheet *, const Settings *);

/* ---- points.c -------------------------------------------------------------------------------- */

/* Deductions for late work. */
typedef struct Lateness {
  int free_days, most_days;
  /* The percentage that is deducted for each day. */
  double percent;
} Lateness;
/* Reads the points of all labs from a file; NULL: from checker/points.txt. If they are
 * inconsistent, calls bad_input. */
void points_read(const char *path);
const Lateness *points_late(void);

#endif
