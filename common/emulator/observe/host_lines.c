/* Finds the source line of host code that made a call. When the first report is made, libbacktrace
 * reads the debug information (-g, see cuda.mk) from the executable, so a program without reports
 * spends no time on this. A replay (transcript/) reads the executable of the program that made the
 * calls. Without libbacktrace or without debug information, reports about host code have no
 * line. */
#include "host_lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef LOCKSTEP_BACKTRACE
#include <backtrace.h>
#include <dlfcn.h>
#include <link.h>

/* ---- libraries to read ----------------------------------------------------------------------- */
typedef int (*OfLibrary)(struct dl_phdr_info *, size_t, void *);
typedef struct Asked {
  OfLibrary of_library;
  void *data;
} Asked;

static int unless_the_systems(struct dl_phdr_info *info, size_t size, void *data) {
  static const char *const folders[] = {"/lib", "/usr/lib"};
  const Asked *asked = data;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (info->dlpi_name && strncmp(info->dlpi_name, folders[i], strlen(folders[i])) == 0)
      return 0;
  return asked->of_library(info, size, asked->data);
}

/* libbacktrace, which is linked into this library, calls this function in place of the system's
 * dl_iterate_phdr. The system's libraries are left out, because libbacktrace reads the lines of
 * every library in the list. The debug information of the C library, if installed, is compressed
 * and thirty times as large as that of the program. */
__attribute__((visibility("hidden"))) int dl_iterate_phdr(OfLibrary of_library, void *data) {
  int (*systems)(OfLibrary, void *) = dlsym(RTLD_NEXT, "dl_iterate_phdr");
  return systems(unless_the_systems, &(Asked){of_library, data});
}

/* ---- choosing the frame ---------------------------------------------------------------------- */
static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Returns true for source files that the student has not written: those of the emulator, the
 * harness, the toolkit and the system, and temporary files of a compiler. */
static bool is_given(const char *file) {
  static const char *const folders[] = {"common/harness/", "/targets/", "/include/c++/",
                                        "/lib/clang/", "/tmpxft_"};
  static const char *const files[] = {"common/lab.h", "/lab.c", "/cuda_runtime.h",
                                      "/cuda_runtime_api.h", ".cudafe1.stub.c"};
  if (file[0] == '.' || strncmp(file, "/usr/", 5) == 0)
    /* Libraries contain source names relative to the folder where they were built. */
    return true;
  const char *emulator = strstr(file, "common/emulator/");
  if (emulator && !strstr(emulator, "/tests/"))
    return true;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strstr(file, folders[i]))
      return true;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (ends_with(file, files[i]))
      return true;
  return false;
}

/* Returns true for a header. A function in a header may have many callers, so a report shows the
 * line of the caller instead. */
static bool is_header(const char *file) {
  static const char *const ends[] = {".h", ".hpp", ".cuh", ".hh", ".inl"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (ends_with(file, ends[i]))
      return true;
  return false;
}

/* ---- lookup ---------------------------------------------------------------------------------- */
typedef struct Found {
  /* The first source file and the first header that were found, and their lines. */
  const char *file, *header;
  int line, header_line;
} Found;

static void no_error(void *found, const char *message, int number) {
  (void)found, (void)message, (void)number;
}

/* Called by libbacktrace for each function that was inlined at the address, the innermost first.
 * Stores the first source file and the first header. Returns 1 to stop. */
static int look(void *data, uintptr_t address, const char *file, int line, const char *function) {
  Found *found = data;
  (void)address, (void)function;
  if (!file || line <= 0)
    return 0;
  const char *whole =
      /* The name is absolute, but libbacktrace has prepended a folder to it. */
      strstr(file, "//");
  file = whole ? whole + 1 : file;
  if (is_given(file))
    return 0;
  if (is_header(file)) {
    if (!found->header)
      found->header = file, found->header_line = line;
    return 0;
  }
  found->file = file, found->line = line;
  return 1;
}

static const char *below(const char *file, const char *folder) {
  size_t length = strlen(folder);
  return length && strncmp(file, folder, length) == 0 && file[length] == '/' ? file + length + 1
                                                                             : file;
}

/* Returns the file name as it was passed to the compiler, relative to the folder of the workbook.
 * In a sandbox the workbook has another path than at build time, so a name may also be relative to
 * the current folder. The returned string is never freed. */
static const char *seen_from_here(const char *file) {
  char here[4096];
  const char *seen = below(file, LOCKSTEP_BACKTRACE);
  if (seen == file && getcwd(here, sizeof here))
    seen = below(file, here);
  return strncmp(seen, "./", 2) == 0 ? seen + 2 : seen;
}

static const char *calling; /* the program whose debug information is used; NULL: this program */

void host_lines_of(const char *program) { calling = program; }

static bool wanted(void) {
  const char *lines = getenv("LOCKSTEP_HOST_LINES");
  return !lines || strcmp(lines, "0") != 0;
}

void host_line(const CallSite *site, ReportPlace *place) {
  /* The lock of report.c or of the runtime protects `state`. */
  static struct backtrace_state *state;
  Found found = {.file = NULL};
  if (!site || !wanted() ||
      !(state = state ? state : backtrace_create_state(calling, 1, no_error, NULL)))
    return;
  for (unsigned i = 0; i < CALL_DEPTH && site->at[i] && !found.file; i++)
    backtrace_pcinfo(state, site->at[i], look, no_error, &found);
  const char *file = found.file ? found.file : found.header;
  if (!file)
    return;
  place->file = seen_from_here(file);
  place->line = (uint32_t)(found.file ? found.line : found.header_line);
}

typedef struct Symbol {
  const char *prefix;
  bool found;
} Symbol;
static void look_at_symbol(void *data, uintptr_t address, const char *name, uintptr_t value,
                           uintptr_t size) {
  Symbol *s = data;
  s->found = name && address - value < size && strncmp(name, s->prefix, strlen(s->prefix)) == 0;
}

bool host_is_in(uint64_t address, const char *prefix) {
  static struct backtrace_state *state;
  Symbol symbol = {prefix, false};
  if (wanted() && (state = state ? state : backtrace_create_state(calling, 1, no_error, NULL)))
    backtrace_syminfo(state, (uintptr_t)address, look_at_symbol, no_error, &symbol);
  return symbol.found;
}

#else
bool host_is_in(uint64_t address, const char *prefix) {
  (void)address, (void)prefix;
  return false;
}
void host_lines_of(const char *program) { (void)program; }
void host_line(const CallSite *site, ReportPlace *place) { (void)site, (void)place; }
#endif
