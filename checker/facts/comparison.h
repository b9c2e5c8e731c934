/* A student's file beside its handout, unit by unit: for given.c. One section for each file. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "facts/given.h"
#include "facts/units.h"

/* What is known of each unit. */
typedef enum Mark {
  OTHER,    /* the student's */
  IS_GIVEN, /* of the handout */
  HAS_GAP,  /* of the handout */
  SAME,     /* of the student's file: a copy of a given unit */
  REPLACED, /* of the student's file: a changed given unit, or one that must not stay beside it */
} Mark;

typedef struct Comparison {
  Units handout, student, header;
  char *header_text;
  Mark *of_handout, *of_student;
  /* Of each unit of the handout: the number of the student's unit that it was found as; the
   * student's count: none. */
  size_t *partner;
  Given found;
} Comparison;

/* ---- comparison.c ---- */

Comparison compare(const char *handout, const char *student);
void compare_end(Comparison *);
/* The first of these units with this kind and name; NULL: none. */
const Unit *units_find(const Units *, UnitKind, const Units *of, size_t name);
/* The first copy of a given unit behind token `from` of the student's that has this word, or any;
 * NULL: none. */
const Unit *given_behind(const Comparison *, size_t from, size_t word, bool any);
/* The given function that a token of the student's names; NULL: none. */
const Unit *given_function(const Comparison *, size_t token);

/* ---- doubts.c ---- */

/* Sets `doubtful` if the student's file has a construct that may change what given code means. */
void find_doubts(Comparison *);
/* Is there a _Pragma that does more than to unroll a loop? */
bool has_operators(const Comparison *);

#endif
