/* Splits CUDA source into the units at its top level: directives, functions, types, declarations
 * and calls of macros. */
#include "facts/units.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "facts/source.h"

/* ---- tokens ---------------------------------------------------------------------------------- */

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

size_t units_mark(const char *text) { return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; }

/* Replaces line joins, a backslash at the end of a line, by blanks. A name that continues on the
 * next line makes the text odd, because it is two tokens here and one token for a compiler. A
 * single carriage return becomes the end of a line. */
static void join_lines(Units *units) {
  char *at = units->plain;
  memset(at, ' ', units_mark(at));
  for (size_t i = 0; at[i]; i++) {
    size_t end = i + 1;
    if (at[i] == '\r' && at[i + 1] != '\n')
      at[i] = '\n';
    if (at[i] != '\\')
      continue;
    while (is_blank(at[end]))
      end++;
    if (at[end] != '\n')
      continue;
    units->odd |= i > 0 && !is_blank(at[i - 1]) && at[end + 1] && !is_blank(at[end + 1]) &&
                  at[end + 1] != '\n';
    memset(at + i, ' ', end + 1 - i);
  }
}

static const char *behind_number(const char *at) {
  for (at++; in_name(*at) || *at == '.' || (*at == '\'' && in_name(at[1])) ||
             ((*at == '+' || *at == '-') && strchr("eEpP", at[-1]));)
    at++;
  return at;
}

/* Returns the position after a raw string, R"mark(...)mark". */
static const char *behind_raw(const char *at) {
  char mark[24] = ")";
  size_t length = strcspn(at + 1, "(");
  if (length > 16 || at[1 + length] != '(')
    return at + strlen(at);
  memcpy(mark + 1, at + 1, length);
  memcpy(mark + 1 + length, "\"", 2);
  const char *end = strstr(at, mark);
  return end ? end + strlen(mark) : at + strlen(at);
}

static bool is_raw_prefix(const char *from, const char *to) {
  static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if ((size_t)(to - from) == strlen(prefixes[i]) &&
        memcmp(from, prefixes[i], (size_t)(to - from)) == 0)
      return true;
  return false;
}

static const char *behind_token(const char *at) {
  const char *end = at;
  if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
    return behind_number(at);
  while (in_name(*end))
    end++;
  if (end == at)
    return source_token_end(at);
  return *end == '"' && is_raw_prefix(at, end) ? behind_raw(end) : end;
}

/* Returns the position after blanks and comments. Sets *new_line to true if there is a newline
 * outside of the comments. A comment counts as a blank, even if it spans lines. */
static const char *behind_blanks(const char *at, bool *new_line) {
  for (;; at++) {
    if (*at == '\n')
      *new_line = true;
    else if (strncmp(at, "//", 2) == 0)
      at += strcspn(at, "\n") - 1;
    else if (strncmp(at, "/*", 2) == 0)
      at = strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 1 : at + strlen(at) - 1;
    else if (!is_blank(*at))
      return at;
  }
}

static bool is_digraph(const char *at) {
  return strncmp(at, "<%", 2) == 0 || strncmp(at, "%>", 2) == 0 || strncmp(at, "<:", 2) == 0 ||
         strncmp(at, ":>", 2) == 0 || strncmp(at, "%:", 2) == 0 || strncmp(at, "?\?", 2) == 0;
}

static void find_tokens(Units *units) {
  unsigned directives = 0;
  bool new_line = true, in_directive = false;
  for (const char *at = behind_blanks(units->plain, &new_line), *end; *at;
       new_line = false, at = behind_blanks(end, &new_line)) {
    if (new_line)
      in_directive = *at == '#' || strncmp(at, "%:", 2) == 0;
    directives += new_line && in_directive;
    units->odd |= is_digraph(at);
    end = behind_token(at);
    units->tokens[units->token_count++] = (UnitToken){
        (size_t)(at - units->plain), (size_t)(end - units->plain), in_directive ? directives : 0};
  }
}

bool unit_token_is(const Units *units, size_t token, const char *word) {
  if (token >= units->token_count)
    return false;
  size_t length = units->tokens[token].to - units->tokens[token].from;
  return strlen(word) == length &&
         memcmp(units->plain + units->tokens[token].from, word, length) == 0;
}

bool unit_tokens_same(const Units *a, size_t i, const Units *b, size_t k) {
  size_t length = a->tokens[i].to - a->tokens[i].from;
  return length == b->tokens[k].to - b->tokens[k].from &&
         memcmp(a->plain + a->tokens[i].from, b->plain + b->tokens[k].from, length) == 0;
}

