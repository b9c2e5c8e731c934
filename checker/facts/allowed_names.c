/* Checks the names that an untrusted object file uses, before any of its code runs.
 *
 * The sandbox protects the machine from a submission. It cannot protect the result and the log of
 * the submission, because the submission itself could write them. So on a GPU in a class, an object
 * may use only the names that a lab needs (allowed_names.def). It may define no name that the
 * harness, the emulated device or the C library defines. It may not contain assembly. No code may
 * run before main except the code that compilers generate for kernels and static objects. The ELF
 * file is read without trusting any field of it.
 *
 * A name that no library defines is not refused here. The linker reports it with a better
 * message. */
#include "facts/facts.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <fnmatch.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

typedef struct Object {
  unsigned char *bytes;
  size_t length;
  const Elf64_Shdr *sections;
  size_t section_count;
  const Elf64_Sym *symbols;
  size_t symbol_count;
  /* The names of the symbols; ends with a NUL. */
  const char *strings;
  size_t string_bytes;
} Object;

typedef struct Gate {
  const Settings *settings;
  Verdict *verdict;
  Object object;
  /* The contents of two files. source: the student's file. names: the symbols of the workbook, in
   * lines "U name" or "T name". */
  char *source, *names;
} Gate;

/* ---- the verdict ----------------------------------------------------------------------------- */

static bool word_at(const char *text, const char *at, const char *word, size_t length) {
  bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
  return begins && strncmp(at, word, length) == 0 &&
         !(isalnum((unsigned char)at[length]) || at[length] == '_');
}

/* Returns the first line of the source that contains this word outside of // comments. Returns 0 if
 * there is no such line. */
static int line_of(const char *source, const char *word) {
  size_t length = strlen(word);
  int line = 1;
  for (const char *at = source; length && *at; at++) {
    if (at[0] == '/' && at[1] == '/')
      at += strcspn(at, "\n");
    if (*at == '\n')
      line++;
    else if (word_at(source, at, word, length))
      return line;
    if (!*at)
      break;
  }
  return 0;
}

static bool said_before(const Verdict *verdict, Said also) {
  bool before = false;
  for (size_t i = 0; i < verdict->fact_count; i++)
    before |= said_same(&verdict->facts[i].says, &also);
  also.id = SAY_NOT_FOR_LABS;
  return before || said_same(&verdict->headline, &also);
}

/* Adds a finding to the verdict: the first finding as the headline, later findings as facts. If
 * `word` is not NULL, the report shows the first source line that contains it. If `name` is not
 * empty, a blank and `name` are appended to the text. */
static void refuse_with(Gate *gate, const char *word, SayId what, const char *name) {
  Verdict *verdict = gate->verdict;
  char place[200] = "";
  int line = word ? line_of(gate->source, word) : 0;
  const Said also = SAID(IT_ALSO, phrase(what), name);
  if (line)
    place_format(place, sizeof place, gate->settings->paths.source, line);
  if (!verdict_failed(verdict)) {
    verdict_set(verdict, VERDICT_FORBIDDEN, SAID(NOT_FOR_LABS, phrase(what), name));
    if (line)
      verdict_fact(verdict, place, SAID(HERE));
  } else if (!said_before(verdict, also)) {
    verdict_fact(verdict, place, also);
  }
}

static void refuse(Gate *gate, const char *word, SayId what) { refuse_with(gate, word, what, ""); }

