/* Finds the row length of a shared array. The log contains only the array's size in bytes, but the
 * source declares its dimensions: __shared__ real As[TILE][TILE + 1]. The dimensions are computed
 * from literals and from names that the file defines, and their product must equal the size of the
 * array. One unknown dimension, such as a template parameter, is computed from the other
 * dimensions. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

enum { MOST_DIMENSIONS = 8, MOST_DEPTH = 16, UNKNOWN = 0 };

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* ---- sums and products ----------------------------------------------------------------------- */
typedef struct Reader {
  const Source *source;
  const char *at;
  /* Nesting depth of names that are defined by other names, and of brackets. */
  int depth;
} Reader;

static int64_t value_of(const Source *, const char *expression, int depth);

/* Returns the text after "#define NAME" or after "NAME =" of a constant, or NULL. */
static const char *definition(const char *line, const char *name, size_t length) {
  const char *at = line + strspn(line, " \t");
  if (!strncmp(at, "#define", 7)) {
    at += 7 + strspn(at + 7, " \t");
    return !strncmp(at, name, length) && (at[length] == ' ' || at[length] == '\t') ? at + length
                                                                                   : NULL;
  }
  bool constant = strstr(line, "const ") || strstr(line, "constexpr ") || strstr(line, "enum");
  for (at = constant ? strstr(line, name) : NULL; at; at = strstr(at + 1, name)) {
    const char *behind = at + length + strspn(at + length, " ");
    if ((at == line || !is_name(at[-1])) && *behind == '=' && behind[1] != '=')
      return behind + 1;
  }
  return NULL;
}

static int64_t named_value(const Reader *r, const char *name, size_t length) {
  char word[64];
  if (length >= sizeof word || r->depth >= MOST_DEPTH)
    return UNKNOWN;
  snprintf(word, sizeof word, "%.*s", (int)length, name);
  for (size_t i = 0; i < r->source->count; i++) {
    const char *expression = definition(r->source->lines[i], word, length);
    if (expression)
      return value_of(r->source, expression, r->depth + 1);
  }
  return UNKNOWN;
}

static char next(Reader *r) {
  r->at += strspn(r->at, " \t");
  return *r->at;
}

static int64_t sum(Reader *);

static int64_t factor(Reader *r) {
  char c = next(r);
  if (c == '(' && r->depth < MOST_DEPTH) {
    r->at++;
    r->depth++;
    int64_t value = sum(r);
    r->depth--;
    if (next(r) != ')')
      return UNKNOWN;
    r->at++;
    return value;
  }
  if (isdigit((unsigned char)c)) {
    char *end;
    long value = strtol(r->at, &end, 0);
    r->at = end;
    return value < 1 << 30 ? value : UNKNOWN;
  }
  size_t length = 0;
  while (is_name(r->at[length]))
    length++;
  int64_t value = length ? named_value(r, r->at, length) : UNKNOWN;
  r->at += length;
  return value;
}

/* Returns UNKNOWN if an operand is unknown or the result cannot be the length of an array. */
static int64_t combine(int64_t a, char operation, int64_t b) {
  if (a <= 0 || b <= 0)
    return UNKNOWN;
  int64_t value = operation == '*'   ? a * b
                  : operation == '/' ? a / b
                  : operation == '+' ? a + b
                                     : a - b;
  return value > 0 && value < 1 << 30 ? value : UNKNOWN;
}

static int64_t product(Reader *r) {
  int64_t value = factor(r);
  while (next(r) == '*' || (*r->at == '/' && r->at[1] != '/' && r->at[1] != '*')) {
    char operation = *r->at++;
    value = combine(value, operation, factor(r));
  }
  return value;
}

static int64_t sum(Reader *r) {
  int64_t value = product(r);
  while (next(r) == '+' || *r->at == '-') {
    char operation = *r->at++;
    value = combine(value, operation, product(r));
  }
  return value;
}

static int64_t value_of(const Source *source, const char *expression, int depth) {
  Reader r = {source, expression, depth};
  int64_t value = sum(&r);
  char end = next(&r);
  return end == 0 || strchr(";,]}/", end) ? value : UNKNOWN;
}

/* ---- declarations ---------------------------------------------------------------------------- */
/* Returns the row length of an array of this many elements with dimensions such as "[TILE][TILE +
 * 1]"; 0 if they do not match. *exact is set to true if no dimension was unknown. */
static uint64_t columns_of(const Source *source, const char *at, uint64_t elements, bool *exact) {
  uint64_t known = 1;
  int64_t dimension[MOST_DIMENSIONS];
  int count = 0, unknown = 0, last;
  for (at += strspn(at, " "); *at == '[' && count < MOST_DIMENSIONS; count++) {
    const char *end = strchr(at, ']');
    if (!end)
      return 0;
    dimension[count] = value_of(source, at + 1, 0);
    unknown += dimension[count] == UNKNOWN;
    known *= dimension[count] == UNKNOWN ? 1 : (uint64_t)dimension[count];
    at = end + 1 + strspn(end + 1, " ");
  }
  last = count - 1;
  if (count < 2 || unknown > 1 || !known || elements % known || (!unknown && known != elements))
    return 0;
  *exact = !unknown;
  return dimension[last] == UNKNOWN ? elements / known : (uint64_t)dimension[last];
}

static const char *declarator(const char *line, const char *name) {
  size_t length = strlen(name);
  for (const char *at = strstr(line, name); at; at = strstr(at + 1, name)) {
    const char *behind = at + length + strspn(at + length, " ");
    if (at > line && !is_name(at[-1]) && *behind == '[')
      return behind;
  }
  return NULL;
}

uint64_t source_columns(const Source *s, const char *array, uint64_t elements, unsigned line) {
  uint64_t found = 0;
  bool sure = false;
  for (unsigned n = 1; n <= s->count && *array; n++) {
    const char *at = strstr(source_line(s, n), "__shared__");
    const char *dimensions = at ? declarator(at, array) : NULL;
    bool exact = false;
    uint64_t columns = dimensions ? columns_of(s, dimensions, elements, &exact) : 0;
    if (columns && (!found || (exact && !sure) || (exact == sure && n <= line))) {
      found = columns;
      sure = exact;
    }
  }
  return found;
}
