/* Finds the gaps of a student's file, from "// TODO(n)" or "// DONE(n)" to "// END(n)", and
 * computes fingerprints of their code, which show whether a gap is unchanged. */
#include "facts/facts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gaps.h"

/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static const uint64_t FNV_BASIS = 0xcbf29ce484222325, FNV_PRIME = 0x100000001b3;

char *text_of_file(const char *path) {
  char *text = NULL;
  size_t size;
  FILE *file = fopen(path, "re"), *out = file ? open_memstream(&text, &size) : NULL;
  for (int c; out && (c = fgetc(file)) != EOF;)
    fputc(c, out);
  if (file)
    fclose(file);
  return out && fclose(out) == 0 ? text : NULL;
}

/* Adds the characters of a line, without blanks and comments, to the hash. `*comment` is true if
 * the line begins inside a comment. The function updates *comment for the next line. */
static uint64_t add_code(uint64_t hash, const char *line, bool *comment) {
  for (; *line && *line != '\n'; line++) {
    if (*comment ? !strncmp(line, "*/", 2) : !strncmp(line, "/*", 2)) {
      *comment = !*comment;
      line++;
    } else if (!*comment && !strncmp(line, "//", 2)) {
      break;
    } else if (!*comment && !isspace((unsigned char)*line)) {
      hash = (hash ^ (unsigned char)*line) * FNV_PRIME;
    }
  }
  return hash;
}

int gap_line(const char *text, int task) {
  int number = 1;
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line != '\0', number++)
    if (gap_mark(line, "TODO") == task)
      return number;
  return 0;
}

uint64_t text_fingerprint(const char *text) {
  uint64_t hash = FNV_BASIS;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * FNV_PRIME;
  return hash;
}

uint64_t gap_fingerprint(const char *text, int task) {
  int open = 0, gaps = 0;
  bool comment = false;
  uint64_t hash = FNV_BASIS;
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line != '\0') {
    int opens = gap_mark(line, "TODO") + gap_mark(line, "DONE");
    gaps += opens == task || task == 0;
    open = opens ? opens : gap_mark(line, "END") ? 0 : open;
    if (open == task)
      hash = add_code(hash, line, &comment);
  }
  return gaps ? hash : 0;
}
