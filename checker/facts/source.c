/* Splits C or CUDA source into tokens. */
#include "facts/source.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

/* Returns the position after the quoted text; if it is not closed, the end of the line. */
static const char *behind_quotes(const char *at) {
  char quote = *at++;
  while (*at && *at != quote && *at != '\n')
    at += *at == '\\' && at[1] ? 2 : 1;
  return *at == quote ? at + 1 : at;
}

static const char *behind_number(const char *at) {
  const char *end = at + 1;
  while (in_name(*end) || (*end == '.' && isdigit((unsigned char)end[1])) ||
         ((*end == '+' || *end == '-') && (end[-1] == 'e' || end[-1] == 'E')))
    end++;
  return end;
}

const char *source_token_end(const char *at) {
  static const char *const longer[] = {"<<<", ">>>", "...", "<<=", ">>=", "->", "++", "--", "<<",
                                       ">>",  "<=",  ">=",  "==",  "!=",  "&&", "||", "+=", "-=",
                                       "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "::"};
  const char *end = at;
  if (*at == '"' || *at == '\'')
    return behind_quotes(at);
  if (isdigit((unsigned char)*at))
    return behind_number(at);
  while (in_name(*end))
    end++;
  for (size_t i = 0; end == at && i < sizeof longer / sizeof *longer; i++)
    if (strncmp(at, longer[i], strlen(longer[i])) == 0)
      end = at + strlen(longer[i]);
  return end > at ? end : at + 1;
}

/* Returns the position after blanks, comments and #include lines. */
static const char *behind_silence(const char *at) {
  for (;;) {
    if (isspace((unsigned char)*at) || *at == '\\') {
      at++;
    } else if (strncmp(at, "//", 2) == 0 || strncmp(at, "#include", 8) == 0) {
      at += strcspn(at, "\n");
    } else if (strncmp(at, "/*", 2) == 0) {
      const char *end = strstr(at + 2, "*/");
      at = end ? end + 2 : at + strlen(at);
    } else {
      return at;
    }
  }
}

Source source_of(const char *text) {
  Source source = {.text = text, .all = calloc(strlen(text) + 1, sizeof *source.all)};
  if (!source.all)
    bad_input("out of memory");
  for (const char *at = behind_silence(text), *end; *at; at = behind_silence(end)) {
    bool pragma = strncmp(at, "#pragma", 7) == 0;
    end = pragma ? at + strcspn(at, "\n") : source_token_end(at);
    source.all[source.count++] = (Span){(size_t)(at - text), (size_t)(end - text)};
  }
  return source;
}

void source_gone(Source *source) { free(source->all); }
