#include "edits_text.h"

#include "edits.h"
#include "harness/gaps.h"

const char *source;
Token tokens[TOKENS_MOST], pragmas[PRAGMAS_MOST];
size_t token_count, pragma_count;
size_t defined[DEFINED_MOST], defined_count;

static size_t scope_end[TOKENS_MOST]; /* of names; 0: not looked for yet */
static const char *const types[TYPES] = {"int",  "size_t",   "bool", "real",  "T",     "Vector",
                                         "Pack", "unsigned", "long", "float", "double"};

/* ---- from text to tokens ------------------------------------------------------------------------- */

static size_t end_of_token(size_t at) {
  static const char *const longer[] = {
      "<<<", ">>>", "<<=", ">>=", "<=", ">=", "==", "!=", "&&", "||", "+=",
      "-=",  "*=",  "/=",  "%=",  "++", "--", "->", "<<", ">>", "::"};
  size_t end = at;
  while (isalnum((unsigned char)source[end]) || source[end] == '_' ||
         (source[end] == '.' && isdigit((unsigned char)source[at])))
    end++;
  for (size_t i = 0; end == at && i < sizeof longer / sizeof *longer; i++)
    if (strncmp(source + at, longer[i], strlen(longer[i])) == 0)
      end = at + strlen(longer[i]);
  return end > at ? end : at + 1;
}

/* Comments are the student's to delete. */
static bool is_unmarked(void) {
  for (const char *line = source; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (gap_mark(line, "DONE") || gap_mark(line, "TODO"))
      return false;
  }
  return true;
}

static size_t behind_text(size_t at) {
  size_t length = 1 + strcspn(source + at + 1, "\"");
  return length + (source[at + length] == '"');
}

/* #define NAME 32, and nothing with parameters; no prediction either, of which no kernel is made. */
static void read_defined(void) {
  defined_count = 0;
  for (size_t i = 0; i + 2 < token_count && defined_count < DEFINED_MOST; i++)
    if (is(i, "define") && source[tokens[i + 1].to] != '(' &&
        strncmp(source + tokens[i + 1].from, "PREDICT", 7) != 0)
      defined[defined_count++] = i + 1;
}

/* Comments say where gaps are; directives other than #define are left alone. */
void text_read(const char *text, bool anywhere) {
  source = text;
  token_count = pragma_count = 0;
  memset(scope_end, 0, sizeof scope_end);
  const int outside = anywhere && is_unmarked() ? EDIT_ANYWHERE : 0;
  int gap = outside, opened;
  for (size_t at = 0; source[at] && token_count < TOKENS_MOST;) {
    size_t line = strcspn(source + at, "\n");
    if (strncmp(source + at, "//", 2) == 0) {
      opened = gap_mark(source + at, "DONE") + gap_mark(source + at, "TODO");
      gap = opened ? opened : gap_mark(source + at, "END") ? outside : gap;
      at += line;
    } else if (strncmp(source + at, "/*", 2) == 0) {
      const char *end = strstr(source + at + 2, "*/");
      at = end ? (size_t)(end + 2 - source) : strlen(source);
    } else if (source[at] == '"' ||
               (source[at] == '#' && strncmp(source + at, "#define", 7) != 0)) {
      if (gap && strncmp(source + at, "#pragma", 7) == 0 && pragma_count < PRAGMAS_MOST)
        pragmas[pragma_count++] = (Token){at, at + line, gap};
      at += source[at] == '"' ? behind_text(at) : line;
    } else if (isspace((unsigned char)source[at])) {
      at++;
    } else {
      tokens[token_count] = (Token){at, end_of_token(at), gap};
      at = tokens[token_count++].to;
    }
  }
  read_defined();
}

/* ---- what belongs together ------------------------------------------------------------------------ */

size_t closing(size_t i) {
  int depth = 0;
  for (size_t k = i; k < token_count; k++) {
    depth += is(k, "(") || is(k, "[") || is(k, "{");
    depth -= is(k, ")") || is(k, "]") || is(k, "}");
    if (depth == 0)
      return k;
  }
  return i;
}

size_t type_of_token(size_t i) {
  size_t type = 0;
  while (type < TYPES && !is(i, types[type]))
    type++;
  return type;
}

size_t function_of(size_t i) {
  while (i > 0 && !(is_name(i) && source[tokens[i].from - 1] == '\n'))
    i--;
  return i;
}

/* The token with which a name is known no more: the end of its braces, or of the loop that declares it. */
static size_t end_of_scope(size_t name) {
  size_t open = name - 1; /* a type, at least, stands before it */
  for (; open > 0; open--)
    if (is(open, ")") || is(open, "]") || is(open, "}"))
      open = opening(open);
    else if (is(open, "(") || is(open, "{"))
      break;
  size_t body = is(open, "(") ? closing(open) + 1 : open;
  size_t end = is(body, "{") ? closing(body) : behind_statement(body);
  return end > body ? end : token_count;
}

