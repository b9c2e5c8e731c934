/* Applies the table of operators: looks for each pattern at each token of a gap, and adds a
 * candidate for each replacement of a match. */
#include "change/change.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Operator {
  OperatorUse use;
  const char *kind, *pattern, *text;
} Operator;

static const Operator operators[] = {
#define OPERATOR(use, kind, pattern, text) {use, kind, pattern, text},
#include "change/operators.def"
#undef OPERATOR
};

enum { COUNT = sizeof operators / sizeof *operators, WILDCARDS_MOST = 4 };

/* A match of a pattern: the tokens `first` up to `end`. Wildcard k + 1 of the pattern matches the
 * tokens parts[k] up to ends[k]. */
typedef struct Match {
  const Tokens *t;
  size_t first, end, parts[WILDCARDS_MOST], ends[WILDCARDS_MOST];
} Match;

/* ---- wildcards: each returns the token after its match, or i if it does not match ------------ */

/* Matches the tokens before the first token that begins with a character of `ends`, or before the
 * closing bracket. Brackets inside are skipped. */
static size_t up_to(const Tokens *t, size_t i, const char *ends) {
  size_t end = i;
  while (end < t->count && token_depth(t, end) >= 0 && !strchr(ends, token_first(t, end)))
    end = (token_depth(t, end) > 0 ? token_closing(t, end) : end) + 1;
  return end < t->count ? end : i;
}

static size_t statement(const Tokens *t, size_t i) {
  bool begins = i > 0 && strchr(";{})#", token_first(t, i - 1));
  size_t end = begins ? up_to(t, i, ";{") : i;
  return end > i && token_is(t, end, ";") ? end + 1 : i;
}

/* Matches a name or a number with all calls, indices and members that follow it. */
static size_t operand(const Tokens *t, size_t i) {
  size_t end = i + 1;
  if (token_is_member(t, i) || token_is_type(t, i) || !isalnum(token_first(t, i)))
    return i;
  while (token_is(t, end, "[") || token_is(t, end, "(") || token_is(t, end, "."))
    end = token_is(t, end, ".") ? end + 2 : token_closing(t, end) + 1;
  return end < t->count ? end : i;
}

static size_t wildcard(const Tokens *t, char kind, size_t i) {
  switch (kind) {
  case 'n':
    return i + (isdigit(token_first(t, i)) != 0);
  case 'v':
    return i + (token_is_variable(t, i) && !token_is(t, i + 1, "."));
  case 'e':
    return operand(t, i);
  case 'a':
    return up_to(t, i, ",");
  case 'c':
    return i > 0 && strchr("(=;&|?,", token_first(t, i - 1)) ? up_to(t, i, "&|?:,;") : i;
  default:
    return statement(t, i);
  }
}

static bool matches(Match *m, const char *pattern) {
  size_t at = m->first, length, count = 0;
  for (const char *word = pattern; *word; word += length + strspn(word + length, " ")) {
    size_t from = at;
    length = strcspn(word, " ");
    at = *word == '$' ? wildcard(m->t, word[1], at) : at + token_is(m->t, at, word);
    if (at == from)
      return false;
    if (*word == '$') {
      m->parts[count] = from;
      m->ends[count++] = at;
    }
  }
  m->end = at;
  return token_gap(m->t, at - 1) == token_gap(m->t, m->first);
}

/* ---- replacements ---------------------------------------------------------------------------- */

static void put_tokens(const Tokens *t, size_t first, size_t end, FILE *out) {
  fwrite(t->text + t->all[first].from, 1, t->all[end - 1].to - t->all[first].from, out);
}

/* Adds the candidate that replaces the match by `text`, one alternative of the row. The token
 * `name` replaces $V. The alternative ends at " | ". */
static void add(const Match *m, const Operator *row, const char *text, size_t name,
                Candidates *to) {
  const Span *all = m->t->all;
  Splice splice = {all[m->first].from, all[m->end - 1].to, NULL};
  const char *line = m->t->text + line_start(m->t->text, splice.from);
  size_t size;
  FILE *out = open_memstream(&splice.text, &size);
  for (; out && *text && strncmp(text, " | ", 3) != 0; text++) {
    if (*text != '$')
      fputc(*text, out);
    else if (*++text == 'V')
      put_tokens(m->t, name, name + 1, out);
    else
      put_tokens(m->t, m->parts[*text - '1'], m->ends[*text - '1'], out);
    if (*text == '\n')
      fprintf(out, "%.*s", (int)strspn(line, " "), line);
  }
  if (!out || fclose(out) != 0)
    bad_input("out of memory");
  while (!*splice.text && m->t->text[splice.from - 1] == ' ')
    /* An empty replacement also removes the blanks before it. */
    splice.from--;
  candidates_add(to, &(Candidate){{splice}, 1, row->kind});
}

static size_t type_before(const Tokens *t, size_t i) {
  while (i > 0 && !token_is_type(t, i))
    i--;
  return i;
}

static bool same_type(const Tokens *t, size_t a, size_t b) {
  return token_same(t, type_before(t, a), t, type_before(t, b)) &&
         token_is(t, a - 1, "*") == token_is(t, b - 1, "*") &&
         token_is(t, a + 1, "[") == token_is(t, b + 1, "[");
}

/* Adds a candidate for each other variable of the same type as the name at which the match begins.
 * Adds none if the function does not declare that name. */
static void add_names(const Match *m, const Operator *row, const char *text, Candidates *to) {
  size_t names[NAMES_MOST], own = 0;
  size_t at = m->t->all[m->first].from;
  size_t count = names_between(m->t, function_begin(m->t->text, at), at, names);
  while (own < count && !token_same(m->t, names[own], m->t, m->first))
    own++;
  for (size_t i = own < count ? count : 0; i-- > 0;)
    if (i != own && same_type(m->t, names[i], names[own]))
      add(m, row, text, names[i], to);
}

static void apply(const Match *m, const Operator *row, Candidates *to) {
  for (const char *text = row->text, *next; text; text = next ? next + 3 : NULL) {
    next = strstr(text, " | ");
    if (strstr(text, "$V"))
      add_names(m, row, text, to);
    else
      add(m, row, text, 0, to);
  }
}

void operators_apply(const Tokens *t, OperatorUse use, int task, Candidates *to) {
  for (const Operator *each = operators; each < operators + COUNT; each++)
    for (size_t i = 0; i < t->count && each->use & use; i++) {
      Match m = {.t = t, .first = i};
      int gap = token_gap(t, i);
      if (gap && (!task || gap == task) && matches(&m, each->pattern))
        apply(&m, each, to);
    }
}
