/* Applies the table of operators: matches each pattern at each token of a gap and writes the text
 * that replaces it. */
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

enum { PIECES_MOST = 9, OTHERS_MOST = 4, TEXT_MOST = 2000 };

/* An operator at a token. parts[k] is what wildcard k+1 has matched: tokens [0] up to [1], which
 * is not part of it. */
typedef struct Match {
  const Tokens *t;
  const Operator *operator;
  Candidates *candidates;
  size_t first, end;
  size_t parts[PIECES_MOST][2], part_count;
  const Name *names; /* known at `first` */
  size_t name_count;
} Match;

/* ---- wildcards: each returns the token behind what it matches, or i if it does not match
 * ------------ */

static bool is_one_of(const Tokens *t, size_t i, const char *const *words) {
  while (*words && !token_is(t, i, *words))
    words++;
  return *words;
}

/* Up to one of these words outside of brackets, or to the bracket that closes. */
static size_t up_to(const Tokens *t, size_t i, const char *const *words) {
  static const char *const closers[] = {")", "]", "}", NULL}, *const openers[] = {"(", "[", "{",
                                                                                  NULL};
  size_t end = i;
  while (end < t->count && !is_one_of(t, end, closers) && !is_one_of(t, end, words))
    end = (is_one_of(t, end, openers) ? token_closing(t, end) : end) + 1;
  return end < t->count ? end : i;
}

static size_t statement(const Tokens *t, size_t i) {
  static const char *const before[] = {";", "{", "}", ")", "else", NULL};
  static const char *const ends[] = {";", "{", NULL};
  static const char *const others[] = {"for", "while", "if", "else", "return", NULL};
  bool begins = i > 0 && (is_one_of(t, i - 1, before) || t->text[t->all[i - 1].from] == '#');
  if (!begins || is_one_of(t, i, others))
    return i;
  size_t end = up_to(t, i, ends);
  return end > i && token_is(t, end, ";") ? end + 1 : i;
}

static size_t assignment(const Tokens *t, size_t i) {
  static const char *const gives[] = {"=", "+=", "-=", "*=", NULL};
  bool variable = token_is_name(t, i) && type_class(t, i) == NO_TOKEN;
  return variable && is_one_of(t, token_behind_operand(t, i), gives) ? statement(t, i) : i;
}

static const Name *known(const Match *m, size_t i) {
  if (!token_is_name(m->t, i) || token_is_member(m->t, i))
    return NULL;
  for (size_t k = m->name_count; k-- > 0;)
    if (token_same(m->t, m->names[k].token, m->t, i))
      return &m->names[k];
  return NULL;
}

/* A value of this class that is read here: neither declared nor assigned to, and no array. */
static size_t value(const Match *m, size_t i, int kind) {
  static const char *const behind[] = {"[", "(", "=", "++", "--", "+=", "-=", "*=", ".", NULL};
  const Name *name = known(m, i);
  bool declared = i > 0 && type_class(m->t, i - 1) != NO_TOKEN;
  return i + (name && name->kind == kind && !declared && !is_one_of(m->t, i + 1, behind));
}

static size_t operand(const Tokens *t, size_t i) {
  bool begins = i < t->count && !token_is_member(t, i) &&
                (token_is_name(t, i) || isdigit((unsigned char)t->text[t->all[i].from]) ||
                 token_is(t, i, "("));
  bool called = i > 0 && token_is(t, i, "(") && token_is_name(t, i - 1);
  return begins && !called && type_class(t, i) == NO_TOKEN ? token_behind_operand(t, i) : i;
}

static size_t term(const Tokens *t, size_t i) {
  static const char *const joins[] = {"*", "/", "%", NULL};
  size_t end = operand(t, i);
  while (end > i && is_one_of(t, end, joins) && operand(t, end + 1) > end + 1)
    end = operand(t, end + 1);
  return end;
}

static size_t condition(const Tokens *t, size_t i) {
  static const char *const before[] = {"(", "=", ";", "&&", "||", "?", ",", "return", NULL};
  static const char *const ends[] = {"&&", "||", "?", ":", ",", ";", NULL};
  return i > 0 && is_one_of(t, i - 1, before) ? up_to(t, i, ends) : i;
}

static size_t wildcard(const Match *m, char kind, size_t i) {
  static const char *const none[] = {NULL}, *const comma[] = {",", NULL};
  static const char *const value_ends[] = {",", ";", ":", NULL};
  const Tokens *t = m->t;
  const Name *name;
  if (i >= t->count)
    return i;
  switch (kind) {
  case 'n':
    return i + (isdigit((unsigned char)t->text[t->all[i].from]) != 0);
  case 'i':
    return value(m, i, KIND_INT);
  case 'r':
    return value(m, i, KIND_REAL);
  case 'v':
    return i + (known(m, i) != NULL);
  case 'd':
    return i + ((name = known(m, i)) && name->defined);
  case 'p':
    return i + (t->text[t->all[i].from] == '#' && t->all[i].to - t->all[i].from > 1);
  case 'e':
    return operand(t, i);
  case 't':
    return term(t, i);
  case 'a':
    return up_to(t, i, comma);
  case 'l':
    return up_to(t, i, none);
  case 'c':
    return condition(t, i);
  case 'x':
    return up_to(t, i, value_ends);
  case 's':
    return statement(t, i);
  default:
    return assignment(t, i);
  }
}

