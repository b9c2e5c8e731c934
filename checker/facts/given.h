/* The given part of a lab's file: all units of the handout without a gap. The student's version of
 * them does not count: given_of finds the differences, and given_text makes a text with the
 * handout's given part. */
#ifndef GIVEN_H
#define GIVEN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum GivenHow {
  /* The unit has other tokens. */
  GIVEN_CHANGED,
  /* The unit is missing, or not at the top level. */
  GIVEN_MISSING,
  /* There is a second function of this name: an overload, a specialisation. */
  GIVEN_AGAIN,
  /* A macro of the student's has a name that given code uses. */
  GIVEN_REDEFINED
} GivenHow;

typedef enum GivenKind {
  GIVEN_FUNCTION,
  GIVEN_MACRO,
  GIVEN_TYPE,
  /* A call of a macro, or a declaration. */
  GIVEN_LINE
} GivenKind;

typedef struct GivenDifference {
  GivenHow how;
  GivenKind kind;
  char name[80];
  /* In the student's file; 0: the unit is missing. */
  int line;
} GivenDifference;

enum { GIVEN_MOST = 32 };

typedef struct Given {
  GivenDifference all[GIVEN_MOST];
  size_t count;
  /* The program made from this file may differ from one with the handout's given part: there is a
   * difference, or a construct whose effect is not visible in this text alone. */
  bool doubtful;
  /* A compiler may divide the student's file into other units than the comparison. */
  bool odd;
} Given;

/* Compares a student's text with the handout's. */
Given given_of(const char *handout, const char *student);
/* The given part of the handout, followed by the student's text without its own given part. The
 * caller frees it. `path` is the student's file for #line directives, so that places refer to it.
 */
char *given_text(const char *handout, const char *student, const char *path);

#endif
