/* Well-known mistakes, compared with the values of a run. A hypothesis is a mistake that would have
 * computed other values. It remains as long as no element of any run contradicts it. */
#ifndef HYPOTHESES_H
#define HYPOTHESES_H

#include "say/said.h"

enum { HYPOTHESES_FOUND = 8, HYPOTHESES_LISTED = 96 };

typedef struct Hypotheses {
  /* Hypotheses that give exactly the output's values. */
  size_t count;
  Said found[HYPOTHESES_FOUND];
  /* Hypotheses that say nothing about this run, because they change too little at its sizes, and
   * hypotheses that contradict it. */
  size_t silent_count, contradicted_count;
  SayId silent[HYPOTHESES_LISTED], contradicted[HYPOTHESES_LISTED];
  /* There are too few elements to decide anything. */
  bool few;
} Hypotheses;

typedef enum Alibi { ALIBI_NONE, ALIBI_SILENT, ALIBI_CONTRADICTED } Alibi;

/* Adds a hypothesis unless it is there already, or there are HYPOTHESES_FOUND. */
void hypotheses_add(Hypotheses *, Said);
/* Files a hypothesis from a table under what the values say about it. */
void hypotheses_judge(Hypotheses *, Alibi, SayId);
/* Keeps the hypotheses that one run shows and the other does not contradict. */
void hypotheses_keep_common(Hypotheses *, const Hypotheses *others);
/* Drops the hypotheses that a right run contradicts. */
void hypotheses_keep_uncontradicted(Hypotheses *, const Hypotheses *right_run);
/* Returns one hypothesis as the proven cause, two as "either … or …", SAY_NOTHING if there is none.
 */
Said hypotheses_cause(const Hypotheses *);
/* Returns true if a probe may find out more than these. */
bool hypotheses_are_vague(const Hypotheses *);

#endif
