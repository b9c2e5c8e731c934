/* Changes of one place in a student's file, inside of a gap, from "TODO(n)" or "DONE(n)" to "END(n)"; where somebody has
 * deleted all these comments, anywhere. Types and scopes are the compiler's business: what does not compile was no change worth
 * trying.
 */
#include "edits.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gaps.h"

enum { TOKENS_MOST = 20000, NAMES_MOST = 64, EDITS_MOST = 20000, TEXT_MOST = EDIT_TEXT };

typedef struct Token {
  size_t from, to;
  int gap; /* as Edit.task; 0: it stands in none */
} Token;

static const char *source;
static Token tokens[TOKENS_MOST];
static size_t token_count, edit_count, names_most;
static int gap_here;
static bool to_repair; /* a wrong file: more may be missing in it */
static Edit edits[EDITS_MOST];

static bool is(size_t i, const char *text) {
  size_t length = tokens[i].to - tokens[i].from;
  return i < token_count && strlen(text) == length &&
         memcmp(source + tokens[i].from, text, length) == 0;
}

static bool is_name(size_t i) {
  return isalpha((unsigned char)source[tokens[i].from]) || source[tokens[i].from] == '_';
}

static int length_of(size_t i) { return (int)(tokens[i].to - tokens[i].from); }

static void edit(size_t from, size_t to, const char *operation, const char *format, const char *a,
                 int a_length, const char *b, int b_length);

/* ---- tokens ---------------------------------------------------------------------------------- */

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

/* Comments say where gaps are; directives other than #define are left alone. */
static void read_tokens(void) {
  const int outside = to_repair && is_unmarked() ? EDIT_ANYWHERE : 0;
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
      gap_here = gap;
      if (gap && strncmp(source + at, "#pragma", 7) == 0)
        edit(at, at + line, "dropped", "%.*s%.*s", "", 0, "", 0);
      at += source[at] == '"' ? behind_text(at) : line;
    } else if (isspace((unsigned char)source[at])) {
      at++;
    } else {
      tokens[token_count] = (Token){at, end_of_token(at), gap};
      at = tokens[token_count++].to;
    }
  }
}

