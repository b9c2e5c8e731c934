/* The common mistakes that may explain the wrong values of a run. A hypothesis is a mistake that
 * would have computed other values. A hypothesis is kept as long as no element of any run
 * contradicts it. */
#ifndef HYPOTHESES_H
#define HYPOTHESES_H

#include "say/said.h"

enum { HYPOTHESES_FOUND = 8, HYPOTHESES_LISTED = 96 };

typedef struct Hypotheses {
  /* The hypotheses that give exactly the values of the output. */
  size_t count;
  Said found[HYPOTHESES_FOUND];
  /* silent: the hypotheses that this run neither confirms nor contradicts, because they affect too
   * few elements at the sizes of this run. contradicted: the hypotheses that do not give the values
   * of this run. */
  size_t silent_count, contradicted_count;
  SayId silent[HYPOTHESES_LISTED], contradicted[HYPOTHESES_LISTED];
  /* true: the run has too few elements to confirm or contradict a hypothesis. */
  bool few;
} Hypotheses;

typedef enum Alibi { ALIBI_NONE, ALIBI_SILENT, ALIBI_CONTRADICTED } Alibi;

/* Adds a hypothesis if it is not in the list and the list has fewer than HYPOTHESES_FOUND. */
void hypotheses_add(Hypotheses *, Said);
/* Adds a hypothesis to `found`, `silent` or `contradicted`, depending on the result of its
 * comparison. */
void hypotheses_judge(Hypotheses *, Alibi, SayId);
/* Keeps the hypotheses that explain one of two runs and that the other run does not contradict. */
void hypotheses_keep_common(Hypotheses *, const Hypotheses *others);
/* Removes the hypotheses that a right run contradicts. */
void hypotheses_keep_uncontradicted(Hypotheses *, const Hypotheses *right_run);
/* Returns the only hypothesis, or the first two hypotheses as "either … or …"; SAY_NOTHING if the
 * list is empty. */
Said hypotheses_cause(const Hypotheses *);
/* Returns true if these hypotheses do not determine the mistake. In this case a probe is worth its
 * time. */
bool hypotheses_are_vague(const Hypotheses *);

#endif
