/* Parses the body of a function into a list of statements.
 *
 * Registers must be declared before use, so the parser resolves them. Labels, functions and special
 * registers remain names; decode.c looks them up. Braces open a scope. The registers, call
 * parameters and labels that are declared in a scope are not visible after its end. */
#include <stdlib.h>

#include "ptx.h"

enum {
  MAX_SCOPES = 64,
  MAX_NESTING = 8,
  MAX_REGISTERS = 1000000, /* in one module */
  ARGUMENT_LIMIT = 1 << 21
};

typedef struct Body {
  Loader *loader;
  Source *source;
  uint32_t scope, depth, location;
  /* The value of PtxInsn.unused for the next statement. */
  uint32_t unused;
} Body;

/* ---- operands ---------------------------------------------------------------------------- */

static Operand *parse_operand(Loader *loader, uint32_t depth);

static Operand *parse_parts(Loader *loader, Operand *operand, char close, uint32_t depth) {
  Operand **tail = &operand->parts;
  while (!accept_mark(loader, close)) {
    *tail = parse_operand(loader, depth + 1);
    tail = &(*tail)->next;
    if (!is_mark(loader, close))
      expect_mark(loader, ',');
  }
  return operand;
}

static void parse_offset(Loader *loader, Operand *operand) {
  while (is_mark(loader, '+') || is_mark(loader, '-')) {
    bool minus = is_mark(loader, '-');
    next_token(loader);
    if (accept_mark(loader, '-'))
      minus = !minus;
    uint64_t term = expect_integer(loader, "an offset");
    operand->value = (int64_t)((uint64_t)operand->value + (minus ? 0 - term : term));
  }
}

/* Parses a part of a register, which video instructions use: %r1.b0 */
static void parse_part(Loader *loader, Operand *operand) {
  Slice name = operand->name;
  const char *dot = memchr(name.start, '.', name.length);
  if (!dot)
    return;
  operand->reg = find_register(&loader->symbols, (Slice){name.start, (uint32_t)(dot - name.start)});
  operand->selector = (Slice){dot + 1, name.length - (uint32_t)(dot + 1 - name.start)};
  if (operand->reg != NONE)
    operand->kind = OPERAND_PART;
}

static void parse_named(Loader *loader, Operand *operand) {
  operand->name = expect_word(loader, "an operand");
  operand->reg = find_register(&loader->symbols, operand->name);
  operand->symbol = find_symbol(&loader->symbols, operand->name);
  if (slice_is(operand->name, "_"))
    operand->kind = OPERAND_SINK;
  else if (operand->reg != NONE)
    operand->kind = OPERAND_REGISTER;
  else if (operand->symbol)
    operand->kind = OPERAND_SYMBOL;
  else
    operand->kind = OPERAND_NAME;
  if (operand->kind == OPERAND_NAME)
    parse_part(loader, operand);
  parse_offset(loader, operand);
}

static void parse_literal(Loader *loader, Operand *operand, bool minus) {
  uint64_t value = loader->token.value, sign = 0;
  if (loader->token.kind == TOKEN_INTEGER) {
    operand->kind = OPERAND_INTEGER;
    value = minus ? 0 - value : value;
  } else if (loader->token.kind == TOKEN_F32 || loader->token.kind == TOKEN_F64) {
    operand->kind = loader->token.kind == TOKEN_F32 ? OPERAND_F32 : OPERAND_F64;
    sign = operand->kind == OPERAND_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    value = minus ? value ^ sign : value;
  } else {
    fail_expected(loader, "an operand");
  }
  operand->value = (int64_t)value;
  next_token(loader);
}

/* Skips the rest of an operand in brackets, up to its ']'. Only tensor instructions have operands
 * of this form, and the decoder refuses these instructions. */
static void skip_brackets(Loader *loader, Operand *operand) {
  uint32_t line = loader->token.line;
  operand->kind = OPERAND_OTHER;
  for (uint32_t depth = 1; depth; next_token(loader)) {
    if (loader->token.kind == TOKEN_END || is_mark(loader, ';'))
      fail(loader, line, "expected ']'");
    depth += is_mark(loader, '[');
    depth -= is_mark(loader, ']');
  }
}

