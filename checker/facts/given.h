/* The given part of a lab's file: all units of the handout without a gap. The student's version of
 * these units is not graded: given_of finds the differences, and given_text makes a text with the
 * handout's version. */
#ifndef GIVEN_H
#define GIVEN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum GivenHow {
  /* The unit has other tokens than in the handout. */
  GIVEN_CHANGED,
  /* The unit is missing, or not at the top level. */
  GIVEN_MISSING,
  /* There is a second function of this name, such as a specialisation. */
  GIVEN_AGAIN,
  /* A macro of the student's file has a name that given code uses. */
  GIVEN_REDEFINED
} GivenHow;

typedef enum GivenKind {
  GIVEN_FUNCTION,
  GIVEN_MACRO,
  GIVEN_TYPE,
  /* Any other unit, such as a call of a macro or a declaration. */
  GIVEN_LINE
} GivenKind;

typedef struct GivenDifference {
  GivenHow how;
  GivenKind kind;
  char name[80];
  /* The line in the student's file; 0: the unit is missing. */
  int line;
} GivenDifference;

enum { GIVEN_MOST = 32 };

typedef struct Given {
  GivenDifference all[GIVEN_MOST];
  size_t count;
  /* true: a program built from this file may behave differently from one with the handout's given
   * part. There is a difference, or a construct whose effect this text alone does not show. */
  bool doubtful;
  /* true: the compiler may divide the student's file into other units than the comparison does. */
  bool odd;
} Given;

/* Compares a student's text with the handout's. */
Given given_of(const char *handout, const char *student);
/* Returns the given part of the handout, followed by the student's text without its own given part.
 * The caller frees it. path: the name of the student's file for #line directives, to which
 * compilers' messages refer. */
char *given_text(const char *handout, const char *student, const char *path);

#endif