/* Matches the pattern from token m->first on, and sets m->end and the parts. */
static bool matches(Match *m) {
  size_t at = m->first;
  m->part_count = 0;
  for (const char *word = m->operator->pattern; *word; word += strspn(word, " ")) {
    char text[40];
    size_t length = strcspn(word, " "), from = at;
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    if (*word == '$') {
      at = wildcard(m, word[1], at);
      m->parts[m->part_count][0] = from;
      m->parts[m->part_count++][1] = at;
    } else {
      at += token_is(m->t, at, text);
    }
    if (at == from)
      return false;
    word += length;
  }
  m->end = at;
  return true;
}

/* ---- what replaces it
 * --------------------------------------------------------------------------------- */

static bool is_choice(const Match *m, char kind, const Name *name) {
  const Name *own = m->part_count ? known(m, m->parts[0][0]) : NULL;
  if (token_same(m->t, name->token, m->t, m->first))
    return false;
  switch (kind) {
  case 'V':
    return own && own != name && own->kind == name->kind && !name->defined;
  case 'I':
    return name->kind == KIND_INT;
  case 'R':
    return name->kind == KIND_REAL;
  case 'D':
    return name->defined && name->kind == KIND_INT;
  case 'L':
    return name->kind == KIND_INT && !name->parameter && !name->defined;
  default:
    return name->kind == KIND_INT && name->parameter;
  }
}

static void add(Match *m, const char *text) {
  const Token *all = m->t->all;
  Candidate candidate = {.count = 1, .operation = m->operator->kind };
  size_t from = all[m->first].from, to = all[m->end - 1].to;
  if (strlen(text) == to - from && memcmp(text, m->t->text + from, to - from) == 0)
    return; /* no change */
  while (!*text && from > 0 && m->t->text[from - 1] == ' ')
    from--; /* nothing leaves no blanks */
  candidate.splices[0] = (Splice){from, to, strdup(text)};
  candidate.rank = (size_t)(m->operator- operators);
  candidates_add(m->candidates, &candidate);
}

/* Appends a part of the source; false: it is too long. */
static bool append(const Match *m, size_t from, size_t to, char *made) {
  size_t used = strlen(made);
  if (used + to - from + 1 > TEXT_MOST)
    return false;
  memcpy(made + used, m->t->text + from, to - from);
  made[used + to - from] = '\0';
  return true;
}

/* Appends a line break with the indentation of the line that the match begins in. */
static bool append_break(const Match *m, char *made) {
  const char *text = m->t->text, *first = text + m->t->all[m->first].from;
  const char *line = memrchr(text, '\n', (size_t)(first - text));
  size_t from = line ? (size_t)(line - text) : 0;
  return append(m, from, from + 1 + strspn(text + from + 1, " "), made);
}

/* Writes the rest of a text, up to " | ", behind what `made` holds, once for each choice of a
 * name. */
static void write_text(Match *m, const char *text, char *made) {
  size_t used = strlen(made), others = 0;
  for (; *text && *text != '$' && *text != '\n' && strncmp(text, " | ", 3) != 0; text++)
    if (used + 1 < TEXT_MOST)
      made[used++] = *text;
  made[used] = '\0';
  if (*text == '\n') {
    if (append_break(m, made))
      write_text(m, text + 1, made);
  } else if (*text != '$') {
    add(m, made);
  } else if (isdigit((unsigned char)text[1])) {
    const size_t *part = m->parts[text[1] - '1'];
    if (append(m, m->t->all[part[0]].from, m->t->all[part[1] - 1].to, made))
      write_text(m, text + 2, made);
  } else {
    for (size_t k = m->name_count; k-- > 0 && (text[1] != 'V' || others < OTHERS_MOST);) {
      const Token *name = &m->t->all[m->names[k].token];
      made[used] = '\0';
      if (!is_choice(m, text[1], &m->names[k]) || !append(m, name->from, name->to, made))
        continue;
      write_text(m, text + 2, made);
      others++;
    }
  }
}

static void apply(Match *m) {
  char made[TEXT_MOST];
  if (!matches(m) || token_gap(m->t, m->end - 1) != token_gap(m->t, m->first))
    return;
  for (const char *text = m->operator->text, *next; text; text = next ? next + 3 : NULL) {
    next = strstr(text, " | ");
    made[0] = '\0';
    write_text(m, text, made);
  }
}

void operators_apply(const Tokens *t, OperatorUse use, int task, Candidates *candidates) {
  for (size_t i = 0; i < t->count; i++) {
    Name names[NAMES_MOST];
    int gap = token_gap(t, i);
    if (!gap || (task && gap != task))
      continue;
    Match m = {.t = t, .candidates = candidates, .first = i, .names = names};
    m.name_count = names_at(t, i, names);
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
      m.operator= & operators[k];
      if (operators[k].use & use)
        apply(&m);
    }
  }
}
