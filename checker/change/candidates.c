/* Lists of changes, each of them once, and texts with a change made in them. */
#include "change/change.h"

#include <stdlib.h>
#include <string.h>

static bool same(const Candidate *a, const Candidate *b) {
  bool all = a->count == b->count;
  for (size_t i = 0; i < a->count && all; i++)
    all = a->splices[i].from == b->splices[i].from && a->splices[i].to == b->splices[i].to &&
          strcmp(a->splices[i].text, b->splices[i].text) == 0;
  return all;
}

static void free_texts(const Candidate *candidate) {
  for (size_t i = 0; i < candidate->count; i++)
    free(candidate->splices[i].text);
}

void candidates_add(Candidates *to, const Candidate *candidate) {
  for (size_t i = 0; i < to->count; i++)
    if (same(&to->all[i], candidate)) {
      free_texts(candidate);
      return;
    }
  if (to->count == to->room) {
    to->room = 2 * to->room + 64;
    if (!(to->all = realloc(to->all, to->room * sizeof *to->all)))
      bad_input("out of memory");
  }
  to->all[to->count++] = *candidate;
}

void candidates_free(Candidates *candidates) {
  for (size_t i = 0; i < candidates->count; i++)
    free_texts(&candidates->all[i]);
  free(candidates->all);
  *candidates = (Candidates){.count = 0};
}

char *candidate_apply(const char *text, const Candidate *candidate) {
  char *changed;
  size_t size, at = 0;
  FILE *out = open_memstream(&changed, &size);
  for (size_t i = 0; out && i < candidate->count; i++) {
    const Splice *splice = &candidate->splices[i];
    fwrite(text + at, 1, splice->from - at, out);
    fputs(splice->text, out);
    at = splice->to;
  }
  if (!out || fputs(text + at, out) < 0 || fclose(out) != 0)
    bad_input("out of memory");
  return changed;
}
