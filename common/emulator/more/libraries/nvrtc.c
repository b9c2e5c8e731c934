/* Implements NVRTC: writes the source and the headers to a temporary folder, and compiles them to
 * PTX with lockstep-cc. For each name expression, it adds a constant to the source, with the
 * expression as initial value. The initial value in the PTX then contains the mangled name. */
#include "nvrtc.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOWERED "lockstep_lowered_"

typedef struct Pair {
  char *name, *text;
} Pair;

struct _nvrtcProgram {
  /* The name and the contents of each file. */
  Pair source, *headers;
  /* The name expressions, and their mangled names in the PTX. */
  Pair *expressions;
  int nheaders, nexpressions;
  bool compiled;
  char *log, *ptx;
};

extern char **environ;

static char *copy_of(const char *text) {
  char *copy = strdup(text);
  if (!copy)
    abort();
  return copy;
}

/* ---- files ----------------------------------------------------------------------------------- */
/* Writes a file to the temporary folder. The name may contain folders, but must not contain "..".
 */
static bool write_file(const char *folder, const char *name, const char *text) {
  char path[4096];
  if (strstr(name, "..") || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return false;
  for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = 0;
    mkdir(path, 0700);
  }
  FILE *file = fopen(path, "w");
  if (!file)
    return false;
  bool written = fputs(text, file) >= 0;
  return fclose(file) == 0 && written;
}

static char *read_file(const char *folder, const char *name) {
  char path[4096], *text = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (!file)
    return copy_of("");
  if (getdelim(&text, &size, 0, file) < 0) {
    free(text);
    text = copy_of("");
  }
  fclose(file);
  return text;
}

static void remove_folder(const char *folder) {
  const char *argv[] = {"rm", "-rf", folder, NULL};
  pid_t pid;
  if (posix_spawnp(&pid, "rm", NULL, NULL, (char **)argv, environ) == 0)
    waitpid(pid, NULL, 0);
}

/* ---- compiling ------------------------------------------------------------------------------- */
/* Compiles the source with the options that the program passed to NVRTC. lockstep-cc has most of
 * these options under the same names; options that select a card have no effect. If the name of the
 * program contains a folder, headers are searched in this folder too. */
static int run_compiler(const char *folder, const char *file, const char *name, int count,
                        const char *const *options) {
  char include[4100], beside[4100], output[4100], log[4100], source[4100];
  const char *slash = strrchr(name, '/');
  const int length = slash && slash != name ? (int)(slash - name) : 1;
  snprintf(include, sizeof include, "-I%s", folder);
  snprintf(beside, sizeof beside, "-I%.*s", length, slash ? name : ".");
  snprintf(output, sizeof output, "%s/lockstep.ptx", folder);
  snprintf(log, sizeof log, "%s/lockstep.log", folder);
  snprintf(source, sizeof source, "%s/%s", folder, file);
  const char **argv = calloc((size_t)count + 16, sizeof *argv);
  int n = 0;
  const char *const always[] = {
      LOCKSTEP_CC, "--lockstep-compiler", "clang", "-ptx", "-x", "cu", "-o", output, include,
      beside};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    argv[n++] = always[i];
  for (int i = 0; i < count; i++)
    argv[n++] = options[i];
  argv[n++] = source;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid;
  int status = -1;
  if (posix_spawn(&pid, LOCKSTEP_CC, &actions, NULL, (char **)argv, environ) != 0)
    write_file(folder, "lockstep.log", LOCKSTEP_CC ": not there: make lockstep-cc\n");
  else if (waitpid(pid, &status, 0) != pid)
    status = -1;
  posix_spawn_file_actions_destroy(&actions);
  free(argv);
  return status;
}

/* Reads the mangled name of an expression from the line of PTX that initialises its constant, and
 * removes the line. */
static void take_lowered_name(nvrtcProgram program, int index) {
  char mark[64];
  snprintf(mark, sizeof mark, LOWERED "%d = ", index);
  char *at = strstr(program->ptx, mark);
  if (!at)
    return;
  char *name = at + strlen(mark), *end = strchr(name, ';'), *begin = at;
  if (!end)
    return;
  while (begin > program->ptx && begin[-1] != '\n')
    begin--;
  if (memcmp(name, "generic(", 8) == 0)
    name += 8;
  free(program->expressions[index].text);
  program->expressions[index].text = strndup(name, strcspn(name, ";)"));
  memset(begin, ' ', (size_t)(end + 1 - begin));
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count > 0 && !options))
    return NVRTC_ERROR_INVALID_INPUT;
  char folder[] = "/tmp/lockstep-nvrtc-XXXXXX";
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (!mkdtemp(folder) || !stream)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  fprintf(stream, "#line 1 \"%s\"\n%s\n", program->source.name, program->source.text);
  for (int i = 0; i < program->nexpressions; i++)
    fprintf(stream,
            "extern \"C\" __device__ __attribute__((used)) const void *const " LOWERED
            "%d = (const void *)%s%s;\n",
            i, *program->expressions[i].name == '&' ? "" : "&", program->expressions[i].name);
  fclose(stream);
  bool good = write_file(folder, "lockstep.cu", text);
  for (int i = 0; i < program->nheaders; i++)
    good &= write_file(folder, program->headers[i].name, program->headers[i].text);
  int status =
      good ? run_compiler(folder, "lockstep.cu", program->source.name, count, options) : -1;
  free(text);
  free(program->log);
  free(program->ptx);
  program->log = read_file(folder, "lockstep.log");
  program->ptx = read_file(folder, "lockstep.ptx");
  remove_folder(folder);
  program->compiled = status == 0;
  if (!good)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!program->compiled)
    return NVRTC_ERROR_COMPILATION;
  for (int i = 0; i < program->nexpressions; i++)
    take_lowered_name(program, i);
  return NVRTC_SUCCESS;
}