static void refuse_name(Gate *gate, SayId what, const char *name, const char *more) {
  char text[80], shown[64];
  size_t i = 0;
  for (; name[i] && i + 1 < sizeof shown; i++)
    shown[i] = isgraph((unsigned char)name[i]) ? name[i] : '?';
  shown[i] = '\0';
  snprintf(text, sizeof text, " %s%s", shown, more);
  refuse_with(gate, name, what, text);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Returns a part of the file, or NULL if the part is not inside the file or not aligned. Callers
 * pass an alignment of 8 bytes for tables and of 1 byte for strings. */
static const void *part(const Object *object, uint64_t offset, uint64_t bytes, size_t align) {
  bool inside = offset <= object->length && bytes <= object->length - offset;
  return inside && offset % align == 0 ? object->bytes + offset : NULL;
}

static const void *contents(const Object *object, const Elf64_Shdr *section) {
  size_t align = section->sh_type == SHT_STRTAB ? 1 : 8;
  return section->sh_type == SHT_NOBITS ? NULL
                                        : part(object, section->sh_offset, section->sh_size, align);
}

static char *read_whole(const char *path, size_t *length) {
  FILE *file = path ? fopen(path, "rbe") : NULL;
  char *bytes = NULL;
  size_t room = 0, got;
  *length = 0;
  do {
    room = room ? 2 * room : 1 << 16;
    bytes = realloc(bytes, room + 1);
    if (!bytes)
      bad_input("%s: out of memory", path);
    got = file ? fread(bytes + *length, 1, room - *length, file) : 0;
    *length += got;
  } while (got && *length == room);
  bytes[*length] = '\0';
  if (file)
    fclose(file);
  return bytes;
}

static bool take_symbols(Object *object, const Elf64_Shdr *section) {
  if (section->sh_link >= object->section_count)
    return false;
  const Elf64_Shdr *strings = &object->sections[section->sh_link];
  object->symbols = contents(object, section);
  object->symbol_count = section->sh_size / sizeof *object->symbols;
  object->strings = contents(object, strings);
  object->string_bytes = strings->sh_size;
  return object->symbols && object->strings && object->string_bytes &&
         object->strings[object->string_bytes - 1] == '\0';
}

static bool open_object(Object *object, const char *path) {
  object->bytes = (unsigned char *)read_whole(path, &object->length);
  const Elf64_Ehdr *header = part(object, 0, sizeof *header, 8);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_REL ||
      header->e_shentsize != sizeof(Elf64_Shdr))
    return false;
  object->section_count = header->e_shnum;
  object->sections =
      part(object, header->e_shoff, object->section_count * sizeof *object->sections, 8);
  for (size_t i = 0; object->sections && i < object->section_count; i++)
    if (object->sections[i].sh_type == SHT_SYMTAB)
      return take_symbols(object, &object->sections[i]);
  return false;
}

static const char *name_of(const Object *object, const Elf64_Sym *symbol) {
  return symbol->st_name < object->string_bytes ? object->strings + symbol->st_name : "?";
}

static const char *section_name(const Object *object, const Elf64_Shdr *section) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)object->bytes;
  const Elf64_Shdr *names =
      header->e_shstrndx < object->section_count ? &object->sections[header->e_shstrndx] : NULL;
  const char *all = names ? contents(object, names) : NULL;
  bool good =
      all && names->sh_size && all[names->sh_size - 1] == '\0' && section->sh_name < names->sh_size;
  return good ? all + section->sh_name : "?";
}

/* ---- names ----------------------------------------------------------------------------------- */

typedef enum What { USE, DEFINITION, START, ASSEMBLY } What;

static const struct Rule {
  What what;
  const char *pattern, *word;
  /* The reason why the name is refused; SAY_NOTHING: it is allowed. */
  SayId wrong;
} rules[] = {
#define NEEDS(pattern, reason) {USE, pattern, NULL, SAY_NOTHING},
#define NOT(pattern, word, wrong) {USE, pattern, word, SAY_##wrong},
#define DEFINES(pattern, reason) {DEFINITION, pattern, NULL, SAY_NOTHING},
#define STARTS(pattern, reason) {START, pattern, NULL, SAY_NOTHING},
#define ASSEMBLES(line, reason) {ASSEMBLY, line, NULL, SAY_NOTHING},
#include "allowed_names.def"
};

static const struct Rule *rule_for(What what, const char *name) {
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
    if (rules[i].what == what && fnmatch(rules[i].pattern, name, 0) == 0)
      return &rules[i];
  return NULL;
}

