/* Changes of one place in a student's file, inside of a gap, from "TODO(n)" or "DONE(n)" to "END(n)"; where somebody has
 * deleted all these comments, anywhere. Types and scopes are the compiler's business: what does not compile was no change worth
 * trying.
 */
#include "edits_repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edits_text.h"

enum { EDITS_MOST = 40000, TEXT_MOST = EDIT_TEXT };
enum { NEAR = 3000 }; /* among so many of the last ones is who changes the same place */

static size_t edit_count, names_most;
static int gap_here;
static bool to_repair; /* a wrong file: more may be missing in it */
static Edit edits[EDITS_MOST];
static char texts[EDITS_MOST * 100];
static size_t texts_used;
static Edit *made; /* the last one; NULL: it was made before */

/* ---- edits ----------------------------------------------------------------------------------- */

void edit(size_t from, size_t to, const char *operation, const char *format, const char *a,
          int a_length, const char *b, int b_length) {
  made = NULL;
  if (edit_count == EDITS_MOST)
    return;
  char *text = texts + texts_used;
  const size_t room = sizeof texts - texts_used;
  const int length =
      snprintf(text, room < TEXT_MOST ? room : TEXT_MOST, format, a_length, a, b_length, b);
  if (length >= TEXT_MOST || (size_t)length >= room)
    return;
  for (size_t i = edit_count > NEAR ? edit_count - NEAR : 0; i < edit_count; i++)
    if (edits[i].from == from && edits[i].to == to && strcmp(edits[i].text, text) == 0)
      return; /* another operator made it */
  made = &edits[edit_count++];
  *made = (Edit){.from = from, .to = to, .task = gap_here, .operation = operation, .text = text};
  texts_used += (size_t)length + 1;
}

Edit *edit_towards(int gap, Part place, const char *text, int towards) {
  Edit *same = edits, *end = edits + edit_count;
  while (same < end &&
         (same->from != place.from || same->to != place.to || strcmp(same->text, text) != 0))
    same++;
  gap_here = gap;
  if (same == end)
    edit(place.from, place.to, "as in the solution", "%.*s%.*s", text, (int)strlen(text), "", 0);
  same = same < end ? same : made;
  if (same)
    same->towards = towards;
  return same;
}

void edit_token(size_t i, const char *operation, const char *text) {
  edit(tokens[i].from, tokens[i].to, operation, "%.*s%.*s", text, (int)strlen(text), "", 0);
}

void edit_exchange(size_t a, size_t b, size_t c, size_t d, const char *operation,
                   const char *between) {
  char format[TEXT_MOST];
  snprintf(format, sizeof format, "%%.*s%s%%.*s", between);
  edit(tokens[a].from, tokens[d].to, operation, format, source + tokens[c].from,
       (int)(tokens[d].to - tokens[c].from), source + tokens[a].from,
       (int)(tokens[b].to - tokens[a].from));
}

void edit_choice(size_t choice) {
  enum { MOST = 8 }; /* nobody comes to try them */
  if (!made)
    return;
  made->choice = (int)choice;
  if (to_repair && choice >= MOST) {
    edit_count--;
    made = NULL;
  }
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
    {"&&", "||", "both or either"},
    {"||", "&&", "both or either"},
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
    {"float", "T", "type"},      {"double", "real", "type"},
    {"double", "T", "type"},     {"int", "real", "type"},
    {"int", "T", "type"},        {"__syncwarp", "__syncthreads", "barrier"},
    {"auto", "real", "type"},    {"auto", "T", "type"},
    {"int", "size_t", "type"},   {"__shared__", "", "qualifier"},
    {"fmaf", "fma", "type"},     {"sqrtf", "sqrt", "type"},
    {"rsqrtf", "rsqrt", "type"}, {"powf", "pow", "type"},
};

/* What a number may have been meant to be: wanted twice, or half as often, or once; a whole one does not say of which type. One
 * whose square a float cannot hold was to be as large as it may. */
static const double FAR_OF_FLOAT = 1e19;
static void change_number(size_t i) {
  static const char *const formats[] = {"(%.*s + 1)%.*s", "(%.*s - 1)%.*s", "(%.*s * 2)%.*s",
                                        "(%.*s / 2)%.*s"};
  enum { FORMATS = 4, SMALL = 4 };
  const char *text = source + tokens[i].from;
  int length = length_of(i);
  const long number = strtol(text, NULL, 10);
  const bool power = to_repair && number > SMALL && (number & (number - 1)) == 0;
  for (size_t k = 0; k < (to_repair ? FORMATS : 2); k++) {
    const char *format = formats[power ? (k + 2) % FORMATS : k]; /* of one another power is meant */
    edit(tokens[i].from, tokens[i].to, "constant", format, text, length, "", 0);
    edit_choice(k);
  }
  if (!to_repair)
    return;
  if (strtod(text, NULL) > FAR_OF_FLOAT)
    edit_token(i, "too large", "1e18");
  edit_token(i, "constant", "1");
  if (memchr(text, '.', (size_t)length))
    edit(tokens[i].from, tokens[i].to, "type", "real(%.*s)%.*s", text, length, "", 0);
}

