#ifndef LOCKSTEP_EDITS_TEXT_H
#define LOCKSTEP_EDITS_TEXT_H

/* A student's file as tokens, and what names are known where: no parser, as much of one as changes of one place need (edits.h).
 * Tokens are told by their numbers. Of one file at a time.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { TOKENS_MOST = 20000, PRAGMAS_MOST = 200, NAMES_MOST = 64, DEFINED_MOST = 40 };
enum { KNOWN_MOST = NAMES_MOST + DEFINED_MOST };
enum {
  INT,
  REAL = 3,
  T = 4,
  UNSIGNED = 7,
  LONG,
  FLOAT,
  DOUBLE,
  TYPES
}; /* of edits_text.c's types */

typedef struct Token {
  size_t from, to;
  int gap; /* as Edit.task; 0: it stands in none */
} Token;

typedef struct Name {
  size_t token, kind; /* the same of two: of one type, both pointers, or arrays, or neither */
} Name;

typedef struct Part {
  size_t from, to; /* of the text */
} Part;

extern const char *source;
extern Token tokens[], pragmas[]; /* pragmas: those in gaps */
extern size_t token_count, pragma_count;
extern size_t defined[], defined_count; /* names of numbers */

/* anywhere: where somebody has deleted all comments that mark gaps, all is one. */
void text_read(const char *text, bool anywhere);

static inline Part part_of(size_t first, size_t last) {
  return (Part){tokens[first].from, tokens[last].to};
}

static inline bool is(size_t i, const char *text) {
  const size_t length = strlen(text);
  return i < token_count && tokens[i].to - tokens[i].from == length &&
         memcmp(source + tokens[i].from, text, length) == 0;
}

static inline bool is_name(size_t i) {
  return isalpha((unsigned char)source[tokens[i].from]) || source[tokens[i].from] == '_';
}

static inline int length_of(size_t i) { return (int)(tokens[i].to - tokens[i].from); }

static inline bool same_text(size_t a, size_t b) {
  size_t length = tokens[a].to - tokens[a].from;
  return length == tokens[b].to - tokens[b].from &&
         memcmp(source + tokens[a].from, source + tokens[b].from, length) == 0;
}

/* The token that closes what token i opens; i if there is none. */
size_t closing(size_t i);
size_t type_of_token(size_t i);
/* Where the function that token i stands in begins: at a line's first column. */
size_t function_of(size_t i);
/* The names declared in the function before token i; returns how many. */
size_t names_before(size_t i, Name *names);
/* Of a function the parameters, or what is declared in its body before token i: ints that an index is made of. */
size_t ints_before(size_t i, bool parameters, Name *names);
/* Of what this token's name was defined as: is it no whole number? */
bool is_fraction(size_t name);
size_t which_defined(size_t i);
/* Behind the last token of what stands at token i: a name or a number with all that belongs to it, or parentheses. */
size_t behind_operand(size_t i);
/* What might stand at token i, the names known there and the sizes; what was declared last comes first. */
size_t known_at(size_t i, bool fractions, size_t *all);
bool is_among(size_t i, const size_t *all, size_t count);
bool is_one_of(size_t i, const char *const *all);
/* Is it read here, and no more than a name: neither declared nor a member, an array or a function? */
bool is_read(size_t i);
/* Behind the last token of the statement that begins at i; i: it is not one. */
size_t behind_statement(size_t i);
/* The token that opens what token i closes. */
size_t opening(size_t i);
bool begins_statement(size_t i);
/* The end of what token `name` was declared with: behind "= e"; `name` itself: with nothing. */
size_t behind_value(size_t name);

#endif
