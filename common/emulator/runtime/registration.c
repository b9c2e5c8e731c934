/* How a program's device code reaches the device: before main, constructors that the compiler made hand over one "fat
 * binary" per source file and then the kernels and variables in it. Decoding waits until something is used, so that a
 * program that only prints its help does no work.
 *
 * nvcc wraps PTX in a container, clang (told to include a PTX file) leaves the plain text. Machine code and compressed
 * PTX are of no use here and refused with the option that helps.
 */
#include "runtime.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entry points that compilers call and no header declares. */
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **module);
void __cudaUnregisterFatBinary(void **module);
void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name, int thread_limit,
                            uint3 *thread, uint3 *block, dim3 *block_dim, dim3 *grid_dim, int *warp_size);
void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external, size_t bytes,
                       int constant, int global);
void __cudaRegisterManagedVar(void **module, void **host, char *device, const char *name, int external,
                              size_t bytes, int constant, int global);
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
  uint64_t bytes; /* of all entries */
} FatHeader;

typedef struct FatEntry {
  uint16_t kind, unknown;
  uint32_t header_bytes;
  uint64_t payload_bytes;
  uint32_t compressed_bytes, unknown2;
  uint16_t minor, major;
  uint32_t sm;
  uint64_t unknown3;
  uint64_t flags;
} FatEntry;
_Static_assert(offsetof(FatEntry, flags) == 40 && offsetof(FatEntry, sm) == 28, "layout of the fat binary");

/* ---- tables; they only grow, and stay until the program ends ------------------------------------------ */
typedef struct Table {
  void **items;
  size_t count, room;
} Table;
static Table kernels, variables;

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

/* ---- the fat binary -------------------------------------------------------------------------------------- */
/* Looks through the entries of one container; returns whether it had any. */
static bool scan_container(RuntimeModule *module, const uint8_t *data) {
  FatHeader header;
  memcpy(&header, data, sizeof header);
  const uint8_t *at = data + header.header_bytes, *end = at + header.bytes;
  uint32_t best_sm = 0;
  bool any = false;
  while ((size_t)(end - at) >= sizeof(FatEntry)) {
    FatEntry entry;
    memcpy(&entry, at, sizeof entry);
    if (entry.header_bytes > (size_t)(end - at) ||
        entry.payload_bytes > (size_t)(end - at) - entry.header_bytes)
      break;
    any = true;
    if (entry.kind != PTX_ENTRY) {
      if (!module->refusal)
        module->refusal = "holds only machine code: compile with nvcc -gencode arch=compute_75,code=compute_75";
    } else if (entry.flags & (LZ4_FLAG | ZSTD_FLAG)) {
      module->refusal = "is compressed: compile with nvcc --compress-mode=none (before CUDA 12.8: "
                        "-Xfatbin -no-compress)";
    } else if (!module->text || entry.sm > best_sm) {
      module->text = (const char *)at + entry.header_bytes;
      module->length = entry.payload_bytes;
      best_sm = entry.sm;
    }
    at += entry.header_bytes + entry.payload_bytes;
  }
  return any;
}

static void find_text(RuntimeModule *module, const uint8_t *data) {
  uint32_t magic;
  memcpy(&magic, data, sizeof magic);
  if (magic != container_magic) { /* clang: plain text */
    module->text = (const char *)data;
    module->length = strlen(module->text);
    return;
  }
  /* nvcc may put an empty container before the real one. */
  while (magic == container_magic && !scan_container(module, data)) {
    FatHeader header;
    memcpy(&header, data, sizeof header);
    data += header.header_bytes + header.bytes;
    memcpy(&magic, data, sizeof magic);
  }
  if (!module->text && !module->refusal) module->refusal = "is empty: compile with nvcc or clang -x cuda";
}

static _Noreturn void refuse(const char *what, const char *why) {
  fprintf(stderr, "lockstep: the device code of this program %s%s\n", what, why);
  exit(2);
}

