/* Parses the initial values of variables: `= 5`, `= {1, 2}`, `= {{0f3F800000}, {}}`, `=
 * {generic(name)+4, name}`.
 *
 * Values are converted to bytes immediately. If a list has fewer values than its array has
 * elements, the other elements are zero. A nested list contains one row. An address is stored as
 * Pending until all variables are declared. Then it becomes a PtxPatch, from which the machine
 * computes the address. */
#include <stdlib.h>

#include "ptx.h"

static const uint64_t initial_limit = UINT64_C(64) << 20; /* bytes per module */

typedef struct Initial {
  Loader *loader;
  const Declaration *declaration;
  uint32_t variable;
  unsigned scalar_bytes;
  VECTOR(uint8_t) data;
} Initial;

static void put_bytes(Initial *initial, Size offset, uint64_t value) {
  Loader *loader = initial->loader;
  uint64_t end = size_plus(loader, offset, initial->scalar_bytes).bytes;
  if (!initial->declaration->unsized && end > initial->declaration->size.bytes)
    fail(loader, loader->token.line, "more values than %.*s has elements",
         (int)initial->declaration->name.length, initial->declaration->name.start);
  if (end + loader->initial_bytes > initial_limit)
    fail(loader, loader->token.line, "more than 64 MiB of initial values");
  if (initial->data.count < end) {
    /* The new bytes are zero, because memory from an arena is zeroed. */
    initial->data.items =
        arena_grow(loader->scratch, initial->data.items, &initial->data.capacity, (uint32_t)end, 1);
    initial->data.count = (uint32_t)end;
  }
  memcpy(initial->data.items + offset.bytes, &value, initial->scalar_bytes);
}

static void add_pending(Initial *initial, Size offset, Slice name, int64_t addend) {
  Loader *loader = initial->loader;
  if (initial->scalar_bytes != 8)
    fail(loader, loader->token.line, "the address of %.*s in fewer than 64 bits", (int)name.length,
         name.start);
  Pending *pending = VECTOR_PUSH(loader->scratch, loader->pending);
  *pending = (Pending){initial->variable, loader->token.line, offset.bytes, name, addend};
}

/* Parses name or generic(name), followed by any number of + NUMBER or - NUMBER. */
static void parse_address(Initial *initial, Size offset) {
  Loader *loader = initial->loader;
  Slice name = expect_word(loader, "a name");
  if (slice_is(name, "generic") && accept_mark(loader, '(')) {
    name = expect_word(loader, "a name");
    expect_mark(loader, ')');
  }
  uint64_t addend = 0;
  while (is_mark(loader, '+') || is_mark(loader, '-')) {
    bool minus = accept_mark(loader, '-') || !accept_mark(loader, '+');
    uint64_t term = expect_integer(loader, "an offset");
    addend += minus ? 0 - term : term;
  }
  put_bytes(initial, offset, 0);
  add_pending(initial, offset, name, (int64_t)addend);
}

/* Parses 0xFF(name), 0xFF00(name) ...: the text contains one item for each byte of an address. The
 * item for the lowest byte stores the whole address; the other items are only checked. */
static void parse_masked(Initial *initial, Size offset, uint64_t mask) {
  Loader *loader = initial->loader;
  Slice name = expect_word(loader, "a name");
  if (slice_is(name, "generic") && accept_mark(loader, '(')) {
    name = expect_word(loader, "a name");
    expect_mark(loader, ')');
  }
  uint64_t addend = accept_mark(loader, '+') ? expect_integer(loader, "an offset") : 0;
  expect_mark(loader, ')');
  put_bytes(initial, offset, 0);
  if (mask != 0xff)
    return;
  unsigned bytes = initial->scalar_bytes;
  initial->scalar_bytes = 8;
  put_bytes(initial, offset, 0);
  add_pending(initial, offset, name, (int64_t)addend);
  initial->scalar_bytes = bytes;
}