/* ---- programs -------------------------------------------------------------------------------- */
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                               int count, const char *const *headers,
                               const char *const *include_names) {
  if (!program || !source || count < 0 || (count > 0 && (!headers || !include_names)))
    return NVRTC_ERROR_INVALID_INPUT;
  nvrtcProgram p = calloc(1, sizeof *p);
  Pair *all = calloc((size_t)count + 1, sizeof *all);
  if (!p || !all) {
    free(p);
    free(all);
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
  p->source = (Pair){copy_of(name && *name ? name : "default_program"), copy_of(source)};
  p->headers = all;
  p->nheaders = count;
  for (int i = 0; i < count; i++)
    all[i] = (Pair){copy_of(include_names[i]), copy_of(headers[i])};
  *program = p;
  return NVRTC_SUCCESS;
}

static void free_pairs(Pair *pairs, int count) {
  for (int i = 0; i < count; i++) {
    free(pairs[i].name);
    free(pairs[i].text);
  }
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (!program || !*program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  nvrtcProgram p = *program;
  free_pairs(&p->source, 1);
  free_pairs(p->headers, p->nheaders);
  free_pairs(p->expressions, p->nexpressions);
  free(p->headers);
  free(p->expressions);
  free(p->log);
  free(p->ptx);
  free(p);
  *program = NULL;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression)
    return NVRTC_ERROR_INVALID_INPUT;
  if (program->compiled)
    return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  Pair *more = realloc(program->expressions, (size_t)(program->nexpressions + 1) * sizeof *more);
  if (!more)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  program->expressions = more;
  more[program->nexpressions++] = (Pair){copy_of(expression), NULL};
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!program->compiled)
    return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (int i = 0; i < program->nexpressions; i++)
    if (strcmp(program->expressions[i].name, expression) == 0 && program->expressions[i].text) {
      *name = program->expressions[i].text;
      return NVRTC_SUCCESS;
    }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---- what came of it ------------------------------------------------------------------------- */
static nvrtcResult size_of(nvrtcProgram program, const char *text, size_t *bytes) {
  if (!program || !text)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!bytes)
    return NVRTC_ERROR_INVALID_INPUT;
  *bytes = strlen(text) + 1;
  return NVRTC_SUCCESS;
}
static nvrtcResult get(nvrtcProgram program, const char *text, char *to) {
  if (!program || !text)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!to)
    return NVRTC_ERROR_INVALID_INPUT;
  memcpy(to, text, strlen(text) + 1);
  return NVRTC_SUCCESS;
}
static const char *code_of(nvrtcProgram program) {
  return program && program->compiled ? program->ptx : NULL;
}
static const char *log_of(nvrtcProgram program) {
  return program ? program->log ? program->log : "" : NULL;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *bytes) { return size_of(p, code_of(p), bytes); }
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *ptx) { return get(p, code_of(p), ptx); }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *bytes) {
  return size_of(p, code_of(p), bytes);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *cubin) { return get(p, code_of(p), cubin); }
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *bytes) {
  return size_of(p, log_of(p), bytes);
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log) { return get(p, log_of(p), log); }

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = 13, *minor = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  if (!count)
    return NVRTC_ERROR_INVALID_INPUT;
  *count = 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int *archs) {
  if (!archs)
    return NVRTC_ERROR_INVALID_INPUT;
  *archs = 90;
  return NVRTC_SUCCESS;
}

const char *nvrtcGetErrorString(nvrtcResult result) {
  static const char *const names[] = {"NVRTC_SUCCESS",
                                      "NVRTC_ERROR_OUT_OF_MEMORY",
                                      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM",
                                      "NVRTC_ERROR_INVALID_OPTION",
                                      "NVRTC_ERROR_COMPILATION",
                                      "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                      "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                      "NVRTC_ERROR_INTERNAL_ERROR"};
  unsigned index = (unsigned)result;
  return index < sizeof names / sizeof *names ? names[index] : "NVRTC_ERROR unknown";
}
