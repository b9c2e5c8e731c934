/* CUDA source as a list of units at its top level: directives, functions, types, declarations and
 * calls of macros. The source is not parsed as C++. If a compiler may divide a text differently,
 * the text is marked as odd. */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* from, to: the offset of the token's first character, and of the character after its last one. */
typedef struct UnitToken {
  size_t from, to;
  /* The number of the directive that contains the token, counted from 1; 0: none. */
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
  /* The index of the token that is the name of the unit. */
  size_t name;
  /* The token { that begins the body of a function; for other units: end. */
  size_t head_end;
  /* true: the unit is a function whose name is followed by <...>. */
  bool specialised;
  /* true: the unit is a directive within another unit, or it is within #if. */
  bool inside;
} Unit;

typedef struct Units {
  const char *text;
  /* A copy of the text with line joins replaced by blanks, so offsets are the same. */
  char *plain;
  UnitToken *tokens;
  Unit *all;
  size_t token_count, count;
  bool odd;
} Units;

/* The units point into the text: the caller keeps it until units_gone. */
Units units_of(const char *text);
void units_gone(Units *);
size_t unit_from(const Units *, const Unit *); /* Offset in the text. */
size_t unit_to(const Units *, const Unit *);
bool unit_is_directive(const Unit *);
bool unit_token_is(const Units *, size_t token, const char *word);
bool unit_tokens_same(const Units *, size_t token, const Units *, size_t other);
bool units_same(const Units *, const Unit *, const Units *, const Unit *);
/* Returns true if the unit contains the token `word` of `with_word`. */
bool unit_has(const Units *, const Unit *, const Units *with_word, size_t word);
bool unit_has_word(const Units *, const Unit *, const char *word);
bool unit_token_is_name(const Units *, size_t token);
/* Returns the number of bytes of a byte order mark at the beginning of the text: 3 or 0. */
size_t units_mark(const char *text);
/* Returns the number of the line that contains an offset of the text, counted from 1. */
int unit_line(const Units *, size_t offset);

#endif
