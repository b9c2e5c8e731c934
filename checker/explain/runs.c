/* Starts the runs of judge.c, and writes the command with which a student can repeat a run. */
#include "explain/explain.h"

#include <string.h>

#include "harness/harness.h"

void judged_sizes(const JudgedRun *run, char *out, size_t size) {
  const char *const *names = run->subject->problem->size_names;
  out[0] = '\0';
  for (size_t i = 0, at = 0; names[i] && at < size; i++)
    at += (size_t)snprintf(out + at, size - at, " --%s %d", names[i], run->size[i]);
}

typedef struct Arguments {
  /* The arguments, followed by NULL. */
  const char *list[6 + 2 * MAX_SIZES + 2];
  char options[MAX_SIZES][24], values[MAX_SIZES][24], seed[24];
} Arguments;

static const char *const *arguments_of(Arguments *all, const Check *check, const JudgedRun *run,
                                       const char *extra) {
  const char *const *names = run->subject->problem->size_names;
  const char *const first[] = {"--variant",           run->variant, "--fill",
                               fill_names[run->fill], "--seed",     all->seed};
  size_t count = sizeof first / sizeof first[0];
  *all = (Arguments){.list = {NULL}};
  memcpy(all->list, first, sizeof first);
  snprintf(all->seed, sizeof all->seed, "%u",
           run->fill == FILL_LIT ? run->seed : check->settings->run.seed);
  for (size_t i = 0; names[i]; i++) {
    snprintf(all->options[i], sizeof all->options[i], "--%s", names[i]);
    snprintf(all->values[i], sizeof all->values[i], "%d", run->size[i]);
    all->list[count++] = all->options[i];
    all->list[count++] = all->values[i];
  }
  all->list[count] = extra ? extra + strspn(extra, " ") : NULL;
  return all->list;
}

/* Starts a run. Drawn sizes differ between students, so the counters of such a run are not recorded
 * for the comparison within a class. */
static Trial started(Check *check, const JudgedRun *run, const char *extra,
                     Trial (*start)(Check *, const char *const *arguments)) {
  Arguments all;
  json_t *kernels = check->kernels;
  if (run->drawn)
    check->kernels = NULL;
  Trial trial = start(check, arguments_of(&all, check, run, extra));
  check->kernels = kernels;
  return trial;
}

Trial judged_start(Check *check, const JudgedRun *run, const char *extra) {
  return started(check, run, extra, check_start);
}

Trial judged_start_alone(Check *check, const JudgedRun *run, const char *extra) {
  return started(check, run, extra, check_start_alone);
}

void judged_start_ahead(Check *check, const JudgedRun *runs, size_t count) {
  Arguments all[RUNS_MOST];
  const char *const *lists[RUNS_MOST];
  for (size_t i = 0; i < count; i++)
    lists[i] = arguments_of(&all[i], check, &runs[i], NULL);
  check_start_ahead(check, lists, count);
}

_Static_assert(sizeof(((JudgedRun *)0)->size) == MAX_SIZES * sizeof(int), "as in the harness");

void check_again_run(Check *check, const JudgedRun *run, const char *more) {
  char sizes[80];
  judged_sizes(run, sizes, sizeof sizes);
  if (run->fill != FILL_UNIFORM)
    check_again(check, "--variant %s%s --fill %s --seed %u%s", run->variant, sizes,
                fill_names[run->fill], check->settings->run.seed, more);
  else if (check->verdict.kind == VERDICT_WRONG) /* A report does not depend on the inputs. */
    check_again(check, "--variant %s%s --seed %u%s", run->variant, sizes, check->settings->run.seed,
                more);
  else
    check_again(check, "--variant %s%s%s", run->variant, sizes, more);
}
