/* Rung 4 of the hints: one change of a student's file with which every run of a task passes.
 * Changes towards the reference solution are tried first, where it is at hand, then those of
 * operators.def. A change that is returned has been run. One section for each file.
 */
#ifndef CHANGE_H
#define CHANGE_H

#include "facts/source.h"
#include "grade/grade.h"

/* ---- tokens.c: a source as tokens; no parser ---- */

/* The text between the line that opens a gap and the line that closes it; task 0: between gaps. */
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

/* The text must outlive the tokens. */
Tokens tokens_of(const char *text);
void tokens_gone(Tokens *);
/* A word may be followed by a blank and others. */
bool token_is(const Tokens *, size_t i, const char *word);
char token_first(const Tokens *, size_t i);
/* Is token i of t the same word as token k of u? */
bool token_same(const Tokens *t, size_t i, const Tokens *u, size_t k);
/* A name behind a point, as x in threadIdx.x. */
bool token_is_member(const Tokens *, size_t i);
/* The task of the gap that token i is in; 0: none. */
int token_gap(const Tokens *, size_t i);
/* 1 for a bracket that opens, -1 for one that closes, otherwise 0. */
int token_depth(const Tokens *, size_t i);
/* The token that closes the bracket i; i: it opens none. */
size_t token_closing(const Tokens *, size_t i);
bool token_is_type(const Tokens *, size_t i);
/* A name that is no type, no member and no function. */
bool token_is_variable(const Tokens *, size_t i);

enum { NAMES_MOST = 40 };
/* The first token of each name that is declared between two places of the text. */
size_t names_between(const Tokens *, size_t from, size_t to, size_t names[NAMES_MOST]);
size_t line_start(const char *text, size_t at);
/* Where the function begins that this place of the text is in. */
size_t function_begin(const char *text, size_t at);

/* ---- candidates.c: changes that might be made ---- */

typedef struct Splice {
  size_t from, to;
  char *text; /* replaces from..to */
} Splice;

enum { SPLICES_MOST = 6 };

typedef struct Candidate {
  Splice splices[SPLICES_MOST]; /* in the order of the text */
  size_t count;
  const char *operation; /* of operators.def; "": a difference from the solution */
} Candidate;

typedef struct Candidates {
  Candidate *all;
  size_t count, room;
} Candidates;

/* Copies the candidate; its texts belong to the list from then on. */
void candidates_add(Candidates *, const Candidate *);
void candidates_free(Candidates *);
/* The changed text, to be freed. */
char *candidate_apply(const char *text, const Candidate *);

/* ---- operators.c ---- */

typedef enum OperatorUse { REPAIR = 1, SPOIL = 2, BOTH = 3 } OperatorUse;
/* All operators of this use, at every token of the task's gaps, or with 0 of all gaps. */
void operators_apply(const Tokens *, OperatorUse, int task, Candidates *);

/* ---- differences.c ---- */

/* Changes towards `right` in the gaps of some tasks, in the names of `own`: each difference alone,
 * then several. tasks[0 .. TASKS_MAX]: whether the gaps of this task may be changed. */
void differences_find(const Tokens *own, const Tokens *right, const bool *tasks, Candidates *);

/* ---- trial.c ---- */

/* Runs the check of a task in the precision of these settings; *waits_for: another task, or 0. */
bool task_passes(const Settings *, const Task *, const char *folder, int *waits_for);

typedef struct Trials {
  const Settings *settings;
  const Task *task;
  const char *text; /* of the source */
  char folder[200];
  /* Called with the number of the next trial and, with count 0, at the end. */
  void (*progress)(size_t number, size_t count);
} Trials;

/* A candidate with which the task passes; NULL: none was found within a minute. */
const Candidate *trials_first(const Trials *, const Candidates *);

/* ---- change.c ---- */

typedef enum ChangeEnd {
  CHANGE_FOUND,
  CHANGE_NONE,
  CHANGE_NOT_NEEDED, /* the task passes */
  CHANGE_NOT_BEGUN,
  CHANGE_NO_MARKS, /* of the gap */
  CHANGE_OF_PREDICTION,
  CHANGE_WAITS /* for another task */
} ChangeEnd;

typedef struct Change {
  ChangeEnd end;
  int waits_for;
  char *before, *after; /* the whole files, to be freed */
} Change;

Change change_find(const Sheet *, const Settings *, size_t task,
                   void (*progress)(size_t number, size_t count));

#endif
