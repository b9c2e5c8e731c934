/* Makes wrong solutions of a right one: mutate SOURCE.cu FOLDER [MOST]. Each differs in one place (judge/edits.h). FOLDER gets
 * NNNN.cu and, in `list`, a line for each: number, line of the source, operator, what stood there and what stands there now.
 * With MOST, so many are taken, evenly spread.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/edits.h"

static void put_short(FILE *out, const char *text, size_t length) {
  for (size_t i = 0; i < length && i < 60; i++)
    fputc(isspace((unsigned char)text[i]) ? ' ' : text[i], out);
}

static void write_mutant(const char *folder, FILE *list, const char *source, const Edit *e,
                         size_t number) {
  char path[600];
  snprintf(path, sizeof path, "%s/%04zu.cu", folder, number);
  FILE *out = fopen(path, "w");
  if (!out)
    exit(2);
  fprintf(out, "%.*s%s%s", (int)e->from, source, e->text, source + e->to);
  fclose(out);
  fprintf(list, "%04zu %d %s: ", number, e->line, e->operation);
  put_short(list, source + e->from, e->to - e->from);
  fputs(" -> ", list);
  put_short(list, e->text, strlen(e->text));
  fputc('\n', list);
}

static char *read_whole(const char *path) {
  char *text = calloc(1, 1 << 20);
  FILE *file = fopen(path, "r");
  if (!file || !text || !fread(text, 1, (1 << 20) - 1, file))
    exit(2);
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  char path[600];
  if (argc < 3)
    return 2;
  const Edit *edits;
  char *source = read_whole(argv[1]);
  size_t count = edits_of(source, NULL, &edits);
  size_t most = argc > 3 ? strtoul(argv[3], NULL, 10) : count;
  snprintf(path, sizeof path, "%s/list", argv[2]);
  FILE *list = fopen(path, "w");
  if (!list)
    return 2;
  for (size_t i = 0; i < count; i++)
    if (most >= count || i * most / count != (i + 1) * most / count)
      write_mutant(argv[2], list, source, &edits[i], i);
  free(source);
  return fclose(list) ? 2 : 0;
}
