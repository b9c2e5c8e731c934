/* Expands rows of text to code.
 *
 * A row is chosen at random among those that are allowed at the current position. Its text is
 * copied. Placeholders, which begin with $ @ & # or %(, are replaced as the .def files explain. The
 * scope is a list of variables; the variables of a compound statement are removed at its end. The
 * depth of expressions is limited, and a kernel has a budget of expressions. After the budget is
 * used, only variables and numbers are written. */
#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

const char *const type_name[TYPES] = {"u8",  "i8",  "u16", "i16",  "u32", "i32",
                                      "u64", "i64", "f16", "bf16", "f32", "f64"};
const int type_bits[TYPES] = {8, 8, 16, 16, 32, 32, 64, 64, 16, 16, 32, 64};
Now now;

/* ---- chance ---------------------------------------------------------------------------------- */
static uint64_t state;

uint64_t chance(void) {
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}
void chance_seed(uint64_t program, uint64_t kernel) {
  state = program * UINT64_C(0xd1342543de82ef95) + kernel * UINT64_C(0xaf251af3b0f025b5);
  chance();
}
int below(int n) { return (int)(chance() >> 33) % n; }
bool percent(int n) { return below(100) < n; }

/* ---- text ------------------------------------------------------------------------------------ */
static int depth_of_indentation;

void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}
void line(void) { printf("\n%*s", 2 * depth_of_indentation, ""); }
void indent(int by) { depth_of_indentation += by; }

/* ---- scope ----------------------------------------------------------------------------------- */
typedef struct Place {
  Type type;
  Access access;
  /* The length of an array; 0: the variable is not an array. */
  int length;
  char name[48];
} Place;
enum { PLACES = 500, FUNCTIONS = 64, PARAMETERS = 6, NEAR = 40, STATEMENT_DEPTH = 4 };
static Place places[PLACES];
static int nplaces;
static int nnames; /* the number of names that rows have declared */
static int nseen;  /* the number of values that SEE (support.h) can print */

static struct Function {
  Type result;
  int n;
  Type parameter[PARAMETERS];
  char name[24];
} functions[FUNCTIONS];
static int nfunctions;

static void add_place(Type type, Access access, int length, const char *name) {
  assert(nplaces < PLACES);
  places[nplaces].type = type;
  places[nplaces].access = access;
  places[nplaces].length = length;
  snprintf(places[nplaces++].name, sizeof places->name, "%s", name);
}
#define NAMED(name)                                                                                \
  char written[48];                                                                                \
  va_list arguments;                                                                               \
  va_start(arguments, name);                                                                       \
  vsnprintf(written, sizeof written, name, arguments);                                             \
  va_end(arguments)
void declare(Type type, Access access, const char *name, ...) {
  NAMED(name);
  add_place(type, access, 0, written);
}
void declare_array(Type type, Access access, int length, const char *name, ...) {
  NAMED(name);
  add_place(type, access, length, written);
}
void declare_function(Type result, const char *name, int n, const Type *parameters) {
  assert(nfunctions < FUNCTIONS && n <= PARAMETERS);
  struct Function *f = &functions[nfunctions++];
  f->result = result, f->n = n;
  memcpy(f->parameter, parameters, (size_t)n * sizeof *parameters);
  snprintf(f->name, sizeof f->name, "%s", name);
}
int scope_mark(void) { return nplaces; }
void scope_back(int mark) { nplaces = mark; }
void scope_clear(void) { nplaces = nfunctions = nnames = nseen = 0; }
void each_scalar(void (*use)(Type type, const char *name)) {
  for (int i = 0; i < nplaces; i++)
    if (!places[i].length)
      use(places[i].type, places[i].name);
}

/* Writes the name of a variable of this type. Newer variables are more likely. Returns false if
 * there is none. */
