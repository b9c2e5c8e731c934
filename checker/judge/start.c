/* How a judged run is started, and how a student starts it again. */
#include "checker.h"

#include <string.h>

#include "harness/harness.h"

/* "--m 33 --k 5 --n 40" */
void judged_sizes(const JudgedRun *run, char *out, size_t size) {
  const char *const *names = run->subject->problem->size_names;
  out[0] = '\0';
  for (size_t i = 0, at = 0; names[i] && at < size; i++)
    at += (size_t)snprintf(out + at, size - at, " --%s %d", names[i], run->size[i]);
}

Trial judged_start(Check *check, const JudgedRun *run, const char *extra) {
  const char *const *names = run->subject->problem->size_names;
  const char *arguments[6 + 2 * MAX_SIZES + 2] = {"--variant", run->variant, "--fill",
                                                  fill_names[run->fill], "--seed"};
  char options[MAX_SIZES][24], values[MAX_SIZES][24], seed[24];
  size_t count = 5;
  snprintf(seed, sizeof seed, "%u", run->fill == FILL_LIT ? run->seed : check->settings->seed);
  arguments[count++] = seed;
  for (size_t i = 0; names[i]; i++) {
    snprintf(options[i], sizeof options[i], "--%s", names[i]);
    snprintf(values[i], sizeof values[i], "%d", run->size[i]);
    arguments[count++] = options[i];
    arguments[count++] = values[i];
  }
  arguments[count] = extra ? extra + strspn(extra, " ") : NULL;
  return check_start(check, arguments);
}

_Static_assert(sizeof(((JudgedRun *)0)->size) == MAX_SIZES * sizeof(int), "as in the harness");

void check_again_run(Check *check, const JudgedRun *run, const char *more) {
  char sizes[80];
  judged_sizes(run, sizes, sizeof sizes);
  if (run->fill != FILL_UNIFORM)
    check_again(check, "--variant %s%s --fill %s --seed %u%s", run->variant, sizes,
                fill_names[run->fill], check->settings->seed, more);
  else if (check->verdict.kind == VERDICT_WRONG) /* what observers see, they see with any inputs */
    check_again(check, "--variant %s%s --seed %u%s", run->variant, sizes, check->settings->seed,
                more);
  else
    check_again(check, "--variant %s%s%s", run->variant, sizes, more);
}