static void parse_address(Loader *loader, Operand *operand, uint32_t depth) {
  operand->kind = OPERAND_ADDRESS;
  Operand *base = parse_operand(loader, depth + 1);
  parse_offset(loader, base);
  operand->value = base->value;
  operand->parts = base->kind == OPERAND_INTEGER ? NULL : base;
  if (accept_mark(loader, ']'))
    return;
  if (accept_mark(loader, ',') && is_mark(loader, '{')) {
    base->next = parse_operand(loader, depth + 1);
    operand->kind = OPERAND_TEXTURE;
    operand->parts = base;
    if (accept_mark(loader, ']'))
      return;
  }
  skip_brackets(loader, operand);
}

static Operand *parse_single(Loader *loader, uint32_t depth) {
  Operand *operand = arena_take(loader->scratch, sizeof *operand);
  if (depth > MAX_NESTING)
    fail(loader, loader->token.line, "operands nested too deeply");
  operand->negated = accept_mark(loader, '!');
  operand->reg = NONE;
  if (accept_mark(loader, '{')) {
    operand->kind = OPERAND_VECTOR;
    return parse_parts(loader, operand, '}', depth);
  }
  if (accept_mark(loader, '(')) {
    operand->kind = OPERAND_LIST;
    return parse_parts(loader, operand, ')', depth);
  }
  if (accept_mark(loader, '[')) {
    parse_address(loader, operand, depth);
    return operand;
  }
  bool minus = !operand->negated && accept_mark(loader, '-');
  if (loader->token.kind == TOKEN_WORD) {
    operand->negated |= minus;
    parse_named(loader, operand);
  } else {
    parse_literal(loader, operand, minus);
  }
  return operand;
}

static Operand *parse_operand(Loader *loader, uint32_t depth) {
  Operand *first = parse_single(loader, depth);
  if (!accept_mark(loader, '|'))
    return first;
  Operand *pair = arena_take(loader->scratch, sizeof *pair);
  pair->kind = OPERAND_PAIR;
  pair->parts = first;
  first->next = parse_single(loader, depth);
  return pair;
}

static Operand *parse_operands(Loader *loader) {
  Operand *first = NULL, **tail = &first;
  while (!accept_mark(loader, ';')) {
    *tail = parse_operand(loader, 0);
    tail = &(*tail)->next;
    if (!is_mark(loader, ';'))
      expect_mark(loader, ',');
  }
  return first;
}

/* ---- declarations in a body -------------------------------------------------------------- */

static void add_registers(Body *body, const Declaration *declaration, uint64_t count) {
  Loader *loader = body->loader;
  if (count > MAX_REGISTERS - loader->nregisters)
    fail(loader, loader->token.line, "more than %d registers in one module", (int)MAX_REGISTERS);
  loader->nregisters += (uint32_t)count;
  Register reg = {.class = (uint8_t)class_of(declaration->type),
                  .bytes = (uint8_t)declaration->element_bytes};
  for (uint64_t i = 0; i < count; i++)
    *VECTOR_PUSH(loader->scratch, body->source->registers) = reg;
}

/* Parses .reg .b32 %r<23>, %single; */
static void parse_registers(Body *body) {
  Loader *loader = body->loader;
  Declaration declaration;
  parse_declaration(loader, &declaration);
  do {
    Symbol *symbol = declare(loader, expect_word(loader, "a register"), SYMBOL_REGISTER);
    symbol->index = body->source->registers.count;
    if (accept_mark(loader, '<')) {
      uint64_t count = expect_integer(loader, "how many registers");
      expect_mark(loader, '>');
      add_registers(body, &declaration, count);
      symbol->count = (uint32_t)count;
    } else {
      add_registers(body, &declaration, 1);
      symbol->count = NONE;
    }
  } while (accept_mark(loader, ','));
  expect_mark(loader, ';');
}

static void parse_locals(Body *body) {
  Loader *loader = body->loader;
  Declaration declaration;
  parse_declaration(loader, &declaration);
  do {
    parse_name(loader, &declaration);
    Symbol *symbol = declare(loader, declaration.name, SYMBOL_LOCAL);
    PtxFunction *function = &loader->functions.items[body->source->function];
    symbol->offset = reserve(loader, &function->local_bytes, declaration.size.bytes,
                             declaration.align, LOCAL_LIMIT);
    symbol->bytes = (uint32_t)declaration.size.bytes;
  } while (accept_mark(loader, ','));
  expect_mark(loader, ';');
}

