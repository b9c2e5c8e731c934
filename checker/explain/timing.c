/* Compares the time of a kernel on a GPU with the time of the reference solution, and fills in the
 * verdict. */
#include "explain/explain.h"

enum { TRIES_MOST = 3 };

bool speed_verdict(Verdict *verdict, Speed *speed) {
  switch (speed_judge(speed)) {
  case SPEED_NOISY:
    verdict_set(verdict, VERDICT_NOISY, SAID(REPEATS_SCATTER, 100 * speed->scatter));
    return false;
  case SPEED_IMPOSSIBLE:
    verdict_set(verdict, VERDICT_NO_TIMES,
                SAID(FASTER_THAN_POSSIBLE, speed->student, speed->least));
    return false;
  case SPEED_SLOW:
    verdict_set(verdict, VERDICT_SLOW, SAID(TIMES_REFERENCE, speed->ratio, SPEED_GATE));
    verdict_fact(verdict, "", SAID(TIMES_MEDIANS, speed->student, speed->reference, speed->rounds));
    verdict_cause(verdict, SAID(COSTS_ON_EMULATED));
    return false;
  default:
    verdict_fact(verdict, "", SAID(TIMES_REFERENCE_WITHIN, speed->ratio, SPEED_GATE));
    return true;
  }
}

/* Measures the times. If a program wrote no times, fills in the verdict and returns false. */
static bool measured(Check *check, const char *variant, int size, Speed *speed) {
  Verdict *verdict = &check->verdict;
  Trial trial = {.end = {.how = CHILD_EXITED}};
  switch (speed_measure(check, variant, size, speed, &trial.end)) {
  case SPEED_MEASURED:
    return true;
  case SPEED_ENDED_BADLY:
    return verdict_ending(verdict, &trial, true);
  case SPEED_LEFT_NONE:
    verdict_set(verdict, VERDICT_NO_TIMES, SAID(NO_TIMES_LEFT));
    if (trial.end.last_words[0])
      verdict_fact(verdict, "", SAID(LAST_WORDS, trial.end.last_words));
    return false;
  default:
    verdict_set(verdict, VERDICT_NO_TIMES, SAID(TIMES_UNREADABLE));
    return false;
  }
}

/* Measures and judges the times. Noisy times are measured again, because the noise may be
 * temporary. */
void check_speed(Check *check, const char *variant, int size) {
  Speed speed;
  for (int tries = 1; measured(check, variant, size, &speed); tries++)
    if (tries == TRIES_MOST || speed_judge(&speed) != SPEED_NOISY) {
      if (!speed_verdict(&check->verdict, &speed))
        check_again(check, "--variant %s --size %d", variant, size);
      return;
    }
}
