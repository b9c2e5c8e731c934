/* Marks in words: the terminal, results files, JUnit, progress and hints. One section for each file. */
#ifndef REPORT_H
#define REPORT_H

#include "grade/grade.h"

/* ---- terminal.c -------------------------------------------------------------------------------- */
void marks_print(FILE *, const Marks *);
/* What happened, where and why, as it is printed below a task. */
void verdict_print(FILE *, const Verdict *);

/* ---- results.c: marks as JSON -------------------------------------------------------------------- */
json_t *marks_json(const Marks *);
void marks_write(const Marks *, const char *path);
/* Why not full marks, in a few words: the first task that failed. */
void marks_reason(FILE *, const json_t *marks);

/* ---- junit.c -------------------------------------------------------------------------------------- */
void junit_begin(FILE *);
void junit_suite(FILE *, const char *suite, const json_t *marks);
/* Where nothing was graded; element: "skipped", "failure" or "error". */
void junit_no_marks(FILE *, const char *suite, const char *element, const char *why);
void junit_end(FILE *);

/* ---- collect.c ------------------------------------------------------------------------------------- */
/* Files of marks_write as one table, with the settings' JSON and JUnit files. Returns the exit status. */
int collect(const Settings *, char **paths, size_t count);
/* One of them: "85/100", or why it was not graded. Returns the exit status. */
int result_print(const char *path);

/* ---- progress.c: the last verdicts and the hints that were given ---------------------------------------- */
void progress_remember(const Marks *);
/* Fills in the first answers to predictions that earlier marks of these labs kept. */
void progress_first_answers(Marks *);
int progress_print(const Settings *);
/* Returns the exit status; HINT_IS_A_CHANGE: nothing was printed, since the next hint is change_print's. */
enum { HINT_IS_A_CHANGE = 3 };
int hint_print(const Settings *);
/* The task that a hint or a change is about: that of the settings, or the first open one; 0: none is open. */
size_t task_meant(const Settings *);

/* ---- change.c: the last rung of the hints ---------------------------------------------------------------- */
/* Looks for one change with which the task passes and shows it. Returns the exit status. */
int change_print(Settings *);

/* ---- start.c ----------------------------------------------------------------------------------------- */
/* Runs a stranger's program once with these words and shows what it prints; its log goes to the settings' JSON file.
 * Returns its exit status, or 1. */
int start_command(Settings *, char **words, size_t count);

#endif
