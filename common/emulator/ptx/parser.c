/* Parses the declarations of a module: directives, variables, and functions with their formal
 * parameters.
 *
 * This is a recursive-descent parser with one token of lookahead. Each parse_ function starts at
 * the first token of its construct and stops at the first token after it. Parts that are not needed
 * to run a kernel (debug sections, tuning hints) are skipped. */
#include <ctype.h>
#include <stdlib.h>

#include "ptx.h"

enum { MAX_ALIGN = 65536, PARAMETER_LIMIT = 1 << 20 };

bool parse_type(Slice name, PtxType *type) {
  for (unsigned t = 0; t < PTX_TYPES; t++)
    if (slice_is(name, ptx_type_name((PtxType)t))) {
      *type = (PtxType)t;
      return true;
    }
  return false;
}

/* Parses the type of a declaration. Some types occur only in declarations: no operation has these
 * types, but variables of these types need memory. */
static bool parse_declared_type(Slice name, PtxType *type) {
  static const struct {
    const char *name;
    PtxType type;
  } others[] = {{"bf16", PTX_B16},   {"bf16x2", PTX_B32},     {"b128", PTX_B64},
                {"texref", PTX_B64}, {"samplerref", PTX_B64}, {"surfref", PTX_B64}};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (slice_is(name, others[i].name)) {
      *type = others[i].type;
      return true;
    }
  return parse_type(name, type);
}

/* Skips from an opening bracket, which is the current token, to the token after its closing
 * bracket. */
static void skip_nested(Loader *loader, char open, char close) {
  uint32_t line = loader->token.line;
  expect_mark(loader, open);
  for (uint32_t depth = 1; depth; next_token(loader)) {
    if (loader->token.kind == TOKEN_END)
      fail(loader, line, "this '%c' is never closed", open);
    depth += is_mark(loader, open);
    depth -= is_mark(loader, close);
  }
}

void skip_statement(Loader *loader) {
  while (!accept_mark(loader, ';')) {
    if (loader->token.kind == TOKEN_END)
      fail_expected(loader, "';'");
    next_token(loader);
  }
}

uint32_t reserve(Loader *loader, uint32_t *top, uint64_t bytes, uint32_t align, uint32_t limit) {
  uint64_t offset = ((uint64_t)*top + align - 1) & ~((uint64_t)align - 1);
  if (bytes > limit || offset + bytes > limit)
    fail(loader, loader->token.line,
         "more than %u bytes of parameters or local memory in a function", limit);
  *top = (uint32_t)(offset + bytes);
  return (uint32_t)offset;
}

/* ---- variables --------------------------------------------------------------------------- */

static void parse_align(Loader *loader, Declaration *declaration) {
  uint64_t align = expect_integer(loader, "an alignment");
  if (align == 0 || align > MAX_ALIGN || (align & (align - 1)))
    fail(loader, loader->token.line, "an alignment of %llu", (unsigned long long)align);
  declaration->align = (uint32_t)align;
}

/* Skips .ptr .global .align 4, which describe the memory to which a kernel parameter points. */
static void skip_pointer_attributes(Loader *loader) {
  while (loader->token.kind == TOKEN_DIRECTIVE) {
    bool align = is_directive(loader, ".align");
    next_token(loader);
    if (align)
      expect_integer(loader, "an alignment");
  }
}