static bool is_known(size_t name, size_t i) {
  if (!scope_end[name])
    scope_end[name] = end_of_scope(name);
  return i <= scope_end[name];
}

/* Types of which one stands for another. */
static size_t alike(size_t type) {
  return type == UNSIGNED || type == LONG ? INT : type == FLOAT || type == DOUBLE ? REAL : type;
}

size_t names_before(size_t i, Name *names) {
  size_t count = 0;
  for (size_t at = function_of(i); at < i; at++) {
    size_t type = type_of_token(at);
    while (type < TYPES && type_of_token(at + 1) < TYPES) /* unsigned int, long long */
      type = type_of_token(++at);
    while (type < TYPES && at + 1 < i && count < NAMES_MOST) {
      size_t pointer = is(at + 1, "*"), name = at + 1 + pointer;
      if (!is_name(name) || is(name + 1, "("))
        break;
      names[count] = (Name){name, 4 * alike(type) + 2 * (size_t)is(name + 1, "[") + pointer};
      count += is_known(name, i);
      for (at = name + 1; at < i && !is(at, ",") && !is(at, ";") && !is(at, ")"); at++)
        if (is(at, "(") || is(at, "[") || is(at, "{"))
          at = closing(at);
      if (!is(at, ",") || type_of_token(at + 1) < TYPES || is(at + 1, "const"))
        break;
    }
  }
  return count;
}

size_t ints_before(size_t i, bool parameters, Name *names) {
  size_t all = names_before(i, names), body = function_of(i), count = 0;
  while (body < i && !is(body, "{"))
    body++;
  for (size_t k = 0; k < all; k++)
    if (names[k].kind == 0 && (names[k].token < body) == parameters)
      names[count++] = names[k];
  return count;
}

bool is_fraction(size_t name) {
  const char *text = source + tokens[name].to;
  return memchr(text, '.', strcspn(text, "\n/"));
}

size_t which_defined(size_t i) {
  size_t at = 0;
  while (at < defined_count && !(same_text(defined[at], i) && defined[at] != i))
    at++;
  return at;
}

size_t behind_operand(size_t i) {
  size_t end = is(i, "(") ? closing(i) + 1 : i + 1;
  for (;;) {
    if (is(end, "[") || is(end, "("))
      end = closing(end) + 1;
    else if (is(end, ".") || is(end, "->"))
      end += 2;
    else
      return end;
  }
}

size_t known_at(size_t i, bool fractions, size_t *all) {
  Name names[NAMES_MOST];
  size_t count = 0;
  for (size_t k = names_before(i, names); k-- > 0;)
    if (fractions ? names[k].kind == 4 * REAL || names[k].kind == 4 * T : names[k].kind == 0)
      all[count++] = names[k].token;
  for (size_t k = 0; k < defined_count; k++)
    if (defined[k] < i && is_fraction(defined[k]) == fractions)
      all[count++] = defined[k];
  return count;
}

bool is_among(size_t i, const size_t *all, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (same_text(all[k], i) && all[k] != i)
      return true;
  return false;
}

bool is_one_of(size_t i, const char *const *all) {
  for (; *all; all++)
    if (is(i, *all))
      return true;
  return false;
}

bool is_read(size_t i) {
  static const char *const behind[] = {"[", "(", "=", "++", "--", "+=", "-=", "*=", ".", NULL};
  return is_name(i) && type_of_token(i) == TYPES && type_of_token(i - 1) == TYPES &&
         !is(i - 1, "define") && !is(i - 1, ".") && !is(i - 1, "->") && !is_one_of(i + 1, behind);
}

size_t behind_statement(size_t i) {
  size_t end = i;
  while (end < token_count && !is(end, ";") && !is(end, "{") && !is(end, "}"))
    end = is(end, "(") || is(end, "[") ? closing(end) + 1 : end + 1;
  return is(end, ";") && end > i ? end + 1 : i;
}

size_t opening(size_t i) {
  int depth = 0;
  for (size_t k = i; k > 0; k--) {
    depth += is(k, ")") || is(k, "]") || is(k, "}");
    depth -= is(k, "(") || is(k, "[") || is(k, "{");
    if (depth == 0)
      return k;
  }
  return i;
}

bool begins_statement(size_t i) {
  static const char *const before[] = {";", "{", "}", ")", NULL};
  return i > 0 && is_one_of(i - 1, before);
}

size_t behind_value(size_t name) {
  size_t end = name + 2;
  if (!is(name + 1, "="))
    return name;
  for (; end < token_count && !is(end, ",") && !is(end, ";"); end++)
    if (is(end, "(") || is(end, "[") || is(end, "{"))
      end = closing(end);
  return end;
}
