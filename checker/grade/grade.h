/* The marks of one lab, and the function that determines them. */
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
  /* The reason why the file did not compile or was refused. */
  Verdict compiling;
  /* compile_log: the log of a failed compilation; NULL if the file compiled. own_log: the path of
   * that log if the grading itself compiled the file. */
  const char *compile_log;
  char own_log[COMPILE_LOG];
  /* The differences between the given part of the file and the given part of the handout. The file
   * is graded with the handout's given part. VERDICT_NONE: no differences. */
  Verdict given;
  /* The points of each task. */
  int earned[TASKS_MAX];
  /* Bit i is set if part i of the task is right. */
  unsigned parts_right[TASKS_MAX];
  Predicted predicted[TASKS_MAX][PREDICTED_MOST];
  size_t predicted_count[TASKS_MAX];
  json_t
      /* The counters of each task's runs; NULL on a GPU. */
      *kernels[TASKS_MAX];
  int score;
  /* The maximum score: the points of all tasks that could be graded. */
  int points;
  double seconds;
} Marks;

/* Returns the settings for the program in double (in_double.c). */
Settings settings_in_double(const Settings *);
/* Runs every task and fills in the marks. If the program cannot be graded at all, exits with status
 * 2. */
void grade(const Sheet *, const Settings *, Marks *);
void marks_free(Marks *);

/* Creates a folder for the results of runs. If a signal ends the checker, the folder is removed
 * with its files. Otherwise the caller removes the files before it calls results_folder_gone. */
enum { RESULTS_FOLDER = 256 };
void results_folder(const Settings *, char folder[RESULTS_FOLDER]);
void results_folder_gone(const char *folder);

#endif
