/* Rung 4 of the hints: one change of a student's file with which every run of a task passes.
 * Changes towards the reference solution are tried first, where it is at hand, then those of
 * operators.def. A change that is returned has been run. One section for each file.
 */
#ifndef CHANGE_H
#define CHANGE_H

#include "grade/grade.h"

/* ---- tokens.c: a source as tokens; no parser
 * ------------------------------------------------------ */

typedef struct Token {
  size_t from, to; /* in the text */
} Token;

/* The text between the line that opens a gap and the line that closes it. */
typedef struct Gap {
  size_t from, to;
  int task;
} Gap;

enum { GAPS_MOST = 40, NO_TOKEN = -1 };

typedef struct Tokens {
  const char *text;
  Token *
      all; /* without comments; a #pragma is one token, other directives but #define are left out */
  size_t count;
  Gap gaps[GAPS_MOST];
  size_t gap_count;
} Tokens;

/* The text must outlive the tokens. */
Tokens tokens_of(const char *text);
void tokens_gone(Tokens *);
bool token_is(const Tokens *, size_t i, const char *word);
bool token_is_name(const Tokens *, size_t i);
/* Is token i of t the same word as token k of u? */
bool token_same(const Tokens *t, size_t i, const Tokens *u, size_t k);
/* Is token i the name of a member, as x in threadIdx.x? */
bool token_is_member(const Tokens *, size_t i);
/* The task of the gap that a place of the text, or token i, is in; 0: none. */
int gap_at(const Tokens *, size_t place);
int token_gap(const Tokens *, size_t i);
/* 1 for a bracket that opens, -1 for one that closes, otherwise 0. */
int token_depth(const Tokens *, size_t i);
/* The token that closes the bracket i; i: it opens none. */
size_t token_closing(const Tokens *, size_t i);
/* The token behind the operand at i: a name, a number or parentheses with all calls, indices and
 * members that follow. */
size_t token_behind_operand(const Tokens *, size_t i);

/* A function's name and the token behind its body. */
typedef struct Function {
  size_t name, end;
} Function;
enum { FUNCTIONS_MOST = 100 };
size_t functions_list(const Tokens *, Function[FUNCTIONS_MOST]);
/* Is this place of the text in a function that runs on the device? */
bool text_is_of_device(const char *text, size_t at);

/* The class of a name's type is that of all integers, of all reals, or of one other type. */
enum { KIND_INT = 0, KIND_REAL = 4 };
typedef struct Name {
  size_t token; /* where it is declared */
  int kind;     /* KIND_INT, …, +1: a pointer, +2: an array */
  bool parameter, defined;
} Name;
enum { NAMES_MOST = 64 };
/* The names that are known at token i: of the function, then numbers that are #defined. */
size_t names_at(const Tokens *, size_t i, Name[NAMES_MOST]);
/* The class of a type's name; NO_TOKEN: it is no type. */
int type_class(const Tokens *, size_t i);

/* ---- candidates.c: changes that might be made
 * ----------------------------------------------------- */

typedef struct Splice {
  size_t from, to;
  char *text; /* replaces from..to */
} Splice;

enum { SPLICES_MOST = 24 };

typedef struct Candidate {
  Splice splices[SPLICES_MOST]; /* in the order of the text */
  size_t count;
  const char *operation; /* of operators.def; "": a difference from the solution */
  size_t rank;           /* likelier changes have smaller ranks */
} Candidate;

typedef struct Candidates {
  Candidate *all;
  size_t count, room;
} Candidates;

/* Copies the candidate and takes its texts over; frees them if the same change is there already. */
void candidates_add(Candidates *, const Candidate *);
void candidates_free(Candidates *);
/* The changed text, to be freed. */
char *candidate_apply(const char *text, const Candidate *);
int line_of(const char *text, size_t at);

/* ---- operators.c
 * ------------------------------------------------------------------------------------ */

typedef enum OperatorUse { REPAIR = 1, SPOIL = 2, BOTH = 3 } OperatorUse;
/* All operators of this use, at every token of the task's gaps, or with 0 of all gaps. */
void operators_apply(const Tokens *, OperatorUse, int task, Candidates *);

/* ---- differences.c
 * ---------------------------------------------------------------------------------- */

/* Changes of `own` towards `right`, function by function, in the names of `own`: each difference
 * alone, then several. They change no gap whose task is not in `open`, of TASKS_MAX + 1 with true
 * for 0, and add no more than a few tokens of such a gap of `right`. */
void differences_find(const Tokens *own, const Tokens *right, int task, const bool *open,
                      Candidates *);

/* ---- trial.c
 * ----------------------------------------------------------------------------------------- */

typedef struct Trials {
  const Settings *settings;
  const Task *task;
  const char *text; /* of the source */
  char folder[200];
  /* Called before each trial and, with count 0, at the end. */
  void (*progress)(size_t number, size_t count);
  double seconds; /* of wall time */
} Trials;

/* The first candidate with which the task passes; NULL: none, or no time is left. */
const Candidate *trials_first(const Trials *, const Candidates *);

/* ---- change.c
 * ---------------------------------------------------------------------------------------- */

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