void parse_declaration(Loader *loader, Declaration *declaration) {
  *declaration = (Declaration){.type = PTX_TYPES, .ptx_line = loader->token.line};
  unsigned vector = 1;
  while (loader->token.kind == TOKEN_DIRECTIVE) {
    Slice word = {loader->token.text.start + 1, loader->token.text.length - 1};
    next_token(loader);
    if (slice_is(word, "align"))
      parse_align(loader, declaration);
    else if (slice_is(word, "attribute"))
      skip_nested(loader, '(', ')');
    else if (slice_is(word, "ptr"))
      skip_pointer_attributes(loader);
    else if (slice_is(word, "v2") || slice_is(word, "v4") || slice_is(word, "v8"))
      vector = (unsigned)(word.start[1] - '0');
    else if (!parse_declared_type(word, &declaration->type))
      fail(loader, declaration->ptx_line, "'.%.*s' is not a type", (int)word.length, word.start);
  }
  if (declaration->type == PTX_TYPES)
    fail(loader, declaration->ptx_line, "a declaration without a type");
  declaration->element_bytes = ptx_type_bytes(declaration->type) * vector;
}

static void parse_dimension(Loader *loader, Declaration *declaration) {
  enum { DIMS = sizeof declaration->dims / sizeof declaration->dims[0] };
  if (declaration->ndims == DIMS)
    fail(loader, loader->token.line, "an array of more than %d dimensions", (int)DIMS);
  uint64_t length = 0;
  if (!is_mark(loader, ']'))
    length = expect_integer(loader, "the length of an array");
  else if (declaration->ndims == 0)
    declaration->unsized = true;
  expect_mark(loader, ']');
  declaration->dims[declaration->ndims++] = length;
}

/* Returns the size of the variable; 0: a dimension is 0 or missing. Even then, checks the product
 * of the other dimensions for overflow. */
static Size size_of(Loader *loader, const Declaration *declaration) {
  Size size = {declaration->element_bytes};
  bool none = declaration->unsized;
  for (uint32_t i = declaration->ndims; i-- > 0;) {
    none |= declaration->dims[i] == 0;
    if (declaration->dims[i])
      size = size_times(loader, size, declaration->dims[i]);
  }
  return none ? (Size){0} : size;
}

void parse_name(Loader *loader, Declaration *declaration) {
  declaration->name = expect_word(loader, "a name");
  declaration->ndims = 0;
  declaration->unsized = false;
  while (accept_mark(loader, '['))
    parse_dimension(loader, declaration);
  declaration->size = size_of(loader, declaration);
  if (loader->token.kind == TOKEN_DIRECTIVE)
    /* clang 16 and later write .param .u64 .ptr name. The attributes may be before or after the
     * name. */
    skip_pointer_attributes(loader);
  if (!declaration->align)
    declaration->align = declaration->element_bytes ? declaration->element_bytes : 1;
}

/* Returns true for a mangled name with internal linkage in C++, because it is static or in an
 * unnamed namespace: _ZL4name, _ZN5spaceL4nameE or _ZN12_GLOBAL__N_14nameE. The PTX directives do
 * not show this: clang declares such a name as global if host code uses it. */
static bool names_own(Slice name) {
  const char *c = name.start, *end = c + name.length;
  if (name.length < 4 || memcmp(c, "_Z", 2) != 0)
    return false;
  for (c += 2; c < end && (*c == 'Z' || *c == 'N');)
    c++;
  while (c < end && isdigit((unsigned char)*c)) {
    unsigned long length = 0;
    while (c < end && isdigit((unsigned char)*c) && length < name.length)
      length = 10 * length + (unsigned long)(*c++ - '0');
    if (length > (unsigned long)(end - c) || (length == 12 && !memcmp(c, "_GLOBAL__N_1", 12)))
      return length == 12;
    c += length;
  }
  return c < end && *c == 'L';
}

/* Returns an earlier symbol that denotes the same variable or function: a local symbol of this
 * text, or a symbol that the linked texts share; NULL: there is no such symbol. */
static const Symbol *find_linked(Loader *loader, Slice name, PtxLinkage linkage) {
  const Symbol *known = find_symbol(&loader->symbols, name);
  return known && (known->is_local || !linkage.is_local) ? known : NULL;
}

/* Returns the index of the variable with this name. Adds the variable if it has not been declared
 * before. Sets `*again` if the variable has been defined before and this definition is weak; then
 * this definition must be skipped. */
