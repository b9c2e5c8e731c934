/* Runs the compiler, and turns its first error into a verdict. */
#include "draw/markup.h"
#include "facts/facts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Splits a line with an error into file, line number and text. clang and host compilers write
 * "path:12:5: error: text", nvcc writes "path(12): error: text". */
static bool split_error(char *line, char **file, int *number, char **text) {
  char *mark = strstr(line, "error: "), *at;
  if (!mark)
    return false;
  *text = mark + strlen("error: ");
  *file = line;
  *number = 0;
  at = strpbrk(line, ":(");
  if (!at || at > mark)
    return true;
  if (isdigit((unsigned char)at[1]))
    *number = atoi(at + 1);
  *at = '\0';
  return true;
}

/* Finds the linker's message about a missing function. */
static bool split_undefined(char *line, char **text) {
  *text = strstr(line, "undefined reference to ");
  return *text != NULL;
}

/* Advice for typical mistakes of CUDA beginners. The first row whose parts all occur in the
 * compiler's message applies. */
enum { PARTS = 5 };
static const struct {
  const char *parts[PARTS];
  SayId says;
} advice[] = {
    {{"too many arguments provided to function-like macro", "arguments, but takes just"},
     SAY_ADVICE_TRY_LAUNCH},
    {{"for call to 'cudaMalloc'", "function \"cudaMalloc", "with parameter of type \"void **\""},
     SAY_ADVICE_MALLOC},
    {{"for call to 'cudaMemcpy", "HostToDevice'", "DeviceToHost'", "\"HostToDevice\"",
      "\"DeviceToHost\""},
     SAY_ADVICE_MEMCPY},
    {{"__cuda_builtin_", "const uint3"}, SAY_ADVICE_INDEX_NUMBERS},
    {{"subscripted value is not", "called object type", "must have pointer-to-object type",
      "parentheses of apparent call"},
     SAY_ADVICE_FLAT_MATRIX},
    {{"redefinition of '", "has already been declared in the current scope"}, SAY_ADVICE_REDEFINED},
    {{"call to __host__ function", "calling a __host__ function"}, SAY_ADVICE_HOST_FUNCTION},
    {{"_global'", "_shared'", "_global_'", "_shared_'", "_device'"}, SAY_ADVICE_UNDERSCORES},
    {{"file not found", "cannot open source file"}, SAY_ADVICE_NO_HEADER},
    {{"byte order mark"}, SAY_ADVICE_ENCODING},
    {{"not configured", "call must be configured", "binary expression ('void (",
      "('dim3' and 'int')"},
     SAY_ADVICE_LAUNCH},
    {{"expected unqualified-id", "function definition is not allowed here",
      "expected a declaration", "expected '}'"},
     SAY_ADVICE_BRACES},
    {{"with an rvalue of type 'void *'", "incompatible type 'void *'",
      "\"void *\" cannot be used to initialize", "\"void *\" cannot be assigned"},
     SAY_ADVICE_CAST},
    {{"void return type"}, SAY_ADVICE_VOID},
    {{"reference to `kernel_"}, SAY_ADVICE_EXPORT},
};

static bool advise(Verdict *verdict, const char *text) {
  for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
    for (size_t part = 0; part < PARTS && advice[i].parts[part]; part++)
      if (strstr(text, advice[i].parts[part])) {
        verdict_cause(verdict, said_plain(advice[i].says));
        return true;
      }
  return false;
}

/* Looks for advice in the lines that follow the error: notes, types and the source line. */
static void advise_from_notes(Verdict *verdict, FILE *log) {
  char line[1024];
  while (fgets(line, sizeof line, log) && !strstr(line, "error: "))
    if (advise(verdict, line))
      return;
}

void verdict_compile(Verdict *verdict, const char *build_log) {
  char line[1024], place[200] = "", *file, *text;
  int number = 0;
  FILE *log = fopen(build_log, "r");
  verdict_set(verdict, VERDICT_NOT_COMPILED, SAID(NO_COMPILER_ERROR));
  while (log && fgets(line, sizeof line, log)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (split_error(line, &file, &number, &text)) {
      verdict_set(verdict, VERDICT_NOT_COMPILED, SAID(COMPILER_SAYS, text));
      place_format(place, sizeof place, number ? file : NULL, number);
      verdict_fact(verdict, place, SAID(FIRST_ERROR));
      if (!advise(verdict, text))
        advise_from_notes(verdict, log);
      break;
    }
    if (split_undefined(line, &text)) {
      verdict_set(verdict, VERDICT_NOT_COMPILED, SAID(COMPILER_SAYS, text));
      advise(verdict, text);
      break;
    }
  }
  if (log)
    fclose(log);
}

