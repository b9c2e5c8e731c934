/* Compares a student's file with its handout, unit by unit, for given.c. One section per source
 * file. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "facts/given.h"
#include "facts/units.h"

/* The classification of a unit. */
typedef enum Mark {
  OTHER,    /* the student's */
  IS_GIVEN, /* units of the handout */
  HAS_GAP,  /* units of the handout */
  /* In the student's file: a copy of a given unit. */
  SAME,
  /* In the student's file: a changed given unit, or one that must not remain beside it. */
  REPLACED,
} Mark;

typedef struct Comparison {
  Units handout, student, header;
  char *header_text;
  Mark *of_handout, *of_student;
  /* For each unit of the handout, the index of the matching unit of the student's; the student's
   * count: none. */
  size_t *partner;
  Given found;
} Comparison;

/* ---- comparison.c ---- */

Comparison compare(const char *handout, const char *student);
void compare_end(Comparison *);
/* The first of these units with this kind and name; NULL: none. */
const Unit *units_find(const Units *, UnitKind, const Units *of, size_t name);
/* The first copy of a given unit after token `from` of the student's that contains this word (with
 * `any`, any copy); NULL: none. */
const Unit *given_behind(const Comparison *, size_t from, size_t word, bool any);
/* The given function that a token of the student's names; NULL: none. */
const Unit *given_function(const Comparison *, size_t token);

/* ---- risky_constructs.c ---- */

/* Sets `doubtful` if the student's file has a construct that may change the meaning of given code.
 */
void find_doubts(Comparison *);
/* Returns true if there is a _Pragma that does more than unroll a loop. */
bool has_operators(const Comparison *);

#endif
