/* C or CUDA source as tokens, for all files that analyse source. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stddef.h>

/* Offsets of a token's first character, and of the character after its last. */
typedef struct Span {
  size_t from, to;
} Span;

/* The tokens without comments and #include. A #pragma is one token. */
typedef struct Source {
  const char *text;
  Span *all;
  size_t count;
} Source;

/* The text must outlive the source. */
Source source_of(const char *text);
void source_gone(Source *);
/* The end of the token that begins at `at`: a name, a number, a quoted text or an operator. */
const char *source_token_end(const char *at);

#endif
