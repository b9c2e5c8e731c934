/* A CUDA source as tokens, its gaps, its functions, and the names that are known at a token. It
 * follows brackets and declarations, and no grammar: a change that does not compile is found out
 * by the compiler.
 */
#include "change/change.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gaps.h"

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* ---- from text to tokens
 * ------------------------------------------------------------------------- */

static size_t end_of_token(const char *text, size_t at) {
  static const char *const longer[] = {"<<<", ">>>", "<<=", ">>=", "<=", ">=", "==", "!=",
                                       "&&",  "||",  "+=",  "-=",  "*=", "/=", "%=", "++",
                                       "--",  "->",  "<<",  ">>",  "::", "|=", "&=", "^="};
  size_t end = at;
  if (text[at] == '"')
    return at + 1 + strcspn(text + at + 1, "\"\n") + (text[at + 1] != '\0');
  while (is_letter(text[end]) || (text[end] == '.' && isdigit((unsigned char)text[at])))
    end++;
  for (size_t i = 0; end == at && i < sizeof longer / sizeof *longer; i++)
    if (strncmp(text + at, longer[i], strlen(longer[i])) == 0)
      end = at + strlen(longer[i]);
  return end > at ? end : at + 1;
}

/* Behind the blanks, comments and directives at `at`; opens and closes the gaps whose marks are
 * among them. */
static size_t skip(Tokens *t, size_t at) {
  for (const char *text = t->text;;) {
    size_t line = strcspn(text + at, "\n");
    int opened = gap_mark(text + at, "TODO") + gap_mark(text + at, "DONE");
    if (isspace((unsigned char)text[at])) {
      at++;
    } else if (strncmp(text + at, "//", 2) == 0) {
      if (opened && t->gap_count < GAPS_MOST)
        t->gaps[t->gap_count++] = (Gap){at + line, strlen(text), opened};
      else if (gap_mark(text + at, "END") && t->gap_count)
        t->gaps[t->gap_count - 1].to = at;
      at += line;
    } else if (strncmp(text + at, "/*", 2) == 0) {
      const char *end = strstr(text + at + 2, "*/");
      at = end ? (size_t)(end + 2 - text) : strlen(text);
    } else if (text[at] == '#' && strncmp(text + at, "#define", 7) != 0 &&
               strncmp(text + at, "#pragma", 7) != 0) {
      at += line;
    } else {
      return at;
    }
  }
}

Tokens tokens_of(const char *text) {
  Tokens t = {.text = text, .all = calloc(strlen(text) + 1, sizeof *t.all)};
  if (!t.all)
    bad_input("out of memory");
  for (size_t at = skip(&t, 0); text[at]; at = skip(&t, at)) {
    bool pragma = strncmp(text + at, "#pragma", 7) == 0;
    size_t end = pragma ? at + strcspn(text + at, "\n") : end_of_token(text, at);
    t.all[t.count++] = (Token){at, end};
    at = end;
  }
  return t;
}

void tokens_gone(Tokens *t) { free(t->all); }

bool token_is(const Tokens *t, size_t i, const char *word) {
  size_t length = strlen(word);
  return i < t->count && t->all[i].to - t->all[i].from == length &&
         memcmp(t->text + t->all[i].from, word, length) == 0;
}

bool token_same(const Tokens *t, size_t i, const Tokens *u, size_t k) {
  size_t length = t->all[i].to - t->all[i].from;
  return length == u->all[k].to - u->all[k].from &&
         memcmp(t->text + t->all[i].from, u->text + u->all[k].from, length) == 0;
}

bool token_is_name(const Tokens *t, size_t i) {
  return i < t->count &&
         (isalpha((unsigned char)t->text[t->all[i].from]) || t->text[t->all[i].from] == '_');
}

bool token_is_member(const Tokens *t, size_t i) {
  return i > 0 && (token_is(t, i - 1, ".") || token_is(t, i - 1, "->"));
}

int gap_at(const Tokens *t, size_t place) {
  for (size_t k = 0; k < t->gap_count; k++)
    if (place >= t->gaps[k].from && place <= t->gaps[k].to)
      return t->gaps[k].task;
  return 0;
}

int token_gap(const Tokens *t, size_t i) { return i < t->count ? gap_at(t, t->all[i].from) : 0; }

/* ---- brackets
 * ------------------------------------------------------------------------------------ */

