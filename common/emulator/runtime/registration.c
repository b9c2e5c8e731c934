/* Registers a program's device code. Before main, constructors that the compiler generates register
 * one "fat binary" per source file, and then its kernels and variables. The PTX is decoded at the
 * first use, so that a program that only prints its help does not decode it.
 *
 * Separately compiled files (nvcc -dc) are also registered one at a time. At the first use of such
 * a file, the PTX texts of all these files are linked. Each file calls a registration function with
 * a unique name, which nvcc's device linker would generate. common/make/compile/relocatable.sh
 * changes all these names to __cudaRegisterLinkedBinary.
 *
 * nvcc stores PTX in a container, and clang stores the plain text. Machine code and compressed PTX
 * are refused, with a message that names the necessary compiler option. */
#include "runtime.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that compiler-generated code calls and that no header of the toolkit declares. */
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **module);
void __cudaRegisterLinkedBinary(void (*rest)(void **module), void *wrapper, void *id,
                                void (*nothing)(void *));
void __cudaUnregisterFatBinary(void **module);
void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name,
                            int thread_limit, uint3 *thread, uint3 *block, dim3 *block_dim,
                            dim3 *grid_dim, int *warp_size);
void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global);
void __cudaRegisterManagedVar(void **module, void **host, char *device, const char *name,
                              int external, size_t bytes, int constant, int global);
char __cudaInitModule(void **module);

enum { WRAPPER_MAGIC = 0x466243B1, PTX_ENTRY = 1, LZ4_FLAG = 0x2000, ZSTD_FLAG = 0x8000 };
static const uint32_t container_magic = 0xBA55ED50;

typedef struct FatWrapper {
  uint32_t magic, version;
  const uint8_t *data;
  const void *file_name;
} FatWrapper;

typedef struct FatHeader {
  uint32_t magic;
  uint16_t version, header_bytes;
  /* The size of all entries in bytes. */
  uint64_t bytes;
} FatHeader;

typedef struct FatEntry {
  uint16_t kind, unknown;
  uint32_t header_bytes;
  uint64_t payload_bytes;
  uint32_t compressed_bytes, options;
  uint16_t minor, major;
  uint32_t sm;
  uint64_t unknown3;
  uint64_t flags;
} FatEntry;
_Static_assert(offsetof(FatEntry, flags) == 40 && offsetof(FatEntry, sm) == 28,
               "layout of the fat binary");

/* ---- tables, which only grow and exist until the program ends -------------------------------- */
typedef struct Table {
  void **items;
  size_t count, room;
} Table;
static Table kernels, variables, relocatable;

static void table_add(Table *table, void *item) {
  if (table->count == table->room) {
    table->room = table->room ? 2 * table->room : 16;
    table->items = realloc(table->items, table->room * sizeof *table->items);
    assert(table->items);
  }
  table->items[table->count++] = item;
}

static void *new_item(size_t bytes) {
  void *item = calloc(1, bytes);
  assert(item);
  return item;
}

/* ---- the fat binary -------------------------------------------------------------------------- */
/* Returns the value of -maxrregcount; 0 if the option was not given. nvcc stores the options of the
 * assembler as text with the PTX. The header of the entry contains the offset and the length of
 * this text, at byte `options`. */
static uint32_t most_registers(const FatEntry *entry, const uint8_t *at) {
  static const char option[] = "-maxrregcount=";
  uint32_t text[2];
  if (entry->options < sizeof *entry || entry->options > entry->header_bytes - sizeof text)
    return 0;
  memcpy(text, at + entry->options, sizeof text);
  if (text[0] > entry->header_bytes || text[1] > entry->header_bytes - text[0])
    return 0;
  const char *found = memmem(at + text[0], text[1], option, sizeof option - 1);
  return found ? (uint32_t)strtoul(found + sizeof option - 1, NULL, 10) : 0;
}

