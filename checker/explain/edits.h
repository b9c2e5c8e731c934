#ifndef LOCKSTEP_EDITS_H
#define LOCKSTEP_EDITS_H

/* Changes of one place in a file, as somebody would make who mistook one thing for another: a comparison, an operator, a
 * variable, an index, a number, a type, a statement. Two who use them: tests/mutate.c makes a right file wrong, and repair.c
 * looks for the one that makes a wrong file right.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

enum { EDIT_TEXT = 4000, EDIT_ANYWHERE = -1, EDIT_CHOICES = 4, EDIT_PARTS = 8 };

typedef struct Edit {
  size_t from, to; /* in the file's text */
  int line, task;  /* of the gap that it stands in; EDIT_ANYWHERE: nobody has marked any */
  int choice; /* there were so many others of the kind, likelier ones; EDIT_CHOICES: nobody counts further */
  const char *operation;
  const char *text; /* what stands there then; shorter than EDIT_TEXT */
  int towards; /* a right file says so, too, and says something else here in so many places; 0: it does not */
  const struct Edit *const
      *parts; /* the changes that it is made of, NULL behind the last; NULL: it is one */
} Edit;

/* Of a name or a number. */
static inline bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Of a wrong file: what a right one says in its place is tried, too. The text has to stay; NULL: there is none. */
void edits_towards(const char *solution);

/* All in the gaps of a text, which has to stay; valid until the next call. `compiled`: of a wrong one the same with blanks for
 * all that is not compiled, where no change is worth trying; more names in place of each, and what may be missing, an operand,
 * a condition, a barrier. NULL: a right one; also values that are lost, which nobody finds again this way. */
size_t edits_of(const char *text, const char *compiled, const Edit **);

#endif
