/* Labs, their tasks and points. A lab registers itself with SHEET(...) at the end of
 * tasks/NN-name.c. */
#ifndef SHEET_H
#define SHEET_H

#include "facts/facts.h"

enum { PARTS_MOST = 4 };
/* The fingerprint of gaps without code. */
#define UNTOUCHED_EMPTY 0xcbf29ce484222325

typedef struct Task {
  const char *title;
  /* from points.txt: the sum over all parts */
  int points;
  /* Names of the task's parts, ended by SAY_NOTHING, and their points. Without parts the task
   * passes as a whole. */
  SayId parts[PARTS_MOST + 1];
  int part_points[PARTS_MOST];
  /* gap_fingerprint of the gaps in the handout; 0: unknown. */
  uint64_t untouched;
  /* number of the task that must pass before this one can be checked; 0: none */
  int needs;
  /* Number of the task whose predictions this task's counters would reveal; 0: none. */
  int predict_first;
  /* Names of the predictions that this task asks for, ended by NULL; or NULL. */
  const char *const *predictions;
  /* Prefix of the names of the variants that the predictions are about; NULL: all. */
  const char *predicted;
  void (*check)(Check *);
  /* Called for a failed task whose gap is untouched. Returns true if another gap has code for the
   * task. May be NULL. */
  bool (*begun)(Check *);
  /* Judged by counters. On a GPU such a task is judged by its time, or not graded. */
  bool counters;
  /* the variant whose time is judged on a GPU, or NULL */
  const char *timed;
} Task;

typedef struct Sheet {
  /* for example "01-naive", "naive matrix product" */
  const char *name, *title;
  /* the score of the untouched handout */
  int baseline;
  /* gap_fingerprint of the code outside the gaps in the handout */
  uint64_t untouched;
  /* --size of the runs that are timed */
  int timed_size;
  Task *tasks;
  size_t task_count;
  const struct Sheet *next;
  /* from points.txt: the sum over all tasks */
  int points;
  /* weight of one point in a class's total */
  double weight;
  /* "2026-10-12 23:59", or "" */
  char due[20];
} Sheet;

void sheet_add(Sheet *);
#define SHEET(...)                                                                                 \
  static Sheet sheet = {__VA_ARGS__};                                                              \
  __attribute__((constructor)) static void sheet_enter(void) { sheet_add(&sheet); }
const Sheet *sheet_find(const char *name); /* NULL if there is no such lab */
const Sheet *sheet_first(void);            /* sorted by name, linked by ->next */
/* Returns true if the gaps of this task (1, 2, ...) in a student's file differ from the handout's.
 * False also if the marks of the gaps are missing. */
bool task_begun(const Sheet *, size_t task, const char *text);
/* The command to run after full marks: "make lab02", or "make progress" after the last lab. */
void lab_next_step(const Sheet *, char *out, size_t size);
/* Names the variants that open predictions of a source keep hidden: "all", a prefix of variant
 * names, or "" for none. In double the answer is "all", because any variant may then behave like
 * one in double. */
const char *predict_withheld(const Sheet *, const Settings *);

/* ---- points.c -------------------------------------------------------------------------------- */

/* Deductions for late work. */
typedef struct Lateness {
  int free_days, most_days;
  /* per day */
  double percent;
} Lateness;
/* Reads the points of all labs; NULL means checker/points.txt. Calls bad_input if they are
 * inconsistent. */
void points_read(const char *path);
const Lateness *points_late(void);

#endif
