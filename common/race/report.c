/* Fills the report about a program. Searches for an order that changes a number, and describes it
 * in panels. If the run has no race, finds out which barriers are needed instead. */
#include <stdlib.h>

#include "race.h"

/* The objects to which a report points. */
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
  p->deadline = start + 0.85 * seconds; /* keeps 15 % of the time for the rest of the report */
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
