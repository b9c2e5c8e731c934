/* The labs, their tasks, and what these are worth. A lab registers itself: SHEET(...) at the end of tasks/NN-name.c. */
#ifndef SHEET_H
#define SHEET_H

#include "facts/facts.h"

enum { PARTS_MOST = 4 };
/* The fingerprint of gaps without code. */
#define UNTOUCHED_EMPTY 0xcbf29ce484222325

typedef struct Task {
  const char *title;
  int points; /* from points.txt: of all parts together */
  /* What the parts of the task are called, SAY_NOTHING at the end, and their points; no parts: the task passes as a
   * whole. */
  SayId parts[PARTS_MOST + 1];
  int part_points[PARTS_MOST];
  /* gap_fingerprint of the gaps as they are handed out; 0: unknown. */
  uint64_t untouched;
  int needs; /* the task without which this one cannot be observed, 0: none */
  /* The task whose predictions this task's counters would give away, 0: none. */
  int predict_first;
  /* The names that this task asks to predict, NULL at the end; or NULL. */
  const char *const *predictions;
  /* Which variants they are about: how their names begin; NULL: all. */
  const char *predicted;
  void (*check)(Check *);
  /* Asked of a failed task whose gap is untouched: does another gap have code for it? NULL: no. */
  bool (*begun)(Check *);
  bool counters;     /* judged by counters: on a GPU by its time alone, or not graded */
  const char *timed; /* the variant whose time counts on a GPU; NULL: none */
} Task;

typedef struct Sheet {
  const char *name, *title; /* "01-naive", "naive matrix product" */
  int baseline;             /* the score of the untouched skeleton */
  uint64_t untouched; /* gap_fingerprint of the code outside of the gaps, as it is handed out */
  int timed_size;     /* --size of the variants that are timed */
  Task *tasks;
  size_t task_count;
  const struct Sheet *next;
  int points;    /* from points.txt: of all tasks */
  double weight; /* of a point in a class's total */
  char due[20];  /* "2026-10-12 23:59", or "" */
} Sheet;

void sheet_add(Sheet *);
#define SHEET(...)                                                                                 \
  static Sheet sheet = {__VA_ARGS__};                                                              \
  __attribute__((constructor)) static void sheet_enter(void) { sheet_add(&sheet); }
const Sheet *sheet_find(const char *name); /* NULL: no such lab */
const Sheet *sheet_first(void);            /* by name; then ->next */
/* Does the text, a student's file, have another code in the gaps of this task (1, 2, ...) than the skeleton? False also where the
 * gaps' marks are missing. */
bool task_begun(const Sheet *, size_t task, const char *text);
/* The command that follows full marks: "make lab02", or "make progress" after the last lab. */
void lab_next_step(const Sheet *, char *out, size_t size);
/* What the open predictions of a source forbid to show: "all", how names of variants begin, or "": nothing. In double it is
 * all, since every variant may then do what the variants of double do. */
const char *predict_withheld(const Sheet *, const Settings *);

/* ---- points.c -------------------------------------------------------------------------------- */

/* What late work costs. */
typedef struct Lateness {
  int free_days, most_days;
  double percent; /* a day */
} Lateness;
/* Fills in the points of all labs; NULL: from checker/points.txt. bad_input if they do not add up. */
void points_read(const char *path);
const Lateness *points_late(void);

#endif