/* The token that closes what token i opens; i if there is none. */
static size_t closing(size_t i) {
  int depth = 0;
  for (size_t k = i; k < token_count; k++) {
    depth += is(k, "(") || is(k, "[") || is(k, "{");
    depth -= is(k, ")") || is(k, "]") || is(k, "}");
    if (depth == 0)
      return k;
  }
  return i;
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void edit(size_t from, size_t to, const char *operation, const char *format, const char *a,
                 int a_length, const char *b, int b_length) {
  if (edit_count == EDITS_MOST)
    return;
  Edit *e = &edits[edit_count++];
  *e = (Edit){.from = from, .to = to, .task = gap_here, .operation = operation};
  if (snprintf(e->text, TEXT_MOST, format, a_length, a, b_length, b) >= TEXT_MOST)
    edit_count--;
  for (size_t i = 0; e == &edits[edit_count - 1] && i + 1 < edit_count; i++)
    if (edits[i].from == from && edits[i].to == to && strcmp(edits[i].text, e->text) == 0)
      edit_count--; /* another operator made it */
}

static void replace(size_t i, const char *operation, const char *text) {
  edit(tokens[i].from, tokens[i].to, operation, "%.*s%.*s", text, (int)strlen(text), "", 0);
}

/* The texts of tokens a..b and c..d change places. */
static void exchange(size_t a, size_t b, size_t c, size_t d, const char *operation,
                     const char *between) {
  char format[TEXT_MOST];
  snprintf(format, sizeof format, "%%.*s%s%%.*s", between);
  edit(tokens[a].from, tokens[d].to, operation, format, source + tokens[c].from,
       (int)(tokens[d].to - tokens[c].from), source + tokens[a].from,
       (int)(tokens[b].to - tokens[a].from));
}

typedef struct Word {
  const char *from, *to, *operation;
} Word;
static const Word words[] = {
    {"<", "<=", "comparison"},
    {"<", ">", "comparison"},
    {"<", ">=", "comparison"},
    {">=", "<", "comparison"},
    {"<=", ">", "comparison"},
    {"<=", "<", "comparison"},
    {"<=", ">=", "comparison"},
    {">=", "<=", "comparison"},
    {">", ">=", "comparison"},
    {">", "<", "comparison"},
    {">=", ">", "comparison"},
    {"==", "!=", "comparison"},
    {"!=", "==", "comparison"},
    {"&&", "||", "comparison"},
    {"||", "&&", "comparison"},
    {"+", "-", "arithmetic"},
    {"-", "+", "arithmetic"},
    {"*", "+", "arithmetic"},
    {"+", "*", "arithmetic"},
    {"/", "*", "arithmetic"},
    {"*", "/", "arithmetic"},
    {"%", "/", "arithmetic"},
    {"+=", "=", "arithmetic"},
    {"=", "+=", "arithmetic"},
    {"+=", "-=", "arithmetic"},
    {"-=", "+=", "arithmetic"},
    {"/=", "-=", "arithmetic"},
    {"x", "y", "operand"},
    {"y", "x", "operand"},
    {"min", "max", "operand"},
    {"threadIdx", "blockIdx", "operand"},
    {"blockIdx", "threadIdx", "operand"},
    {"blockDim", "gridDim", "operand"},
    {"gridDim", "blockDim", "operand"},
    {"row", "column", "operand"},
    {"column", "row", "operand"},
    {"true", "false", "operand"},
    {"false", "true", "operand"},
    {"/", "%", "arithmetic"},
    {"++", "--", "arithmetic"},
    {"--", "++", "arithmetic"},
    {"++", "+= 2", "arithmetic"},
    {"?", "|| true ?", "condition"},
    {"?", "&& false ?", "condition"},
    {"float", "real", "type"},
    {"short", "int", "type"},
    {"char", "int", "type"},
    {"unsigned", "int", "type"},
    {"int", "unsigned", "type"},
    {"extern", "", "qualifier"},
    {"const", "", "qualifier"},
    {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "argument"},
    {"cudaMemcpyDeviceToHost", "cudaMemcpyHostToDevice", "argument"},
};
/* Nobody who did one of these finds it again by doing another. */
static const Word spoils[] = {
    {"|=", "=", "arithmetic"},
    {"real", "float", "type"},
    {"real", "int", "type"},
    {"real", "double", "type"},
    {"T", "float", "type"},
    {"T", "int", "type"},
    {"size_t", "int", "type"},
    {"size_t", "unsigned", "type"},
    {"int", "short", "type"},
    {"int", "char", "type"},
    {"int", "float", "type"},
    {"__shared__", "", "qualifier"},
    {"__syncthreads", "if (threadIdx.x < 16) __syncthreads", "barrier"},
    {"__syncthreads", "__syncwarp", "barrier"},
    {"__syncthreads", "__threadfence_block", "barrier"},
    {"__syncwarp", "__threadfence_block", "barrier"},
    {"sizeof", "(size_t)!!sizeof", "argument"},
};
/* A lab's elements are `real`, in templates T: what is right in float alone is not right. */
static const Word repairs[] = {
    {"float", "T", "type"},    {"double", "real", "type"},
    {"double", "T", "type"},   {"int", "real", "type"},
    {"int", "T", "type"},      {"__syncwarp", "__syncthreads", "barrier"},
    {"auto", "real", "type"},  {"auto", "T", "type"},
    {"int", "size_t", "type"},
};

/* What a number may have been meant to be: wanted twice, or half as often; a whole one does not say of which type. */
static void change_number(size_t i) {
  const char *text = source + tokens[i].from;
  int length = length_of(i);
  edit(tokens[i].from, tokens[i].to, "constant", "(%.*s + 1)%.*s", text, length, "", 0);
  edit(tokens[i].from, tokens[i].to, "constant", "(%.*s - 1)%.*s", text, length, "", 0);
  if (!to_repair)
    return;
  edit(tokens[i].from, tokens[i].to, "constant", "(%.*s * 2)%.*s", text, length, "", 0);
  edit(tokens[i].from, tokens[i].to, "constant", "(%.*s / 2)%.*s", text, length, "", 0);
  if (memchr(text, '.', (size_t)length))
    edit(tokens[i].from, tokens[i].to, "type", "real(%.*s)%.*s", text, length, "", 0);
}

static void change_by(size_t i, const Word *all, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (is(i, all[k].from))
      replace(i, all[k].operation, all[k].to);
}

static void change_word(size_t i) {
  change_by(i, words, sizeof words / sizeof *words);
  if (to_repair)
    change_by(i, repairs, sizeof repairs / sizeof *repairs);
  else
    change_by(i, spoils, sizeof spoils / sizeof *spoils);
  if (isdigit((unsigned char)source[tokens[i].from]))
    change_number(i);
}

/* X[a][b] becomes X[b][a]; f(a, b) becomes f(b, a), for each two neighbours. */
static void exchange_indices(size_t i) {
  size_t end = closing(i), start = i + 1, before = 0;
  if (is(i, "[") && is(end + 1, "["))
    exchange(i, end, end + 1, closing(end + 1), "indices", "");
  if (!is(i, "("))
    return;
  for (size_t k = i + 1; k <= end; k++) {
    if (k < end && (is(k, "(") || is(k, "[") || is(k, "{")))
      k = closing(k);
    if (k != end && !is(k, ","))
      continue;
    if (before && k > start)
      exchange(before, start - 2, start, k - 1, "arguments", ", ");
    before = start;
    start = k + 1;
  }
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *const types[] = {"int", "size_t", "bool", "real", "T", "Vector", "Pack"};
enum { TYPES = sizeof types / sizeof *types };

static size_t type_of_token(size_t i) {
  size_t type = 0;
  while (type < TYPES && !is(i, types[type]))
    type++;
  return type;
}

/* Where the function that token i stands in begins: at a line's first column. */
static size_t function_of(size_t i) {
  while (i > 0 && !(is_name(i) && source[tokens[i].from - 1] == '\n'))
    i--;
  return i;
}

typedef struct Name {
  size_t token, kind; /* the same of two: of one type, both pointers, or arrays, or neither */
} Name;

/* The names declared in the function before token i; returns how many. */
static size_t names_before(size_t i, Name *names) {
  size_t count = 0;
  for (size_t at = function_of(i); at < i; at++) {
    size_t type = type_of_token(at);
    while (type < TYPES && at + 1 < i && count < NAMES_MOST) {
      size_t pointer = is(at + 1, "*"), name = at + 1 + pointer;
      if (!is_name(name) || is(name + 1, "("))
        break;
      names[count++] = (Name){name, 4 * type + 2 * (size_t)is(name + 1, "[") + pointer};
      for (at = name + 1; at < i && !is(at, ",") && !is(at, ";") && !is(at, ")"); at++)
        if (is(at, "(") || is(at, "[") || is(at, "{"))
          at = closing(at);
      if (!is(at, ",") || type_of_token(at + 1) < TYPES || is(at + 1, "const"))
        break;
    }
  }
  return count;
}

/* Of a function the parameters, or what is declared in its body before token i: ints that an index is made of. */
static size_t ints_before(size_t i, bool parameters, Name *names) {
  size_t all = names_before(i, names), body = function_of(i), count = 0;
  while (body < i && !is(body, "{"))
    body++;
  for (size_t k = 0; k < all; k++)
    if (names[k].kind == 0 && (names[k].token < body) == parameters)
      names[count++] = names[k];
  return count;
}

static bool same_text(size_t a, size_t b) {
  size_t length = tokens[a].to - tokens[a].from;
  return length == tokens[b].to - tokens[b].from &&
         memcmp(source + tokens[a].from, source + tokens[b].from, length) == 0;
}

/* The n-th nearest to the one `at`, from 1 on, by turns behind it and before it; `count`: there is none. */
static size_t nearest(size_t at, size_t n, size_t count) {
  size_t apart = (n + 1) / 2;
  bool behind = n % 2 == 1;
  return behind ? (at + apart < count ? at + apart : count) : (apart <= at ? at - apart : count);
}

/* Other names of the same type, those first that were declared beside it; a number one more and less. */
static void other_names(size_t i) {
  Name names[NAMES_MOST];
  size_t count = names_before(i, names), at = 0, found = 0;
  while (at < count && (!same_text(names[at].token, i) || names[at].token == i))
    at++;
  if (at == count || is(i - 1, ".") || is(i - 1, "->"))
    return;
  for (size_t n = 1; n < 2 * count && found < names_most; n++) {
    const Name *other = &names[nearest(at, n, count) % count];
    if (nearest(at, n, count) == count || other->kind != names[at].kind ||
        same_text(other->token, i))
      continue;
    edit(tokens[i].from, tokens[i].to, "variable", "%.*s%.*s", source + tokens[other->token].from,
         (int)(tokens[other->token].to - tokens[other->token].from), "", 0);
    if (edit_count)
      edits[edit_count - 1].choice = (int)found;
    found++;
  }
  if (names[at].kind != 0 || is(i + 1, "=") || is(i + 1, "++") || is(i + 1, "+="))
    return;
  /* Of two that take turns the other one. */
  if (to_repair && (is(i - 1, "=") || is(i - 1, "[")) &&
      (is(i + 1, ",") || is(i + 1, ";") || is(i + 1, "]")))
    edit(tokens[i].from, tokens[i].to, "other of two", "(1 - %.*s)%.*s", source + tokens[i].from,
         (int)(tokens[i].to - tokens[i].from), "", 0);
  edit(tokens[i].from, tokens[i].to, "off by one", "(%.*s + 1)%.*s", source + tokens[i].from,
       (int)(tokens[i].to - tokens[i].from), "", 0);
  edit(tokens[i].from, tokens[i].to, "off by one", "(%.*s - 1)%.*s", source + tokens[i].from,
       (int)(tokens[i].to - tokens[i].from), "", 0);
}

/* ---- sizes and constants: numbers that have a name ---------------------------------------------- */

enum { DEFINED_MOST = 40 };
static size_t defined[DEFINED_MOST], defined_count; /* tokens */

/* Of what this token's name was defined as: is it no whole number? */
static bool is_fraction(size_t name) {
  const char *text = source + tokens[name].to;
  return memchr(text, '.', strcspn(text, "\n/"));
}

/* #define NAME 32, and nothing with parameters; no prediction either, of which no kernel is made. */
static void read_defined(void) {
  defined_count = 0;
  for (size_t i = 0; i + 2 < token_count && defined_count < DEFINED_MOST; i++)
    if (is(i, "define") && source[tokens[i + 1].to] != '(' &&
        strncmp(source + tokens[i + 1].from, "PREDICT", 7) != 0)
      defined[defined_count++] = i + 1;
}

static size_t which_defined(size_t i) {
  size_t at = 0;
  while (at < defined_count && !(same_text(defined[at], i) && defined[at] != i))
    at++;
  return at;
}

static void change_defined(size_t i) {
  size_t at = which_defined(i);
  if (at == defined_count || is_fraction(defined[at]))
    return;
  static const char *const changed[] = {"(%.*s + 1)%.*s", "(%.*s - 1)%.*s", "(%.*s / 2)%.*s"};
  for (size_t k = 0; k < 3; k++)
    edit(tokens[i].from, tokens[i].to, "constant", changed[k], source + tokens[i].from,
         length_of(i), "", 0);
  if (to_repair) {
    replace(i, "operand", "blockDim.x");
    replace(i, "operand", "blockDim.y");
  }
}

/* A statement runs from behind ; { or } to its own ; */
static void change_statement(size_t i) {
  size_t end = i;
  if (i == 0 || !(is(i - 1, ";") || is(i - 1, "{") || is(i - 1, "}") || is(i - 1, ")")) ||
      is(i, "}") || is(i, "for"))
    return;
  while (end < token_count && !is(end, ";") && !is(end, "{") && !is(end, "}"))
    end = is(end, "(") || is(end, "[") ? closing(end) + 1 : end + 1;
  if (!is(end, ";") || !tokens[end].gap || end == i)
    return;
  int length = (int)(tokens[end].to - tokens[i].from);
  edit(tokens[i].from, tokens[end].to, "dropped", "%.*s;%.*s", "", 0, "", 0);
  if (type_of_token(i) == TYPES && !is(i, "const") && !is(i, "dim3"))
    edit(tokens[i].from, tokens[end].to, "doubled", "{%.*s} %.*s", source + tokens[i].from, length,
         source + tokens[i].from, length);
  size_t next = end + 1, next_end = next;
  while (next_end < token_count && !is(next_end, ";") && !is(next_end, "{") && !is(next_end, "}"))
    next_end++;
  if (next < token_count && tokens[next_end].gap && is(next_end, ";") && next_end > next)
    exchange(i, end, next, next_end, "moved", " ");
}

/* Behind the last token of what stands at token i: a name or a number with all that belongs to it, or parentheses. */
static size_t behind_operand(size_t i) {
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

static bool ends_operand(size_t i) {
  return isalnum((unsigned char)source[tokens[i].from]) || is(i, ")") || is(i, "]");
}

/* a && b becomes b. */
static void drop_condition(size_t i) {
  static const char *const before[] = {"=", ";", "&&", "||", "?", ",", "return", "{", "}"};
  size_t start = i;
  int open = 0;
  if (!is(i, "&&") && !is(i, "||"))
    return;
  for (bool ends = false; start > 0 && !ends;) {
    open += is(start - 1, "(") - is(start - 1, ")");
    ends = open > 0;
    for (size_t k = 0; k < sizeof before / sizeof *before && open == 0; k++)
      ends |= is(start - 1, before[k]);
    start -= !ends;
  }
  if (start < i && tokens[start].gap)
    edit(tokens[start].from, tokens[i].to, "operand dropped", "%.*s%.*s", "", 0, "", 0);
}

/* a + b becomes a. */
static void drop_operand(size_t i) {
  static const char *const operators[] = {"+", "-", "*", "/", "%", "&&", "||"};
  size_t k = 0;
  while (k < sizeof operators / sizeof *operators && !is(i, operators[k]))
    k++;
  if (k == sizeof operators / sizeof *operators || i == 0 || !ends_operand(i - 1) ||
      type_of_token(i - 1) < TYPES)
    return;
  size_t end = behind_operand(i + 1);
  if (end < token_count && tokens[end - 1].gap)
    edit(tokens[i].from, tokens[end - 1].to, "operand dropped", "%.*s%.*s", "", 0, "", 0);
}

/* What might stand at token i, the names known there and the sizes; what was declared last comes first. */
enum { REAL = 3, T = 4, KNOWN_MOST = NAMES_MOST + DEFINED_MOST };
static size_t known_at(size_t i, bool fractions, size_t *all) {
  Name names[NAMES_MOST];
  size_t count = 0;
  for (size_t k = names_before(i, names); k-- > 0;)
    if (fractions ? names[k].kind == 4 * REAL || names[k].kind == 4 * T : names[k].kind == 0)
      all[count++] = names[k].token;
  for (size_t k = 0; k < defined_count; k++)
    if (is_fraction(defined[k]) == fractions)
      all[count++] = defined[k];
  return count;
}

static bool is_among(size_t i, const size_t *all, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (same_text(all[k], i) && all[k] != i)
      return true;
  return false;
}

static bool is_one_of(size_t i, const char *const *all) {
  for (; *all; all++)
    if (is(i, *all))
      return true;
  return false;
}

/* Is it read here, and no more than a name: neither declared nor a member, an array or a function? */
static bool is_read(size_t i) {
  static const char *const behind[] = {"[", "(", "=", "++", "--", "+=", "-=", "*=", ".", NULL};
  return is_name(i) && type_of_token(i) == TYPES && type_of_token(i - 1) == TYPES &&
         !is(i - 1, "define") && !is(i - 1, ".") && !is(i - 1, "->") && !is_one_of(i + 1, behind);
}

static void choose(size_t choice) {
  if (edit_count)
    edits[edit_count - 1].choice = (int)choice;
}

/* a becomes a * b, a + b, (a - b), for the ints and the sizes that there are. */
static void add_operand(size_t i) {
  static const char *const behind[] = {"]", ")",  ";",  ",",  "+", "-", "<",
                                       ">", "<=", ">=", "&&", "?", NULL};
  static const char *const formats[] = {" * %.*s%.*s", " + %.*s%.*s"};
  size_t all[KNOWN_MOST], count = known_at(i, false, all);
  bool part = (is(i, "x") || is(i, "y")) && is(i - 1, ".");
  if (!part && !is_read(i))
    return;
  for (size_t k = 0; k < count; k++) {
    const char *other = source + tokens[all[k]].from;
    for (size_t f = 0; f < 2 && is_one_of(i + 1, behind); f++) {
      edit(tokens[i].to, tokens[i].to, "operand added", formats[f], other, length_of(all[k]), "",
           0);
      choose(k);
    }
    if (part || !is_among(i, all, count) || same_text(i, all[k]))
      continue;
    edit(tokens[i].from, tokens[i].to, "operand subtracted", "(%.*s - %.*s)",
         source + tokens[i].from, length_of(i), other, length_of(all[k]));
    choose(k);
  }
}

/* A factor that is missing among real numbers. */
static void add_factor(size_t i) {
  size_t all[KNOWN_MOST], count = known_at(i, true, all);
  bool part = (is(i, "x") || is(i, "y")) && is(i - 1, ".");
  if (!part && !(is_read(i) && is_among(i, all, count)))
    return;
  for (size_t k = 0; k < count; k++) {
    edit(tokens[i].to, tokens[i].to, "factor added", " * %.*s%.*s", source + tokens[all[k]].from,
         length_of(all[k]), "", 0);
    choose(k);
  }
}

/* An int, a size, a whole number, or blockDim.x, becomes another one of these. */
static void other_operand(size_t i) {
  static const char *const given[] = {"blockDim", "gridDim", "threadIdx", "blockIdx", NULL};
  static const char *const parts[] = {"threadIdx.x", "threadIdx.y", "blockDim.x", "blockDim.y",
                                      NULL};
  size_t all[KNOWN_MOST], count = known_at(i, false, all), last = i;
  const char *text = source + tokens[i].from;
  bool number = isdigit((unsigned char)*text) && !memchr(text, '.', (size_t)length_of(i));
  if (is_one_of(i, given))
    last = i + 2;
  else if (!number && !(is_read(i) && is_among(i, all, count)))
    return;
  for (size_t k = 0; k < count; k++) {
    if (same_text(all[k], i))
      continue;
    edit(tokens[i].from, tokens[last].to, "other operand", "%.*s%.*s", source + tokens[all[k]].from,
         length_of(all[k]), "", 0);
    choose(k);
  }
  for (size_t k = 0; parts[k]; k++) {
    edit(tokens[i].from, tokens[last].to, "other operand", "%.*s%.*s", parts[k],
         (int)strlen(parts[k]), "", 0);
    choose(k);
  }
}

/* i++ becomes i += 32 or what else there is. */
static void other_step(size_t i) {
  size_t all[KNOWN_MOST], count = known_at(i, false, all);
  if (!is(i, "++"))
    return;
  replace(i, "step", "+= 32");
  replace(i, "step", "+= blockDim.x");
  for (size_t k = 0; k < count; k++) {
    edit(tokens[i].from, tokens[i].to, "step", "+= %.*s%.*s", source + tokens[all[k]].from,
         length_of(all[k]), "", 0);
    choose(k);
  }
}

/* c ? a : b becomes c ? b : a. */
static void exchange_choices(size_t i) {
  static const char *const behind[] = {";", ",", ")", "]", "}", NULL};
  size_t colon = i, end;
  if (!is(i, "?"))
    return;
  while (colon < token_count && !is(colon, ":"))
    colon = is(colon, "(") || is(colon, "[") ? closing(colon) + 1 : colon + 1;
  for (end = colon; end < token_count && !is_one_of(end, behind);)
    end = is(end, "(") || is(end, "[") ? closing(end) + 1 : end + 1;
  if (end < token_count && colon > i + 1 && end > colon + 1)
    exchange(i + 1, colon - 1, colon + 1, end - 1, "choices", " : ");
}

/* The text of tokens from..to with two words in place of one another, throughout, or in what is behind a "=" alone. */
static void exchange_words(size_t from, size_t to, size_t a, size_t b, bool only_values) {
  bool value = !only_values;
  char text[TEXT_MOST];
  size_t at = 0, next = tokens[from].from, times = 0;
  if (tokens[to].to - next >= TEXT_MOST - 40)
    return;
  for (size_t i = from; i <= to; i++) {
    value = !only_values || is(i, "=") || (value && !is(i, ";"));
    bool is_a = value && same_text(i, a), is_b = value && same_text(i, b);
    size_t token = is_a ? b : is_b ? a : i;
    times += is_a || is_b;
    at += (size_t)snprintf(text + at, sizeof text - at, "%.*s%.*s", (int)(tokens[i].from - next),
                           source + next, length_of(token), source + tokens[token].from);
    next = tokens[i].to;
    if (at + 40 >= sizeof text)
      return;
  }
  if (times > (only_values ? 1 : 2)) /* two are two others' business */
    edit(tokens[from].from, tokens[to].to, "exchanged", "%.*s%.*s", text, (int)at, "", 0);
}

/* Rows for columns, throughout a statement: two names that both stand in it, or x and y. */
static void exchange_throughout(size_t from, size_t to) {
  enum { WORDS_MOST = 8 };
  size_t all[KNOWN_MOST], count = known_at(from, false, all), word[WORDS_MOST], found = 0;
  for (size_t i = from; i <= to && found < WORDS_MOST; i++) {
    bool part = is(i - 1, ".") && (is(i, "x") || is(i, "y"));
    bool seen = false;
    for (size_t k = 0; k < found; k++)
      seen |= same_text(word[k], i);
    if (!seen && (part || (!is(i - 1, ".") && is_among(i, all, count))))
      word[found++] = i;
  }
  for (size_t a = 0; a < found; a++)
    for (size_t b = a + 1; b < found; b++)
      if (is(word[a] - 1, ".") == is(word[b] - 1, "."))
        for (int only_values = 0; only_values < 2; only_values++)
          exchange_words(from, to, word[a], word[b], only_values);
}

/* ---- what may be missing ------------------------------------------------------------------------ */

/* A text with an int of the function's body and one of its parameters in it, for each two; what was declared last is most
 * likely meant. */
static void edit_pairs(size_t i, size_t from, size_t to, const char *operation,
                       const char *format) {
  Name inner[NAMES_MOST], given[NAMES_MOST];
  size_t inner_count = ints_before(i, false, inner), given_count = ints_before(i, true, given);
  if (inner_count == 0) /* a small function: all that it knows it was given */
    memcpy(inner, given, (inner_count = given_count) * sizeof *inner);
  for (size_t k = inner_count; k-- > 0;)
    for (size_t n = 0; n < given_count; n++)
      if (inner[k].token != given[n].token)
        edit(from, to, operation, format, source + tokens[inner[k].token].from,
             length_of(inner[k].token), source + tokens[given[n].token].from,
             length_of(given[n].token));
}

/* A condition that asks for too little: if (...), bool x = ...; and ... ? */
static void add_condition(size_t i) {
  size_t end = i;
  bool excludes = false;
  if (is(i, "if") && is(i + 1, "("))
    end = closing(i + 1);
  else if (is(i, "bool") && is(i + 2, "="))
    while (end < token_count && !is(end, ";"))
      end++;
  else if (!is(i, "?"))
    return;
  for (size_t k = i; k < end; k++)
    excludes |= is(k, ">=") || is(k, ">");
  if (end < token_count && tokens[end].gap)
    edit_pairs(i, tokens[end].from, tokens[end].from, "condition added",
               excludes && is(i, "if") ? " || %.*s >= %.*s" : " && %.*s < %.*s");
}

/* The same with the sum of two of the last ones: a place is a block's first and a thread's own. */
static void edit_sums(size_t i, size_t at, const char *operation, const char *before,
                      const char *behind) {
  enum { LAST = 6 };
  Name inner[NAMES_MOST], given[NAMES_MOST];
  size_t inner_count = ints_before(i, false, inner), given_count = ints_before(i, true, given);
  size_t first = inner_count > LAST ? inner_count - LAST : 0;
  for (size_t a = inner_count; a-- > first;)
    for (size_t b = a; b-- > first;)
      for (size_t n = 0; n < given_count; n++) {
        char format[TEXT_MOST];
        snprintf(format, sizeof format, "%s%%.*s + %%.*s < %.*s%s", before,
                 length_of(given[n].token), source + tokens[given[n].token].from, behind);
        edit(at, at, operation, format, source + tokens[inner[b].token].from,
             length_of(inner[b].token), source + tokens[inner[a].token].from,
             length_of(inner[a].token));
      }
}

static bool begins_statement(size_t i) {
  static const char *const before[] = {";", "{", "}", ")", NULL};
  return i > 0 && is_one_of(i - 1, before);
}

/* Does a statement give something that was declared before another value? */
static bool assigns(size_t i) {
  static const char *const gives[] = {"=", "+=", "-=", "*=", NULL};
  if (!begins_statement(i) || !is_name(i) || type_of_token(i) < TYPES)
    return false;
  return is_one_of(behind_operand(i), gives);
}

/* x[e] = ...; that not all threads may do, or a term that is none. */
static void add_guard(size_t i) {
  if (!assigns(i))
    return;
  edit_pairs(i, tokens[i].from, tokens[i].from, "guard added", "if (%.*s < %.*s) ");
  edit_sums(i, tokens[i].from, "guard of a sum added", "if (", ") ");
}

/* The condition of a loop, which goes on for too long. */
static void limit_loop(size_t i) {
  size_t end = i + 1;
  if (!is(i, "for") || !is(i + 1, "("))
    return;
  for (int found = 0; end < token_count && found < 2; found += is(end, ";"))
    end++;
  size_t at = tokens[end].from;
  edit_pairs(end, at, at, "condition added", " && %.*s < %.*s");
  edit_sums(end, at, "condition of a sum added", " && ", "");
}

/* T x; becomes T x = {}; */
static void add_value(size_t i) {
  if (!begins_statement(i) || type_of_token(i) == TYPES)
    return;
  for (size_t at = i + 1; at < token_count && !is(at, ";"); at++) {
    size_t end = at + 1;
    while (is(end, "["))
      end = closing(end) + 1;
    bool declared = (is(at - 1, ",") || at == i + 1) && is_name(at);
    if (declared && (is(end, ",") || is(end, ";")))
      edit(tokens[end - 1].to, tokens[end - 1].to, "value added", " = {}%.*s%.*s", "", 0, "", 0);
    if (is(at, "(") || is(at, "[") || is(at, "{"))
      at = closing(at);
  }
}

/* What a loop adds up may have to begin anew: x = {}; behind its {. */
static void begin_anew(size_t i) {
  Name names[NAMES_MOST];
  size_t count = names_before(i, names);
  if (!is(i, "{") || !is(i - 1, ")"))
    return;
  for (size_t k = count; k-- > 0;)
    if (names[k].kind % 4 == 0 && names[k].kind >= 4 * REAL)
      edit(tokens[i].to, tokens[i].to, "value added", " %.*s = {};%.*s",
           source + tokens[names[k].token].from, length_of(names[k].token), "", 0);
}

/* Behind the last token of the statement that begins at i; i: it is not one. */
static size_t behind_statement(size_t i) {
  size_t end = i;
  while (end < token_count && !is(end, ";") && !is(end, "{") && !is(end, "}"))
    end = is(end, "(") || is(end, "[") ? closing(end) + 1 : end + 1;
  return is(end, ";") && end > i ? end + 1 : i;
}

/* The token that opens what token i closes. */
static size_t opening(size_t i) {
  int depth = 0;
  for (size_t k = i; k > 0; k--) {
    depth += is(k, ")") || is(k, "]") || is(k, "}");
    depth -= is(k, "(") || is(k, "[") || is(k, "{");
    if (depth == 0)
      return k;
  }
  return i;
}

/* A statement first or last in a loop's braces comes to stand outside, one beside them inside. */
static void move_over_braces(size_t i) {
  size_t end = behind_statement(i);
  if (!begins_statement(i) || end == i || !tokens[end].gap)
    return;
  if (is(end, "}"))
    exchange(i, end - 1, end, end, "moved", " ");
  if (is(i - 1, "}"))
    exchange(i - 1, i - 1, i, end - 1, "moved", " ");
  if (is(i - 1, "{") && is(i - 2, ")"))
    exchange(opening(i - 2) - 1, i - 1, i, end - 1, "moved", " ");
  if (is(end, "for") && is(closing(end + 1) + 1, "{"))
    exchange(i, end - 1, end, closing(end + 1) + 1, "moved", " ");
}

static void exchange_in_statement(size_t i) {
  size_t end = behind_statement(i);
  if (!begins_statement(i) || end == i)
    return;
  exchange_throughout(i, end - 1);
  size_t next = behind_statement(end);
  if (next > end)
    exchange_throughout(i, next - 1);
}

/* What threads without an element read is of no use to anybody, and has to be there all the same. */
static void limit_index(size_t i) {
  Name given[NAMES_MOST];
  size_t end = closing(i), last = end - 1;
  if (!is(i, "[") || end < i + 2 || i == 0 || !is_name(i - 1) || !is_name(i + 1))
    return;
  for (size_t k = 0, count = ints_before(i, true, given); k < count; k++)
    edit(tokens[i + 1].from, tokens[last].to, "limited",
         end == i + 2 ? "min(%.*s, %.*s - 1)" : "min((int)(%.*s), %.*s - 1)",
         source + tokens[i + 1].from, (int)(tokens[last].to - tokens[i + 1].from),
         source + tokens[given[k].token].from, length_of(given[k].token));
}

static bool in_parentheses(size_t i) {
  int open = 0;
  for (; i > 0 && !is(i, "{") && !is(i, "}"); i--)
    open += is(i, "(") - is(i, ")");
  return open > 0;
}

static void add_barrier(size_t i) {
  if (is(i, "}") || (is(i, ";") && !in_parentheses(i)))
    edit(tokens[i].to, tokens[i].to, "barrier added", " __syncthreads();%.*s%.*s", "", 0, "", 0);
}

/* 1 / 2 of whole numbers is 0. */
static void divide_reals(size_t i) {
  int left = 0, right = 0;
  if (!is(i, "/") || i == 0 || sscanf(source + tokens[i - 1].from, "%d", &left) != 1 ||
      sscanf(source + tokens[i + 1].from, "%d", &right) != 1 || right == 0 || left % right == 0 ||
      memchr(source + tokens[i - 1].from, '.', tokens[i + 1].to - tokens[i - 1].from))
    return;
  edit(tokens[i + 1].from, tokens[i + 1].to, "whole division", "real(%.*s)%.*s",
       source + tokens[i + 1].from, length_of(i + 1), "", 0);
}

/* Of pieces the last one may be short: a / b, a / b + 1 and (a + b) / b become CEIL_DIV(a, b). */
static void round_up(size_t i) {
  size_t end = behind_operand(i + 1), last = end - 1;
  if (!is(i, "/") || i == 0 || !is_name(i - 1) || is(i - 2, ".") || end >= token_count)
    return;
  for (size_t more = 0; more < 2; more++) {
    edit(tokens[i - 1].from, tokens[last].to, "rounded up", "CEIL_DIV(%.*s, %.*s)",
         source + tokens[i - 1].from, length_of(i - 1), source + tokens[i + 1].from,
         (int)(tokens[end - 1].to - tokens[i + 1].from));
    if (!is(end, "+") || !is(end + 1, "1"))
      return;
    last = end + 1;
  }
}

/* a % b is 0 where the last piece is whole. */
static void keep_whole(size_t i) {
  size_t end = behind_operand(i + 1);
  if (is(i, "%") && i > 0 && is_name(i - 1) && !is(i - 2, ".") && end < token_count)
    edit(tokens[i - 1].from, tokens[end - 1].to, "remainder", "((%.*s - 1) %% %.*s + 1)",
         source + tokens[i - 1].from, length_of(i - 1), source + tokens[i + 1].from,
         (int)(tokens[end - 1].to - tokens[i + 1].from));
}

/* The end of what token `name` was declared with: behind "= e"; `name` itself: with nothing. */
static size_t behind_value(size_t name) {
  size_t end = name + 2;
  if (!is(name + 1, "="))
    return name;
  for (; end < token_count && !is(end, ",") && !is(end, ";"); end++)
    if (is(end, "(") || is(end, "[") || is(end, "{"))
      end = closing(end);
  return end;
}

/* x, declared as a + b, becomes (a + c): what was computed of one thing is used for another. */
static void compute_anew(size_t i) {
  Name names[NAMES_MOST];
  size_t count = ints_before(i, false, names), own = count;
  while (own > 0 && !same_text(names[own - 1].token, i))
    own--;
  if (own == 0 || names[own - 1].token == i || is(i - 1, ".") || is(i - 1, "->"))
    return;
  size_t from = names[own - 1].token + 2, end = behind_value(names[own - 1].token);
  for (size_t part = from; end > from + 1 && part < end; part++)
    for (size_t k = count; k-- > 0;) {
      size_t other = names[k].token, known = 0;
      while (known < count && !same_text(names[known].token, part))
        known++;
      if (known == count || same_text(other, part) || same_text(other, i))
        continue;
      char format[TEXT_MOST];
      snprintf(format, sizeof format, "(%%.*s%.*s%%.*s)", length_of(other),
               source + tokens[other].from);
      edit(tokens[i].from, tokens[i].to, "computed of another", format, source + tokens[from].from,
           (int)(tokens[part].from - tokens[from].from), source + tokens[part].to,
           (int)(tokens[end - 1].to - tokens[part].to));
    }
}

static void change_more(size_t i) {
  static void (*const all[])(size_t) = {
      add_operand,
      add_factor,
      other_operand,
      other_step,
      exchange_choices,
      add_guard,
      limit_loop,
      add_condition,
      add_value,
      begin_anew,
      limit_index,
      add_barrier,
      divide_reals,
      round_up,
      keep_whole,
      move_over_braces,
      exchange_in_statement,
  };
  if (is_name(i))
    compute_anew(i);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    all[k](i);
}

/* ---- values that are lost ------------------------------------------------------------------------ */

/* x = e; becomes x = {}; and the condition of a loop false. */
static void empty_value(size_t i) {
  size_t end = i + 1;
  bool loop = is(i, "for") && is(i + 1, "(");
  if (!loop && !is(i, "="))
    return;
  for (end += loop; end < token_count && !is(end, ";") && !is(end, ",") && !is(end, ")"); end++)
    if (is(end, "(") || is(end, "[") || is(end, "{"))
      end = closing(end);
  if (!is(end, ";") || !tokens[end].gap)
    return;
  if (!loop) {
    edit(tokens[i].from, tokens[end].from, "emptied", "= {}%.*s%.*s", "", 0, "", 0);
    return;
  }
  size_t from = end;
  while (++end < token_count && !is(end, ";"))
    ;
  edit(tokens[from].from, tokens[end].from, "emptied", "; false%.*s%.*s", "", 0, "", 0);
}

/* TRY(error, call) becomes (call); an if or the condition of ?: is always or never true. */
static void change_condition(size_t i) {
  size_t open = i + 1, end = closing(open);
  if (is(i, "TRY") && is(open, "(") && is(open + 2, ","))
    edit(tokens[i].from, tokens[end].to, "error check", "(%.*s)%.*s",
         source + tokens[open + 3].from, (int)(tokens[end].from - tokens[open + 3].from), "", 0);
  if (!is(i, "if") || !is(open, "("))
    return;
  edit(tokens[open].from, tokens[end].to, "condition", "(true)%.*s%.*s", "", 0, "", 0);
  edit(tokens[open].from, tokens[end].to, "condition", "(false)%.*s%.*s", "", 0, "", 0);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int line_of(size_t at) {
  int line = 1;
  for (size_t i = 0; i < at; i++)
    line += source[i] == '\n';
  return line;
}

size_t edits_of(const char *text, bool wrong, const Edit **all) {
  source = text;
  to_repair = wrong;
  names_most = wrong ? 12 : 4;
  token_count = edit_count = 0;
  read_tokens();
  read_defined();
  for (size_t i = 0; i + 1 < token_count; i++) {
    if (!tokens[i].gap)
      continue;
    gap_here = tokens[i].gap;
    change_word(i);
    if (is_name(i)) {
      other_names(i);
      change_defined(i);
    }
    exchange_indices(i);
    change_statement(i);
    change_condition(i);
    drop_operand(i);
    drop_condition(i);
    if (to_repair)
      change_more(i);
    else
      empty_value(i);
  }
  for (size_t i = 0; i < edit_count; i++)
    edits[i].line = line_of(edits[i].from);
  *all = edits;
  return edit_count;
}
