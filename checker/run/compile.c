/* A file that does not compile: the first error of the compiler, in the form of every other
 * verdict. */
#include "checker.h"
#include "draw/markup.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "path:12:5: error: text", as clang and the host compiler write it, or "path(12): error: text", as
 * nvcc does. */
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

/* What the linker says when a function is missing. */
static bool split_undefined(char *line, char **text) {
  *text = strstr(line, "undefined reference to ");
  return *text != NULL;
}

/* What beginners with CUDA trip over in what C takes for granted, by a part of the compilers' words. */
enum { PARTS = 5 };
static const struct {
  const char *parts[PARTS], *text;
} advice[] = {
    {{"too many arguments provided to function-like macro", "arguments, but takes just"},
     "a launch returns nothing, and goes without TRY: TRY(error, cudaGetLastError()) behind it"},
    {{"for call to 'cudaMalloc'", "function \"cudaMalloc", "with parameter of type \"void **\""},
     "cudaMalloc(&a, bytes) sets the pointer a, so it wants that pointer's address, &a"},
    {{"for call to 'cudaMemcpy", "HostToDevice'", "DeviceToHost'", "\"HostToDevice\"",
      "\"DeviceToHost\""},
     "cudaMemcpy(to, from, bytes, direction), where direction is cudaMemcpyHostToDevice or "
     "cudaMemcpyDeviceToHost"},
    {{"__cuda_builtin_", "const uint3"},
     "blockIdx, blockDim, threadIdx and gridDim have three numbers each: blockIdx.x, blockIdx.y, "
     "blockIdx.z"},
    {{"subscripted value is not", "called object type", "must have pointer-to-object type",
      "parentheses of apparent call"},
     "a matrix lies in memory as one long row of elements: element (row, column) of C is "
     "C[row * columns + column]"},
    {{"redefinition of '", "has already been declared in the current scope"},
     "it is declared above already: give it its value without writing the type again"},
    {{"call to __host__ function", "calling a __host__ function"},
     "a kernel can call what runs on the device: __device__ functions, those of mathematics, "
     "printf"},
    {{"_global'", "_shared'", "_global_'", "_shared_'", "_device'"},
     "CUDA's words have two underscores at both ends: __global__, __shared__, __device__"},
    {{"file not found", "cannot open source file"},
     "there is no such header here: a lab needs none but lab.h, and Linux has none of Windows's"},
    {{"byte order mark"},
     "save the file in the encoding UTF-8: editors ask for it where they save"},
    {{"not configured", "call must be configured", "binary expression ('void (",
      "('dim3' and 'int')"},
     "name<<<grid, block>>>(...) launches a kernel: with its blocks, and the threads in each"},
    {{"expected unqualified-id", "function definition is not allowed here",
      "expected a declaration", "expected '}'"},
     "perhaps a } is missing above this line, or there is one too many: each { wants one"},
    {{"with an rvalue of type 'void *'", "incompatible type 'void *'",
      "\"void *\" cannot be used to initialize", "\"void *\" cannot be assigned"},
     "a .cu file is C++: cast what malloc gives, float *a = (float *)malloc(bytes)"},
    {{"void return type"}, "a kernel returns nothing: results are stored in global memory"},
    {{"reference to `kernel_"},
     "the line EXPORT_KERNEL(name) stands behind the kernel, as it was given: it lets the harness "
     "launch it"},
};

static bool advise(Verdict *verdict, const char *text) {
  for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
    for (size_t part = 0; part < PARTS && advice[i].parts[part]; part++)
      if (strstr(text, advice[i].parts[part])) {
        verdict_cause(verdict, "%s", advice[i].text);
        return true;
      }
  return false;
}

/* Below the error stands what explains it: notes, types, the line itself. */
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
  verdict_set(verdict, VERDICT_NOT_COMPILED, "the compiler gave up without an error message");
  while (log && fgets(line, sizeof line, log)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (split_error(line, &file, &number, &text)) {
      verdict_set(verdict, VERDICT_NOT_COMPILED, "%s", text);
      place_format(place, sizeof place, number ? file : NULL, number);
      verdict_line(verdict, place, "the first error");
      if (!advise(verdict, text))
        advise_from_notes(verdict, log);
      break;
    }
    if (split_undefined(line, &text)) {
      verdict_set(verdict, VERDICT_NOT_COMPILED, "%s", text);
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
        strstr(line, " when compiling for "); /* clang's, which is not the device's name */
    line[target ? (size_t)(target - line) : strcspn(line, "\r\n")] = '\0';
    for (char *at = line; *at; at++) /* the source may speak through it */
      *at = (unsigned char)*at < ' ' || *at == 0x7f ? ' ' : *at;
    fputs("      | ", out);
    plain_text(out, line);
    fputc('\n', out);
  }
  if (log)
    fclose(log);
}

/* In the words of a compiler, so that it is found as one. */
static void note_stop(FILE *log, const ChildEnd *end) {
  if (end->how == CHILD_TIMED_OUT)
    fprintf(log, "error: the compiler was stopped after %.0f s\n", end->seconds);
  else if (end->how == CHILD_TOO_BIG)
    fprintf(log, "error: the compiler was stopped: it took more than 2 GB of memory\n");
  else if (end->how != CHILD_EXITED)
    fprintf(log, "error: the compiler was stopped: it wrote or started too much\n");
}

bool compile_run(const Settings *settings, const char *command) {
  const char *arguments[] = {"/bin/sh", "-c", command, NULL};
  bool walls = sandbox_wanted(settings);
  Sandbox box = {
      .work = settings->work, .readable = settings->readable, .offline = settings->offline};
  FILE *log = fopen(settings->compile_log, "we");
  if (!log || (!walls && chdir(settings->work) != 0))
    bad_input("%s: %s", log ? settings->work : settings->compile_log, strerror(errno));
  ChildRequest request = {.arguments = arguments,
                          .seconds = settings->seconds,
                          .box = walls ? &box : NULL,
                          .heard = log};
  ChildEnd end = child_run(&request);
  note_stop(log, &end);
  fclose(log);
  return end.how == CHILD_EXITED && end.code == 0;
}
