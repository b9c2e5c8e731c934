/* C or CUDA source as a list of tokens. All files that analyse source use it. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stddef.h>

/* The offset of a token's first character, and of the character after its last one. */
typedef struct Span {
  size_t from, to;
} Span;

/* The tokens of a text. Comments and #include lines are left out. A #pragma is one token. */
typedef struct Source {
  const char *text;
  Span *all;
  size_t count;
} Source;

/* The tokens point into the text: the caller keeps it until source_gone. */
Source source_of(const char *text);
void source_gone(Source *);
/* Returns the end of the token that begins at `at`: a name, a number, a quoted text or an
 * operator. */
const char *source_token_end(const char *at);

#endif