static const PtxModule *decoded(RuntimeModule *module) {
  if (module->program) return module->program;
  if (!module->text) refuse("", module->refusal);
  char error[200] = "";
  module->program = ptx_load(module->text, module->length, error, sizeof error);
  if (!module->program) refuse("is not PTX that the emulated device can read: ", error);
  machine_load(module->program);
  return module->program;
}

/* ---- what the compilers call ------------------------------------------------------------------------------- */
void **__cudaRegisterFatBinary(void *wrapper) {
  runtime_enter();
  const FatWrapper *fat = wrapper;
  RuntimeModule *module = new_item(sizeof *module);
  if (fat->magic != WRAPPER_MAGIC || !fat->data)
    module->refusal = "is in an unknown format: compile with clang 14 to 19 or nvcc 11 to 13";
  else
    find_text(module, fat->data);
  runtime_leave(__func__, cudaSuccess);
  return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **module) { (void)module; }

/* At exit, before the last reports: names and source lines are still needed. */
void __cudaUnregisterFatBinary(void **module) { (void)module; }

void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name, int thread_limit,
                            uint3 *thread, uint3 *block, dim3 *block_dim, dim3 *grid_dim, int *warp_size) {
  (void)device, (void)thread_limit, (void)thread, (void)block, (void)block_dim, (void)grid_dim, (void)warp_size;
  runtime_enter();
  RuntimeKernel *kernel = new_item(sizeof *kernel);
  *kernel = (RuntimeKernel){.host = host, .name = name, .module = (RuntimeModule *)module};
  table_add(&kernels, kernel);
  runtime_leave(__func__, cudaSuccess);
}

static void add_variable(void **module, const void *host, const char *name, size_t bytes, void **managed) {
  runtime_enter();
  RuntimeVariable *variable = new_item(sizeof *variable);
  *variable = (RuntimeVariable){
      .host = host, .name = name, .module = (RuntimeModule *)module, .bytes = bytes, .managed = managed};
  table_add(&variables, variable);
  runtime_leave(__func__, cudaSuccess);
}

void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external, size_t bytes,
                       int constant, int global) {
  (void)device, (void)external, (void)constant, (void)global;
  add_variable(module, host, name, bytes, NULL);
}

void __cudaRegisterManagedVar(void **module, void **host, char *device, const char *name, int external,
                              size_t bytes, int constant, int global) {
  (void)device, (void)external, (void)constant, (void)global;
  add_variable(module, host, name, bytes, host);
}

static Allocation *placed(const RuntimeVariable *variable) {
  const PtxModule *program = decoded(variable->module);
  for (uint32_t i = 0; i < program->nvariables; i++)
    if (strcmp(program->variables[i].name, variable->name) == 0) return machine_variable(program, i);
  return NULL;
}

/* nvcc calls it before host code first touches a managed variable: from here on the host's pointer leads to the
 * bytes that kernels see. */
char __cudaInitModule(void **module) {
  runtime_enter();
  for (size_t i = 0; i < variables.count; i++) {
    RuntimeVariable *variable = variables.items[i];
    if (variable->module != (RuntimeModule *)module || !variable->managed) continue;
    Allocation *memory = placed(variable);
    if (memory) *variable->managed = memory->view;
  }
  runtime_leave(__func__, cudaSuccess);
  return 1;
}

/* ---- for the rest of the runtime ------------------------------------------------------------------------------ */
RuntimeKernel *runtime_kernel(const void *host) {
  for (size_t i = 0; i < kernels.count; i++) {
    RuntimeKernel *kernel = kernels.items[i];
    if (kernel->host != host && kernel != host) continue; /* kernel itself: a cudaKernel_t of ours */
    if (!kernel->function) kernel->function = ptx_find(decoded(kernel->module), kernel->name);
    return kernel->function ? kernel : NULL;
  }
  return NULL;
}

Allocation *runtime_symbol(const void *host, const char **name, size_t *bytes) {
  for (size_t i = 0; i < variables.count; i++) {
    RuntimeVariable *variable = variables.items[i];
    if (variable->host != host) continue;
    *name = variable->name;
    *bytes = variable->bytes;
    return placed(variable);
  }
  return NULL;
}
