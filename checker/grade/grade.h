/* The marks of one lab. */
#ifndef GRADE_H
#define GRADE_H

#include "grade/sheet.h"

typedef enum TaskStatus { TASK_NOT_RUN, TASK_PASSED, TASK_FAILED, TASK_NOT_GRADED } TaskStatus;
enum { TASKS_MAX = 12, COMPILE_LOG = 400 };

typedef struct Marks {
  const Sheet *lab;
  const Settings *settings;
  TaskStatus status[TASKS_MAX];
  Verdict verdicts[TASKS_MAX];
  bool compiled;
  /* why the file did not compile or was refused */
  Verdict compiling;
  /* Log of a failed compilation; NULL if it compiled. own_log: path of a log that the grading
   * itself wrote. */
  const char *compile_log;
  char own_log[COMPILE_LOG];
  /* Differences between the given part of the file and the handout's, which is graded instead;
   * VERDICT_NONE if there are none. */
  Verdict given;
  /* points */
  int earned[TASKS_MAX];
  /* bit i: part i of the task is right */
  unsigned parts_right[TASKS_MAX];
  Predicted predicted[TASKS_MAX][PREDICTED_MOST];
  size_t predicted_count[TASKS_MAX];
  json_t
      /* counters of each task's runs; NULL on a GPU */
      *kernels[TASKS_MAX];
  int score;
  /* sum over the tasks that could be graded */
  int points;
  double seconds;
} Marks;

/* The same settings for the program in double (in_double.c). */
Settings settings_in_double(const Settings *);
/* Runs every task. Exits with 2 if the program cannot be graded at all. */
void grade(const Sheet *, const Settings *, Marks *);
void marks_free(Marks *);

/* Creates a folder for the results of runs. A signal removes it with its files; otherwise the
 * caller must empty it before results_folder_gone. */
enum { RESULTS_FOLDER = 256 };
void results_folder(const Settings *, char folder[RESULTS_FOLDER]);
void results_folder_gone(const char *folder);

#endif