/* Parses the .param variables of a body, which hold the arguments and results of calls. */
static void parse_arguments(Body *body) {
  Loader *loader = body->loader;
  Declaration declaration;
  parse_declaration(loader, &declaration);
  do {
    parse_name(loader, &declaration);
    Symbol *symbol = declare(loader, declaration.name, SYMBOL_ARGUMENT);
    PtxFunction *function = &loader->functions.items[body->source->function];
    symbol->offset = reserve(loader, &body->source->argument_top, declaration.size.bytes,
                             declaration.align, ARGUMENT_LIMIT);
    symbol->bytes = (uint32_t)declaration.size.bytes;
    if (function->argument_bytes < body->source->argument_top)
      function->argument_bytes = body->source->argument_top;
  } while (accept_mark(loader, ','));
  expect_mark(loader, ';');
}

static void parse_place(Loader *loader, uint32_t *file, uint32_t *line, uint32_t *column) {
  *file = (uint32_t)expect_integer(loader, "the number of a file");
  *file += *file ? loader->files_before : 0;
  *line = (uint32_t)expect_integer(loader, "a line");
  *column = (uint32_t)expect_integer(loader, "a column");
}

/* Parses .loc 2 449 9, function_name $L__info_string0 + 3, inlined_at 1 11 2 */
static void parse_location(Body *body) {
  Loader *loader = body->loader;
  Location location = {0};
  parse_place(loader, &location.file, &location.line, &location.column);
  while (accept_mark(loader, ',')) {
    Slice word = expect_word(loader, "function_name or inlined_at");
    if (slice_is(word, "inlined_at")) {
      parse_place(loader, &location.outer_file, &location.outer_line, &location.outer_column);
      continue;
    }
    expect_word(loader, "a label");
    if (accept_mark(loader, '+'))
      expect_integer(loader, "an offset");
  }
  *VECTOR_PUSH(loader->scratch, loader->locations) = location;
  body->location = loader->locations.count - 1;
}

/* Parses .pragma "used_bytes_mask 15": a mask of the bytes of the next load that the program
 * uses. */
static void parse_pragma(Body *body) {
  static const char used[] = "used_bytes_mask ";
  Loader *loader = body->loader;
  const Slice text = loader->token.text;
  if (loader->token.kind == TOKEN_STRING && text.length >= sizeof used &&
      memcmp(text.start, used, sizeof used - 1) == 0)
    body->unused = ~(uint32_t)strtoul(text.start + sizeof used - 1, NULL, 0);
  skip_statement(loader);
}

static void parse_body_directive(Body *body) {
  Loader *loader = body->loader;
  const PtxLinkage linkage = {.text = loader->texts - 1, .is_local = true};
  if (accept_directive(loader, ".reg"))
    parse_registers(body);
  else if (accept_directive(loader, ".local"))
    parse_locals(body);
  else if (accept_directive(loader, ".param"))
    parse_arguments(body);
  else if (accept_directive(loader, ".shared"))
    declare_variable(loader, PTX_SHARED, false, linkage);
  else if (accept_directive(loader, ".global"))
    declare_variable(loader, PTX_GLOBAL, false, linkage);
  else if (accept_directive(loader, ".const"))
    declare_variable(loader, PTX_CONST, false, linkage);
  else if (accept_directive(loader, ".loc"))
    parse_location(body);
  else if (accept_directive(loader, ".file"))
    parse_file(loader);
  else if (accept_directive(loader, ".pragma"))
    parse_pragma(body);
  else
    skip_statement(loader); /* other directives, such as .callprototype, are not needed */
}

/* ---- statements -------------------------------------------------------------------------- */

static Statement *add_statement(Body *body, Slice name, uint32_t ptx_line) {
  Statement *statement = VECTOR_PUSH(body->loader->scratch, body->source->statements);
  statement->name = name;
  statement->guard = NONE;
  statement->scope = body->scope;
  statement->location = body->location;
  statement->ptx_line = ptx_line;
  statement->unused = body->unused;
  body->unused = 0;
  return statement;
}

static void parse_label(Body *body, Slice name, uint32_t ptx_line) {
  Loader *loader = body->loader;
  Label *label = VECTOR_PUSH(loader->scratch, body->source->labels);
  *label = (Label){.name = name, .scope = body->scope, .block = NONE, .targets = NONE};
  Statement *statement = add_statement(body, name, ptx_line);
  statement->label = body->source->labels.count - 1;
  statement->kind = STATEMENT_LABEL;
  if (accept_directive(loader, ".branchtargets")) {
    label->targets = body->source->statements.count - 1;
    statement->kind = STATEMENT_TARGETS;
    statement->operands = parse_operands(loader);
  }
}

