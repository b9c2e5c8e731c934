/* The interface of the files that print or write marks: on the terminal, as JSON and as JUnit XML,
 * and as progress and hints. This header has one section for each file. */
#ifndef REPORT_H
#define REPORT_H

#include "grade/grade.h"

/* ---- terminal.c ------------------------------------------------------------------------------ */
void marks_print(FILE *, const Marks *);
/* Prints the lines below a task: what happened, where and why. */
void verdict_print(FILE *, const Verdict *);

/* ---- results.c: marks as JSON ---------------------------------------------------------------- */
json_t *marks_json(const Marks *);
void marks_write(const Marks *, const char *path);
/* Prints the first task that failed and its headline, shortened. */
void marks_reason(FILE *, const json_t *marks);

/* ---- junit.c --------------------------------------------------------------------------------- */
void junit_begin(FILE *);
void junit_suite(FILE *, const char *suite, const json_t *marks);
/* Writes a suite for a submission that was not graded. element: "skipped", "failure" or "error". */
void junit_no_marks(FILE *, const char *suite, const char *element, const char *why);
void junit_end(FILE *);

/* ---- collect.c ------------------------------------------------------------------------------- */
/* Reads files that marks_write wrote, prints their marks as one table, and writes the JSON and
 * JUnit files that the settings name. Returns the exit status. */
int collect(const Settings *, char **paths, size_t count);
/* Reads a file that marks_write wrote and prints the marks: "85/100", or why the lab was not
 * graded. Returns the exit status. */
int result_print(const char *path);

/* ---- progress.c: the last verdicts and the hints that were given ----------------------------- */
void progress_remember(const Marks *);
/* Replaces the first answers in the marks by the answers that were stored earlier. */
void progress_first_answers(Marks *);
int progress_print(const Settings *);
/* Prints the next hint and returns the exit status. HINT_IS_A_CHANGE: prints nothing, because the
 * next hint is the change that change_print prints. */
enum { HINT_IS_A_CHANGE = 3 };
int hint_print(const Settings *);
/* Returns the task that a hint or a change is about: the task in the settings, otherwise the first
 * task that has not passed; 0 if all tasks have passed. */
size_t task_meant(const Settings *);

/* ---- change.c: the last hint ----------------------------------------------------------------- */
/* Searches for one change with which the task passes and prints it. Returns the exit status. */
int change_print(Settings *);

/* ---- start.c --------------------------------------------------------------------------------- */
/* Runs an untrusted program once with these arguments and prints its output. Writes its log to the
 * JSON file of the settings. Returns the program's exit status; 1 if it did not exit. */
int start_command(Settings *, char **words, size_t count);

#endif
