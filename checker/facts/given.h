/* The given part of a lab's file: all units of the handout without a gap. What a student's file
 * says there does not count: given_of finds the differences, and given_text makes the text in which
 * the given part is the handout's.
 */
#ifndef GIVEN_H
#define GIVEN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum GivenHow {
  GIVEN_CHANGED,  /* the unit has other tokens */
  GIVEN_MISSING,  /* it is not there, or not at the top level */
  GIVEN_AGAIN,    /* a second function of this name: an overload, a specialisation */
  GIVEN_REDEFINED /* a macro of the student's has a name that given code uses */
} GivenHow;

typedef enum GivenKind {
  GIVEN_FUNCTION,
  GIVEN_MACRO,
  GIVEN_TYPE,
  GIVEN_LINE /* a call of a macro, or a declaration */
} GivenKind;

typedef struct GivenDifference {
  GivenHow how;
  GivenKind kind;
  char name[80];
  int line; /* of the student's file; 0: the unit is missing */
} GivenDifference;

enum { GIVEN_MOST = 32 };

typedef struct Given {
  GivenDifference all[GIVEN_MOST];
  size_t count;
  /* A program of this file as it is may differ from one with the handout's given part: there is a
   * difference, or a construct whose effect this text alone does not show. */
  bool doubtful;
  /* A compiler may see other units in the student's file than are compared here. */
  bool odd;
} Given;

/* Compares a student's text with the handout's. */
Given given_of(const char *handout, const char *student);
/* The given part of the handout, then the student's text without its own given part. To be freed.
 * `path` names the student's file in lines of #line, so that places are those of the student's
 * file. */
char *given_text(const char *handout, const char *student, const char *path);

#endif
