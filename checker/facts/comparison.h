/* Compares a student's file with its handout, unit by unit, for given.c. This header has one
 * section for each source file. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "facts/given.h"
#include "facts/units.h"

/* The classification of a unit: OTHER, IS_GIVEN or HAS_GAP in the handout; OTHER, SAME or REPLACED
 * in the student's file. */
typedef enum Mark {
  OTHER,    /* a unit of the student's own */
  IS_GIVEN, /* units of the handout */
  HAS_GAP,  /* units of the handout */
  /* In the student's file: a copy of a given unit. */
  SAME,
  /* In the student's file: a changed given unit, or a unit that the repaired text must not
   * contain. */
  REPLACED,
} Mark;

typedef struct Comparison {
  Units handout, student, header;
  char *header_text;
  Mark *of_handout, *of_student;
  /* For each unit of the handout, the index of the student's unit that matches it; student.count:
   * no unit matches. */
  size_t *partner;
  Given found;
} Comparison;

/* ---- comparison.c ---- */

Comparison compare(const char *handout, const char *student);
void compare_end(Comparison *);
/* Returns the first unit that has this kind and the same name as token `name` of `of`. Returns NULL
 * if no unit has them. */
const Unit *units_find(const Units *, UnitKind, const Units *of, size_t name);
/* Returns the first copy of a given unit that follows token `from` of the student's file and
 * contains token `word`; with `any`, the first copy that follows `from`. Returns NULL if no copy
 * follows. */
const Unit *given_behind(const Comparison *, size_t from, size_t word, bool any);
/* Returns the given function whose name is this token of the student's file; NULL: the token is no
 * such name. */
const Unit *given_function(const Comparison *, size_t token);

/* ---- risky_constructs.c ---- */

/* Sets found.doubtful if the student's file has a construct that may change the meaning of given
 * code. */
void find_doubts(Comparison *);
/* Returns true if the student's file has a _Pragma that does more than unroll a loop. */
bool has_operators(const Comparison *);

#endif
