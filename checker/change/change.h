/* The interface of the folder change/, which computes the last hint of a task: one change of the
 * student's file with which every run of the task passes. Differences from the reference solution
 * are tried first, if the solution is available. The operators of operators.def follow. A change is
 * returned only after the task's check has passed with it. This header has one section for each
 * file. */
#ifndef CHANGE_H
#define CHANGE_H

#include "facts/source.h"
#include "grade/grade.h"

/* ---- tokens.c: splits a source into tokens, without a parser --------------------------------- */

/* A part of the text, from byte `from` to byte `to`: the lines of a gap, without its marks. If
 * `task` is 0, the text between two gaps. */
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

/* Splits the text into tokens. The tokens point into the text, so the caller keeps the text until
 * tokens_gone. */
Tokens tokens_of(const char *text);
void tokens_gone(Tokens *);
/* Returns true if token i is this word. The word ends at a blank or at the end of the string. */
bool token_is(const Tokens *, size_t i, const char *word);
char token_first(const Tokens *, size_t i);
/* Returns true if token i of t is the same word as token k of u. */
bool token_same(const Tokens *t, size_t i, const Tokens *u, size_t k);
/* Returns true if token i is the name of a member, such as x in threadIdx.x. */
bool token_is_member(const Tokens *, size_t i);
/* Returns the task of the gap that contains token i; 0 if i is outside of all gaps. */
int token_gap(const Tokens *, size_t i);
/* Returns 1 for an opening bracket, -1 for a closing bracket, otherwise 0. */
int token_depth(const Tokens *, size_t i);
/* Returns the token that closes the bracket at token i. Returns i if token i opens no bracket. */
size_t token_closing(const Tokens *, size_t i);
bool token_is_type(const Tokens *, size_t i);
/* Returns true if token i is a name that is neither a type nor a member nor a function. */
bool token_is_variable(const Tokens *, size_t i);

enum { NAMES_MOST = 40 };
/* Stores in `names` the first token of each name that is declared between the bytes `from` and `to`
 * of the text. Returns the number of names. */
size_t names_between(const Tokens *, size_t from, size_t to, size_t names[NAMES_MOST]);
size_t line_start(const char *text, size_t at);
/* Returns the offset at which the function begins that contains byte `at` of the text. */
size_t function_begin(const char *text, size_t at);

/* ---- candidates.c: possible changes ---------------------------------------------------------- */

typedef struct Splice {
  size_t from, to;
  /* The new text, which replaces the bytes from `from` up to, but not including, `to`. */
  char *text;
} Splice;

enum { SPLICES_MOST = 6 };

typedef struct Candidate {
  /* The replacements, sorted by their offsets in the text. */
  Splice splices[SPLICES_MOST];
  size_t count;
  /* The kind of the operator in operators.def; "" for a difference from the solution. */
  const char *operation;
} Candidate;

typedef struct Candidates {
  Candidate *all;
  size_t count, room;
} Candidates;

/* Copies the candidate. The list then owns the texts of its splices and frees them. */
void candidates_add(Candidates *, const Candidate *);
void candidates_free(Candidates *);
/* Returns the changed text, which the caller frees. */
char *candidate_apply(const char *text, const Candidate *);

/* ---- operators.c ---- */

typedef enum OperatorUse { REPAIR = 1, SPOIL = 2, BOTH = 3 } OperatorUse;
/* Applies all operators of this use to every token of the task's gaps and adds the results. task 0:
 * the tokens of all gaps. */
void operators_apply(const Tokens *, OperatorUse, int task, Candidates *);

/* ---- differences.c ---- */

/* Adds the differences of the student's text `own` from the solution `right` as changes, written
 * with the student's names: first each difference alone, then combinations of adjacent differences.
 * Only gaps of task i with tasks[i] true are changed; tasks has TASKS_MAX + 1 elements. */
void differences_find(const Tokens *own, const Tokens *right, const bool *tasks, Candidates *);

/* ---- trial.c ---- */

/* Runs the check of a task in the precision of the settings, and returns true if it passes. If
 * another task has to pass first, stores its number in *waits_for; otherwise 0. */
bool task_passes(const Settings *, const Task *, const char *folder, int *waits_for);

typedef struct Trials {
  const Settings *settings;
  const Task *task;
  /* The text of the student's file. */
  const char *text;
  char folder[200];
  /* Called before trial `number` of `count`, and at the end with 0, 0. */
  void (*progress)(size_t number, size_t count);
} Trials;

/* Returns a candidate with which the task passes. Returns NULL if no such candidate was found
 * within a minute. */
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
  /* The whole text of the file before and after the change. The caller frees both texts. */
  char *before, *after;
} Change;

Change change_find(const Sheet *, const Settings *, size_t task,
                   void (*progress)(size_t number, size_t count));

#endif
