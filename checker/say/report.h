/* Marks in words: terminal, results files, JUnit, progress and hints. One section for each file. */
#ifndef REPORT_H
#define REPORT_H

#include "grade/grade.h"

/* ---- terminal.c ------------------------------------------------------------------------------ */
void marks_print(FILE *, const Marks *);
/* The lines below a task: what happened, where and why. */
void verdict_print(FILE *, const Verdict *);

/* ---- results.c: marks as JSON ---------------------------------------------------------------- */
json_t *marks_json(const Marks *);
void marks_write(const Marks *, const char *path);
/* Names the first task that failed, in a few words. */
void marks_reason(FILE *, const json_t *marks);

/* ---- junit.c --------------------------------------------------------------------------------- */
void junit_begin(FILE *);
void junit_suite(FILE *, const char *suite, const json_t *marks);
/* A suite for a submission that was not graded; element: "skipped", "failure" or "error". */
void junit_no_marks(FILE *, const char *suite, const char *element, const char *why);
void junit_end(FILE *);

/* ---- collect.c ------------------------------------------------------------------------------- */
/* Prints files of marks_write as one table and writes the JSON and JUnit files that the settings
 * name. Returns the exit status. */
int collect(const Settings *, char **paths, size_t count);
/* Prints one of these files: "85/100", or why it was not graded. Returns the exit status. */
int result_print(const char *path);

/* ---- progress.c: the last verdicts and the hints that were given ----------------------------- */
void progress_remember(const Marks *);
/* Fills in the first answers to predictions that were stored with earlier marks of these labs. */
void progress_first_answers(Marks *);
int progress_print(const Settings *);
/* Returns the exit status. HINT_IS_A_CHANGE: nothing was printed, because the next hint is printed
 * by change_print. */
enum { HINT_IS_A_CHANGE = 3 };
int hint_print(const Settings *);
/* The task that a hint or a change is about: the one in the settings, otherwise the first open one;
 * 0: none is open. */
size_t task_meant(const Settings *);

/* ---- change.c: the last rung of the hints ---------------------------------------------------- */
/* Searches for one change with which the task passes and prints it. Returns the exit status. */
int change_print(Settings *);

/* ---- start.c --------------------------------------------------------------------------------- */
/* Runs an untrusted program once with these arguments and prints its output. Its log is written to
 * the settings' JSON file. Returns the program's exit status, or 1. */
int start_command(Settings *, char **words, size_t count);

#endif