/* Scans the entries of one container for PTX. Returns true if the container has entries. */
static bool scan_container(RuntimeModule *module, const uint8_t *at, const uint8_t *end) {
  uint32_t best_sm = 0;
  bool any = false;
  while ((size_t)(end - at) >= sizeof(FatEntry)) {
    FatEntry entry;
    memcpy(&entry, at, sizeof entry);
    if (entry.header_bytes < sizeof entry || entry.header_bytes > (size_t)(end - at) ||
        entry.payload_bytes > (size_t)(end - at) - entry.header_bytes)
      break;
    any = true;
    if (entry.kind != PTX_ENTRY) {
      if (!module->refusal)
        module->refusal =
            "holds only machine code: compile with nvcc -gencode arch=compute_75,code=compute_75";
    } else if (entry.flags & (LZ4_FLAG | ZSTD_FLAG)) {
      module->refusal = "is compressed: compile with nvcc --compress-mode=none (before CUDA 12.8: "
                        "-Xfatbin -no-compress)";
    } else if (!module->text || entry.sm > best_sm) {
      module->text = (const char *)at + entry.header_bytes;
      module->length = entry.payload_bytes;
      module->most_registers = most_registers(&entry, at);
      best_sm = entry.sm;
    }
    at += entry.header_bytes + entry.payload_bytes;
  }
  return any;
}

static bool is_text(unsigned char c) { return c >= ' ' || (c >= '\t' && c <= '\r'); }

/* Returns the length of PTX text from clang. clang 14 writes a NUL after the text, but clang 19
 * does not. So the text ends at the first control character, or where the text of the next file
 * begins. */
static size_t text_length(const char *text, size_t most) {
  static const char header[] = "//\n// Generated by LLVM NVPTX";
  size_t length = 0;
  for (; length < most && is_text((unsigned char)text[length]); length++)
    if (text[length] == '/' && length && most - length >= sizeof header &&
        strncmp(text + length, header, sizeof header - 1) == 0)
      break;
  return length;
}

/* A program of several files uses few of its modules, so the length is found at the first use. */
static void measure_text(RuntimeModule *module) {
  if (module->unmeasured)
    module->length = text_length(module->text, module->length);
  module->unmeasured = false;
}

static bool container_at(const uint8_t *data, size_t most, FatHeader *header) {
  if (most < sizeof *header)
    return false;
  memcpy(header, data, sizeof *header);
  return header->magic == container_magic && header->header_bytes <= most &&
         header->bytes <= most - header->header_bytes;
}

/* Finds the PTX in `data`. Reads at most `most` bytes. (Compiler-generated registration does not
 * pass a size.) */
static void find_text(RuntimeModule *module, const uint8_t *data, size_t most) {
  FatHeader header;
  if (!container_at(data, most, &header)) {
    /* There is no container: this is plain text from clang. */
    module->text = (const char *)data;
    module->length = most;
    module->unmeasured = true;
    return;
  }
  /* nvcc may store an empty container before the container with the PTX. */
  do {
    const uint8_t *at = data + header.header_bytes, *end = at + header.bytes;
    if (scan_container(module, at, end))
      break;
    most -= (size_t)(end - data);
    data = end;
  } while (container_at(data, most, &header));
  if (!module->text && !module->refusal)
    module->refusal = "is empty: compile with nvcc or clang -x cuda";
}

static _Noreturn void refuse(const char *what, const char *why) {
  /* With a pending error, memory that is not freed is not reported. */
  runtime_set_pending(cudaErrorInvalidKernelImage);
  fprintf(stderr, "lockstep: the device code of this program %s%s\n", what, why);
  log_event(json_pack("{s:s, s:s}", "event", "unreadable", "why", why));
  exit(2);
}

/* Concatenates the texts of all separately compiled modules. The result becomes the text of
 * `module`. */
static void link_relocatable(RuntimeModule *module) {
  size_t bytes = 1;
  for (size_t i = 0; i < relocatable.count; i++) {
    RuntimeModule *each = relocatable.items[i];
    if (!each->text)
      refuse("", each->refusal);
    measure_text(each);
    bytes += each->length + 1;
  }
  char *text = malloc(bytes), *end = text;
  assert(text);
  for (size_t i = 0; i < relocatable.count; i++) {
    RuntimeModule *each = relocatable.items[i];
    const size_t length = strnlen(each->text, each->length);
    memcpy(end, each->text, length);
    end += length;
    *end++ = '\n';
    each->part = (uint32_t)i;
  }
  *end = '\0';
  module->text = text;
  module->length = (size_t)(end - text);
}

/* ---- kernels that replace those of the program ----------------------------------------------- */

static char *read_text(const char *path, size_t *length) {
  char *text = NULL;
  FILE *in = fopen(path, "re"), *out = open_memstream(&text, length);
  int c;
  while (in && out && (c = getc(in)) != EOF)
    putc(c, out);
  if (!in || !out || fclose(out) != 0) {
    fprintf(stderr, "lockstep: LOCKSTEP_KERNELS=%s: cannot be read\n", path);
    exit(2);
  }
  fclose(in);
  return text;
}