static uint32_t enter_variable(Loader *loader, const Declaration *declaration, PtxSpace space,
                               PtxLinkage linkage, bool *again) {
  SymbolKind kind = space == PTX_SHARED ? SYMBOL_SHARED : SYMBOL_VARIABLE;
  const Symbol *known = find_linked(loader, declaration->name, linkage);
  PtxVariable *list = space == PTX_SHARED ? loader->shared.items : loader->variables.items;
  const PtxVariable *before = known && known->kind == kind ? &list[known->index] : NULL;
  *again = before && !before->is_extern && linkage.is_weak;
  if (before && (before->is_extern || linkage.is_weak))
    return known->index;
  if (before && before->linkage.text != linkage.text)
    fail(loader, declaration->ptx_line, "variable %s is defined twice", before->name);
  PtxVariable *variable = space == PTX_SHARED ? VECTOR_PUSH(loader->scratch, loader->shared)
                                              : VECTOR_PUSH(loader->scratch, loader->variables);
  variable->name =
      arena_text(loader->module->arena, declaration->name.start, declaration->name.length);
  Symbol *symbol = declare(loader, declaration->name, kind);
  symbol->index = (space == PTX_SHARED ? loader->shared.count : loader->variables.count) - 1;
  symbol->is_local = linkage.is_local;
  return symbol->index;
}

/* Skips the initial values of a variable that has been defined already. */
static void skip_initial(Loader *loader) {
  if (!accept_mark(loader, '='))
    return;
  if (is_mark(loader, '{')) {
    skip_nested(loader, '{', '}');
    return;
  }
  while (!is_mark(loader, ',') && !is_mark(loader, ';')) {
    if (loader->token.kind == TOKEN_END)
      fail_expected(loader, "';'");
    next_token(loader);
  }
}

void declare_variable(Loader *loader, PtxSpace space, bool is_extern, PtxLinkage how) {
  Declaration declaration;
  PtxLinkage linkage = how;
  parse_declaration(loader, &declaration);
  do {
    parse_name(loader, &declaration);
    const Symbol *known = find_symbol(&loader->symbols, declaration.name);
    if (is_extern && known && known->kind == SYMBOL_VARIABLE)
      continue;
    linkage.is_local = (how.is_local || names_own(declaration.name)) && !is_extern;
    bool again;
    uint32_t index = enter_variable(loader, &declaration, space, linkage, &again);
    if (again) {
      skip_initial(loader);
      continue;
    }
    PtxVariable *variable =
        space == PTX_SHARED ? &loader->shared.items[index] : &loader->variables.items[index];
    variable->linkage = linkage;
    variable->space = space;
    variable->is_extern = is_extern;
    variable->align = declaration.align;
    variable->bytes = declaration.size.bytes;
    if (is_extern && is_mark(loader, '='))
      fail(loader, declaration.ptx_line, "variable %s is .extern and has values", variable->name);
    if (space != PTX_SHARED && accept_mark(loader, '='))
      parse_initial(loader, &declaration, index);
  } while (accept_mark(loader, ','));
  expect_mark(loader, ';');
}

/* ---- functions --------------------------------------------------------------------------- */

static PtxParameter parse_formal(Loader *loader, uint32_t *top, Slice *name) {
  Declaration declaration;
  if (!accept_directive(loader, ".param"))
    fail(loader, loader->token.line, "a formal that is no .param");
  parse_declaration(loader, &declaration);
  parse_name(loader, &declaration);
  *name = declaration.name;
  uint32_t offset =
      reserve(loader, top, declaration.size.bytes, declaration.align, PARAMETER_LIMIT);
  return (PtxParameter){offset, (uint32_t)declaration.size.bytes, declaration.align};
}

static void declare_formal(Loader *loader, Slice name, bool is_entry, PtxParameter formal) {
  Symbol *symbol = declare(loader, name, is_entry ? SYMBOL_PARAM : SYMBOL_ARGUMENT);
  symbol->offset = formal.offset;
  symbol->bytes = formal.bytes;
}