int token_depth(const Tokens *t, size_t i) {
  const char c = t->text[t->all[i].from];
  return (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
}

size_t token_closing(const Tokens *t, size_t i) {
  int depth = 0;
  for (size_t k = i; k < t->count; k++)
    if ((depth += token_depth(t, k)) == 0)
      return k;
  return i;
}

size_t token_behind_operand(const Tokens *t, size_t i) {
  size_t end = token_is(t, i, "(") ? token_closing(t, i) + 1 : i + 1;
  for (;;) {
    if (token_is(t, end, "[") || token_is(t, end, "("))
      end = token_closing(t, end) + 1;
    else if (token_is(t, end, ".") || token_is(t, end, "->"))
      end += 2;
    else
      return end < t->count ? end : t->count;
  }
}

size_t functions_list(const Tokens *t, Function all[FUNCTIONS_MOST]) {
  size_t count = 0;
  for (size_t i = 0; i + 1 < t->count && count < FUNCTIONS_MOST; i++) {
    bool called = token_is_name(t, i) && token_is(t, i + 1, "(");
    size_t body = called ? token_closing(t, i + 1) + 1 : i;
    if (body > i + 1 && token_is(t, body, "{")) {
      all[count++] = (Function){i, token_closing(t, body) + 1};
      i = token_closing(t, body);
    }
  }
  return count;
}

/* Functions begin in the first column. */
bool text_is_of_device(const char *text, size_t at) {
  const char *head = text + at;
  while (head > text && !(head[-1] == '\n' && is_letter(*head)))
    head--;
  size_t length = strcspn(head, "{;");
  return memmem(head, length, "__global__", 10) || memmem(head, length, "__device__", 10);
}

/* ---- names
 * --------------------------------------------------------------------------------------- */

int type_class(const Tokens *t, size_t i) {
  static const struct {
    const char *name;
    int kind;
  } types[] = {
      {"int", KIND_INT},    {"size_t", KIND_INT},  {"unsigned", KIND_INT}, {"long", KIND_INT},
      {"short", KIND_INT},  {"char", KIND_INT},    {"real", KIND_REAL},    {"T", KIND_REAL},
      {"float", KIND_REAL}, {"double", KIND_REAL}, {"auto", KIND_REAL},    {"bool", 8},
      {"Vector", 12},       {"Pack", 16},          {"dim3", 20},           {"cudaError_t", 24}};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    if (token_is(t, i, types[k].name))
      return types[k].kind;
  return NO_TOKEN;
}

static size_t function_begin(const Tokens *t, size_t i) {
  while (i > 0 && !(token_is_name(t, i) && t->text[t->all[i].from - 1] == '\n'))
    i--;
  return i;
}

/* Adds the names that the declaration at token `at` declares; returns its last token. */
static size_t declared_by(const Tokens *t, size_t at, size_t end, bool parameter, Name *names,
                          size_t *count) {
  int kind = type_class(t, at);
  while (type_class(t, at + 1) != NO_TOKEN) /* unsigned int */
    kind = type_class(t, ++at);
  while (at + 1 < end && *count < NAMES_MOST) {
    size_t pointer = token_is(t, at + 1, "*") || token_is(t, at + 1, "&");
    size_t name = at + 1 + pointer;
    if (!token_is_name(t, name) || token_is(t, name + 1, "("))
      break;
    int more = (int)pointer + 2 * token_is(t, name + 1, "[");
    names[(*count)++] = (Name){name, kind + more, parameter, false};
    for (at = name + 1;
         at < end && !token_is(t, at, ",") && !token_is(t, at, ";") && !token_is(t, at, ")"); at++)
      at = token_depth(t, at) > 0 ? token_closing(t, at) : at;
    if (!token_is(t, at, ",") || type_class(t, at + 1) != NO_TOKEN || token_is(t, at + 1, "const"))
      break;
  }
  return at;
}

/* #define NAME 32, before token i. */
static size_t add_defined(const Tokens *t, size_t i, Name *names, size_t count) {
  for (size_t k = 0; k + 2 < i && count < NAMES_MOST; k++) {
    const char *value = t->text + t->all[k + 2].from;
    if (!token_is(t, k, "define") || !isdigit((unsigned char)*value) ||
        strncmp(t->text + t->all[k + 1].from, "PREDICT", 7) == 0)
      continue;
    bool whole = !memchr(value, '.', strcspn(value, "\n/"));
    names[count++] = (Name){k + 1, whole ? KIND_INT : KIND_REAL, false, true};
  }
  return count;
}

size_t names_at(const Tokens *t, size_t i, Name names[NAMES_MOST]) {
  size_t count = 0, depth = 0, marks[NAMES_MOST] = {0};
  for (size_t at = function_begin(t, i); at < i; at++) {
    if (token_is(t, at, "{") && ++depth < NAMES_MOST)
      marks[depth] = count;
    else if (token_is(t, at, "}") && depth > 0 && depth-- < NAMES_MOST)
      count = marks[depth + 1];
    else if (type_class(t, at) != NO_TOKEN)
      at = declared_by(t, at, i, depth == 0, names, &count);
  }
  return add_defined(t, i, names, count);
}
