/* For a run without a race, finds out which barriers are needed. Runs the program once per barrier
 * with that barrier skipped; the device then reports the accesses that race. */
#include <stdlib.h>
#include <string.h>

#include "race.h"

static bool same_source(const char *file, const char *source) {
  const size_t one = strlen(file), two = strlen(source);
  return one >= two ? !strcmp(file + one - two, source) : !strcmp(source + two - one, file);
}

static void note_barrier(Proof *proof, const char *file, unsigned line) {
  for (size_t i = 0; i < proof->count; i++)
    if (proof->barriers[i].line == line) {
      proof->barriers[i].times++;
      return;
    }
  if (proof->count < BARRIERS_MOST)
    proof->barriers[proof->count++] = (Barrier){.file = file, .line = line, .times = 1};
}

static void note_events(Proof *proof, const TapedLaunch *l, const char *source) {
  for (size_t i = 0; i < l->nevents; i++) {
    const TapeHead *h = l->events[i];
    const TapeAccess *a = tape_access(h);
    proof->atomics = proof->atomics || (a && a->operation == TAPE_CHANGES);
    if (h->kind == TAPE_ARRIVES && same_source(tape_name(h), source))
      note_barrier(proof, tape_name(h), ((const TapeHold *)(const void *)h)->line);
  }
}

static const char *what_happens(const Outcome *without) {
  const char *says = "";
  for (size_t i = 0; i < without->tape.nlaunches && !*says; i++) {
    const TapedLaunch *l = &without->tape.launches[i];
    Pairs pairs = pairs_find(l, without->races, without->nraces, 200);
    for (size_t k = 0; k < pairs.count && !*says; k++) {
      const TapeAccess *a = pairs.all[k].first, *b = pairs.all[k].second;
      const TapeAccess *writer = a->operation == TAPE_WRITES ? a : b,
                       *reader = a->operation == TAPE_WRITES ? b : a;
      if (writer->operation != TAPE_WRITES || reader->operation != TAPE_READS)
        continue;
      says = writer->time > rounds_before(l, reader, writer)
                 ? "A fast warp stores the values of the next round while a slow one still reads "
                   "those of this round."
                 : "A fast warp reads what a slow one has not stored yet.";
    }
    free(pairs.all);
  }
  return says;
}

void proof_find(Program *p, const Outcome *plain, const char *source, Proof *proof) {
  *proof = (Proof){0};
  for (size_t i = 0; i < plain->tape.nlaunches; i++)
    note_events(proof, &plain->tape.launches[i], source);
  for (size_t i = 0; i < proof->count && seconds_now() < p->deadline; i++) {
    char order[60];
    snprintf(order, sizeof order, "skip line %u", proof->barriers[i].line);
    outcome_run(p, order, &proof->barriers[i].without);
    proof->barriers[i].tried = !proof->barriers[i].without.late;
    proof->barriers[i].happens = what_happens(&proof->barriers[i].without);
  }
}