/* If LOCKSTEP_KERNELS names a PTX file and the module contains the first kernel of this file,
 * replaces the module's text with the PTX of the file. */
static void replace_text(RuntimeModule *module) {
  static const char entry[] = ".visible .entry ";
  static char *text;
  static size_t length;
  const char *path = machine_settings()->kernels;
  if (!path)
    return;
  if (!text)
    text = read_text(path, &length);
  const char *name = strstr(text, entry);
  if (name && memmem(module->text, module->length, name, strcspn(name, "(") + 1)) {
    module->text = text;
    module->length = length;
  }
}

/* ---- variables shared with the host ---------------------------------------------------------- */
/* The section lockstep_managed contains the managed variables in host code from clang. (Host code
 * from nvcc contains only a pointer to a managed variable, which the runtime sets.) In both cases,
 * host and device use the same address. */
extern char lockstep_managed_begin[] __asm__("__start_lockstep_managed") __attribute__((weak));
extern char lockstep_managed_end[] __asm__("__stop_lockstep_managed") __attribute__((weak));

static bool is_hosts(const RuntimeVariable *variable) {
  const char *at = variable->host;
  return at >= lockstep_managed_begin && at < lockstep_managed_end;
}

static void *shared_place(const RuntimeVariable *variable) {
  enum { ALIGNED = 256 };
  if (!variable->managed)
    return is_hosts(variable) ? (void *)variable->host : NULL;
  return aligned_alloc(ALIGNED, (variable->bytes + ALIGNED) / ALIGNED * ALIGNED);
}

/* Returns true if the module can use the variable: it belongs to this module, or both modules were
 * compiled separately. */
static bool is_of_program(const RuntimeVariable *variable, const RuntimeModule *module) {
  return variable->module == module || (module->relocatable && variable->module->relocatable);
}

static void share_variables(RuntimeModule *module) {
  for (size_t i = 0; i < variables.count; i++) {
    const RuntimeVariable *each = variables.items[i];
    if (!is_of_program(each, module))
      continue;
    const PtxVariable *found = ptx_variable_of(module->program, each->module->part, each->name);
    void *place = found ? shared_place(each) : NULL;
    if (place && found->bytes > each->bytes)
      refuse("has a larger variable than its host code: ", each->name);
    if (found)
      module->program->variables[found - module->program->variables].host = place;
  }
}

static void limit_registers(const RuntimeModule *module) {
  PtxModule *program = module->program;
  for (uint32_t i = 0; module->most_registers && i < program->nfunctions; i++)
    if (!program->functions[i].max_registers)
      program->functions[i].max_registers = module->most_registers;
}

static bool decode(RuntimeModule *module, char *error, size_t size) {
  replace_text(module);
  module->program = ptx_load(module->text, module->length, error, size);
  if (module->program) {
    limit_registers(module);
    share_variables(module);
    machine_load(module->program);
  }
  return module->program;
}

static const PtxModule *decoded(RuntimeModule *module) {
  if (module->program)
    return module->program;
  if (!module->text)
    refuse("", module->refusal);
  measure_text(module);
  if (module->relocatable)
    link_relocatable(module);
  char error[200] = "";
  if (!decode(module, error, sizeof error))
    refuse("is refused: ", error);
  for (; module->relocatable && relocatable.count; relocatable.count--)
    ((RuntimeModule *)relocatable.items[relocatable.count - 1])->program = module->program;
  return module->program;
}

/* ---- called by compiler-generated code ------------------------------------------------------- */
static RuntimeModule *new_module(const FatWrapper *fat) {
  RuntimeModule *module = new_item(sizeof *module);
  if (fat->magic != WRAPPER_MAGIC || !fat->data)
    module->refusal = "is in an unknown format: compile with clang 14 to 19 or nvcc 11 to 13";
  else
    find_text(module, fat->data, PTRDIFF_MAX);
  return module;
}

void **__cudaRegisterFatBinary(void *wrapper) {
  runtime_enter();
  RuntimeModule *module = new_module(wrapper);
  runtime_leave(__func__, cudaSuccess);
  return (void **)module;
}

