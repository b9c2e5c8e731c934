/* mutate SOURCE.cu FOLDER [MOST] makes wrong solutions from a right solution. Each wrong solution
 * differs from the source in one place, which an operator of change/operators.def has changed.
 * Writes FOLDER/NNNN.cu and a line for each into FOLDER/list: its number, the source line, the
 * operator, the replaced text and the replacement. MOST limits the number of files, which are then
 * selected at equal distances from the list of all possible files. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change/change.h"

static void put_short(FILE *out, const char *text, size_t length) {
  for (size_t i = 0; i < length && i < 60; i++)
    fputc(isspace((unsigned char)text[i]) ? ' ' : text[i], out);
}

static int line_of(const char *text, size_t at) {
  int line = 1;
  for (size_t i = 0; i < at; i++)
    line += text[i] == '\n';
  return line;
}

static void write_mutant(const char *folder, FILE *list, const char *source,
                         const Candidate *candidate, size_t number) {
  const Splice *splice = &candidate->splices[0];
  char path[600], *changed = candidate_apply(source, candidate);
  snprintf(path, sizeof path, "%s/%04zu.cu", folder, number);
  FILE *out = fopen(path, "w");
  if (!out)
    exit(2);
  fputs(changed, out);
  fclose(out);
  free(changed);
  fprintf(list, "%04zu %d %s: ", number, line_of(source, splice->from), candidate->operation);
  put_short(list, source + splice->from, splice->to - splice->from);
  fputs(" -> ", list);
  put_short(list, splice->text, strlen(splice->text));
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
  char *source = read_whole(argv[1]);
  Tokens tokens = tokens_of(source);
  Candidates all = {.count = 0};
  operators_apply(&tokens, SPOIL, 0, &all);
  size_t most = argc > 3 ? strtoul(argv[3], NULL, 10) : all.count;
  snprintf(path, sizeof path, "%s/list", argv[2]);
  FILE *list = fopen(path, "w");
  if (!list)
    return 2;
  for (size_t i = 0; i < all.count; i++)
    if (most >= all.count || i * most / all.count != (i + 1) * most / all.count)
      write_mutant(argv[2], list, source, &all.all[i], i);
  candidates_free(&all);
  tokens_gone(&tokens);
  free(source);
  return fclose(list) ? 2 : 0;
}