static void change_by(size_t i, const Word *all, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (is(i, all[k].from))
      edit_token(i, all[k].operation, all[k].to);
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
    edit_exchange(i, end, end + 1, closing(end + 1), "indices", "");
  if (!is(i, "("))
    return;
  for (size_t k = i + 1; k <= end; k++) {
    if (k < end && (is(k, "(") || is(k, "[") || is(k, "{")))
      k = closing(k);
    if (k != end && !is(k, ","))
      continue;
    if (before && k > start)
      edit_exchange(before, start - 2, start, k - 1, "arguments", ", ");
    before = start;
    start = k + 1;
  }
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The n-th nearest to the one `at`, from 1 on, by turns behind it and before it; `count`: there is none. */
static size_t nearest(size_t at, size_t n, size_t count) {
  size_t apart = (n + 1) / 2;
  bool behind = n % 2 == 1;
  return behind ? (at + apart < count ? at + apart : count) : (apart <= at ? at - apart : count);
}

static bool other_name(size_t i, const Name *names, size_t own, size_t other, size_t count,
                       size_t choice) {
  if (other >= count || names[other].kind != names[own].kind || same_text(names[other].token, i))
    return false;
  size_t token = names[other].token;
  edit(tokens[i].from, tokens[i].to, "variable", "%.*s%.*s", source + tokens[token].from,
       length_of(token), "", 0);
  edit_choice(choice);
  return true;
}

/* Other names of the same type, those first that were declared beside it; a number one more and less. */
static void other_names(size_t i) {
  enum { LATEST = 2 };
  Name names[NAMES_MOST];
  size_t count = names_before(i, names), at = 0, found = 0;
  while (at < count && (!same_text(names[at].token, i) || names[at].token == i))
    at++;
  if (at == count || is(i - 1, ".") || is(i - 1, "->"))
    return;
  for (size_t n = count, latest = 0; to_repair && n-- > 0 && latest < LATEST;)
    latest += other_name(i, names, at, n, count, latest); /* the one of the loop at hand */
  for (size_t n = 1; n < 2 * count && found < names_most; n++)
    found += other_name(i, names, at, nearest(at, n, count), count, found);
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

static void change_defined(size_t i) {
  size_t at = which_defined(i);
  if (at == defined_count || is_fraction(defined[at]))
    return;
  static const char *const changed[] = {"(%.*s + 1)%.*s", "(%.*s - 1)%.*s", "(%.*s / 2)%.*s"};
  for (size_t k = 0; k < 3; k++)
    edit(tokens[i].from, tokens[i].to, "constant", changed[k], source + tokens[i].from,
         length_of(i), "", 0);
  if (to_repair) {
    edit_token(i, "operand", "blockDim.x");
    edit_token(i, "operand", "blockDim.y");
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
  if (!to_repair && type_of_token(i) == TYPES && !is(i, "const") && !is(i, "dim3"))
    edit(tokens[i].from, tokens[end].to, "doubled", "{%.*s} %.*s", source + tokens[i].from, length,
         source + tokens[i].from, length);
  size_t next = end + 1, next_end = next;
  while (next_end < token_count && !is(next_end, ";") && !is(next_end, "{") && !is(next_end, "}"))
    next_end++;
  if (next < token_count && tokens[next_end].gap && is(next_end, ";") && next_end > next)
    edit_exchange(i, end, next, next_end, "moved", " ");
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
  enum { CONDITIONS = 5 }; /* from here on */
  size_t k = 0;
  while (k < sizeof operators / sizeof *operators && !is(i, operators[k]))
    k++;
  if (k == sizeof operators / sizeof *operators || i == 0 || !ends_operand(i - 1) ||
      type_of_token(i - 1) < TYPES)
    return;
  static const char *const compares[] = {
      "<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/", "%", NULL};
  size_t end = behind_operand(i + 1);
  while (k >= CONDITIONS && is_one_of(end, compares))
    end = behind_operand(end + 1);
  if (end < token_count && tokens[end - 1].gap)
    edit(tokens[i].from, tokens[end - 1].to, "operand dropped", "%.*s%.*s", "", 0, "", 0);
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

/* #define PREDICT_... 4: no kernel is made of that. */
bool is_prediction(size_t i) {
  static const char before[] = "#define PREDICT";
  const char *line = source + tokens[i].from;
  while (line > source && line[-1] != '\n')
    line--;
  return strncmp(line, before, sizeof before - 1) == 0;
}

/* The name of one, where it is declared: of another name it is no other thing. */
static bool is_parameter(size_t i) {
  return (is(i + 1, ",") || is(i + 1, ")")) &&
         (type_of_token(i - 1) < TYPES || (is(i - 1, "*") && type_of_token(i - 2) < TYPES));
}

static void drop_pragmas(void) {
  for (size_t i = 0; i < pragma_count; i++) {
    gap_here = pragmas[i].gap;
    edit(pragmas[i].from, pragmas[i].to, "dropped", "%.*s%.*s", "", 0, "", 0);
  }
}

size_t edits_of(const char *text, const char *compiled, const Edit **all) {
  to_repair = compiled != NULL;
  names_most = to_repair ? 12 : 4;
  edit_count = texts_used = 0;
  text_read(text, to_repair);
  drop_pragmas();
  for (size_t i = 0; i + 1 < token_count; i++) {
    if (!tokens[i].gap ||
        (to_repair && (compiled[tokens[i].from] == ' ' || is_prediction(i) || is_parameter(i))))
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
      edits_repair(i);
    else
      empty_value(i);
  }
  if (to_repair)
    edits_of_solution();
  for (size_t i = 0; i < edit_count; i++)
    edits[i].line = line_of(edits[i].from);
  *all = edits;
  return edit_count;
}