bool unit_token_is_name(const Units *units, size_t token) {
  char c = token < units->token_count ? units->plain[units->tokens[token].from] : ' ';
  return in_name(c) && !isdigit((unsigned char)c);
}

/* Returns true for a macro with parameters: #define F(x), but not #define F (x). */
static bool takes_arguments(const Units *units, const Unit *unit) {
  return unit->kind == UNIT_MACRO && unit_token_is(units, unit->name + 1, "(") &&
         units->tokens[unit->name].to == units->tokens[unit->name + 1].from;
}

bool units_same(const Units *a, const Unit *unit, const Units *b, const Unit *other) {
  size_t length = unit->end - unit->first;
  if (length != other->end - other->first || takes_arguments(a, unit) != takes_arguments(b, other))
    return false;
  for (size_t i = 0; i < length; i++)
    if (!unit_tokens_same(a, unit->first + i, b, other->first + i))
      return false;
  return true;
}

bool unit_has(const Units *units, const Unit *unit, const Units *with_word, size_t word) {
  for (size_t i = unit->first; i < unit->end; i++)
    if (unit_tokens_same(units, i, with_word, word))
      return true;
  return false;
}

bool unit_has_word(const Units *units, const Unit *unit, const char *word) {
  for (size_t i = unit->first; i < unit->end; i++)
    if (unit_token_is(units, i, word))
      return true;
  return false;
}

size_t unit_from(const Units *units, const Unit *unit) { return units->tokens[unit->first].from; }

size_t unit_to(const Units *units, const Unit *unit) { return units->tokens[unit->end - 1].to; }

bool unit_is_directive(const Unit *unit) { return unit->kind <= UNIT_CONDITION; }

int unit_line(const Units *units, size_t offset) {
  int line = 1;
  for (size_t i = 0; i < offset; i++)
    line += units->text[i] == '\n';
  return line;
}

