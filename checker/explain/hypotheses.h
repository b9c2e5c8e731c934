/* Well-known mistakes, held against the values of a run. A hypothesis is a mistake that would have computed other values;
 * it stays as long as no element of any run contradicts it.
 */
#ifndef HYPOTHESES_H
#define HYPOTHESES_H

#include "say/said.h"

enum { HYPOTHESES_FOUND = 8, HYPOTHESES_LISTED = 96 };

typedef struct Hypotheses {
  /* Those that give exactly the values that were seen. */
  size_t count;
  Said found[HYPOTHESES_FOUND];
  /* Those that say nothing about this run, because at its sizes they change too little, and those that contradict it. */
  size_t silent_count, contradicted_count;
  SayId silent[HYPOTHESES_LISTED], contradicted[HYPOTHESES_LISTED];
  /* So few elements that nothing can be told. */
  bool few;
} Hypotheses;

typedef enum Alibi { ALIBI_NONE, ALIBI_SILENT, ALIBI_CONTRADICTED } Alibi;

/* Adds a hypothesis unless it is there already, or there are HYPOTHESES_FOUND. */
void hypotheses_add(Hypotheses *, Said);
/* Files a hypothesis from a table under what the values say about it. */
void hypotheses_judge(Hypotheses *, Alibi, SayId);
/* Keeps what one run shows and the other does not contradict. */
void hypotheses_keep_common(Hypotheses *, const Hypotheses *others);
/* Drops what a right run contradicts. */
void hypotheses_keep_uncontradicted(Hypotheses *, const Hypotheses *right_run);
/* One hypothesis as the proven cause, two as "either … or …"; SAY_NOTHING: there is none. */
Said hypotheses_cause(const Hypotheses *);
/* True: a probe may tell more than these. */
bool hypotheses_are_vague(const Hypotheses *);

#endif
