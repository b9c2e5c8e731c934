/* Finds equal files of several students, and files that equal the workbook's solution. White space
 * is ignored, but comments must be equal, too. Even short files are rarely equal by chance. */
#include "alike.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

uint64_t alike_hash(const char *text) {
  uint64_t hash = 0;
  for (; *text; text++)
    if (!isspace((unsigned char)*text))
      hash = (hash ^ (unsigned char)*text) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
  return hash;
}

static int by_text(const void *a, const void *b) {
  const Same *x = a, *y = b;
  if (x->lab != y->lab)
    return x->lab < y->lab ? -1 : 1;
  if (x->text != y->text)
    return x->text < y->text ? -1 : 1;
  return (x->work > y->work) - (x->work < y->work);
}

size_t alike_same_end(const Alike *alike, size_t from) {
  const Same *all = alike->same;
  size_t end = from;
  while (end < alike->same_count && all[end].lab == all[from].lab &&
         all[end].text == all[from].text)
    end++;
  return end;
}

void alike_same_find(Alike *alike, size_t lab, const char *handout, const char *solution) {
  uint64_t given = alike_hash(handout ? handout : ""), ours = alike_hash(solution ? solution : "");
  size_t count = alike->counts[lab], kept = alike->same_count, end;
  alike->same = realloc(alike->same, (kept + count + 1) * sizeof *alike->same);
  if (!alike->same)
    bad_input("not enough memory to compare the class");
  for (size_t i = 0; i < count; i++) {
    uint64_t text = alike->works[lab][i].all_text;
    if (text != given)
      alike->same[alike->same_count++] = (Same){text, lab, i, solution && text == ours};
  }
  qsort(alike->same + kept, alike->same_count - kept, sizeof *alike->same, by_text);
  for (size_t from = kept; from < alike->same_count; from = end) {
    end = alike_same_end(alike, from);
    if (end - from == 1 && !alike->same[from].is_solution)
      continue;
    memmove(alike->same + kept, alike->same + from, (end - from) * sizeof *alike->same);
    kept += end - from;
    alike->group_count++;
  }
  alike->same_count = kept;
}

static const Same *same_of(const Alike *alike, size_t lab, size_t work) {
  for (size_t i = 0; i < alike->same_count; i++)
    if (alike->same[i].lab == lab && alike->same[i].work == work)
      return &alike->same[i];
  return NULL;
}

bool alike_same(const Alike *alike, size_t lab, size_t a, size_t b) {
  const Same *one = same_of(alike, lab, a), *other = same_of(alike, lab, b);
  /* b is the solution, which is stored after the students' files. */
  if (b == alike->counts[lab])
    return one && one->is_solution;
  return one && other && one->text == other->text;
}