/* Returns 1 for an opening bracket, -1 for a closing bracket, otherwise 0. */
static int depth_of(const Units *units, size_t token) {
  const UnitToken *t = &units->tokens[token];
  char c = t->to - t->from == 1 ? units->plain[t->from] : ' ';
  return (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
}

static size_t closing(const Units *units, size_t token) {
  int depth = 0;
  for (size_t i = token; i < units->token_count; i++)
    if (!units->tokens[i].directive && (depth += depth_of(units, i)) == 0)
      return i;
  return units->token_count - 1;
}

/* ---- directives ------------------------------------------------------------------------------ */

static size_t directive_end(const Units *units, size_t first) {
  size_t end = first;
  while (end < units->token_count && units->tokens[end].directive == units->tokens[first].directive)
    end++;
  return end;
}

/* Returns true if the brackets of a macro are balanced. Otherwise the macro changes which tokens
 * are at the top level. */
static bool is_balanced(const Units *units, const Unit *macro) {
  int depth[3] = {0}, least = 0;
  for (size_t i = macro->name + 1; i < macro->end; i++) {
    const char *open = "([{", *close = ")]}", c = units->plain[units->tokens[i].from];
    for (int k = 0; k < 3; k++) {
      depth[k] += (c == open[k]) - (c == close[k]);
      least = depth[k] < least ? depth[k] : least;
    }
  }
  return !depth[0] && !depth[1] && !depth[2] && least == 0;
}

/* Returns true if a macro uses ##, which can form names that are not tokens of the text. */
static bool pastes(const Units *units, const Unit *macro) {
  for (size_t i = macro->first + 1; i + 1 < macro->end; i++)
    if (unit_token_is(units, i, "#") && unit_token_is(units, i + 1, "#"))
      return true;
  return false;
}

static Unit directive_at(Units *units, size_t first) {
  static const struct {
    const char *word;
    UnitKind kind;
  } kinds[] = {{"include", UNIT_INCLUDE}, {"import", UNIT_INCLUDE}, {"include_next", UNIT_INCLUDE},
               {"define", UNIT_MACRO},    {"undef", UNIT_UNDEF},    {"pragma", UNIT_PRAGMA}};
  Unit unit = {.kind = UNIT_CONDITION, .first = first, .end = directive_end(units, first)};
  unit.head_end = unit.end;
  unit.name = first + 2 < unit.end ? first + 2 : first;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (first + 1 < unit.end && unit_token_is(units, first + 1, kinds[i].word))
      unit.kind = kinds[i].kind;
  if (unit.kind == UNIT_MACRO)
    units->odd |= !is_balanced(units, &unit) || pastes(units, &unit);
  return unit;
}

/* The nesting depth of conditions (#if), and for each the number of brackets that are open before
 * it. */
typedef struct Conditions {
  int depth, brackets[32];
} Conditions;

/* Returns the number of open brackets after a directive. The branches of a condition are
 * alternatives: each begins with the brackets that were open before the #if. The text is odd if the
 * branches end with different numbers of open brackets. */
static int follow_condition(Units *units, Conditions *conditions, size_t word, int brackets) {
  enum { MOST = sizeof conditions->brackets / sizeof *conditions->brackets };
  if (word >= units->token_count)
    return brackets;
  const char *at = units->plain + units->tokens[word].from;
  if (strncmp(at, "if", 2) == 0) {
    units->odd |= conditions->depth >= MOST;
    if (conditions->depth < MOST)
      conditions->brackets[conditions->depth] = brackets;
    conditions->depth++;
    return brackets;
  }
  bool ends = strncmp(at, "endif", 5) == 0;
  if ((!ends && strncmp(at, "el", 2) != 0) || conditions->depth == 0)
    return brackets;
  int before = conditions->brackets[conditions->depth <= MOST ? conditions->depth - 1 : MOST - 1];
  units->odd |= brackets != before;
  conditions->depth -= ends;
  return ends ? brackets : before;
}

/* ---- units ----------------------------------------------------------------------------------- */

static void add_unit(Units *units, Unit unit) { units->all[units->count++] = unit; }

/* Returns the token after template <...>, or after the word `template` of an explicit
 * instantiation. */
static size_t behind_template(const Units *units, size_t token, size_t end) {
  int depth = 0;
  if (!unit_token_is(units, token, "template"))
    return token;
  if (!unit_token_is(units, token + 1, "<"))
    return token + 1;
  for (size_t i = token + 1; i < end; i++) {
    const char *at = units->plain + units->tokens[i].from;
    size_t length = units->tokens[i].to - units->tokens[i].from;
    for (size_t k = 0; k < length; k++)
      depth += (at[k] == '<') - (at[k] == '>');
    if (depth <= 0)
      return i + 1;
  }
  return end;
}

static bool is_one_of(const Units *units, size_t token, const char *const *words) {
  for (; *words; words++)
    if (unit_token_is(units, token, *words))
      return true;
  return false;
}

/* Returns true if the { at `brace` begins the body of a function or of a block. Such a body has no
 * ; at its end. Sets *block to true for a block. */
static bool begins_body(const Units *units, size_t first, size_t brace, bool *block) {
  static const char *const types[] = {"struct", "class", "union", "enum", NULL};
  bool type = false, parenthesis = false;
  *block = unit_token_is(units, first, "namespace") ||
           unit_token_is(units, first + 1, "namespace") ||
           (unit_token_is(units, first, "extern") && brace == first + 2);
  if (*block)
    return true;
  if (unit_token_is(units, first, "typedef"))
    return false;
  for (size_t i = behind_template(units, first, brace); i < brace; i++) {
    type |= is_one_of(units, i, types);
    parenthesis |= unit_token_is(units, i, "(");
    if (unit_token_is(units, i, "="))
      return false;
    if (depth_of(units, i) > 0)
      i = closing(units, i);
  }
  return parenthesis && (!type || unit_token_is(units, brace - 1, ")"));
}

/* Sets the name of a function: the word before the first parenthesis that does not belong to an
 * attribute. */
static void name_function(const Units *units, Unit *unit) {
  static const char *const attributes[] = {
      "__launch_bounds__", "__attribute__", "__align__", "alignas",  "decltype", "asm",
      "__asm__",           "__declspec",    "__asm",     "noexcept", NULL};
  size_t i = unit->first;
  while (unit_token_is(units, i, "template"))
    i = behind_template(units, i, unit->head_end);
  for (; i < unit->head_end; i++) {
    if (unit_token_is(units, i, "operator")) {
      unit->name = i;
      return;
    }
    if (unit_token_is(units, i, "(")) {
      size_t before = i - (i > unit->first);
      if (!is_one_of(units, before, attributes)) {
        for (int depth = unit_token_is(units, before, ">"); depth > 0 && before > unit->first;) {
          unit->specialised = true;
          before--;
          depth += unit_token_is(units, before, ">") - unit_token_is(units, before, "<");
          if (depth == 0)
            before--;
        }
        unit->name = before;
        return;
      }
    }
    if (depth_of(units, i) > 0)
      i = closing(units, i);
  }
}

/* Sets the name of a type or of another declaration. The name of a type is the last name before its
 * {. The name of another declaration is the name before =, [, ( or ;. */
static void name_declaration(const Units *units, Unit *unit) {
  static const char *const ends[] = {"=", "[", ";", "{", ",", ":", NULL};
  if (unit->kind == UNIT_DECLARATION)
    name_function(units, unit);
  if (unit->kind == UNIT_DECLARATION && unit->name != unit->first)
    return;
  for (size_t i = unit->first; i < unit->end && !is_one_of(units, i, ends); i++)
    if (depth_of(units, i) > 0)
      i = closing(units, i);
    else if (unit_token_is_name(units, i))
      unit->name = i;
  if (unit_token_is(units, unit->first, "typedef") && unit->end - unit->first > 2)
    unit->name = unit->end - 2;
}

/* Returns true if the tokens are a call of a macro. The call needs no ;, but a name, a directive or
 * the end of the text must follow. */
static bool is_call(const Units *units, size_t first, size_t last) {
  return unit_token_is_name(units, first) && unit_token_is(units, first + 1, "(") &&
         closing(units, first + 1) == last &&
         (last + 1 == units->token_count || units->tokens[last + 1].directive ||
          unit_token_is_name(units, last + 1));
}

static Unit finish(const Units *units, size_t first, size_t end, size_t body, bool block) {
  Unit unit = {.first = first, .end = end, .name = first, .head_end = body ? body : end};
  bool type = unit_has_word(units, &(Unit){.first = first, .end = end}, "{");
  unit.kind = block                            ? UNIT_BLOCK
              : body                           ? UNIT_FUNCTION
              : is_call(units, first, end - 1) ? UNIT_CALL
              : type                           ? UNIT_TYPE
                                               : UNIT_DECLARATION;
  if (unit.kind == UNIT_FUNCTION)
    name_function(units, &unit);
  else if (unit.kind == UNIT_DECLARATION || unit.kind == UNIT_TYPE)
    name_declaration(units, &unit);
  return unit;
}

static void find_units(Units *units) {
  Conditions conditions = {0};
  int depth = 0;
  bool open = false, block = false, block_now, is_inside = false;
  size_t first = 0, body = 0;
  for (size_t i = 0; i < units->token_count; i++) {
    if (units->tokens[i].directive) {
      Unit unit = directive_at(units, i);
      unit.inside = open || conditions.depth > 0;
      units->odd |= open && depth == 0;
      if (unit.kind == UNIT_CONDITION)
        depth = follow_condition(units, &conditions, i + 1, depth);
      add_unit(units, unit);
      i = unit.end - 1;
      continue;
    }
    if (!open) {
      first = i;
      open = true;
      body = 0;
      block = false;
      is_inside = conditions.depth > 0;
    }
    if (depth == 0 && unit_token_is(units, i, "{") && !body &&
        begins_body(units, first, i, &block_now)) {
      body = i;
      block = block_now;
    }
    depth += depth_of(units, i);
    bool ends =
        depth <= 0 && (unit_token_is(units, i, ";") || (body && unit_token_is(units, i, "}")) ||
                       (unit_token_is(units, i, ")") && is_call(units, first, i)));
    units->odd |= depth < 0;
    ends |= depth < 0;
    if (ends || i + 1 == units->token_count) {
      Unit unit = finish(units, first, i + 1, body, block);
      unit.inside = is_inside || conditions.depth > 0;
      units->odd |= !ends;
      if (!unit_token_is(units, first, ";"))
        add_unit(units, unit);
      open = false;
      depth = 0;
    }
  }
  units->odd |= conditions.depth > 0;
}

Units units_of(const char *text) {
  size_t most = strlen(text) + 1;
  Units units = {.text = text,
                 .plain = strdup(text),
                 .tokens = calloc(most, sizeof *units.tokens),
                 .all = calloc(most, sizeof *units.all)};
  if (!units.plain || !units.tokens || !units.all)
    bad_input("out of memory");
  join_lines(&units);
  find_tokens(&units);
  find_units(&units);
  return units;
}

void units_gone(Units *units) {
  free(units->plain);
  free(units->tokens);
  free(units->all);
}