static bool is_mathematics(const char *name) {
  static void *library;
  if (!library)
    library = dlopen("libm.so.6", RTLD_LAZY | RTLD_LOCAL);
  Dl_info info = {.dli_fname = NULL};
  void *found = library ? dlsym(library, name) : NULL;
  return found && dladdr(found, &info) && strstr(info.dli_fname, "/libm.so");
}

/* Returns how the harness or the device uses this name: 'T' defines it, 'U' uses it, 0 neither. */
static char ours(const Gate *gate, const char *name) {
  size_t length = strlen(name);
  char how = 0;
  for (const char *at = gate->names; *name && (at = strstr(at, name)); at += length)
    if (at - gate->names >= 2 && at[-1] == ' ' && (at[length] == '\n' || at[length] == '\0') &&
        how != 'T')
      how = at[-2] == 'U' ? 'U' : 'T';
  return how;
}

/* Returns the type of this name in a system library: STT_FUNC, STT_OBJECT, or STT_NOTYPE if no
 * library defines it. */
static int type_in_library(const char *name) {
  const ElfW(Sym) *symbol = NULL;
  Dl_info info;
  void *found = dlsym(RTLD_DEFAULT, name);
  if (!found)
    return STT_NOTYPE;
  if (!dladdr1(found, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
    return STT_FUNC;
  return ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT ? STT_OBJECT : STT_FUNC;
}

static void judge_use(Gate *gate, const char *name) {
  const struct Rule *rule = rule_for(USE, name);
  char text[120];
  if (rule && !rule->wrong)
    return;
  if (rule) {
    snprintf(text, sizeof text, " (std::%s)", rule->word);
    refuse_with(gate, rule->word, rule->wrong, text);
  } else if (!is_mathematics(name) && (ours(gate, name) || type_in_library(name))) {
    refuse_name(gate, SAY_OBJECT_USES, name, type_in_library(name) == STT_OBJECT ? "" : "()");
  }
}

static void judge_definition(Gate *gate, const char *name, int type) {
  int theirs;
  if (rule_for(DEFINITION, name))
    return;
  if (type == STT_GNU_IFUNC)
    refuse_name(gate, SAY_OBJECT_CHOOSES_FUNCTION, name, "");
  else if (fnmatch("cuda*", name, 0) == 0 || fnmatch("emulator_*", name, 0) == 0)
    refuse_name(gate, SAY_OBJECT_REPLACES, name, "");
  else if (ours(gate, name))
    refuse_name(gate, SAY_OBJECT_REPLACES_OURS, name, "");
  else if (strncmp(name, "_Z", 2) != 0 && (theirs = type_in_library(name)) != STT_NOTYPE &&
           (type == STT_FUNC || theirs == STT_OBJECT))
    refuse_name(gate, SAY_OBJECT_REPLACES_LIBRARY, name, "");
}

static void judge_names(Gate *gate) {
  const Object *object = &gate->object;
  for (size_t i = 1; i < object->symbol_count; i++) {
    const Elf64_Sym *symbol = &object->symbols[i];
    if (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL)
      continue;
    if (symbol->st_shndx == SHN_UNDEF)
      judge_use(gate, name_of(object, symbol));
    else
      judge_definition(gate, name_of(object, symbol), ELF64_ST_TYPE(symbol->st_info));
  }
}

/* ---- code that runs before main -------------------------------------------------------------- */

/* Returns true if the name of the function at this address shows that a compiler generated it. */
static bool compilers_own(const Gate *gate, size_t section, uint64_t value, const char **name) {
  const Object *object = &gate->object;
  for (size_t i = 1; i < object->symbol_count; i++) {
    const Elf64_Sym *symbol = &object->symbols[i];
    if (symbol->st_shndx != section || symbol->st_value != value ||
        ELF64_ST_TYPE(symbol->st_info) != STT_FUNC)
      continue;
    *name = name_of(object, symbol);
    if (rule_for(START, *name))
      return true;
  }
  return false;
}

static void judge_start(Gate *gate, const Elf64_Rela *entry) {
  const Object *object = &gate->object;
  size_t at = ELF64_R_SYM(entry->r_info);
  const char *name = "a function";
  if (at >= object->symbol_count) {
    refuse(gate, NULL, SAY_OBJECT_ENTRY_LEADS_NOWHERE);
    return;
  }
  const Elf64_Sym *symbol = &object->symbols[at];
  if (!compilers_own(gate, symbol->st_shndx, symbol->st_value + (uint64_t)entry->r_addend, &name))
    refuse(gate, "constructor", SAY_OBJECT_HAS_CONSTRUCTOR);
}

static void judge_starts(Gate *gate, size_t section) {
  const Object *object = &gate->object;
  size_t entries = 0;
  for (size_t i = 0; i < object->section_count; i++) {
    const Elf64_Shdr *each = &object->sections[i];
    const Elf64_Rela *entry = contents(object, each);
    if (each->sh_type != SHT_RELA || each->sh_info != section || !entry)
      continue;
    entries = each->sh_size / sizeof *entry;
    for (size_t j = 0; j < entries; j++)
      judge_start(gate, &entry[j]);
  }
  if (entries * sizeof(void *) != object->sections[section].sh_size)
    refuse(gate, "constructor", SAY_OBJECT_RUNS_BEFORE_MAIN);
}

static bool has_data(const Object *object, size_t section) {
  for (size_t i = 1; i < object->symbol_count; i++)
    if (object->symbols[i].st_shndx == section &&
        ELF64_ST_TYPE(object->symbols[i].st_info) == STT_OBJECT)
      return true;
  return false;
}

/* Returns true for sections that a linker merges with the code. */
static bool goes_to_code(const char *name) {
  static const char *const patterns[] = {".text", ".text.*", ".stub", ".gnu.linkonce.t.*",
                                         ".plt*", ".iplt*"};
  for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
    if (fnmatch(patterns[i], name, 0) == 0)
      return true;
  return false;
}

static bool compilers_code(const Gate *gate, size_t i, const char *name) {
  return !(gate->object.sections[i].sh_flags & SHF_WRITE) && !has_data(&gate->object, i) &&
         (strcmp(name, ".text") == 0 || fnmatch(".text.*", name, 0) == 0);
}

static void judge_section(Gate *gate, size_t i) {
  const Elf64_Shdr *section = &gate->object.sections[i];
  const char *name = section_name(&gate->object, section);
  bool code = section->sh_flags & SHF_EXECINSTR;
  if (section->sh_size == 0 && !(code && strcmp(name, ".note.GNU-stack") == 0))
    return;
  if (section->sh_type == SHT_INIT_ARRAY)
    judge_starts(gate, i);
  else if (section->sh_type == SHT_PREINIT_ARRAY || fnmatch(".ctors*", name, 0) == 0 ||
           strcmp(name, ".init") == 0)
    refuse(gate, "section", SAY_OBJECT_RUNS_BEFORE_MAIN);
  else if (section->sh_type == SHT_FINI_ARRAY || fnmatch(".dtors*", name, 0) == 0 ||
           strcmp(name, ".fini") == 0)
    refuse(gate, "destructor", SAY_OBJECT_HAS_DESTRUCTOR);
  else if (code ? !compilers_code(gate, i, name)
                : (section->sh_flags & SHF_ALLOC) && goes_to_code(name))
    refuse_name(gate, SAY_OBJECT_BRINGS_CODE, name, "");
}

/* ---- assembly -------------------------------------------------------------------------------- */

/* Returns true if a line belongs to the device code, which nvcc's host assembly contains as data in
 * a separate section. */
static bool device_code(const char *line, bool *within) {
  if (strncmp(line, ".section .nv_fatbin", 19) == 0)
    *within = true;
  else if (*within && strcmp(line, ".text") == 0)
    *within = false;
  else
    return *within && (strncmp(line, ".quad ", 6) == 0 || strncmp(line, ".align ", 7) == 0 ||
                       strcmp(line, "fatbinData:") == 0);
  return true;
}

/* Returns true if gcc's output contains inline assembly of the source, which gcc marks with #APP.
 * Empty assembly or a comment, as in asm volatile("" ::: "memory"), only affects the compiler and
 * is allowed. */
static bool has_assembly(char *text) {
  bool inside = false, within = false;
  for (char *line; (line = strsep(&text, "\n"));) {
    line += strspn(line, " \t");
    if (strncmp(line, "#APP", 4) == 0 || strncmp(line, "//APP", 5) == 0)
      inside = true;
    else if (strncmp(line, "#NO_APP", 7) == 0 || strncmp(line, "//NO_APP", 8) == 0)
      inside = false;
    else if (inside && *line && *line != '#' && strncmp(line, "//", 2) != 0 &&
             !rule_for(ASSEMBLY, line) && !device_code(line, &within))
      return true;
  }
  return false;
}

/* Returns true if the assembly in an LLVM string has anything but white space and comments. A
 * comment with an operand ($) also counts as an instruction. */
static bool instructs(const char *text) {
  bool comment = false;
  char line[64];
  snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\""), text);
  if (rule_for(ASSEMBLY, line))
    return false;
  for (; *text && *text != '"'; text++) {
    bool end = strncmp(text, "\\0A", 3) == 0 || strncmp(text, "\\0D", 3) == 0;
    if (end || strncmp(text, "\\09", 3) == 0)
      text += 2;
    else if (*text == '#' || strncmp(text, "//", 2) == 0)
      comment = true;
    else if (*text == '$' || (!comment && *text != ' '))
      return true;
    comment = comment && !end;
  }
  return false;
}

