/* Splits a CUDA source into tokens for alike.c. Changes that hide a copy and are easy to make do
 * not change the tokens. Comments, layout and braces are left out. All names that the author chose
 * have the same kind, as do all arithmetic types, all numbers and all strings. Keywords, built-in
 * variables and functions of the runtime keep their names. */
#include "alike.h"
#include "facts/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN_NAME = 1, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_TYPE };

/* Words that are left out, because adding or removing them does not change the algorithm. */
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

/* Returns the kind of a name, or 0 for a word that is left out. */
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

static void add(Tokens *tokens, uint32_t kind, uint32_t name, int line) {
  /* A type of several words, such as "unsigned long int", is one token. */
  bool twice =
      kind == TOKEN_TYPE && tokens->count && tokens->all[tokens->count - 1].kind == TOKEN_TYPE;
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

static void take(Tokens *tokens, const char *at, size_t length, int line) {
  uint32_t hash = (uint32_t)hash_bytes(at, length);
  if (*at == '"' || *at == '\'') {
    add(tokens, TOKEN_TEXT, 0, line);
  } else if (isdigit((unsigned char)*at)) {
    add(tokens, TOKEN_NUMBER, 0, line);
  } else if (isalpha((unsigned char)*at) || *at == '_' || (*at & 0x80)) {
    uint32_t kind = name_kind(at, length);
    add(tokens, kind, kind == TOKEN_NAME ? hash | 1 : 0, line);
  } else if (*at != '{' && *at != '}') {
    add(tokens, hash | 0x100, 0, line);
  }
}

Tokens tokens_read(const char *text) {
  Tokens tokens = {.count = 0};
  Source source = source_of(text);
  int line = 1;
  for (size_t i = 0, at = 0; i < source.count && tokens.count < TOKENS_MOST; i++) {
    const Span *span = &source.all[i];
    for (; at < span->from; at++)
      line += text[at] == '\n';
    take(&tokens, text + span->from, span->to - span->from, line);
  }
  source_gone(&source);
  return tokens;
}
