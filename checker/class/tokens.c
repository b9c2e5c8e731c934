/* A CUDA source as a row of tokens in which what is easily changed looks the same: no comments, no
 * layout, no braces, one word for every name that the author chose, for every type of a number, for
 * every number and every text. What cannot be renamed keeps its name: keywords, the device's own
 * variables, the runtime's functions.
 */
#include "alike.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN_NAME = 1, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_TYPE };

/* Words that say nothing about how something is done. */
static const char *const silent[] = {
    "const",    "static", "inline", "constexpr",  "volatile", "register", "__restrict__",
    "unsigned", "signed", "extern", "__restrict", "struct",   "typename", NULL};
static const char *const types[] = {
    "int",  "long", "short",   "char",     "bool",    "float",    "double",    "real", "size_t",
    "auto", "void", "int64_t", "uint32_t", "int32_t", "uint64_t", "ptrdiff_t", NULL};
static const char *const kept[] = {
    "if",          "else",     "for",      "while",    "do",    "return",
    "break",       "continue", "goto",     "switch",   "case",  "sizeof",
    "new",         "delete",   "template", "operator", "class", "threadIdx",
    "blockIdx",    "blockDim", "gridDim",  "warpSize", "TRY",   "CEIL_DIV",
    "NULL",        "nullptr",  "define",   "lambda",   "dim3",  "reinterpret_cast",
    "static_cast", NULL};
static const char *const signs[] = {"<<<", ">>>", "...", "<<=", ">>=", "->", "++", "--", "<<",
                                    ">>",  "<=",  ">=",  "==",  "!=",  "&&", "||", "+=", "-=",
                                    "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "::", NULL};

static bool among(const char *word, size_t length, const char *const *list) {
  for (; *list; list++)
    if (strlen(*list) == length && strncmp(word, *list, length) == 0)
      return true;
  return false;
}

uint64_t hash_bytes(const void *bytes, size_t size) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

/* 0: it is silent. */
static uint32_t name_kind(const char *word, size_t length) {
  if (among(word, length, silent))
    return 0;
  if (among(word, length, types))
    return TOKEN_TYPE;
  bool own = strncmp(word, "cuda", 4) == 0 || strncmp(word, "__", 2) == 0;
  if (!own && !among(word, length, kept))
    return TOKEN_NAME;
  return (uint32_t)hash_bytes(word, length) | 0x100;
}

/* Up to the end of the text in quotes, or of its line. */
static const char *past_quotes(const char *at) {
  char quote = *at++;
  while (*at && *at != quote && *at != '\n')
    at += *at == '\\' && at[1] ? 2 : 1;
  return *at == quote ? at + 1 : at;
}

/* Past blanks and comments; counts lines. */
static const char *past_silence(const char *at, int *line) {
  for (;; at++) {
    if (at[0] == '/' && at[1] == '/') {
      at += strcspn(at, "\n");
    } else if (at[0] == '/' && at[1] == '*') {
      for (at += 2; *at && !(at[0] == '*' && at[1] == '/'); at++)
        *line += *at == '\n';
      at += *at ? 1 : -1;
      continue;
    }
    if (!*at || !(isspace((unsigned char)*at) || *at == '\\' || *at == '{' || *at == '}'))
      return at;
    *line += *at == '\n';
  }
}

static void add(Tokens *tokens, uint32_t kind, uint32_t name, int line) {
  bool twice = kind == TOKEN_TYPE && tokens->count && /* "unsigned long int" */
               tokens->all[tokens->count - 1].kind == TOKEN_TYPE;
  if (kind == 0 || twice)
    return;
  if (tokens->count == tokens->room) {
    tokens->room = tokens->room * 2 + 256;
    tokens->all = realloc(tokens->all, tokens->room * sizeof *tokens->all);
    if (!tokens->all)
      bad_input("not enough memory for %zu tokens", tokens->room);
  }
  tokens->all[tokens->count++] = (Token){kind, name, line};
}

static size_t sign_length(const char *at) {
  for (const char *const *sign = signs; *sign; sign++)
    if (strncmp(at, *sign, strlen(*sign)) == 0)
      return strlen(*sign);
  return 1;
}

/* One token; returns what follows. */
static const char *take(Tokens *tokens, const char *at, int line) {
  const char *end = at;
  if (*at == '"' || *at == '\'') {
    add(tokens, TOKEN_TEXT, 0, line);
    return past_quotes(at);
  }
  if (isdigit((unsigned char)*at)) {
    while (in_name(*end) || *end == '.' || (strchr("+-", *end) && *end && strchr("eE", end[-1])))
      end++;
    add(tokens, TOKEN_NUMBER, 0, line);
    return end;
  }
  if (in_name(*at)) {
    while (in_name(*end))
      end++;
    uint32_t kind = name_kind(at, (size_t)(end - at));
    uint32_t name = (uint32_t)hash_bytes(at, (size_t)(end - at)) | 1;
    add(tokens, kind, kind == TOKEN_NAME ? name : 0, line);
    return end;
  }
  end = at + sign_length(at);
  add(tokens, (uint32_t)hash_bytes(at, (size_t)(end - at)) | 0x100, 0, line);
  return end;
}

Tokens tokens_read(const char *text) {
  Tokens tokens = {.count = 0};
  int line = 1;
  while (tokens.count < TOKENS_MOST && *(text = past_silence(text, &line))) {
    if (strncmp(text, "#include", 8) == 0)
      text += strcspn(text, "\n");
    else
      text = take(&tokens, text, line);
  }
  return tokens;
}