static void parse_formals(Loader *loader, PtxFunction *function) {
  VECTOR(PtxParameter) formals = {0};
  if (!accept_mark(loader, '('))
    return;
  while (!accept_mark(loader, ')')) {
    Slice name;
    PtxParameter formal = parse_formal(loader, &function->param_bytes, &name);
    *VECTOR_PUSH(loader->scratch, formals) = formal;
    declare_formal(loader, name, function->is_entry, formal);
    if (!is_mark(loader, ')'))
      expect_mark(loader, ',');
  }
  function->params =
      arena_copy(loader->module->arena, formals.items, formals.count, sizeof *formals.items);
  function->nparams = formals.count;
}

/* Parses tuning directives: .maxntid 256, 1, 1 .minnctapersm 2 .maxnreg 32 .noreturn .pragma "...";
 */
static void parse_tuning(Loader *loader, PtxFunction *function) {
  while (loader->token.kind == TOKEN_DIRECTIVE) {
    bool limits = is_directive(loader, ".maxntid") || is_directive(loader, ".reqntid");
    bool together = is_directive(loader, ".minnctapersm");
    bool registers = is_directive(loader, ".maxnreg");
    bool cluster = is_directive(loader, ".reqnctapercluster");
    bool pragma = is_directive(loader, ".pragma");
    uint64_t threads = 1;
    next_token(loader);
    while (loader->token.kind == TOKEN_INTEGER || loader->token.kind == TOKEN_STRING ||
           is_mark(loader, ',')) {
      if (loader->token.kind == TOKEN_INTEGER && threads <= 65536)
        threads *= loader->token.value & 0xffff;
      next_token(loader);
    }
    if (is_mark(loader, '('))
      skip_nested(loader, '(', ')');
    if (limits)
      function->max_threads = (uint32_t)threads;
    if (together)
      function->min_blocks = (uint32_t)threads;
    if (registers)
      function->max_registers = (uint32_t)threads;
    if (cluster && threads != 1)
      function->refusal = "clusters of several blocks (.reqnctapercluster) are not implemented by "
                          "the emulated device";
    if (pragma)
      expect_mark(loader, ';');
  }
}

/* Returns the index of the function in the module. Adds it at its first declaration. */
static uint32_t enter_function(Loader *loader, Slice name, PtxLinkage linkage) {
  const Symbol *known = find_linked(loader, name, linkage);
  if (known && known->kind == SYMBOL_FUNCTION)
    return known->index;
  PtxFunction *function = VECTOR_PUSH(loader->scratch, loader->functions);
  function->name = arena_text(loader->module->arena, name.start, name.length);
  Symbol *symbol = declare(loader, name, SYMBOL_FUNCTION);
  symbol->is_local = linkage.is_local;
  return symbol->index = loader->functions.count - 1;
}

static void parse_definition(Loader *loader, uint32_t index, uint32_t ptx_line) {
  Source *source = arena_take(loader->scratch, sizeof *source);
  source->function = index;
  source->ptx_line = ptx_line;
  *VECTOR_PUSH(loader->scratch, loader->sources) = source;
  PtxFunction *function = &loader->functions.items[index];
  function->is_defined = true;
  /* The argument area holds the function's formal parameters, followed by the arguments of its
   * calls. */
  function->argument_bytes = function->is_entry ? 0 : function->param_bytes;
  source->argument_top = function->argument_bytes;
  parse_body(loader, source);
}

/* Parses a function. A weak function may be defined in several linked texts; the first definition
 * is used. */