void __cudaRegisterLinkedBinary(void (*rest)(void **module), void *wrapper, void *id,
                                void (*nothing)(void *)) {
  (void)id, (void)nothing;
  runtime_enter();
  RuntimeModule *module = new_module(wrapper);
  module->relocatable = true;
  table_add(&relocatable, module);
  runtime_leave(__func__, cudaSuccess);
  rest((void **)module); /* registers the kernels and variables of the file */
}

void **runtime_register_code(const void *data, size_t bytes) {
  RuntimeModule *module = new_item(sizeof *module);
  find_text(module, data, bytes);
  return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **module) { (void)module; }

/* Returns the name that a kernel or variable has in device code. For a name that is local to a
 * file, host code from clang registers _ZL4name__static__0123456789abcdef or _ZL4name__intern__...,
 * but the name in device code is _ZL4name. */
static const char *plain_name(const RuntimeModule *module, const char *name) {
  const char *mark = module->relocatable ? strstr(name, "__static__") : NULL;
  if (!mark && module->relocatable)
    mark = strstr(name, "__intern__");
  if (!mark || mark == name)
    return name;
  char *plain = new_item((size_t)(mark - name) + 1);
  return memcpy(plain, name, (size_t)(mark - name));
}

/* Does nothing. Generated code calls this function at exit, but the last reports still need the
 * names and source lines of the module. */
void __cudaUnregisterFatBinary(void **module) { (void)module; }

void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name,
                            int thread_limit, uint3 *thread, uint3 *block, dim3 *block_dim,
                            dim3 *grid_dim, int *warp_size) {
  (void)device, (void)thread_limit, (void)thread, (void)block, (void)block_dim, (void)grid_dim,
      (void)warp_size;
  runtime_enter();
  RuntimeKernel *kernel = new_item(sizeof *kernel);
  *kernel = (RuntimeKernel){.host = host,
                            .name = plain_name((RuntimeModule *)module, name),
                            .module = (RuntimeModule *)module};
  table_add(&kernels, kernel);
  runtime_leave(__func__, cudaSuccess);
}

static void add_variable(void **module, const void *host, const char *name, size_t bytes,
                         void **managed) {
  runtime_enter();
  RuntimeVariable *variable = new_item(sizeof *variable);
  *variable = (RuntimeVariable){.host = host,
                                .name = plain_name((RuntimeModule *)module, name),
                                .module = (RuntimeModule *)module,
                                .bytes = bytes,
                                .managed = managed};
  table_add(&variables, variable);
  runtime_leave(__func__, cudaSuccess);
}

void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global) {
  (void)device, (void)external, (void)constant, (void)global;
  add_variable(module, host, name, bytes, NULL);
}

void __cudaRegisterManagedVar(void **module, void **host, char *device, const char *name,
                              int external, size_t bytes, int constant, int global) {
  (void)device, (void)external, (void)constant, (void)global;
  add_variable(module, host, name, bytes, host);
}

Allocation *runtime_module_variable(RuntimeModule *module, const char *name) {
  const PtxModule *program = decoded(module);
  const PtxVariable *variable = ptx_variable_of(program, module->part, name);
  return variable ? module_variable(program, (uint32_t)(variable - program->variables)) : NULL;
}

static Allocation *placed(const RuntimeVariable *variable) {
  return runtime_module_variable(variable->module, variable->name);
}

/* Code from nvcc calls this function before it first accesses a managed variable. Sets the host's
 * pointer to the memory of the variable. */
char __cudaInitModule(void **module) {
  runtime_enter();
  for (size_t i = 0; i < variables.count; i++) {
    RuntimeVariable *variable = variables.items[i];
    if (!is_of_program(variable, (RuntimeModule *)module) || !variable->managed)
      continue;
    Allocation *memory = placed(variable);
    if (!memory)
      continue;
    *variable->managed = memory->view;
    copies_shared(memory->bytes);
  }
  runtime_leave(__func__, cudaSuccess);
  return 1;
}

/* Sets the initial values of managed variables in host code from clang, before main. This
 * constructor runs after the program's own constructors, which register the variables, because the
 * program is linked before this library. */
static __attribute__((constructor)) void begin_with_first_values(void) {
  runtime_enter();
  for (size_t i = 0; i < variables.count; i++) {
    RuntimeVariable *each = variables.items[i];
    if (!is_hosts(each))
      continue;
    decoded(each->module);
    copies_shared(each->bytes);
  }
  runtime_leave(__func__, cudaSuccess);
}

