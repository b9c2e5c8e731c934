/* At which sizes does it go wrong? The runs of a task are few, and a mistake that shows at some sizes alone, an odd one, one
 * below a width, one that is no multiple of a tile, is half found by whoever knows which. So one size after the other takes
 * many values, the others stay as they were when it went wrong, and a rule is told that all of these runs keep.
 */
#include "survey.h"

#include <string.h>

#include "judge.h"

enum { VALUES_MOST = 32 };

/* What became of a run, for each value of one of its sizes, growing. */
typedef struct Outcomes {
  int value[VALUES_MOST];
  bool right[VALUES_MOST];
  size_t count, wrong;
} Outcomes;

static Outcomes try_values(const Check *check, const Wanted *wanted, int which, double until) {
  static const int values[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  12,  15,  16,  17,  24,  31,
                               32, 33, 34, 40, 48, 63, 64, 65, 96, 127, 128, 129, 160, 256, 300};
  const Subject *subject = wanted->failed.subject;
  const double first = run_work(&wanted->failed);
  const double most = first > subject->drawn_work ? first : subject->drawn_work;
  /* Where all runs of a task are whole tiles, these are: nothing else is asked for. */
  const int step = runs_step(wanted->runs, wanted->count, which);
  Settings settings = *check->settings;
  Outcomes all = {.count = 0};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    Check own = {.settings = &settings, .runs = check->runs};
    JudgedRun run = wanted->failed;
    memcpy(own.folder, check->folder, sizeof own.folder);
    for (int k = 0; k < problem_sizes(subject->problem); k++)
      if (runs_same(wanted->runs, wanted->count, which, k))
        run.size[k] = values[i] * step;
    if (run.size[which] > subject->drawn_most[which] || run_work(&run) > most ||
        processor_seconds() > until)
      break;
    Trial trial;
    bool right = judged_right(&own, &run, &trial), ended = trial.end.how == CHILD_EXITED;
    trial_free(&trial);
    if (!ended) /* that takes long, and is no rule about numbers */
      break;
    all.value[all.count] = run.size[which];
    all.right[all.count++] = right;
    all.wrong += !right;
  }
  return all;
}

/* ---- rules --------------------------------------------------------------------------------------- */

typedef struct Rule {
  bool (*is_wrong)(int value, int limit);
  const char *words; /* of the size's name and the limit */
} Rule;

static bool is_uneven(int value, int limit) { return value % limit != 0; }
static bool is_even(int value, int limit) { return value % limit == 0; }
static bool takes_odd(int value, int limit) { return CEIL_DIV(value, limit) % 2 == 1; }
static bool takes_even(int value, int limit) { return CEIL_DIV(value, limit) % 2 == 0; }
static bool is_above(int value, int limit) { return value > limit; }
static bool is_below(int value, int limit) { return value < limit; }
static bool is_same(int value, int limit) { return value == limit; }

static const Rule multiples[] = {
    {is_uneven, "goes wrong where %s is no multiple of %d, and comes out right where it is one"},
    {is_even, "goes wrong where %s is a multiple of %d, and comes out right elsewhere"},
    {takes_odd, "goes wrong where %s takes an odd number of steps of %d, and comes out right where "
                "it is even"},
    {takes_even, "goes wrong where %s takes an even number of steps of %d, and comes out right "
                 "where it is odd"},
};
static const Rule limits[] = {
    {is_same, "goes wrong where %s is %d, and comes out right elsewhere"},
    {is_above, "comes out right up to %s = %d, and goes wrong above"},
    {is_below, "goes wrong below %s = %d, and comes out right from there on"},
};

static bool keeps(const Outcomes *all, const Rule *rule, int limit) {
  for (size_t i = 0; i < all->count; i++)
    if (rule->is_wrong(all->value[i], limit) == all->right[i])
      return false;
  return true;
}

/* The first that all keep; a single run is no multiple's, and that the smallest alone comes out right no rule. */
static const Rule *rule_of(const Outcomes *all, int *limit) {
  const bool several = all->wrong > 1 && all->count - all->wrong > 1;
  for (*limit = 2; several && *limit <= 128; ++*limit)
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples; i++)
      if (keeps(all, &multiples[i], *limit))
        return &multiples[i];
  for (size_t at = 0; at < all->count && (several || !all->right[0]); at++)
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
      *limit = all->value[at];
      if (keeps(all, &limits[i], *limit))
        return &limits[i];
    }
  return NULL;
}

bool survey_explains(const Check *check, const Wanted *wanted, Verdict *verdict) {
  enum { FEW = 6 };
  static const double SECONDS = 5;
  const double until = processor_seconds() + SECONDS;
  const Problem *problem = wanted->failed.subject->problem;
  for (int which = 0; which < problem_sizes(problem); which++) {
    Outcomes all = try_values(check, wanted, which, until);
    int limit;
    const Rule *rule =
        all.count >= FEW && all.wrong > 0 && all.wrong < all.count ? rule_of(&all, &limit) : NULL;
    if (!rule)
      continue;
    char words[160];
    snprintf(words, sizeof words, rule->words, problem->size_names[which], limit);
    verdict_cause_more(verdict, "it %s (%zu runs, %s from %d to %d)", words, all.count,
                       problem->size_names[which], all.value[0], all.value[all.count - 1]);
    return true;
  }
  return false;
}