enum { SAID_LINES = 30 };

void compile_print(FILE *out, const char *build_log) {
  char line[300];
  FILE *log = fopen(build_log, "re");
  fputs("      what the compiler said:\n", out);
  for (int i = 0; log && i < SAID_LINES && fgets(line, sizeof line, log); i++) {
    char *target =
        /* Removes the name of the target that clang adds, because it is not the name of the
         * device. */
        strstr(line, " when compiling for ");
    line[target ? (size_t)(target - line) : strcspn(line, "\r\n")] = '\0';
    for (char *at = line; *at; at++)
      /* The compiler's output may contain control characters of the source. */
      *at = (unsigned char)*at < ' ' || *at == 0x7f ? ' ' : *at;
    fputs("      | ", out);
    plain_text(out, line);
    fputc('\n', out);
  }
  if (log)
    fclose(log);
}

/* Adds the reason why the compiler was stopped, in the format of a compiler error. */
static void note_stop(FILE *log, const ChildEnd *end) {
  if (end->how == CHILD_TIMED_OUT)
    fprintf(log, "error: the compiler was stopped after %.0f s\n", end->seconds);
  else if (end->how == CHILD_TOO_BIG)
    fprintf(log, "error: the compiler was stopped: it took more than 2 GB of memory\n");
  else if (end->how == CHILD_SPENT)
    fprintf(log, "error: the compiler was stopped: the %.0f s of this lab are used up\n",
            end->seconds);
  else if (end->how != CHILD_EXITED)
    fprintf(log,
            "error: the compiler was stopped: it wrote too much, or started too many processes\n");
}

bool compile_run(const Settings *settings, const char *command) {
  const char *arguments[] = {"/bin/sh", "-c", command, NULL};
  bool walls = sandbox_wanted(settings);
  Sandbox box = {.work = settings->walls.work,
                 .readable = settings->walls.readable,
                 .offline = settings->walls.offline};
  FILE *log = fopen(settings->build.compile_log, "we");
  if (!log || (!walls && chdir(settings->walls.work) != 0))
    bad_input("%s: %s", log ? settings->walls.work : settings->build.compile_log, strerror(errno));
  ChildRequest request = {.arguments = arguments,
                          .seconds = settings->run.seconds,
                          .budget = settings->walls.budget,
                          .box = walls ? &box : NULL,
                          .heard = log};
  ChildEnd end = child_run(&request);
  note_stop(log, &end);
  fclose(log);
  if (end.how == CHILD_NOT_STARTED)
    not_started(settings, arguments[0], &end);
  return end.how == CHILD_EXITED && end.code == 0;
}

enum { COMMAND_MOST = 16384, SOURCE_SECONDS = 40 };

const char *compile_path(const Settings *settings, const char *path) {
  const char *work = settings->walls.work;
  size_t length = work ? strlen(work) : 0;
  return length && strncmp(path, work, length) == 0 && path[length] == '/' ? path + length + 1
                                                                           : path;
}

bool compile_source(const Settings *settings, const char *command, const char *source,
                    const char *made, const char *log) {
  const Walls *walls = &settings->walls;
  bool behind_walls = sandbox_wanted(settings);
  char in_folder[COMMAND_MOST];
  const char *folder = walls->work && !behind_walls ? walls->work : ".";
  const char *arguments[] = {"/bin/sh",
                             "-c",
                             in_folder,
                             folder,
                             compile_path(settings, source),
                             compile_path(settings, made),
                             settings->build.precision,
                             NULL};
  Sandbox box = {.work = walls->work, .readable = walls->readable, .offline = walls->offline};
  FILE *said = log ? fopen(log, "we") : tmpfile(); /* tmpfile() if the output is dropped. */
  int length = snprintf(in_folder, sizeof in_folder, "cd \"$0\" && %s", command);
  unlink(made);
  ChildEnd end = child_run(&(ChildRequest){.arguments = arguments,
                                           .seconds = SOURCE_SECONDS,
                                           .budget = walls->budget,
                                           .box = behind_walls ? &box : NULL,
                                           .heard = said});
  if (said && log)
    note_stop(said, &end);
  if (said)
    fclose(said);
  if (end.how == CHILD_NOT_STARTED)
    not_started(settings, arguments[0], &end);
  return length < COMMAND_MOST && end.how == CHILD_EXITED && end.code == 0 &&
         access(made, R_OK) == 0;
}
