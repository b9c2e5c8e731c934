/* Lists of hypotheses: adds the result of a comparison, combines the lists of two runs, and returns
 * the cause that remains. */
#include "explain/hypotheses.h"

#include <string.h>

void hypotheses_add(Hypotheses *h, Said said) {
  for (size_t i = 0; i < h->count; i++)
    if (said_same(&h->found[i], &said))
      return;
  if (h->count < HYPOTHESES_FOUND)
    h->found[h->count++] = said;
}

static bool is_listed(const SayId *ids, size_t count, SayId id) {
  for (size_t i = 0; i < count; i++)
    if (ids[i] == id)
      return true;
  return false;
}

/* Adds an id if the list does not contain it. Lab 02 also judges pairs of mistakes, so the same id
 * may be added several times. */
static void list(SayId *ids, size_t *count, SayId id) {
  if (*count < HYPOTHESES_LISTED && !is_listed(ids, *count, id))
    ids[(*count)++] = id;
}

void hypotheses_judge(Hypotheses *h, Alibi alibi, SayId id) {
  if (alibi == ALIBI_NONE)
    hypotheses_add(h, said_plain(id));
  else if (alibi == ALIBI_SILENT)
    list(h->silent, &h->silent_count, id);
  else
    list(h->contradicted, &h->contradicted_count, id);
}

/* ---- two runs -------------------------------------------------------------------------------- */

static bool may_be(const Hypotheses *h, const Said *said) {
  if (is_listed(h->silent, h->silent_count, said->id))
    return true;
  for (size_t i = 0; i < h->count; i++)
    if (said_same(&h->found[i], said))
      return true;
  return false;
}

void hypotheses_keep_common(Hypotheses *h, const Hypotheses *others) {
  Hypotheses common = {.count = 0};
  if (others->few)
    return;
  for (int side = 0; side < 2; side++) {
    const Hypotheses *one = side ? others : h, *other = side ? h : others;
    for (size_t i = 0; i < one->count; i++)
      if (may_be(other, &one->found[i]))
        hypotheses_add(&common, one->found[i]);
  }
  for (size_t i = 0; i < h->silent_count; i++)
    if (may_be(others, &(Said){.id = h->silent[i]}))
      list(common.silent, &common.silent_count, h->silent[i]);
  *h = common;
}

void hypotheses_keep_uncontradicted(Hypotheses *h, const Hypotheses *right_run) {
  size_t kept = 0;
  for (size_t i = 0; i < h->count; i++) {
    const Said said = h->found[i];
    if (!is_listed(right_run->contradicted, right_run->contradicted_count, said.id) ||
        is_listed(right_run->silent, right_run->silent_count, said.id))
      h->found[kept++] = said;
  }
  h->count = kept;
}

/* ---- the conclusion -------------------------------------------------------------------------- */

Said hypotheses_cause(const Hypotheses *h) {
  if (h->count == 0)
    return said_plain(SAY_NOTHING);
  if (h->count == 1)
    return h->found[0];
  char first[ARGUMENT_TEXT], second[ARGUMENT_TEXT];
  said_text(&h->found[0], first, sizeof first);
  said_text(&h->found[1], second, sizeof second);
  return SAID(EITHER_OR, first, second);
}

bool hypotheses_are_vague(const Hypotheses *h) {
  bool vague = true;
  for (size_t i = 0; i < h->count; i++)
    vague &= h->found[i].id == SAY_OFF_BY_FLOAT;
  return vague;
}
