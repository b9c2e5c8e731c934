/* Reads kernels and initial values of variables from the object file of a submission, for a replay.
 * No host machine code of the file is executed. The contents of the file are untrusted, so every
 * offset is checked. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../emulator.h"
#include "transcript.h"

enum { OBJECT_MOST = 256 << 20 };

/* Defined in runtime/registration.c, for code that CUDA compilers generate. No header declares it.
 */
void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name,
                            int thread_limit, uint3 *thread, uint3 *block, dim3 *block_dim,
                            dim3 *grid_dim, int *warp_size);

static uint8_t *file;
static size_t file_bytes;

static _Noreturn void unusable(const char *why) {
  fprintf(stderr, "LOCKSTEP_OBJECT: %s\n", why);
  exit(2);
}

uint8_t *whole_file(FILE *from, size_t most, size_t *bytes) {
  enum { STEP = 1 << 20 };
  uint8_t *all = NULL;
  *bytes = 0;
  for (size_t got = 1; got && *bytes < most; *bytes += got) {
    uint8_t *longer = realloc(all, *bytes + STEP);
    if (!longer) {
      free(all);
      return NULL;
    }
    all = longer;
    got = fread(all + *bytes, 1, STEP, from);
  }
  return all;
}

static void read_object(void) {
  const char *path = getenv("LOCKSTEP_OBJECT");
  FILE *from = path ? fopen(path, "rb") : NULL;
  if (!from)
    unusable(path ? strerror(errno) : "which file has the kernels?");
  file = whole_file(from, OBJECT_MOST, &file_bytes);
  fclose(from);
  if (!file || file_bytes == 0 || file_bytes == OBJECT_MOST)
    unusable("the object file is empty or too large");
}

/* Returns the address of bytes [offset, offset + bytes) of the file; NULL: the range is not
 * completely in the file. */
static const uint8_t *within(uint64_t offset, uint64_t bytes) {
  return offset <= file_bytes && bytes <= file_bytes - offset ? file + offset : NULL;
}

static bool section_at(uint64_t index, Elf64_Shdr *section) {
  Elf64_Ehdr header;
  if (!file)
    read_object();
  const uint8_t *at = within(0, sizeof header);
  if (!at || memcmp(at, ELFMAG, SELFMAG) != 0)
    unusable("no object file");
  memcpy(&header, at, sizeof header);
  at = index < header.e_shnum && header.e_shoff <= file_bytes
           ? within(header.e_shoff + index * sizeof *section, sizeof *section)
           : NULL;
  if (at)
    memcpy(section, at, sizeof *section);
  return at;
}

static const uint8_t *contents(const Elf64_Shdr *section) {
  return section->sh_type == SHT_NOBITS ? NULL : within(section->sh_offset, section->sh_size);
}

/* Returns the string at `offset` in the string table with section index `table`; "" if there is no
 * such string. */
static const char *text_at(uint64_t table, uint64_t offset) {
  Elf64_Shdr section;
  const uint8_t *texts = section_at(table, &section) ? contents(&section) : NULL;
  if (!texts || offset >= section.sh_size ||
      !memchr(texts + offset, '\0', section.sh_size - offset))
    return "";
  return (const char *)texts + offset;
}

static bool section_called(const char *name, Elf64_Shdr *section) {
  Elf64_Ehdr header;
  for (uint64_t i = 0; section_at(i, section); i++) {
    memcpy(&header, file, sizeof header);
    if (strcmp(text_at(header.e_shstrndx, section->sh_name), name) == 0)
      return true;
  }
  return false;
}

/* Returns the initial bytes of a variable; NULL: the file does not define the variable, or contains
 * no initial bytes of it (.bss). */
static const uint8_t *variable(const char *name, size_t bytes) {
  Elf64_Shdr table, section;
  Elf64_Sym symbol;
  const uint8_t *symbols = section_called(".symtab", &table) ? contents(&table) : NULL;
  for (uint64_t at = 0; symbols && table.sh_size - at >= sizeof symbol; at += sizeof symbol) {
    memcpy(&symbol, symbols + at, sizeof symbol);
    if (strcmp(text_at(table.sh_link, symbol.st_name), name) != 0 || symbol.st_shndx == SHN_UNDEF)
      continue;
    const uint8_t *data = section_at(symbol.st_shndx, &section) ? contents(&section) : NULL;
    return data && symbol.st_value <= section.sh_size && bytes <= section.sh_size - symbol.st_value
               ? data + symbol.st_value
               : NULL;
  }
  return NULL;
}

void **object_module(void) {
  static void **module;
  Elf64_Shdr section;
  if (module)
    return module;
  const uint8_t *code = section_called(".nv_fatbin", &section) ? contents(&section) : NULL;
  return module =
             runtime_register_code(code ? code : (const uint8_t *)"", code ? section.sh_size : 0);
}

void emulator_import(const void *stands_for, const char *kernel) {
  __cudaRegisterFunction(object_module(), stands_for, NULL, kernel, 0, NULL, NULL, NULL, NULL,
                         NULL);
}

/* Sets *number to the initial value of the variable. Leaves *number unchanged if `variable` returns
 * NULL. */
void emulator_import_number(int *number, const char *name) {
  const uint8_t *bytes = variable(name, sizeof *number);
  if (bytes)
    memcpy(number, bytes, sizeof *number);
}
