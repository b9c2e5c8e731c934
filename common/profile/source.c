/* Reads the student's file: its lines, the gaps that the student fills in, and the names of kernel
 * parameters. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/gaps.h"
#include "profile.h"

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void mark_gaps(Source *s) {
  s->gap = calloc(s->count + 1, sizeof *s->gap);
  assert(s->gap);
  int open = 0;
  for (size_t i = 0; i < s->count; i++) {
    int todo = gap_mark(s->lines[i], "TODO"), done = gap_mark(s->lines[i], "DONE");
    if (todo || done) {
      open = todo ? todo : done;
      s->has_gaps = true;
    }
    s->gap[i] = open;
    if (gap_mark(s->lines[i], "END"))
      open = 0;
  }
}

enum { MOST_BYTES = 16 << 20 };

Source source_read(const char *path) {
  Source s = {.path = path};
  struct stat about;
  bool plain = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= MOST_BYTES;
  FILE *file = plain ? fopen(path, "r") : NULL;
  char *line = NULL;
  size_t room = 0;
  while (file && getline(&line, &room, file) > 0) {
    line[strcspn(line, "\r\n")] = 0;
    s.lines = realloc(s.lines, (s.count + 1) * sizeof *s.lines);
    assert(s.lines);
    s.lines[s.count++] = strdup(line);
  }
  free(line);
  if (file)
    fclose(file);
  mark_gaps(&s);
  return s;
}

void source_free(Source *s) {
  for (size_t i = 0; i < s->count; i++)
    free(s->lines[i]);
  free(s->lines);
  free(s->gap);
}

const char *source_line(const Source *s, unsigned line) {
  return line >= 1 && line <= s->count ? s->lines[line - 1] : NULL;
}

/* ---- kernels with gaps ----------------------------------------------------------------------- */
/* Returns true if a declaration or function begins on this line: its first column is part of a
 * name. */
static bool opens(const char *line) { return is_name(*line); }

/* Returns true if the function that contains the line has a gap of this task; task 0 means any. A
 * function ends at a brace in the first column. */
static bool around_gap(const Source *s, unsigned line, int task) {
  unsigned first = line, last = line;
  while (first > 1 && !opens(source_line(s, first)) && *source_line(s, first - 1) != '}')
    first--;
  while (last < s->count && *source_line(s, last) != '}' && !opens(source_line(s, last + 1)))
    last++;
  for (; first <= last; first++)
    if (s->gap[first - 1] && (!task || s->gap[first - 1] == task))
      return true;
  return false;
}

bool same_file(const char *a, const char *b) {
  if (!strcmp(a, b))
    return true;
  char *real_a = realpath(a, NULL), *real_b = realpath(b, NULL);
  bool same = real_a && real_b && !strcmp(real_a, real_b);
  free(real_a);
  free(real_b);
  return same;
}

bool source_has_gap(const Source *s, const Kernel *k, int task) {
  for (size_t i = 0; i < k->line_count; i++)
    if (source_line(s, k->lines[i].line) && same_file(k->lines[i].file, s->path) &&
        around_gap(s, k->lines[i].line, task))
      return true;
  return false;
}

bool source_gives(const Source *s, const Kernel *k) {
  return s->has_gaps && !source_has_gap(s, k, 0);
}

const Kernel *kernel_of_task(const Recording *r, const Source *s, int task) {
  for (size_t i = 0; i < r->kernel_count; i++)
    if (source_has_gap(s, &r->kernels[i], task))
      return &r->kernels[i];
  return NULL;
}

/* A kernel without accesses counts as a kernel of the student, because an unwritten kernel accesses
 * no memory. */
const Source *source_of_gaps(const Source *s, const Recording *r) {
  for (size_t i = 0; s && i < r->kernel_count; i++)
    if (!r->kernels[i].access_count || !source_gives(s, &r->kernels[i]))
      return s;
  return NULL;
}

bool touches_memory(const Recording *r, const Source *source) {
  source = source_of_gaps(source, r);
  for (size_t i = 0; i < r->kernel_count; i++)
    if (r->kernels[i].access_count && !(source && source_gives(source, &r->kernels[i])))
      return true;
  return false;
}

bool source_is_system(const char *file) {
  return !strcmp(file, "?") || !strncmp(file, "/usr/", 5) || strstr(file, "emulator/include/") ||
         strstr(file, "emulator/more/include/");
}

/* ---- parameters ------------------------------------------------------------------------------ */
/* Returns the start of the parameter list after `name(`, or NULL. */
static const char *list_after(const char *line, const char *name, size_t length) {
  for (const char *at = strstr(line, name); at; at = strstr(at + 1, name)) {
    bool begins = at == line || !is_name(at[-1]);
    const char *behind = at + length + strspn(at + length, " ");
    if (begins && *behind == '(')
      return behind + 1;
  }
  return NULL;
}

/* Stores the last name of a parameter: "const real *A" gives "A". */
static bool last_name(const char *from, const char *to, char *out, size_t size) {
  while (to > from && !is_name(to[-1]))
    to--;
  const char *start = to;
  while (start > from && is_name(start[-1]))
    start--;
  snprintf(out, size, "%.*s", (int)(to - start), start);
  return to > start && !isdigit((unsigned char)*start);
}

/* Stores the name of parameter number `wanted` of a list, which begins on this line and may span up
 * to ten lines. */
static bool nth_parameter(const Source *s, unsigned line, const char *from, int wanted, char *out,
                          size_t size) {
  char list[1000];
  snprintf(list, sizeof list, "%s", from);
  for (unsigned more = 1; more < 10 && !strchr(list, ')') && source_line(s, line + more); more++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, " %s", source_line(s, line + more));
  }
  char *start = list;
  for (; wanted > 0; wanted--) {
    start += strcspn(start, ",)");
    if (*start++ != ',')
      return false;
  }
  return last_name(start, start + strcspn(start, ",)"), out, size);
}

bool source_parameter(const Source *s, const char *kernel, int parameter, char *out, size_t size) {
  char name[96];
  size_t length = strcspn(kernel, "<");
  snprintf(name, sizeof name, "%.*s", (int)length, kernel);
  for (unsigned line = 1; length && parameter >= 0 && line <= s->count; line++) {
    const char *list = list_after(source_line(s, line), name, strlen(name));
    bool declares = list && (strstr(source_line(s, line), "__global__") ||
                             (line > 1 && strstr(source_line(s, line - 1), "__global__")));
    if (declares && nth_parameter(s, line, list, parameter, out, size))
      return true;
  }
  return false;
}
