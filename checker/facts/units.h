/* CUDA source as the units at its top level: directives, functions, declarations, calls of macros.
 * This is no parser of C++. A text that a compiler may divide differently is marked as odd. */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* from, to: offsets of its first character, and of the character after its last. */
typedef struct UnitToken {
  size_t from, to;
  /* The number of the directive that it belongs to, from 1; 0: none. */
  unsigned directive;
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

/* The tokens from `first` up to, but not including, `end`. */
typedef struct Unit {
  UnitKind kind;
  size_t first, end;
  /* The token that names it. */
  size_t name;
  /* For a function: the token { of its body; otherwise: end. */
  size_t head_end;
  /* A function whose name is followed by <...>. */
  bool specialised;
  /* A directive in the body of a unit, or a unit within #if. */
  bool inside;
} Unit;

typedef struct Units {
  const char *text;
  /* The text without line joins, with the same offsets. */
  char *plain;
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
/* Returns true if this word is a token of the unit. */
bool unit_has(const Units *, const Unit *, const Units *with_word, size_t word);
bool unit_has_word(const Units *, const Unit *, const char *word);
bool unit_token_is_name(const Units *, size_t token);
/* The number of bytes of a byte order mark at the beginning of the text: 3, or 0. */
size_t units_mark(const char *text);
/* The line of an offset in the text, from 1. */
int unit_line(const Units *, size_t offset);

#endif