static void parse_scalar(Initial *initial, Size offset) {
  Loader *loader = initial->loader;
  bool minus = accept_mark(loader, '-');
  Token token = loader->token;
  if (token.kind == TOKEN_WORD && !minus) {
    parse_address(initial, offset);
    return;
  }
  if (token.kind != TOKEN_INTEGER && token.kind != TOKEN_F32 && token.kind != TOKEN_F64)
    fail(loader, token.line, "expected a value for %.*s", (int)initial->declaration->name.length,
         initial->declaration->name.start);
  next_token(loader);
  if (token.kind == TOKEN_INTEGER && !minus && accept_mark(loader, '(')) {
    parse_masked(initial, offset, token.value);
    return;
  }
  Operand literal = {.kind = token.kind == TOKEN_F32   ? OPERAND_F32
                             : token.kind == TOKEN_F64 ? OPERAND_F64
                                                       : OPERAND_INTEGER};
  literal.value = (int64_t)token.value;
  if (minus)
    literal.value = literal.kind == OPERAND_F64   ? (int64_t)(token.value ^ UINT64_C(1) << 63)
                    : literal.kind == OPERAND_F32 ? (int64_t)(token.value ^ UINT64_C(1) << 31)
                                                  : (int64_t)(0 - token.value);
  put_bytes(initial, offset, literal_bits(&literal, initial->declaration->type));
}

/* Parses a list whose '{' has been read. The values of the list are the elements of dimension
 * `level`, from byte `offset` on. */
static void parse_list(Initial *initial, Size offset, uint32_t level) {
  Loader *loader = initial->loader;
  Size row = {initial->declaration->element_bytes};
  for (uint32_t i = level + 1; i < initial->declaration->ndims; i++)
    row = size_times(loader, row, initial->declaration->dims[i]);
  while (!accept_mark(loader, '}')) {
    if (accept_mark(loader, '{')) {
      if (level > initial->declaration->ndims)
        fail(loader, loader->token.line, "values nested too deeply");
      parse_list(initial, offset, level + 1);
      offset = size_plus(loader, offset, row.bytes);
    } else {
      parse_scalar(initial, offset);
      offset = size_plus(loader, offset, initial->scalar_bytes);
    }
    if (!is_mark(loader, '}'))
      expect_mark(loader, ',');
  }
}

void parse_initial(Loader *loader, Declaration *declaration, uint32_t variable) {
  Initial initial = {.loader = loader,
                     .declaration = declaration,
                     .variable = variable,
                     .scalar_bytes = ptx_type_bytes(declaration->type)};
  if (initial.scalar_bytes == 0)
    fail(loader, loader->token.line, "values of predicates");
  if (accept_mark(loader, '{'))
    parse_list(&initial, (Size){0}, 0);
  else
    parse_scalar(&initial, (Size){0});
  PtxVariable *target = &loader->variables.items[variable];
  if (declaration->unsized)
    target->bytes = initial.data.count;
  if (target->bytes + loader->initial_bytes > initial_limit)
    fail(loader, loader->token.line, "more than 64 MiB of initial values");
  loader->initial_bytes += target->bytes;
  uint8_t *data = arena_take(loader->module->arena, target->bytes);
  if (initial.data.count)
    memcpy(data, initial.data.items, initial.data.count);
  target->initial = data;
}

/* ---- addresses, resolved when everything is declared ----------------------------------------- */

static void store_handle(PtxVariable *variable, uint64_t offset, uint64_t handle) {
  memcpy((uint8_t *)variable->initial + offset, &handle, sizeof handle);
}

static int by_variable(const void *a, const void *b) {
  const Pending *x = a, *y = b;
  if (x->variable != y->variable)
    return x->variable < y->variable ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void resolve_initials(Loader *loader) {
  Pending *pending = loader->pending.items;
  if (loader->pending.count)
    qsort(pending, loader->pending.count, sizeof *pending, by_variable);
  struct PtxPatch *patches =
      ARENA_ARRAY(loader->module->arena, struct PtxPatch, loader->pending.count);
  for (uint32_t i = 0; i < loader->pending.count; i++) {
    const Symbol *symbol = find_symbol(&loader->symbols, pending[i].name);
    PtxVariable *variable = &loader->variables.items[pending[i].variable];
    if (!variable->initial || variable->bytes < sizeof(uint64_t) ||
        pending[i].offset > variable->bytes - sizeof(uint64_t))
      fail(loader, pending[i].ptx_line, "an address beyond the end of %s", variable->name);
    if (symbol && symbol->kind == SYMBOL_FUNCTION) {
      store_handle(variable, pending[i].offset, (uint64_t)symbol->index + 1);
    } else if (symbol && symbol->kind == SYMBOL_VARIABLE) {
      if (!variable->npatches)
        variable->patches = patches;
      variable->npatches++;
      *patches++ = (struct PtxPatch){pending[i].offset, symbol->index, pending[i].addend};
    } else {
      fail(loader, pending[i].ptx_line, "%.*s, used in an initial value, is no variable",
           (int)pending[i].name.length, pending[i].name.start);
    }
  }
  loader->pending.count = 0;
}
