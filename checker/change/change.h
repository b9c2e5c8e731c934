/* Rung 4 of the hints: one change of a student's file with which every run of a task passes.
 * Changes towards the reference solution are tried first if there is one, then those of
 * operators.def. A change is returned only after it was run. One section for each file. */
#ifndef CHANGE_H
#define CHANGE_H

#include "facts/source.h"
#include "grade/grade.h"

/* ---- tokens.c: a source as tokens, without a parser ------------------------------------------ */

/* The text between the line that opens a gap and the line that closes it. task 0: the text between
 * two gaps. */
typedef struct Gap {
  size_t from, to;
  int task;
} Gap;

enum { GAPS_MOST = 100 };

typedef struct Tokens {
  const char *text;
  Span *all;
  size_t count;
  Gap gaps[GAPS_MOST];
  size_t gap_count;
} Tokens;

/* Splits the text into tokens, which point into it: it must outlive them. */
Tokens tokens_of(const char *text);
void tokens_gone(Tokens *);
/* Returns true if token i is this word. In `word` a blank and other characters may follow it. */
bool token_is(const Tokens *, size_t i, const char *word);
char token_first(const Tokens *, size_t i);
/* Returns true if token i of t is the same word as token k of u. */
bool token_same(const Tokens *t, size_t i, const Tokens *u, size_t k);
/* Returns true for a name behind a point, as x in threadIdx.x. */
bool token_is_member(const Tokens *, size_t i);
/* Returns the task of the gap that holds token i, 0 if no gap does. */
int token_gap(const Tokens *, size_t i);
/* Returns 1 for an opening bracket, -1 for a closing one, otherwise 0. */
int token_depth(const Tokens *, size_t i);
/* Returns the token that closes the bracket i, or i if it opens none. */
size_t token_closing(const Tokens *, size_t i);
bool token_is_type(const Tokens *, size_t i);
/* Returns true for a name that is no type, no member and no function. */
bool token_is_variable(const Tokens *, size_t i);

enum { NAMES_MOST = 40 };
/* Lists the first token of each name that is declared between two places of the text, and returns
 * their number. */
size_t names_between(const Tokens *, size_t from, size_t to, size_t names[NAMES_MOST]);
size_t line_start(const char *text, size_t at);
/* Returns where the function begins that contains this place of the text. */
size_t function_begin(const char *text, size_t at);

/* ---- candidates.c: possible changes ---------------------------------------------------------- */

typedef struct Splice {
  size_t from, to;
  /* Replaces from..to. */
  char *text;
} Splice;

enum { SPLICES_MOST = 6 };

typedef struct Candidate {
  /* In the order of the text. */
  Splice splices[SPLICES_MOST];
  size_t count;
  /* From operators.def. "": a difference from the solution. */
  const char *operation;
} Candidate;

typedef struct Candidates {
  Candidate *all;
  size_t count, room;
} Candidates;

/* Copies the candidate. The list owns its texts from then on. */
void candidates_add(Candidates *, const Candidate *);
void candidates_free(Candidates *);
/* Returns the changed text, which the caller frees. */
char *candidate_apply(const char *text, const Candidate *);

/* ---- operators.c ---- */

typedef enum OperatorUse { REPAIR = 1, SPOIL = 2, BOTH = 3 } OperatorUse;
/* Adds what all operators of this use give at every token of the task's gaps. task 0: of all gaps.
 */
void operators_apply(const Tokens *, OperatorUse, int task, Candidates *);

/* ---- differences.c ---- */

/* Adds changes towards `right` in the gaps of some tasks, written with the names of `own`: first
 * each difference alone, then several together. tasks[0 .. TASKS_MAX] tells which tasks' gaps may
 * be changed. */
void differences_find(const Tokens *own, const Tokens *right, const bool *tasks, Candidates *);

/* ---- trial.c ---- */

/* Runs the check of a task in the precision of these settings. *waits_for gets the task that has to
 * pass first, or 0. */
bool task_passes(const Settings *, const Task *, const char *folder, int *waits_for);

typedef struct Trials {
  const Settings *settings;
  const Task *task;
  /* The source's text. */
  const char *text;
  char folder[200];
  /* Called with the number of the next trial. The call at the end has count 0. */
  void (*progress)(size_t number, size_t count);
} Trials;

/* Returns a candidate with which the task passes, NULL if none was found within a minute. */
const Candidate *trials_first(const Trials *, const Candidates *);

/* ---- change.c ---- */

typedef enum ChangeEnd {
  CHANGE_FOUND,
  CHANGE_NONE,
  CHANGE_NOT_NEEDED, /* The task passes. */
  CHANGE_NOT_BEGUN,
  CHANGE_NO_MARKS, /* The gap has no marks. */
  CHANGE_OF_PREDICTION,
  CHANGE_WAITS /* Another task has to pass first. */
} ChangeEnd;

typedef struct Change {
  ChangeEnd end;
  int waits_for;
  /* The whole files, which the caller frees. */
  char *before, *after;
} Change;

Change change_find(const Sheet *, const Settings *, size_t task,
                   void (*progress)(size_t number, size_t count));

#endif