static void parse_function(Loader *loader, bool is_entry, bool is_extern, PtxLinkage linkage) {
  PtxFunction parsed = {.is_entry = is_entry};
  Slice result_name = {0};
  uint32_t ptx_line = loader->token.line;
  next_token(loader);
  while (is_directive(loader, ".attribute")) {
    next_token(loader);
    skip_nested(loader, '(', ')');
  }
  if (!is_entry && accept_mark(loader, '(') && !accept_mark(loader, ')')) {
    parsed.has_result = true;
    parsed.result = parse_formal(loader, &parsed.param_bytes, &result_name);
    expect_mark(loader, ')');
  }
  Slice name = expect_word(loader, "the name of a function");
  linkage.is_local = (linkage.is_local || names_own(name)) && !is_extern;
  uint32_t index = enter_function(loader, name, linkage);
  Symbol *outside = loader->symbols.last;
  if (parsed.has_result)
    declare_formal(loader, result_name, false, parsed.result);
  parse_formals(loader, &parsed);
  parse_tuning(loader, &parsed);
  PtxFunction *function = &loader->functions.items[index];
  parsed.name = function->name;
  parsed.linkage = linkage;
  bool defines = is_mark(loader, '{');
  bool again = defines && function->is_defined;
  if (again && !linkage.is_weak && !function->linkage.is_weak)
    fail(loader, ptx_line, "function %s is defined twice", function->name);
  if (!function->is_defined)
    *function = parsed;
  if (again)
    skip_nested(loader, '{', '}');
  else if (defines)
    parse_definition(loader, index, ptx_line);
  else
    expect_mark(loader, ';');
  leave_scope(&loader->symbols, outside);
}

/* ---- the module -------------------------------------------------------------------------- */

/* The newest PTX ISA version and compute capability that the parser accepts. In later versions,
 * instructions may have other meanings. */
enum { NEWEST_VERSION = 9, NEWEST_TARGET = 121 };

static void parse_version(Loader *loader) {
  char *end = NULL;
  loader->module->version_major = (int)strtol(loader->token.text.start, &end, 10);
  if (loader->token.kind != TOKEN_F64 || *end != '.')
    fail(loader, loader->token.line, "expected a version like 7.5");
  loader->module->version_minor = (int)strtol(end + 1, NULL, 10);
  if (loader->module->version_major > NEWEST_VERSION)
    fail(loader, loader->token.line,
         ".version %.*s is newer than the emulated device, which knows %d",
         (int)loader->token.text.length, loader->token.text.start, NEWEST_VERSION);
  next_token(loader);
}

/* Parses sm_70, sm_90a or sm_100f: a number and an optional letter. */
static bool parse_capability(Slice word, int *capability) {
  char *end = NULL;
  if (word.length < 5 || memcmp(word.start, "sm_", 3) != 0)
    return false;
  *capability = (int)strtol(word.start + 3, &end, 10);
  if (end < word.start + word.length && (*end == 'a' || *end == 'f'))
    end++;
  return end == word.start + word.length && *capability > 0 && *capability <= NEWEST_TARGET;
}

/* Parses .target. Words that concern textures or debuggers are ignored; map_f64_to_f32 is refused.
 */
static void parse_target(Loader *loader) {
  do {
    uint32_t line = loader->token.line;
    Slice word = expect_word(loader, "a target like sm_70");
    if (!parse_capability(word, &loader->module->target) && !slice_is(word, "debug") &&
        !slice_is(word, "texmode_unified") && !slice_is(word, "texmode_independent"))
      fail(loader, line, "the emulated device does not know .target %.*s", (int)word.length,
           word.start);
  } while (accept_mark(loader, ','));
}

/* Decodes a path that clang has written: \320 is a byte in octal, and quotes and backslashes have a
 * backslash before them. */
static const char *file_name(Loader *loader, Slice written) {
  char *name = arena_text(loader->module->arena, written.start, written.length), *to = name;
  for (const char *from = name; *from;) {
    if (from[0] == '\\' && strspn(from + 1, "01234567") >= 3) {
      *to++ = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + from[3] - '0');
      from += 4;
    } else {
      from += from[0] == '\\' && from[1];
      *to++ = *from++;
    }
  }
  *to = 0;
  return name;
}

