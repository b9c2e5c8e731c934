/* Splits a CUDA source into tokens, and finds its gaps and the names that it declares. The source
 * is not parsed: the compiler refuses a change that is not valid C++. */
#include "change/change.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gaps.h"

/* Lists the gaps. The text between two gaps is listed as a gap of task 0. */
static void find_gaps(Tokens *t) {
  const size_t length = strlen(t->text);
  t->gaps[t->gap_count++] = (Gap){0, length, 0};
  for (size_t at = 0, end; at < length && t->gap_count < GAPS_MOST; at = end + 1) {
    const char *line = t->text + at;
    int opened = gap_mark(line, "TODO") + gap_mark(line, "DONE");
    end = at + strcspn(line, "\n");
    if (opened || gap_mark(line, "END")) {
      t->gaps[t->gap_count - 1].to = at;
      t->gaps[t->gap_count++] = (Gap){end, length, opened};
    }
  }
}

Tokens tokens_of(const char *text) {
  Source source = source_of(text);
  Tokens t = {.text = text, .all = source.all, .count = source.count};
  find_gaps(&t);
  return t;
}

void tokens_gone(Tokens *t) { free(t->all); }

bool token_is(const Tokens *t, size_t i, const char *word) {
  size_t length = strcspn(word, " ");
  return i < t->count && t->all[i].to - t->all[i].from == length &&
         memcmp(t->text + t->all[i].from, word, length) == 0;
}

bool token_same(const Tokens *t, size_t i, const Tokens *u, size_t k) {
  size_t length = t->all[i].to - t->all[i].from;
  return length == u->all[k].to - u->all[k].from &&
         memcmp(t->text + t->all[i].from, u->text + u->all[k].from, length) == 0;
}

char token_first(const Tokens *t, size_t i) { return i < t->count ? t->text[t->all[i].from] : ' '; }

bool token_is_member(const Tokens *t, size_t i) {
  return i > 0 && (token_is(t, i - 1, ".") || token_is(t, i - 1, "->"));
}

int token_gap(const Tokens *t, size_t i) {
  for (size_t k = 0; i < t->count && k < t->gap_count; k++)
    if (t->all[i].from >= t->gaps[k].from && t->all[i].from <= t->gaps[k].to)
      return t->gaps[k].task;
  return 0;
}

int token_depth(const Tokens *t, size_t i) {
  const char c = token_first(t, i);
  return (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
}

size_t token_closing(const Tokens *t, size_t i) {
  int depth = 0;
  for (size_t k = i; k < t->count; k++)
    if ((depth += token_depth(t, k)) == 0)
      return k;
  return i;
}

size_t line_start(const char *text, size_t at) {
  while (at > 0 && text[at - 1] != '\n')
    at--;
  return at;
}

/* Assumes that the first line of a function is not indented and that the lines of its body are
 * indented. */
size_t function_begin(const char *text, size_t at) {
  while (at > 0 && !(text[at - 1] == '\n' && (isalpha((unsigned char)text[at]) || text[at] == '_')))
    at--;
  return at;
}

bool token_is_type(const Tokens *t, size_t i) {
  static const char *const types[] = {
      "int",    "size_t", "unsigned", "long",   "short", "char", "real",  "T",          "float",
      "double", "bool",   "auto",     "Vector", "Pack",  "dim3", "const", "cudaError_t"};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    if (token_is(t, i, types[k]))
      return true;
  return false;
}

bool token_is_variable(const Tokens *t, size_t i) {
  return isalpha((unsigned char)token_first(t, i)) && !token_is_member(t, i) &&
         !token_is_type(t, i) && !token_is(t, i + 1, "(");
}

static bool declares(const Tokens *t, size_t i) {
  bool pointer = i > 1 && (token_is(t, i - 1, "*") || token_is(t, i - 1, "&"));
  bool further = i > 1 && token_is(t, i - 1, ",") && token_is(t, i + 1, "=");
  return i > 1 && token_is_variable(t, i) && (token_is_type(t, i - 1 - pointer) || further);
}

static bool is_among(const Tokens *t, size_t i, const size_t *names, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (token_same(t, i, t, names[k]))
      return true;
  return false;
}

size_t names_between(const Tokens *t, size_t from, size_t to, size_t names[NAMES_MOST]) {
  size_t count = 0;
  for (size_t i = 0; i < t->count && t->all[i].from < to && count < NAMES_MOST; i++)
    if (t->all[i].from >= from && declares(t, i) && !is_among(t, i, names, count))
      names[count++] = i;
  return count;
}
