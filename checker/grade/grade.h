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
  Verdict compiling; /* why it did not compile, or was refused */
  /* What the compiler said; NULL: it compiled. own_log: the name of a log that the grading made itself. */
  const char *compile_log;
  char own_log[COMPILE_LOG];
  /* How the file's given part differs from the handout's, which was graded; VERDICT_NONE: not at all. */
  Verdict given;
  int earned[TASKS_MAX];           /* points */
  unsigned parts_right[TASKS_MAX]; /* bit i: part i of the task */
  Predicted predicted[TASKS_MAX][PREDICTED_MOST];
  size_t predicted_count[TASKS_MAX];
  json_t
      *kernels[TASKS_MAX]; /* the counters of each task's runs; NULL: not on the emulated device */
  int score;
  int points; /* of the tasks that could be graded */
  double seconds;
} Marks;

/* The settings of the same runs for the program in double (beside.c). */
Settings settings_in_double(const Settings *);
/* Runs every task. Exits with 2 if the program cannot be graded at all. */
void grade(const Sheet *, const Settings *, Marks *);
void marks_free(Marks *);

/* A folder for what runs leave. An interrupt removes it with its files; otherwise it has to be empty at the end. */
enum { RESULTS_FOLDER = 256 };
void results_folder(const Settings *, char folder[RESULTS_FOLDER]);
void results_folder_gone(const char *folder);

#endif