/* Parses .file 1 "/where/it/is.cu", 1700000000, 1234 */
void parse_file(Loader *loader) {
  enum { MAX_FILES = 65536 };
  uint64_t index = expect_integer(loader, "the number of a file");
  if (index >= MAX_FILES || loader->token.kind != TOKEN_STRING)
    fail(loader, loader->token.line, "expected .file NUMBER \"NAME\"");
  index += index ? loader->files_before : 0;
  while (loader->files.count <= index)
    *VECTOR_PUSH(loader->scratch, loader->files) = "?";
  if (index > 0)
    loader->files.items[index] = file_name(loader, loader->token.text);
  next_token(loader);
  while (accept_mark(loader, ','))
    expect_integer(loader, "a time or size");
}

static void parse_section(Loader *loader) {
  while (!is_mark(loader, '{')) {
    if (loader->token.kind == TOKEN_END)
      fail(loader, loader->token.line, "a .section without a body");
    next_token(loader);
  }
  skip_nested(loader, '{', '}');
}

/* Parses a declaration of a variable or function, which may start with a linkage directive. */
static void parse_linked(Loader *loader) {
  PtxLinkage linkage = {.text = loader->texts - 1, .is_local = true};
  bool is_extern = false;
  for (;; next_token(loader), linkage.is_local = false) {
    if (is_directive(loader, ".extern"))
      is_extern = true;
    else if (is_directive(loader, ".weak") || is_directive(loader, ".common"))
      linkage.is_weak = true;
    else if (!is_directive(loader, ".visible"))
      break;
  }
  if (is_directive(loader, ".entry") || is_directive(loader, ".func"))
    parse_function(loader, is_directive(loader, ".entry"), is_extern, linkage);
  else if (accept_directive(loader, ".global"))
    declare_variable(loader, PTX_GLOBAL, is_extern, linkage);
  else if (accept_directive(loader, ".const"))
    declare_variable(loader, PTX_CONST, is_extern, linkage);
  else if (accept_directive(loader, ".shared"))
    declare_variable(loader, PTX_SHARED, is_extern, linkage);
  else if (accept_directive(loader, ".local") || accept_directive(loader, ".tex"))
    skip_statement(loader); /* the decoder refuses a use of its name */
  else
    fail_expected(loader, "a directive");
}

static void parse_address_size(Loader *loader) {
  if (expect_integer(loader, "64") != 64)
    fail(loader, loader->token.line, "only 64-bit addresses are supported");
}

static void end_text(Loader *loader) {
  resolve_initials(loader);
  leave_text(&loader->symbols);
}

/* Handles .version, which begins the first text, or another text that is linked with the earlier
 * ones. */
static void begin_text(Loader *loader) {
  if (loader->texts++)
    end_text(loader);
  loader->files_before = loader->files.count - 1;
  parse_version(loader);
}

static void parse_directive(Loader *loader) {
  if (accept_directive(loader, ".version"))
    begin_text(loader);
  else if (accept_directive(loader, ".target"))
    parse_target(loader);
  else if (accept_directive(loader, ".address_size"))
    parse_address_size(loader);
  else if (accept_directive(loader, ".file"))
    parse_file(loader);
  else if (accept_directive(loader, ".section"))
    parse_section(loader);
  else if (is_directive(loader, ".pragma") || is_directive(loader, ".alias"))
    skip_statement(loader);
  else if (!accept_mark(loader, ';'))
    parse_linked(loader);
}

void parse_module(Loader *loader) {
  next_token(loader);
  if (!is_directive(loader, ".version"))
    fail(loader, loader->token.line, "PTX starts with .version");
  while (loader->token.kind != TOKEN_END)
    parse_directive(loader);
  resolve_initials(loader);
}
