/* A CUDA source as the units that stand at its top level: directives, functions, declarations,
 * lines that call a macro. This is no parser of C++. A text that it may not see as a compiler does
 * is marked as odd.
 */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* from, to: offsets of its first character and of the one behind its last. */
typedef struct UnitToken {
  size_t from, to;
  unsigned directive; /* the number of the directive that it belongs to, from 1; 0: none */
} UnitToken;

typedef enum UnitKind {
  UNIT_INCLUDE,
  UNIT_MACRO, /* one #define */
  UNIT_UNDEF,
  UNIT_PRAGMA,
  UNIT_CONDITION, /* #if, #else, ..., and every other directive */
  UNIT_FUNCTION,
  UNIT_TYPE,
  UNIT_BLOCK,       /* namespace X { }, extern "C" { } */
  UNIT_CALL,        /* KERNEL(smem1, down_columns, real) */
  UNIT_DECLARATION, /* prototypes, variables, using */
} UnitKind;

/* The tokens from `first` up to the one before `end`. */
typedef struct Unit {
  UnitKind kind;
  size_t first, end;
  size_t name;      /* the token that names it */
  size_t head_end;  /* of a function: the token { of its body; of others: end */
  bool specialised; /* a function whose name is followed by <...> */
  bool inside;      /* a directive in the body of a unit, or the unit is within #if */
} Unit;

typedef struct Units {
  const char *text;
  char *plain; /* the same without what joins two lines; offsets are the same */
  UnitToken *tokens;
  Unit *all;
  size_t token_count, count;
  bool odd;
} Units;

/* The text must outlive the units. */
Units units_of(const char *text);
void units_gone(Units *);
size_t unit_from(const Units *, const Unit *); /* offsets in the text */
size_t unit_to(const Units *, const Unit *);
bool unit_is_directive(const Unit *);
bool unit_token_is(const Units *, size_t token, const char *word);
bool unit_tokens_same(const Units *, size_t token, const Units *, size_t other);
bool units_same(const Units *, const Unit *, const Units *, const Unit *);
/* Is this word a token of the unit? */
bool unit_has(const Units *, const Unit *, const Units *with_word, size_t word);
bool unit_has_word(const Units *, const Unit *, const char *word);
bool unit_token_is_name(const Units *, size_t token);
/* How many bytes a byte order mark has at the beginning of the text: 3, or 0. */
size_t units_mark(const char *text);
/* The line of an offset of the text, from 1. */
int unit_line(const Units *, size_t offset);

#endif