/* Returns true if LLVM code has assembly: module asm "...", or a call of asm sideeffect "...",
 * "constraints". LLVM writes a quotation mark in a string as \22, so no text of the source can end
 * the string. */
static bool has_llvm_assembly(const char *text) {
  while (*text) {
    size_t plain = strcspn(text, "\";\n");
    bool assembly = memmem(text, plain, " asm ", 5) != NULL;
    text += plain;
    if (*text == ';')
      text += strcspn(text, "\n");
    if (!*text || *text++ != '"')
      continue;
    if (assembly && instructs(text))
      return true;
    text += strcspn(text, "\"");
    text += *text == '"';
  }
  return false;
}

static void judge_assembly(Gate *gate, const char *path) {
  size_t length;
  char *text = read_whole(path, &length);
  const char *ending = strrchr(path, '.');
  if (!length)
    bad_input("%s: no assembly to look at", path);
  if (ending && strcmp(ending, ".ll") == 0 ? has_llvm_assembly(text) : has_assembly(text))
    refuse(gate, strstr(gate->source, "__asm__") ? "__asm__" : "asm", SAY_OBJECT_HAS_ASSEMBLY);
  free(text);
}

static bool open_one(Verdict *verdict, const Settings *settings, const char *object,
                     const char *assembly) {
  Gate gate = {.settings = settings, .verdict = verdict};
  size_t length;
  gate.source = read_whole(settings->paths.source, &length);
  gate.names = read_whole(settings->build.names, &length);
  if (settings->build.names && !length)
    bad_input("%s: no names in it", settings->build.names);
  memset(verdict, 0, sizeof *verdict);
  if (!open_object(&gate.object, object)) {
    refuse(&gate, NULL, SAY_OBJECT_NO_REGULAR_OBJECT);
  } else {
    for (size_t i = 0; i < gate.object.section_count; i++)
      judge_section(&gate, i);
    judge_names(&gate);
    if (assembly)
      judge_assembly(&gate, assembly);
  }
  free(gate.object.bytes);
  free(gate.source);
  free(gate.names);
  return !verdict_failed(verdict);
}

bool gate_open(Verdict *verdict, const Settings *settings) {
  bool open = true;
  for (size_t i = 0; i < 2 && open && settings->build.object[i]; i++)
    open = open_one(verdict, settings, settings->build.object[i], settings->build.assembly[i]);
  return open;
}
