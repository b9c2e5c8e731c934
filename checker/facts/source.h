/* A source of C or CUDA as tokens, for all that take one apart. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stddef.h>

/* A token's first character in the text, and the one behind its last. */
typedef struct Span {
  size_t from, to;
} Span;

/* The tokens without comments and #include; a #pragma is one token. */
typedef struct Source {
  const char *text;
  Span *all;
  size_t count;
} Source;

/* The text must outlive the source. */
Source source_of(const char *text);
void source_gone(Source *);
/* Behind the token that begins at `at`: a name, a number, a text in quotes or an operator. */
const char *source_token_end(const char *at);

#endif