/* ---- lookup for the runtime ------------------------------------------------------------------ */
/* Finds a kernel by its name. If there is no kernel with this name, finds a kernel whose mangled
 * C++ name contains the name, followed by the types of the parameters. */
static const PtxFunction *function_called(RuntimeModule *module, const char *name) {
  char begin[80];
  const PtxModule *program = decoded(module);
  const PtxFunction *found = ptx_function_of(program, module->part, name);
  int length = snprintf(begin, sizeof begin, "_Z%zu%s", strlen(name), name);
  for (uint32_t i = 0; i < program->nfunctions && !found && length < (int)sizeof begin; i++)
    if (strncmp(program->functions[i].name, begin, (size_t)length) == 0)
      found = &program->functions[i];
  return found;
}

RuntimeKernel *runtime_kernel(const void *host) {
  for (size_t i = 0; i < kernels.count; i++) {
    RuntimeKernel *kernel = kernels.items[i];
    if (kernel->host != host && kernel != host)
      continue; /* `host` may be a cudaKernel_t, which is a RuntimeKernel */
    if (!kernel->function)
      kernel->function = function_called(kernel->module, kernel->name);
    return kernel->function ? kernel : NULL;
  }
  return NULL;
}

RuntimeModule *runtime_load(const void *image, char *error, size_t size) {
  RuntimeModule *module = new_item(sizeof *module);
  uint32_t magic;
  memcpy(&magic, image, sizeof magic);
  if (magic == container_magic) {
    find_text(module, image, PTRDIFF_MAX);
  } else {
    module->length = strlen(image);
    module->text = image;
  }
  if (!module->text) {
    snprintf(error, size, "it %s", module->refusal);
    return NULL;
  }
  /* Copy the text, because the program may free its own copy. */
  char *text = malloc(module->length + 1);
  assert(text);
  memcpy(text, module->text, module->length);
  text[module->length] = '\0';
  module->text = text;
  return decode(module, error, size) ? module : NULL;
}

bool runtime_reads(const char *text, char *error, size_t size) {
  PtxModule *program = ptx_load(text, strlen(text), error, size);
  ptx_free(program);
  return program;
}

RuntimeKernel *runtime_module_kernel(RuntimeModule *module, const char *name) {
  const PtxFunction *function = ptx_find(decoded(module), name);
  for (size_t i = 0; function && i < kernels.count; i++) {
    RuntimeKernel *kernel = kernels.items[i];
    if (kernel->module == module && kernel->function == function)
      return kernel;
  }
  if (!function)
    return NULL;
  RuntimeKernel *kernel = new_item(sizeof *kernel);
  *kernel = (RuntimeKernel){.name = function->name, .module = module, .function = function};
  kernel->host = kernel;
  table_add(&kernels, kernel);
  return kernel;
}

const void *runtime_variable_called(void **module, const char *name) {
  const PtxModule *program = decoded((RuntimeModule *)module);
  for (size_t i = 0; i < variables.count; i++) {
    RuntimeVariable *variable = variables.items[i];
    if (variable->module == (RuntimeModule *)module && strcmp(variable->name, name) == 0)
      return variable->host;
  }
  for (uint32_t i = 0; i < program->nvariables; i++) {
    const PtxVariable *each = &program->variables[i];
    if (strcmp(each->name, name) == 0) {
      add_variable(module, each, each->name, each->bytes, NULL);
      return each;
    }
  }
  return NULL;
}

void runtime_load_all(void) {
  for (size_t i = 0; i < kernels.count; i++)
    decoded(((RuntimeKernel *)kernels.items[i])->module);
}

const RuntimeVariable *runtime_variable_at(const void *host) {
  for (size_t i = 0; i < variables.count; i++) {
    const RuntimeVariable *variable = variables.items[i];
    const uint64_t at = runtime_address(host) - runtime_address(variable->host);
    if (at < variable->bytes && !variable->managed && !memory_find(runtime_address(host)))
      return variable;
  }
  return NULL;
}

Allocation *runtime_symbol(const void *host, const char **name, size_t *bytes) {
  for (size_t i = 0; i < variables.count; i++) {
    RuntimeVariable *variable = variables.items[i];
    if (variable->host != host && !(variable->managed && *variable->managed == host))
      continue;
    *name = variable->name;
    *bytes = variable->bytes;
    return placed(variable);
  }
  return NULL;
}
