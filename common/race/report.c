/* Makes the report on a program: the search, then the panels, or the proof if there is no race. */
#include <stdlib.h>

#include "race.h"

/* The objects that a report points to. */
typedef struct Findings {
  Found found;
  Story story;
  Proof proof;
} Findings;

void report_find(Report *r, Program *p, double seconds) {
  Findings *all = calloc(1, sizeof *all);
  if (!all)
    abort();
  const double start = seconds_now();
  p->deadline = start + 0.85 * seconds; /* the panels show the rest */
  search(p, &all->found);
  r->found = &all->found;
  if (all->found.found) {
    story_tell(&all->found, &all->story);
    r->story = &all->story;
  } else if (!all->found.plain.nraces && !all->found.plain.mistake && !all->found.plain.late &&
             all->found.plain.tape.nlaunches) {
    p->deadline = seconds_now() + seconds;
    proof_find(p, &all->found.plain, r->source, &all->proof);
    r->proof = &all->proof;
  }
  r->seconds = seconds_now() - start;
}
