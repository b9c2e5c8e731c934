/* The gaps of a student's file, from "// TODO(n)" or "// DONE(n)" to "// END(n)": is a gap still as it was handed out? */
#include "facts/facts.h"

#include <ctype.h>
#include <stdlib.h>

#include "harness/gaps.h"

/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static const uint64_t FNV_BASIS = 0xcbf29ce484222325, FNV_PRIME = 0x100000001b3;

static uint64_t add_code(uint64_t hash, const char *line) {
  for (; *line && strncmp(line, "//", 2) != 0; line++)
    if (!isspace((unsigned char)*line))
      hash = (hash ^ (unsigned char)*line) * FNV_PRIME;
  return hash;
}

uint64_t gap_fingerprint(const char *source, int task) {
  char *line = NULL;
  size_t room = 0;
  int open = 0, gaps = 0;
  uint64_t hash = FNV_BASIS;
  FILE *file = fopen(source, "re");
  while (file && getline(&line, &room, file) > 0) {
    int opens = gap_mark(line, "TODO") + gap_mark(line, "DONE");
    gaps += opens == task || task == 0;
    open = opens ? opens : gap_mark(line, "END") ? 0 : open;
    if (open == task)
      hash = add_code(hash, line);
  }
  free(line);
  if (file)
    fclose(file);
  return gaps ? hash : 0;
}
