/* Stores a list of candidates. A candidate is a change of the student's file that may correct it.
 * Also applies a candidate to the text of the file. */
#include "change/change.h"

#include <stdlib.h>

void candidates_add(Candidates *to, const Candidate *candidate) {
  if (to->count == to->room) {
    to->room = 2 * to->room + 64;
    if (!(to->all = realloc(to->all, to->room * sizeof *to->all)))
      bad_input("out of memory");
  }
  to->all[to->count++] = *candidate;
}

void candidates_free(Candidates *candidates) {
  for (size_t i = 0; i < candidates->count; i++)
    for (size_t k = 0; k < candidates->all[i].count; k++)
      free(candidates->all[i].splices[k].text);
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