static void parse_guard(Loader *loader, uint32_t *guard, bool *negated) {
  *negated = accept_mark(loader, '!');
  Slice name = expect_word(loader, "a predicate");
  *guard = find_register(&loader->symbols, name);
  if (*guard == NONE)
    fail(loader, loader->token.line, "%.*s is not declared", (int)name.length, name.start);
}

static void parse_statement(Body *body) {
  Loader *loader = body->loader;
  uint32_t ptx_line = loader->token.line, guard = NONE;
  bool negated = false;
  if (accept_mark(loader, '@'))
    parse_guard(loader, &guard, &negated);
  Slice name = expect_word(loader, "an instruction");
  if (guard == NONE && accept_mark(loader, ':')) {
    parse_label(body, name, ptx_line);
    return;
  }
  Operand *operands = parse_operands(loader);
  Statement *statement = add_statement(body, name, ptx_line);
  statement->operands = operands;
  statement->guard = guard;
  statement->negated = negated;
}

static void parse_scope(Body *body) {
  Loader *loader = body->loader;
  Source *source = body->source;
  uint32_t outer = body->scope, argument_top = source->argument_top, line = loader->token.line;
  Symbol *outside = loader->symbols.last;
  expect_mark(loader, '{');
  *VECTOR_PUSH(loader->scratch, source->scopes) = outer;
  body->scope = source->scopes.count - 1;
  if (++body->depth > MAX_SCOPES)
    fail(loader, line, "blocks nested too deeply");
  while (!accept_mark(loader, '}')) {
    if (loader->token.kind == TOKEN_END)
      fail(loader, line, "this '{' is never closed");
    else if (is_mark(loader, '{'))
      parse_scope(body);
    else if (loader->token.kind == TOKEN_DIRECTIVE)
      parse_body_directive(body);
    else if (!accept_mark(loader, ';'))
      parse_statement(body);
  }
  leave_scope(&loader->symbols, outside);
  body->depth--;
  body->scope = outer;
  source->argument_top = argument_top;
}

/* ---- labels ------------------------------------------------------------------------------ */

static uint32_t *label_bucket(const Source *source, Slice name, uint32_t scope) {
  uint32_t i = hash_bytes(name.start, name.length, scope * 2654435761u);
  for (;; i++) {
    uint32_t *bucket = &source->label_buckets[i & (source->nlabel_buckets - 1)];
    if (!*bucket)
      return bucket;
    const Label *label = &source->labels.items[*bucket - 1];
    if (label->scope == scope && label->name.length == name.length &&
        memcmp(label->name.start, name.start, name.length) == 0)
      return bucket;
  }
}

uint32_t find_label(const Source *source, Slice name, uint32_t scope) {
  for (;; scope = source->scopes.items[scope]) {
    uint32_t bucket = *label_bucket(source, name, scope);
    if (bucket)
      return bucket - 1;
    if (scope == 0)
      return NONE;
  }
}

static void index_labels(Body *body) {
  Source *source = body->source;
  source->nlabel_buckets = 16;
  while (source->nlabel_buckets < 2 * source->labels.count)
    source->nlabel_buckets *= 2;
  source->label_buckets = ARENA_ARRAY(body->loader->scratch, uint32_t, source->nlabel_buckets);
  for (uint32_t i = 0; i < source->labels.count; i++) {
    const Label *label = &source->labels.items[i];
    uint32_t *bucket = label_bucket(source, label->name, label->scope);
    if (*bucket)
      fail(body->loader, source->ptx_line, "label %.*s is declared twice in this function",
           (int)label->name.length, label->name.start);
    *bucket = i + 1;
  }
}

/* Marks the labels that a branch or a .branchtargets names. Only these labels begin an instruction
 * block. */
static void mark_targets(Source *source) {
  for (uint32_t i = 0; i < source->statements.count; i++) {
    const Statement *statement = &source->statements.items[i];
    bool branches = statement->name.length > 2 && memcmp(statement->name.start, "br", 2) == 0;
    if (!branches && statement->kind != STATEMENT_TARGETS)
      continue;
    for (const Operand *operand = statement->operands; operand; operand = operand->next) {
      uint32_t label = NONE;
      if (operand->kind == OPERAND_NAME || operand->kind == OPERAND_SYMBOL)
        label = find_label(source, operand->name, statement->scope);
      if (label != NONE)
        source->labels.items[label].targeted = true;
    }
  }
}

void parse_body(Loader *loader, Source *source) {
  Body body = {.loader = loader, .source = source};
  parse_scope(&body);
  index_labels(&body);
  mark_targets(source);
}
