/* Defines ptx_load, which turns PTX text into a module, and functions that query a module. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ptx.h"

static const size_t text_limit = (size_t)512 << 20, arena_most = (size_t)4 << 30;

/* Returns the maximum size of an arena in bytes. The initial values of variables need up to 64 MiB,
 * and more while their growing array is copied. All other memory is proportional to the size of the
 * text. */
static size_t arena_limit(size_t text) {
  const size_t values = (size_t)256 << 20, of_a_byte = 1000;
  return text < (arena_most - values) / of_a_byte ? values + of_a_byte * text : arena_most;
}

/* Makes the names of source files relative to the working directory, if they are in this
 * directory. */
static void shorten_files(Loader *loader) {
  char here[4096];
  if (!getcwd(here, sizeof here))
    return;
  size_t length = strlen(here);
  for (uint32_t i = 0; i < loader->files.count; i++)
    if (strncmp(loader->files.items[i], here, length) == 0 && loader->files.items[i][length] == '/')
      loader->files.items[i] += length + 1;
}

static void *keep(Loader *loader, const void *items, uint32_t count, size_t bytes) {
  return arena_copy(loader->module->arena, items, count, bytes);
}

#define KEEP(loader, field)                                                                        \
  ((loader)->module->n##field = (loader)->field.count,                                             \
   (loader)->module->field =                                                                       \
       keep(loader, (loader)->field.items, (loader)->field.count, sizeof *(loader)->field.items))

static void keep_lists(Loader *loader) {
  KEEP(loader, functions);
  KEEP(loader, files);
  KEEP(loader, lines);
  PtxModule *module = loader->module;
  module->nvariables = loader->variables.count;
  module->variables =
      keep(loader, loader->variables.items, module->nvariables, sizeof(PtxVariable));
  module->nshared = loader->shared.count;
  module->shared = keep(loader, loader->shared.items, module->nshared, sizeof(PtxVariable));
}

/* Fails if the constant variables of the program need more than 64 KiB. ptxas refuses this on every
 * card, and nvlink refuses it for files that are compiled separately. */
static void check_constants(Loader *loader) {
  enum { MOST = 0x10000 };
  uint64_t used = 0;
  for (uint32_t i = 0; i < loader->variables.count; i++) {
    const PtxVariable *variable = &loader->variables.items[i];
    if (variable->space == PTX_CONST && !variable->is_extern)
      used = ((used + variable->align - 1) & ~(uint64_t)(variable->align - 1)) + variable->bytes;
  }
  if (used <= MOST)
    return;
  snprintf(loader->error, loader->error_size,
           "it uses too much global constant data (0x%llx bytes, 0x%x max): the __constant__ "
           "variables of a program are at most 64 KB together, on every GPU",
           (unsigned long long)used, MOST);
  longjmp(loader->failed, 1);
}

static void load(Loader *loader) {
  *VECTOR_PUSH(loader->scratch, loader->files) = "?";
  VECTOR_PUSH(loader->scratch, loader->lines);
  VECTOR_PUSH(loader->scratch, loader->locations);
  parse_module(loader);
  check_constants(loader);
  shorten_files(loader);
  for (uint32_t i = 0; i < loader->sources.count; i++)
    decode_function(loader, loader->sources.items[i]);
  summarise_entries(loader);
  keep_lists(loader);
}

static bool try_load(Loader *loader, const char *text, size_t length) {
  PtxModule *module = loader->module;
  loader->scratch = arena_new(arena_limit(length), &loader->failed);
  module->arena = arena_new(arena_limit(length), &loader->failed);
  if (!loader->scratch || !module->arena || length > text_limit || setjmp(loader->failed))
    return false;
  module->text = arena_text(module->arena, text, length);
  loader->cursor = module->text;
  load(loader);
  return true;
}

PtxModule *ptx_load(const char *text, size_t length, char *error, size_t error_size) {
  PtxModule *module = calloc(1, sizeof *module);
  Loader *loader = calloc(1, sizeof *loader);
  char reason[512] = "PTX line 1: out of memory, or the module is too large";
  bool loaded = false;
  if (loader && module) {
    *loader = (Loader){.module = module, .error = reason, .error_size = sizeof reason, .line = 1};
    loaded = try_load(loader, text, strnlen(text, length));
    arena_free(loader->scratch);
  }
  free(loader);
  if (error_size)
    snprintf(error, error_size, "%s", loaded ? "" : reason);
  if (loaded)
    return module;
  ptx_free(module);
  return NULL;
}

void ptx_free(PtxModule *module) {
  if (module)
    arena_free(module->arena);
  free(module);
}

/* ---- queries --------------------------------------------------------------------------------- */

const PtxFunction *ptx_find(const PtxModule *module, const char *name) {
  for (uint32_t i = 0; i < module->nfunctions; i++)
    if (strcmp(module->functions[i].name, name) == 0)
      return &module->functions[i];
  return NULL;
}

static bool is_called(const char *name, PtxLinkage linkage, const char *wanted, uint32_t text) {
  return (linkage.text == text || !linkage.is_local) && strcmp(name, wanted) == 0;
}

const PtxFunction *ptx_function_of(const PtxModule *module, uint32_t text, const char *name) {
  for (uint32_t i = 0; i < module->nfunctions; i++)
    if (is_called(module->functions[i].name, module->functions[i].linkage, name, text))
      return &module->functions[i];
  return NULL;
}

const PtxVariable *ptx_variable_of(const PtxModule *module, uint32_t text, const char *name) {
  for (uint32_t i = 0; i < module->nvariables; i++)
    if (is_called(module->variables[i].name, module->variables[i].linkage, name, text))
      return &module->variables[i];
  return NULL;
}

const char *ptx_file(const PtxModule *module, uint32_t line) {
  uint32_t file = line < module->nlines ? module->lines[line].file : 0;
  return module->files[file < module->nfiles ? file : 0];
}

uint32_t ptx_line(const PtxModule *module, uint32_t line) {
  return line < module->nlines ? module->lines[line].line : 0;
}

/* Copies the text of an instruction. Each sequence of white space becomes a single blank. */
void ptx_instruction_text(const PtxModule *module, const PtxInsn *insn, char *out, size_t size) {
  const char *c = module->text + insn->text;
  size_t n = 0;
  while (*c && *c != ';' && n + 1 < size) {
    if (!isspace((unsigned char)*c)) {
      out[n++] = *c++;
      continue;
    }
    while (isspace((unsigned char)*c))
      c++;
    if (*c && *c != ';')
      out[n++] = ' ';
  }
  if (size)
    out[n] = 0;
}