static bool say_place(Type type, Access access, int depth) {
  int found[PLACES], n = 0;
  for (int i = 0; i < nplaces; i++)
    if (places[i].type == type && places[i].access >= access)
      found[n++] = i;
  if (n == 0)
    return false;
  const Place *place = &places[found[n > NEAR && percent(50) ? n - 1 - below(NEAR) : below(n)]];
  bool bits = access == READ && place->access == WRITE; /* a bit field, whose type is int in C */
  if (bits)
    say("(%s)", type_name[type]);
  say("%s", place->name);
  if (place->length) {
    say("[");
    expression(percent(70) ? U32 : U64, depth - 1);
    say(place->length & (place->length - 1) ? " %% %du]" : " & %du]",
        place->length & (place->length - 1) ? place->length : place->length - 1);
  }
  return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */
static uint64_t number(int bits) {
  static const uint64_t edges[] = {0,
                                   1,
                                   2,
                                   3,
                                   5,
                                   7,
                                   8,
                                   16,
                                   31,
                                   32,
                                   63,
                                   64,
                                   100,
                                   127,
                                   128,
                                   255,
                                   256,
                                   0x7fff,
                                   0x8000,
                                   0xffff,
                                   0x10000,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   UINT64_C(0x100000000),
                                   UINT64_C(0x7fffffffffffffff),
                                   UINT64_C(0x8000000000000000),
                                   UINT64_MAX,
                                   UINT64_MAX - 1,
                                   0x55555555,
                                   0xff00ff00,
                                   0x01010101};
  uint64_t value;
  if (percent(60))
    value = edges[below(sizeof edges / sizeof *edges)];
  else {
    value = chance();
    value >>= below(bits);
  }
  return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* Returns the bits of a floating-point number: zero, one, a limit of a range, the largest exact
 * integer, NaN, or a random value. */
static uint64_t floating(int bits, int fraction) {
  uint64_t bias = (UINT64_C(1) << (bits - fraction - 2)) - 1, last = UINT64_C(1) << fraction;
  uint64_t infinity = (2 * bias + 1) << fraction, sign = (uint64_t)below(2) << (bits - 1);
  const uint64_t edges[] = {0,
                            0,
                            1,
                            last - 1,
                            last,
                            bias << fraction,
                            bias << fraction,
                            (bias - 1) << fraction,
                            (bias << fraction) + 1,
                            (bias << fraction) + last / 2,
                            ((bias + 1) << fraction) + last / 4,
                            (bias + (unsigned)fraction) << fraction,
                            bits == 16 ? infinity - 1 : (bias + 31) << fraction,
                            bits == 16 ? infinity - 1 : (bias + 63) << fraction,
                            infinity - 1,
                            infinity,
                            infinity + last / 2};
  if (percent(50))
    return edges[below(sizeof edges / sizeof *edges)] | sign;
  if (percent(80)) {
    uint64_t exponent = bias + (unsigned)below(9) - 4;
    return exponent << fraction | (chance() & (last - 1)) | sign;
  }
  return bits == 64 ? chance() : chance() >> (64 - bits);
}

/* The caller chooses `hundredths` at random, because C does not define the order in which the
 * arguments of say() are evaluated. */
static void decimal(int hundredths, const char *suffix) {
  say("(%d.%02d%s)", below(40) - 20, hundredths, suffix);
}

static void literal(Type type) {
  switch (type) {
  case F32:
    if (percent(40))
      decimal(below(4) * 25, "f");
    else
      say("float_of(0x%llxu)", (unsigned long long)floating(32, 23));
    break;
  case F64:
    if (percent(40))
      decimal(below(100), "");
    else
      say("double_of(0x%llxull)", (unsigned long long)floating(64, 52));
    break;
  case F16:
    say("__ushort_as_half(0x%llx)", (unsigned long long)floating(16, 10));
    break;
  case BF16:
    say("__ushort_as_bfloat16(0x%llx)", (unsigned long long)floating(16, 7));
    break;
  default:
    say("(%s)0x%llxull", type_name[type], (unsigned long long)number(type_bits[type]));
  }
}

Type some_type(void) {
  Type type;
  do
    type = percent(60) ? (Type)(U32 + below(4)) : (Type)below(TYPES);
  while (!(now.types >> type & 1));
  return type;
}

/* ---- rows ------------------------------------------------------------------------------------ */
typedef struct Row {
  unsigned types;
  int weight;
  unsigned needs;
  const char *text;
} Row;
#define ROWS(array) (int)(sizeof array / sizeof *array)
static const Row expressions[] = {
#define EXPRESSION(types, weight, needs, text) {types, weight, needs, text},
#include "expressions.def"
};
static const Row conditions[] = {
#define EXPRESSION(types, weight, needs, text)
#define CONDITION(weight, needs, text) {ALL, weight, needs, text},
#include "expressions.def"
};
static const Row rows[] = {
#define STATEMENT(weight, needs, text) {0, weight, needs, text},
#define TYPED(types, weight, needs, text) {types, weight, needs, text},
#include "statements.def"
};

static bool may_stand(const Row *row, unsigned types) {
  if (row->types && !(row->types & types))
    return false;
  if ((row->needs & LOOPS) && now.loops >= 2)
    return false;
  return !(row->needs & ~LOOPS & ~now.features);
}
static const Row *choose(const Row *row, int n, unsigned types) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += may_stand(&row[i], types) ? row[i].weight : 0;
  assert(sum > 0);
  int left = below(sum);
  for (int i = 0;; i++)
    if (may_stand(&row[i], types) && (left -= row[i].weight) < 0)
      return &row[i];
}

/* ---- expanding the text of a row ------------------------------------------------------------- */
/* A name that a row declares and that is not in scope yet. */
typedef struct Pending {
  Type type;
  bool stays;
  int length;
  char name[16];
} Pending;
typedef struct Expansion {
  Type own;
  int depth;
  /* The numbers of the names #a to #z. */
  int id[26];
  Pending pending[4];
  int npending;
  /* The size of the scope at the start of the row. */
  int mark;
} Expansion;

static void expand_part(const char *text, const char *end, Expansion *e);

static void enter_scope(Expansion *e, bool at_end) {
  if (at_end)
    scope_back(e->mark);
  for (int i = 0; i < e->npending; i++) {
    const Pending *p = &e->pending[i];
    if (at_end == p->stays)
      add_place(p->type, p->stays ? ADDRESS : READ, p->length, p->name);
  }
  if (at_end)
    e->npending = 0;
}

static Type named_type(const char *word, int length, const Expansion *e) {
  if (length == 1 && *word == 'T')
    return e->own;
  for (int t = 0; t < TYPES; t++)
    if ((int)strlen(type_name[t]) == length && !memcmp(type_name[t], word, (size_t)length))
      return (Type)t;
  return TYPES;
}

static int word_length(const char *text) {
  int n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_')
    n++;
  return n;
}

/* ---- blocks */
static void block_with(unsigned features, Expansion *e, int n) {
  Now outer = now;
  int mark = scope_mark();
  enter_scope(e, false);
  now.features = features;
  now.loops += (features & LOOPS) != 0;
  now.features &= ~(unsigned)LOOPS;
  say("{");
  indent(1);
  statements(n);
  indent(-1);
  line();
  say("}");
  scope_back(mark);
  outer.budget = now.budget;
  now = outer;
}

static bool say_block(const char *word, int length, Expansion *e) {
  unsigned apart = now.features & ~(unsigned)(WARP | BLOCK | GRID);
#define IS(text) (length == (int)strlen(text) && !memcmp(word, text, (size_t)length))
  if (IS("block"))
    block_with(apart, e, 1 + below(2));
  else if (IS("loop"))
    block_with(apart | BREAKS | LOOPS, e, 1 + below(2));
  else if (IS("all"))
    block_with((now.features & ~(unsigned)(GRID | BREAKS)) | LOOPS, e, 1 + below(2));
  else if (IS("lanes"))
    block_with((apart & ~(unsigned)(FULL | BREAKS)) | WARP, e, 1 + below(2));
  else
    return false;
  return true;
}

/* ---- $word: returns what follows */
static const char *expand_dollar(const char *word, Expansion *e) {
  int length = word_length(word);
  Type type = named_type(word, length, e);
  if (type < TYPES && e->depth == STATEMENT_DEPTH) {
    say("SEE(%d, ", ++nseen);
    expression(type, e->depth - 1);
    say(")");
  } else if (type < TYPES)
    expression(type, e->depth - 1);
  else if (IS("int"))
    expression((Type)below(I64 + 1), e->depth - 1);
  else if (IS("bool"))
    condition(e->depth - 1);
  else if (IS("N"))
    say("%s", type_name[e->own]);
  else if (IS("W"))
    say(type_bits[e->own] == 64 ? "u64" : "u32");
  else if (IS("struct"))
    structs_statement();
  else if (*word == 'n' && isdigit((unsigned char)word[1]))
    say("%d", below(atoi(word + 1)));
  else if (!say_block(word, length, e))
    assert(!"a word that rows do not have");
  return word + length;
}

/* ---- #a, #a:u32, #a+u32[8] */
static const char *expand_name(const char *text, Expansion *e) {
  int letter = *text++ - 'a';
  assert(letter >= 0 && letter < 26);
  if (!e->id[letter])
    e->id[letter] = ++nnames;
  say("%c_%d", 'a' + letter, e->id[letter]);
  if ((*text != ':' && *text != '+') || !isalpha((unsigned char)text[1]))
    return text;
  int length = word_length(text + 1);
  Type type = named_type(text + 1, length, e);
  if (type == TYPES)
    return text;
  assert(e->npending < 4);
  Pending *p = &e->pending[e->npending++];
  p->type = type, p->stays = *text == '+', p->length = 0;
  snprintf(p->name, sizeof p->name, "%c_%d", 'a' + letter, e->id[letter]);
  text += 1 + length;
  if (*text == '[') {
    static const int lengths[] = {3, 4, 5, 8, 16};
    p->length = lengths[below(ROWS(lengths))];
    say("[%d]", p->length);
    text = strchr(text, ']') + 1;
  }
  return text;
}

/* ---- %(a;b;c) */
static const char *expand_choice(const char *text, Expansion *e) {
  const char *begin[24], *c = text;
  int n = 0, depth = 1;
  begin[n++] = c;
  for (; depth > 0; c++) {
    assert(*c);
    if (*c == '(')
      depth++;
    else if (*c == ')')
      depth--;
    else if (*c == ';' && depth == 1)
      begin[n++] = c + 1;
    assert(n < ROWS(begin));
  }
  begin[n] = c;
  int chosen = below(n);
  expand_part(begin[chosen], begin[chosen + 1] - 1, e);
  return c;
}

static const char *expand_variable(const char *text, Access access, Expansion *e) {
  int length = word_length(text);
  Type type = named_type(text, length, e);
  if (type == TYPES)
    return NULL;
  if (!say_place(type, access, 2))
    assert(!"every kernel has a variable of each type");
  return text + length;
}

static void expand_part(const char *text, const char *end, Expansion *e) {
  while (text < end) {
    const char *after = NULL;
    switch (*text) {
    case '$':
      after = expand_dollar(text + 1, e);
      break;
    case '#':
      after = expand_name(text + 1, e);
      break;
    case '@':
      after = expand_variable(text + 1, WRITE, e);
      break;
    case '&':
      after = expand_variable(text + 1, ADDRESS, e);
      break;
    case '%':
      after = text[1] == '(' ? expand_choice(text + 2, e) : NULL;
      break;
    }
    if (!after)
      putchar(*text);
    text = after ? after : text + 1;
  }
}

void expand(const char *text, Type own, int depth) {
  Expansion e = {.own = own, .depth = depth, .mark = scope_mark()};
  expand_part(text, text + strlen(text), &e);
  enter_scope(&e, true);
}

/* ---- expressions, conditions, statements ----------------------------------------------------- */
static bool say_call(Type type, int depth) {
  int found[FUNCTIONS], n = 0;
  for (int i = 0; i < nfunctions; i++)
    if (functions[i].result == type)
      found[n++] = i;
  if (n == 0)
    return false;
  const struct Function *f = &functions[found[below(n)]];
  say("%s(", f->name);
  for (int i = 0; i < f->n; i++) {
    say(i ? ", " : "");
    expression(f->parameter[i], depth - 1);
  }
  say(")");
  return true;
}

void expression(Type type, int depth) {
  assert(now.types >> type & 1);
  if (depth <= 0 || --now.budget < 0 || percent(20)) {
    if (!percent(75) || !say_place(type, READ, depth))
      literal(type);
    return;
  }
  if (percent(12) && say_call(type, depth))
    return;
  const Row *row = choose(expressions, ROWS(expressions), 1u << type);
  say(is_integer(type) ? "(%s)(" : "(", type_name[type]);
  expand(row->text, type, depth);
  say(")");
}

void condition(int depth) {
  const Row *row = NULL;
  do
    row = choose(conditions, ROWS(conditions), ALL);
  while (depth <= 0 && strstr(row->text, "bool"));
  say("(");
  expand(row->text, U32, depth < 1 ? 1 : depth);
  say(")");
}

void statements(int n) {
  while (n-- > 0 && now.budget > 0) {
    const Row *row = choose(rows, ROWS(rows), now.types);
    Type own = U32;
    if (row->types)
      do
        own = (Type)below(TYPES);
      while (!(row->types & now.types & 1u << own));
    line();
    now.budget--;
    expand(row->text, own, STATEMENT_DEPTH);
  }
}
