/* Probes for exercises that only move elements. These probes find elements that are stored at the
 * place of another element. */
#include "explain/probe.h"

#include <stdlib.h>
#include <string.h>

/* Finds the moved elements of one operand. All elements of the other operand are 1. */
static bool moved_elements(Check *check, const JudgedRun *run, int operand, Findings *f, Probe *p) {
  JudgedRun lit = *run;
  lit.fill = FILL_LIT;
  lit.seed = 2 * LIT_ALL + !operand;
  Side *side = &p->side[operand];
  Recipe recipe = {FILL_LIT, lit.seed};
  Instance instance =
      instance_make(run->subject->problem, run->size, check_element_bytes(check), recipe);
  instance_gold(&instance);
  Trial trial = judged_start(check, &lit, NULL);
  unsigned char *seen = calloc(side->rows * side->columns, 1);
  size_t count = trial.output.there ? trial.output.rows * trial.output.columns : 0, strange = 0;
  for (size_t at = 0; at < count && seen; at++) {
    Item belongs, stands = {0};
    double got = trial.output.values[at];
    if (!side_find(side, instance.gold[at], &belongs) ||
        seen[belongs.row * side->columns + belongs.column])
      continue;
    seen[belongs.row * side->columns + belongs.column] = 1;
    if (trial.output.states[at] != ELEMENT_VALUE || (got != 0 && !side_find(side, got, &stands)))
      strange++;
    else if (got == 0 || stands.row != belongs.row || stands.column != belongs.column)
      findings_note(f, (Astray){.kind = got == 0 ? KIND_MISSING : KIND_OTHER,
                                .row = belongs.row,
                                .column = belongs.column,
                                .at = {stands.row, stands.column, 0, 0}});
  }
  free(seen);
  instance_free(&instance);
  trial_free(&trial);
  p->m = side->rows;
  p->n = side->columns;
  return count > 0 && f->count > 0 && strange * 20 <= count;
}

static void say_moved_elements(const Probe *p, const Side *side, const Findings *f,
                               Verdict *verdict) {
  Kind kind = f->of[KIND_OTHER] >= f->of[KIND_MISSING] ? KIND_OTHER : KIND_MISSING;
  const Astray *one = findings_example(f, kind);
  char where[200], mine[60], theirs[60], element[200], home[40];
  findings_move(f, kind, side, element, sizeof element);
  const Said somewhere = SAID(IN_SOME_PLACES);
  if (!findings_where(p, f, kind, where, sizeof where))
    said_text(&somewhere, where, sizeof where);
  side_put_number(side, one->row, one->column, theirs, sizeof theirs);
  side_put_number(side, one->at[0], one->at[1], mine, sizeof mine);
  side_put_element(side, "row", "column", home, sizeof home);
  if (kind == KIND_MISSING) {
    verdict_fact(verdict, "", SAID(ZERO_STANDS_FOR, theirs));
    verdict_proven(verdict, SAID(ELEMENT_MISSING, where, home));
  } else {
    verdict_fact(verdict, "", SAID(STANDS_FOR, mine, theirs));
    verdict_proven(verdict, SAID(OTHER_ELEMENT, where, element, home));
  }
}

/* Reports the operand with more wrong elements in its findings. An element that is missing in the
 * findings of one operand may have come from the other operand. */
bool probe_moves(Check *check, const JudgedRun *run, Verdict *verdict) {
  int inputs = problem_inputs(run->subject->problem);
  Findings f[2] = {{0}};
  Probe p[2] = {{.output_name = "", .k = 1}, {.output_name = "", .k = 1}};
  bool known[2] = {false, false};
  for (int i = 0; i < inputs && i < 2; i++) {
    p[i].side[i] = side_make(run, i);
    known[i] = moved_elements(check, run, i, &f[i], &p[i]);
  }
  int tells = known[1] &&
              (!known[0] || f[1].of[KIND_OTHER] > f[0].of[KIND_OTHER] ||
               (f[1].of[KIND_OTHER] == 0 && f[0].of[KIND_OTHER] == 0 && f[1].count < f[0].count));
  if (known[tells])
    say_moved_elements(&p[tells], &p[tells].side[tells], &f[tells], verdict);
  for (int i = 0; i < inputs && i < 2; i++) {
    free(f[i].all);
    sides_free(&p[i]);
  }
  return known[tells];
}
